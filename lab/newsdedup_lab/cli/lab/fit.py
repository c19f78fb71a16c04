from os import environ
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from newsdedup.cli.environment import load_settings
from newsdedup.cli.errors import require_libraries
from newsdedup.cli.options import Config, Json, Quiet, option, parse_input_path
from newsdedup.cli.output import plain_table, print_json, stdout_console
from newsdedup.cli.registry import command
from newsdedup.cli.shown.progress import Steps
from newsdedup_lab.cli.score_table import SHARE_HEADINGS, shown_shares
from newsdedup_lab.cli.studies import command_line, made_now

if TYPE_CHECKING:
    from rich.table import Table


_Streams = Annotated[
    list[str],
    option(
        "--items",
        "ITEMS",
        "A file or folder of items that came together; may be repeated, each is a stream.",
        parser=parse_input_path,
    ),
]
_PairFiles = Annotated[
    list[Path],
    option(
        "--pairs",
        "FILE",
        "Labelled pairs, as for `lab score`; may be repeated. Unseen sources are tried on those of "
        "the first file.",
    ),
]
_To = Annotated[Path, option("--to", "FILE", "The model.")]
_ModelVersion = Annotated[
    str, typer.Option("--version", metavar="NAME", help="The version that the model tells of.")
]
_ReportFolder = Annotated[
    Path | None,
    option("--report", "DIR", "Write a page with all measurements, and the measurements as JSON."),
]


@command(
    "newsdedup lab fit --items news.jsonl --pairs labelled.tsv --to verifier.json",
    "newsdedup lab fit --items a.jsonl --items b.jsonl --pairs pool.tsv --pairs hard.tsv"
    " --to verifier.json --report reports/",
)
def fit_model(
    context: typer.Context,
    items: _Streams,
    pairs: _PairFiles,
    *,
    to: _To,
    version: _ModelVersion = "1",
    report: _ReportFolder = None,
    config: Config = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Fit the model of rule `verified` on labelled pairs.

    Such models are also scored on pairs that they have not seen: of other stories (ten folds, with
    the threshold chosen inside), of other sources, streams and languages. Pairs are compared
    directly: with the habits of their whole stream known, with nothing learned from it, and as if
    all of it were of one source; beyond the window they are no duplicates. Pairs in two languages
    only decide the constant that is added for such pairs.
    """
    # More threads would wait for each other, the tables being small, and might sum otherwise.
    environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    require_libraries("numpy", *(("matplotlib",) if report is not None else ()))
    from newsdedup import __version__
    from newsdedup.adapters.files.inputs import expand_inputs
    from newsdedup.adapters.files.outputs import check_writable
    from newsdedup.adapters.files.paths import refuse_clashes
    from newsdedup.core.matching.verify.model import render_model
    from newsdedup_lab.fit.fit_report import fit_report, repeated_pairs_note
    from newsdedup_lab.fit.fit_study import run_fit
    from newsdedup_lab.report.study_stages import (
        prepare_report_folder,
        write_atomically,
        write_report,
    )

    refuse_clashes([("--to", to)], [*expand_inputs(items), *pairs])
    check_writable(to, replaced=True)
    settings = load_settings(config)
    folder = None if report is None else prepare_report_folder(report)
    steps = Steps(quiet=quiet)
    fitted = run_fit(items, pairs, settings, version=version, watch=steps)
    write_atomically(to, render_model(fitted.model).encode())
    if folder is not None:
        made = made_now(command_line(context), {"newsdedup": __version__})
        write_report(fit_report(fitted), made, folder)
    measurements = fitted.measurements()
    if json:
        print_json({"model": str(to), "measurements": measurements})
    else:
        stdout_console().print(_table(measurements))
        if advice := repeated_pairs_note(measurements):
            stdout_console().print(advice)


def _table(measurements: dict[str, Any]) -> "Table":
    """Return the table of scores on unseen pairs: by file and reading, by source, and by stream."""
    from newsdedup_lab.fit.samples import READING_TITLES, READING_WEIGHTS

    title = f"unseen pairs; threshold {measurements['model']['threshold']:g}"
    table = plain_table("", ">pairs", *SHARE_HEADINGS, title=title)
    rows = {
        f"{file}, {READING_TITLES[reading]}": readings[reading]
        for file, readings in measurements["by_story"].items()
        for reading, _ in READING_WEIGHTS
    }
    rows["other sources"] = measurements["by_source"]
    for apart in ("by_stream", "by_language"):
        rows |= {f"{name} by the others": part for name, part in measurements[apart].items()}
    for name, part in rows.items():
        table.add_row(name, str(part["pairs"]), *shown_shares(part))
    return table
