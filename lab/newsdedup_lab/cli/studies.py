"""Options and steps that the commands of the lab share which write a report."""

import shlex
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Protocol

import typer

from newsdedup.cli.errors import require_libraries
from newsdedup.cli.options import argument, option, parse_input_path
from newsdedup.cli.output import print_json
from newsdedup.cli.shown.progress import Steps

if TYPE_CHECKING:
    from newsdedup.config import Settings
    from newsdedup_lab.collections.corpora import Corpus
    from newsdedup_lab.report.report_content import Provenance, StudyReport
    from newsdedup_lab.report.study_stages import Stages

StudiedItems = Annotated[
    list[str], argument("ITEMS...", "Files or folders.", parser=parse_input_path)
]
ReportFolder = Annotated[
    Path,
    option(
        "--out",
        "DIR",
        "The folder of the report: a page, its measurements as JSON, and finished stages.",
    ),
]
FreshStages = Annotated[
    bool, typer.Option("--fresh", help="Do all stages again, also those that DIR keeps.")
]
TruthFile = Annotated[
    Path | None,
    option("--truth", "TSV", "The truth is the one that `lab generate` wrote alongside its items."),
]

_NOT_REPEATED = ("fresh", "json", "quiet")
"""Parameters that change nothing in a report."""


def refuse_two_truths(pairs: Path | None, planted: Path | None) -> None:
    """Raise BadParameter if both a file of labelled pairs and a planted truth are named."""
    if pairs is not None and planted is not None:
        raise typer.BadParameter("name --pairs or --truth: there can be only one truth")


def command_line(context: typer.Context) -> str:
    """Return the command line `newsdedup lab ...` that makes the same report again.

    Options that change nothing in a report (--fresh, --json, --quiet) are not repeated.
    """
    words = ["newsdedup", "lab", str(context.info_name)]
    for param in context.command.params:
        value = context.params.get(str(param.name))
        if param.name in _NOT_REPEATED or value in (None, "", []):
            continue
        flag = param.opts[:1] if param.param_type_name == "option" else []
        for one in value if isinstance(value, list | tuple) else [value]:
            words += [*flag, str(one)]
    return shlex.join(words)


_NOT_GIVEN = ("config", "json", "kafka_servers", "quiet", "redis_url")
"""Parameters that say how measurements were shown, or name something of one machine."""


def given_command_line(context: typer.Context) -> str:
    """Return the command line with the arguments and options that were given, in their order.

    Options that change no number, and addresses, are not repeated.
    """
    words = ["newsdedup", str(context.info_name)]
    for param in context.command.params:
        name = str(param.name)
        source = context.get_parameter_source(name)
        if source is None or source.name != "COMMANDLINE" or name in _NOT_GIVEN:
            continue
        value = context.params[name]
        flag = param.opts[:1] if param.param_type_name == "option" else []
        values = value if isinstance(value, list | tuple) else [value]
        words += flag if value is True else [word for one in values for word in (*flag, str(one))]
    return shlex.join(words)


class _Study(Protocol):
    """A study of a collection."""

    def report(self) -> "StudyReport":
        """Do the stages that are not stored yet, and return the report."""
        ...


def write_study(
    study: "Callable[[Corpus, Stages], _Study]",
    items: list[str],
    settings: "Settings",
    context: typer.Context,
    *,
    out: Path,
    fresh: bool,
    json: bool,
    quiet: bool,
) -> None:
    """Do a study of the items, write its report into `out`, and print the paths of its files.

    Stages that `out` stores already are not done again, unless `fresh`.
    """
    from newsdedup_lab.collections.corpora import open_corpus
    from newsdedup_lab.report.study_stages import Stages, prepare_report_folder, write_report

    require_libraries("matplotlib", "numpy", "rapidfuzz")
    folder = prepare_report_folder(out)
    studied = open_corpus(items, settings)
    steps = Steps(quiet=quiet)
    stages = Stages(folder, studied.digest(), steps, fresh=fresh)
    made = made_now(command_line(context), studied.versions)
    print_report_files(*write_report(study(studied, stages).report(), made, folder), json=json)


def made_now(called: str, versions: Mapping[str, str]) -> "Provenance":
    """Return how and when a report was made: now, by a command line, with these versions."""
    from newsdedup_lab.report.report_content import Provenance

    return Provenance(called, datetime.now(UTC).isoformat(timespec="seconds"), versions)


def print_report_files(page: Path, measurements: Path, *, json: bool) -> None:
    """Print the path of the page, or, as JSON, the paths of the page and of the measurements."""
    if json:
        print_json({"page": str(page), "measurements": str(measurements)})
    else:
        print(page)
