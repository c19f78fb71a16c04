from os import environ
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from newsdedup.cli.environment import load_configuration
from newsdedup.cli.lab.lab_options import command
from newsdedup.cli.lab.score_table import shown
from newsdedup.cli.options import Config, Json, Quiet, parse_input_place
from newsdedup.cli.registration import examples
from newsdedup.cli.shown.output import print_json, stderr_console, stdout_console
from newsdedup.cli.shown.steps import Steps

if TYPE_CHECKING:
    from rich.table import Table

    from newsdedup.lab.fit.study import FitResult


EXAMPLES = examples(
    "newsdedup lab fit --items news.jsonl --pairs labelled.tsv --to verifier.json",
    "newsdedup lab fit --items a.jsonl --items b.jsonl --pairs pool.tsv --pairs hard.tsv"
    " --to verifier.json --report reports/",
)

Streams = Annotated[
    list[str],
    typer.Option(
        "--items",
        metavar="ITEMS",
        parser=parse_input_place,
        help="A file or folder of items that came together; may be repeated, each is a stream.",
        show_default=False,
    ),
]
PairFiles = Annotated[
    list[Path],
    typer.Option(
        "--pairs",
        metavar="TSV",
        help="Labelled pairs, as for `lab score`; may be repeated. The threshold is chosen, and "
        "unseen sources and streams are tried, on those of the first file.",
        show_default=False,
    ),
]
To = Annotated[Path, typer.Option("--to", metavar="FILE", help="The model.", show_default=False)]
ModelVersion = Annotated[
    str, typer.Option("--version", metavar="NAME", help="The version that the model tells of.")
]
ReportFolder = Annotated[
    Path | None,
    typer.Option(
        "--report",
        metavar="DIR",
        help="Write a page with all figures, and the figures as JSON.",
        show_default=False,
    ),
]


def fit(
    items: Streams,
    pairs: PairFiles,
    *,
    to: To,
    version: ModelVersion = "1",
    report: ReportFolder = None,
    config: Config = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Fit the model of rule `verified` on labelled pairs.

    Tells how such models do on pairs that they have not seen: of other stories (ten folds, the
    threshold chosen inside), of sources and of streams that no pair of the fit is from. Pairs are
    compared directly: with the habits of their whole stream known, with nothing learned from it,
    and as if all of it were of one source; beyond the window they are no duplicates. Pairs in two
    languages only tell what is added for them.
    """
    from newsdedup.lab.extras import require_modules

    # More threads would wait for each other, the tables being small, and might sum otherwise.
    environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    require_modules("numpy", *(("matplotlib",) if report is not None else ()))
    from newsdedup.adapters.files.inputs import expand_inputs
    from newsdedup.adapters.files.outputs import check_writable
    from newsdedup.adapters.files.paths import refuse_clashes
    from newsdedup.core.matching.verify.model import render
    from newsdedup.lab.fit.report import repeated_pairs_note
    from newsdedup.lab.fit.study import run_fit
    from newsdedup.lab.report.files import prepare_report_folder, write_atomically

    refuse_clashes([("--to", to)], [*expand_inputs(items), *pairs])
    check_writable(to, replaced=True)
    settings = load_configuration(config).settings
    folder = None if report is None else prepare_report_folder(report)
    steps = Steps(stderr_console(), quiet=quiet)
    fitted = run_fit(items, pairs, settings, version=version, watch=steps)
    write_atomically(to, render(fitted.model).encode())
    if folder is not None:
        options: list[object] = [word for path in pairs for word in ("--pairs", path)]
        called = command("fit", [], *_repeated("--items", items), *options, "--to", to)
        _write(fitted, folder, called)
    told = fitted.figures()
    if json:
        print_json({"model": str(to), "figures": told})
    else:
        stdout_console().print(_table(told))
        if said := repeated_pairs_note(told):
            stdout_console().print(said)


def _repeated(flag: str, values: list[str]) -> list[object]:
    return [word for value in values for word in (flag, value)]


def _write(fitted: "FitResult", folder: Path, called: str) -> None:
    from datetime import UTC, datetime

    from newsdedup import __version__
    from newsdedup.lab.fit.report import fit_report
    from newsdedup.lab.report.files import write_report
    from newsdedup.lab.report.report import Provenance

    date = datetime.now(UTC).isoformat(timespec="seconds")
    write_report(fit_report(fitted), Provenance(called, date, {"newsdedup": __version__}), folder)


def _table(told: dict[str, Any]) -> "Table":
    from rich.table import Table

    from newsdedup.lab.fit.samples import READING_TITLES, READING_WEIGHTS

    threshold = told["model"]["threshold"]
    table = Table(title=f"unseen pairs; threshold {threshold:g}", title_justify="left", box=None)
    for column in ("", "pairs", "precision", "recall", "F", "weighted P", "R", "F"):
        table.add_column(column, justify="left" if not column else "right")
    for file, readings in told["by_story"].items():
        for reading, _ in READING_WEIGHTS:
            table.add_row(f"{file}, {READING_TITLES[reading]}", *_figures(readings[reading]))
    table.add_row("other sources", *_figures(told["by_source"]))
    for name, found in told["by_stream"].items():
        table.add_row(f"{name} by the others", *_figures(found))
    return table


def _figures(found: dict[str, Any]) -> list[str]:
    shares = [
        shown(found[kind][name])
        for kind in ("plain", "weighted")
        for name in ("precision", "recall", "f1")
    ]
    return [str(found["pairs"]), *shares]
