"""The figures of a run and of a finished collection, as JSON and in words, and where tables go."""

import os
import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Literal

import typer

from newsdedup.cli.invocation import as_called
from newsdedup.cli.options import STANDARD_STREAM
from newsdedup.cli.output import counted

if TYPE_CHECKING:
    from newsdedup.runners.files.result import Result

TableForm = Literal["jsonl", "csv", "parquet"]
_TABLES = ("items", "pairs", "stories", "rejected")


@dataclass(frozen=True, slots=True)
class ResultPaths:
    """The form of the tables and the file of each; no files if items go to standard output."""

    form: TableForm
    files: Mapping[str, Path]


def result_paths(to: str, form: TableForm | None, *, inputs: Sequence[str]) -> ResultPaths:
    """Return the form of the tables and their files, and make the folder before anything is read.

    `to` is a folder, a file for the items, or `-`. Raise BadParameter if `to` and `form` name no
    form of tables or contradict each other, and SinkUnusable if the place cannot be written or is
    an input.
    """
    from newsdedup.adapters.files.outputs import sink_errors
    from newsdedup.adapters.tables.table_files import TABLE_FORMATS, check_format_library

    path = Path(to)
    with sink_errors(path):
        is_folder = path.is_dir()
    by_name = None if is_folder else TABLE_FORMATS.get(path.suffix.lower())
    if path.suffix and not (by_name or is_folder or to.endswith("/")):
        known = ", ".join(TABLE_FORMATS)
        raise typer.BadParameter(f"{to}: a file ends in {known}; a folder like this in /")
    if form and by_name and form != by_name:
        raise typer.BadParameter(f"--format {form} contradicts --to {to}")
    chosen = form or by_name or "jsonl"
    check_format_library(chosen)
    if to == STANDARD_STREAM:
        if chosen == "parquet":
            raise typer.BadParameter("Parquet goes to a file or a folder, not to standard output")
        return ResultPaths(chosen, {})
    if by_name:
        files = {name: path.with_name(f"{path.stem}.{name}{path.suffix}") for name in _TABLES}
        files["items"] = path
    else:
        files = {name: path / f"{name}.{chosen}" for name in _TABLES}
    _prepare_folder(files.values(), inputs)
    return ResultPaths(chosen, files)


def _prepare_folder(files: Collection[Path], inputs: Sequence[str]) -> None:
    """Make the folder of the files; SinkUnusable if it cannot be written, or a file is an input."""
    from newsdedup.adapters.files.paths import refuse_clashes
    from newsdedup.ports.errors import SinkUnusable

    refuse_clashes((("--to", file) for file in files), inputs)
    folder = next(iter(files)).parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SinkUnusable(f"{folder}: cannot be made: {error.strerror or error}") from error
    if not os.access(folder, os.W_OK):
        raise SinkUnusable(f"{folder}: cannot be written")


def write_result(result: "Result", locations: ResultPaths) -> None:
    """Write all tables to their files, or, if there are no files, the items to standard output."""
    from newsdedup.adapters.tables.table_files import write_rows, write_table
    from newsdedup.runners.files.result_tables import tables

    for table in tables(result):
        if table.name in locations.files:
            write_table(table, locations.files[table.name], locations.form)
        elif table.name == "items":
            write_rows(table, sys.stdout.buffer, locations.form)


def result_stats(
    result: "Result", files: Mapping[str, Path], *, seconds: float
) -> dict[str, object]:
    """Return the figures of a finished collection, for JSON."""
    counts = result.counts()
    items = len(result.items)
    return {
        "rows": counts["rows"],
        "originals": counts["original"],
        "duplicates": counts["duplicate"],
        "duplicate_share": round(counts["duplicate"] / items, 4) if items else 0.0,
        "stories": counts["stories"],
        "stories_with_copies": counts["copied"],
        "by_relation": counts_by(counts, "relation_"),
        "by_language": counts_by(counts, "lang_"),
        "rejected": counts["rejected"],
        "rejected_by_reason": counts_by(counts, "rejected_"),
        "undated": counts["undated"],
        "unread_dates": counts["unread_dates"],
        "repeated_ids": counts["repeated_ids"],
        "files": {name: str(path) for name, path in files.items()},
        "seconds": round(seconds, 3),
        "rows_per_second": round(counts["rows"] / seconds, 1) if seconds else 0.0,
    }


