from collections import Counter
from contextlib import contextmanager
from pathlib import Path
from shlex import quote
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any

import typer

from newsdedup.cli import options
from newsdedup.cli.environment import end_at_sigterm, load_settings
from newsdedup.cli.options import argument, option, parse_input_path, switch
from newsdedup.cli.output import counted, print_result, stderr_console
from newsdedup.cli.registry import command
from newsdedup.cli.shown.progress import Steps, show_count

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from newsdedup.adapters.tables.table_files import TableFormat
    from newsdedup.archive.word_index import IndexProgress

_Events = Annotated[
    list[str] | None,
    argument(
        "[EVENTS]...",
        "Files of events, folders, or - for standard input. [default: none]",
        parser=parse_input_path,
    ),
]
_NAMED = ("judged", "corrected", "retracted", "repeated", "unreadable", "expired", "internal_error")
_ToArchive = Annotated[Path, option("--to", "FILE", "The archive; it is created if missing.")]
_Check = Annotated[
    bool, switch("--check", "Then count everything again, and fail if the archive differs.")
]
_Export = Annotated[
    Path | None,
    option(
        "--export",
        "TABLE",
        "Then write its newest events to a file: .parquet, .jsonl or .csv. Without EVENTS the"
        " archive is only read.",
    ),
]


@command(
    "newsdedup archive events.jsonl --to news.archive",
    "newsdedup archive 2026/ --to news.archive --keep 90d",
    "newsdedup tail --from beginning --json | newsdedup archive - --to news.archive",
    "newsdedup archive --to news.archive --check",
    "newsdedup archive --to news.archive --export events.parquet",
)
def build_archive(
    events: _Events = None,
    *,
    to: _ToArchive,
    keep: options.Keep = None,
    check: _Check = False,
    export: _Export = None,
    config: options.Config = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Collect events in an archive: items, stories, sources and full text, in one SQLite file.

    Events that the archive has are skipped, so files may overlap and be read again. After a stop or
    a crash it continues; of a file that has grown only the rest is read. Items older than --keep
    are erased, and so is every item that its source withdrew. --export writes a table with a row
    for each item; in CSV, texts that a spreadsheet would take for formulas get an apostrophe.
    """
    from newsdedup.adapters.files.inputs import expand_inputs
    from newsdedup.adapters.files.paths import refuse_clashes
    from newsdedup.archive.following import follow_file
    from newsdedup.bootstrap.runs import open_archive_writer

    form = None if export is None else _format_of(export)
    if export is not None and form is not None and not (events or check or keep):
        _export(to, export, form, json=json, quiet=quiet)
        return
    settings = load_settings(config, {"archive.keep": keep})
    inputs = expand_inputs(events or [])
    refuse_clashes([("--to", to)], inputs)
    end_at_sigterm()
    counts: Counter[str] = Counter()
    began = monotonic()
    with (
        _indexing(Steps(quiet=quiet)) as indexed,
        open_archive_writer(settings, to, indexed=indexed) as archive,
    ):
        for name in inputs:
            batches = follow_file(archive, name)
            for batch in show_count(batches, stderr_console(), of="batches", quiet=quiet):
                counts.update(batch)
        counts.update(archive.prune())
        differences = archive.check() if check else []
        counts["items"] = archive.items()
    # An internal error is named only where it happened: it never should.
    names = ["lines", "judged", "corrected", "retracted", "stories", "repeated", "unreadable"]
    names += ["expired", "items", *(["internal_error"] if counts["internal_error"] else [])]
    stats: dict[str, object] = {name: counts[name] for name in names}
    stats |= {"bytes": to.stat().st_size, "seconds": round(monotonic() - began, 3)}
    stats |= {"differences": differences} if check else {}
    parts = [counted(counts["lines"], "event")]
    parts += [f"{counts[name]} {name}" for name in _NAMED if counts[name]]
    words = f"{', '.join(parts)}; the archive holds {counted(counts['items'], 'item')}"
    print_result(stats, words, json=json, quiet=quiet)
    if export is not None and form is not None:
        _export(to, export, form, json=False, quiet=True)
    if differences:
        from newsdedup.ports.errors import StateUnusable

        raise StateUnusable(f"archive {to} differs from its items: {'; '.join(differences)}")
    if counts["lines"] and counts["unreadable"] == counts["lines"]:
        from newsdedup.ports.errors import NothingToRead

        raise NothingToRead(
            "no line is an event, as `newsdedup run` writes them; "
            f"`newsdedup run ITEMS --to events.jsonl --archive {quote(str(to))}` judges items first"
        )


@contextmanager
def _indexing(steps: Steps) -> "Iterator[Callable[[IndexProgress], None]]":
    """Yield what shows on standard error how far words are indexed anew, once that begins."""
    with steps.step("items whose words are indexed anew:") as advance:
        done = -1

        def show(progress: "IndexProgress") -> None:
            nonlocal done
            if done < 0:
                left = counted(progress.items - progress.done, "item")
                steps.say(f"the words of {left} are indexed anew: newsdedup reads them better now")
            advance(progress.done - max(0, done))
            done = progress.done

        yield show


def _format_of(export: Path) -> "TableFormat":
    """Return the format of a table by the end of its name; raise BadParameter for another one.

    Raise SinkUnusable if the library for it is not installed.
    """
    from newsdedup.adapters.tables.table_files import TABLE_FORMATS, check_format_library

    form = TABLE_FORMATS.get(export.suffix.lower())
    if form is None:
        raise typer.BadParameter(f"--export {export}: its name ends in {', '.join(TABLE_FORMATS)}")
    check_format_library(form)
    return form


def _export(archive: Path, export: Path, form: "TableFormat", *, json: bool, quiet: bool) -> None:
    """Write the events of an archive as a table, and print how many there are.

    Raise SinkUnusable if `export` is a file that the archive was read from, or that a run writes.
    """
    from newsdedup.adapters.files.outputs import refuse_run_output
    from newsdedup.adapters.files.paths import refuse_clashes
    from newsdedup.adapters.tables.table_files import ResultTable, harmless_cell, write_table
    from newsdedup.archive.exporting import EVENT_COLUMNS, ArchiveExport
    from newsdedup.bootstrap.runs import make_search_words

    refuse_run_output(export)
    with ArchiveExport(archive, make_search_words()) as opened:
        refuse_clashes([("--export", export)], [archive, *opened.inputs()])
        rows = show_count(opened.rows(), stderr_console(), of="events", quiet=quiet)
        written = 0

        def cells() -> "Iterator[Sequence[Any]]":
            """Yield the rows, counted, with harmless texts in CSV."""
            nonlocal written
            for row in rows:
                written += 1
                yield (
                    row
                    if form != "csv"
                    else [harmless_cell(one) if isinstance(one, str) else one for one in row]
                )

        write_table(ResultTable("events", EVENT_COLUMNS, cells()), export, form)
    words = f"{counted(written, 'event')} written to {export}"
    print_result({"events": written, "file": str(export)}, words, json=json, quiet=quiet)
