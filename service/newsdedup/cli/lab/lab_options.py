"""What the commands of the lab share that write a report."""

import shlex
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from newsdedup.cli.options import parse_input_place
from newsdedup.cli.shown.output import print_json, stderr_console
from newsdedup.cli.shown.steps import Steps

if TYPE_CHECKING:
    from newsdedup.config import Settings
    from newsdedup.lab.collections.corpora import Corpus
    from newsdedup.lab.report.report import Provenance, StudyReport
    from newsdedup.lab.report.stages import Stages

StudiedItems = Annotated[
    list[str],
    typer.Argument(
        metavar="ITEMS...", parser=parse_input_place, help="Files or folders.", show_default=False
    ),
]
Out = Annotated[
    Path,
    typer.Option(
        "--out",
        metavar="DIR",
        help="The folder of the report: a page, its figures as JSON, and finished stages.",
        show_default=False,
    ),
]
Fresh = Annotated[
    bool, typer.Option("--fresh", help="Do all stages again, also those that DIR keeps.")
]

Planted = Annotated[
    Path | None,
    typer.Option(
        "--truth",
        metavar="TSV",
        help="The truth is the one that `lab generate` wrote beside its items.",
        show_default=False,
    ),
]


def refuse_two_truths(pairs: Path | None, planted: Path | None) -> None:
    """Refuse labelled pairs beside a planted truth."""
    if pairs is not None and planted is not None:
        raise typer.BadParameter("name --pairs or --truth: there can be only one truth")


def command(name: str, items: Sequence[str], *options: object) -> str:
    """Return a command line as it can be called again; options that were not given are None."""
    pairs = zip(options[::2], options[1::2], strict=True)
    given = [str(word) for flag, value in pairs if value is not None for word in (flag, value)]
    return shlex.join(["newsdedup", "lab", name, *items, *given])


def written(
    study: "Callable[[Corpus, Stages], StudyReport]",
    items: list[str],
    settings: "Settings",
    *,
    out: Path,
    called: str,
    fresh: bool,
    json: bool,
    quiet: bool,
) -> None:
    """Do a study and write its report."""
    from newsdedup.lab.collections.corpora import open_corpus
    from newsdedup.lab.extras import require_modules
    from newsdedup.lab.report.files import prepare_report_folder, write_report
    from newsdedup.lab.report.stages import Stages

    require_modules("matplotlib", "numpy", "rapidfuzz")
    folder = prepare_report_folder(out)
    studied = open_corpus(items, settings)
    steps = Steps(stderr_console(), quiet=quiet)
    report = study(studied, Stages(folder, studied.digest(), steps, fresh=fresh))
    page, figures = write_report(report, made(called, studied.versions), folder)
    if json:
        print_json({"page": str(page), "figures": str(figures)})
    else:
        print(page)


def made(called: str, versions: Mapping[str, str]) -> "Provenance":
    """Return who makes a report, now."""
    from newsdedup.lab.report.report import Provenance

    return Provenance(called, datetime.now(UTC).isoformat(timespec="seconds"), versions)