def result_lines(result: "Result", files: Mapping[str, Path], *, seconds: float) -> list[str]:
    """Return the figures of a finished collection as lines for a person.

    Rejected, repeated and undated rows have a line only if there are any. The files come last.
    """
    counts = result.counts()
    share = counts["duplicate"] / (len(result.items) or 1)
    rate = counts["rows"] / seconds if seconds else 0.0
    verdicts = f"{_verdicts(counts['original'], counts['duplicate'])} ({share:.1%})"
    stories = f"in {counted(counts['copied'], 'story', 'stories')}"
    lines = [f"{counted(counts['rows'], 'row')}: {verdicts} {stories}; {rate:,.0f} rows/s"]
    if counts["rejected"]:
        codes = ", ".join(f"{n:,} {code}" for code, n in counts_by(counts, "rejected_").items())
        where = f": see {files['rejected']}" if files else ": with --to FOLDER they are listed"
        lines.append(f"No item: {_rows(counts['rejected'])} ({codes}){where}")
    if counts["repeated_ids"]:
        lines.append(
            f"Id of a row above: {_rows(counts['repeated_ids'])}; each is judged as an item of its "
            "own"
        )
    if counts["undated"]:
        lines.append(f"Without a date, ordered as in the file: {_rows(counts['undated'])}")
    if counts["unread_dates"]:
        unread = _rows(counts["unread_dates"])
        lines.append(f"With a date that cannot be read, which counts as missing: {unread}")
    lines.extend(f"{name:9}{path}" for name, path in files.items())
    return lines


def run_stats(
    counts: Mapping[str, int], *, to: str, dead: str, seconds: float
) -> dict[str, object]:
    """Return the figures of a run by their names in JSON, from its counts and its files."""
    judged = counts.get("item.judged", 0)
    duplicates = counts.get("duplicate", 0)
    return {
        "lines": counts.get("lines", 0),
        "judged": judged,
        "originals": counts.get("original", 0),
        "duplicates": duplicates,
        "duplicate_share": round(duplicates / judged, 4) if judged else 0.0,
        "repeated": counts.get("repeated", 0),
        "corrected": counts.get("verdict.corrected", 0),
        "retracted": counts.get("item.retracted", 0),
        "postings_skipped": counts.get("postings_skipped", 0),
        "cut_short": counts.get("cut_short", 0),
        "late": counts.get("late", 0),
        "half_written": counts.get("half_written", 0),
        "unread_dates": counts.get("unread_dates", 0),
        "dead_letters": counts.get("dead", 0),
        "dead_letters_by_reason": counts_by(counts, "dead_"),
        "by_relation": counts_by(counts, "relation_"),
        "by_language": counts_by(counts, "lang_"),
        "to": to,
        "dead_letters_file": dead,
        "seconds": round(seconds, 3),
        "items_per_second": round(judged / seconds, 1) if seconds else 0.0,
    }


def run_sentence(stats: Mapping[str, object]) -> str:
    """Return the figures that `run_stats` gave as a line for a person.

    Incomplete last lines of the inputs and bad records add a line each if there are any.
    """
    share = float(str(stats["duplicate_share"]))
    line = (
        f"{counted(_number(stats, 'judged'), 'item')}: "
        f"{_verdicts(_number(stats, 'originals'), _number(stats, 'duplicates'))} ({share:.1%})"
    )
    extras = [
        f"{stats[name]:,} {words}"
        for name, words in (
            ("corrected", "corrected"),
            ("retracted", "retracted"),
            ("repeated", "delivered again"),
            ("postings_skipped", "posting lists too long to read"),
            ("cut_short", "placed unjudged: a cascade reached its bound"),
            ("late", "older than rule.lateness allows: they may miss duplicates"),
        )
        if stats[name]
    ]
    if extras:
        line += "; " + ", ".join(extras)
    if stats["lines"]:
        line += f"; {stats['items_per_second']:,.0f} items/s"
    else:
        line += "; nothing new in the inputs (--fresh begins anew)"
    if stats["half_written"]:
        half_written = f"{stats['half_written']:,}"
        line += f"\nHalf-written last lines of inputs, left for the next run: {half_written}"
    if stats["unread_dates"]:
        unread = f"{stats['unread_dates']:,}"
        line += f"\nItems with a date that cannot be read, which counts as missing: {unread}"
    if stats["dead_letters"]:
        number, file = _number(stats, "dead_letters"), str(stats["dead_letters_file"])
        line += f"\n{counted(number, 'bad record')} {'is' if number == 1 else 'are'} in {file}: "
        line += as_called(f"see `newsdedup dlq ls {quote(file)}`")
    return line


def _verdicts(originals: int, duplicates: int) -> str:
    return f"{counted(originals, 'original')}, {counted(duplicates, 'duplicate')}"


def _rows(number: int) -> str:
    return counted(number, "row")


def _number(stats: Mapping[str, object], name: str) -> int:
    return int(str(stats[name]))


def counts_by(counts: Mapping[str, int], prefix: str) -> dict[str, int]:
    """Return the counts whose names begin with a prefix, by the rest of their names."""
    names = sorted(name for name in counts if name.startswith(prefix))
    return {name.removeprefix(prefix): counts[name] for name in names}
