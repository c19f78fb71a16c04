"""The counts of a run and of a finished collection, as JSON and in words, and where tables go."""

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any, Literal

import typer

from newsdedup.cli.invocation import as_called
from newsdedup.cli.options import STANDARD_STREAM
from newsdedup.cli.output import counted, listed_counts

if TYPE_CHECKING:
    from newsdedup.runners.files.finished import Result

TableForm = Literal["jsonl", "csv", "parquet"]
_TABLES = ("items", "pairs", "stories", "rejected")


@dataclass(frozen=True, slots=True)
class ResultPaths:
    """The format of the result tables, and the file of each by its name; no files for `-`."""

    form: TableForm
    files: Mapping[str, Path]


def result_paths(to: str, form: TableForm | None, *, inputs: Sequence[str]) -> ResultPaths:
    """Return the format and files of the result tables, and create their folder.

    `to` is a folder, a file for the items, or `-`; `inputs` and the events of runs are not
    overwritten. Raise BadParameter if `to` and `form` name no format or contradict each other,
    SinkUnusable if a file cannot be written, is an input or belongs to a run.
    """
    from newsdedup.adapters.files.outputs import refuse_run_output, sink_errors
    from newsdedup.adapters.files.paths import refuse_clashes
    from newsdedup.adapters.tables.table_files import TABLE_FORMATS, check_format_library
    from newsdedup.ports.errors import SinkUnusable

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
    refuse_clashes((("--to", file) for file in files.values()), inputs)
    for file in files.values():
        refuse_run_output(file)
    folder = next(iter(files.values())).parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SinkUnusable(f"{folder}: cannot be created: {error.strerror or error}") from error
    if not os.access(folder, os.W_OK):
        raise SinkUnusable(f"{folder}: cannot be written")
    return ResultPaths(chosen, files)


def write_result(result: "Result", locations: ResultPaths) -> None:
    """Write all tables to their files, or, without files, the items to standard output.

    Raise SinkUnusable if a file cannot be written.
    """
    from newsdedup.adapters.tables.table_files import write_rows, write_table
    from newsdedup.runners.files.finished import tables

    for table in tables(result):
        if table.name in locations.files:
            write_table(table, locations.files[table.name], locations.form)
        elif table.name == "items":
            write_rows(table, sys.stdout.buffer, locations.form)


def result_stats(result: "Result", files: Mapping[str, Path], *, seconds: float) -> dict[str, Any]:
    """Return the counts of a finished collection by their names in JSON, its files and speed."""
    counts = result.counts()
    return {
        "rows": counts["rows"],
        **_verdict_stats(counts, len(result.items)),
        "stories": counts["stories"],
        "stories_with_copies": counts["copied"],
        "by_relation": counts_by(counts, "relation_"),
        "by_language": counts_by(counts, "lang_"),
        "rejected": counts["rejected"],
        "rejected_by_reason": counts_by(counts, "rejected_"),
        **{name: counts[name] for name in ("undated", "unread_dates", "repeated_ids")},
        "files": {name: str(path) for name, path in files.items()},
        **_speed("rows", counts["rows"], seconds),
    }


def result_lines(stats: Mapping[str, Any], files: Mapping[str, Path]) -> list[str]:
    """Return the counts of `result_stats`, then the files of the tables, as lines for a person."""
    stories = f"in {counted(stats['stories_with_copies'], 'story', 'stories')}"
    rate = f"{stats['rows_per_second']:,.0f} rows/s"
    lines = [f"{counted(stats['rows'], 'row')}: {_verdicts(stats)} {stories}; {rate}"]
    if stats["rejected"]:
        codes = listed_counts(stats["rejected_by_reason"])
        where = f": see {files['rejected']}" if files else ": with --to FOLDER they are listed"
        lines.append(f"No item: {counted(stats['rejected'], 'row')} ({codes}){where}")
    for name, words in (
        ("repeated_ids", "Id of a row above: {}; each is judged as an item of its own"),
        ("undated", "Without a date, ordered as in the file: {}"),
        ("unread_dates", "With a date that cannot be read, which counts as missing: {}"),
    ):
        if stats[name]:
            lines.append(words.format(counted(stats[name], "row")))
    lines.extend(f"{name:9}{path}" for name, path in files.items())
    return lines


_EVENTS = {"corrected": "verdict.corrected", "retracted": "item.retracted", "dead_letters": "dead"}
"""Counts of the engine by their names in JSON, where these are others."""


def run_stats(counts: Mapping[str, int], *, to: str, dead: str, seconds: float) -> dict[str, Any]:
    """Return the counts of a run by their names in JSON, with its files.

    `counts` are those of the engine by name, `dead` is the file of dead letters.
    """
    judged = counts.get("item.judged", 0)
    names = ["repeated", "corrected", "retracted", "postings_skipped", "cut_short", "late"]
    names += ["half_written", "undated", "unread_dates", "dead_letters"]
    return {
        "lines": counts.get("lines", 0),
        "judged": judged,
        **_verdict_stats(counts, judged),
        **{name: counts.get(_EVENTS.get(name, name), 0) for name in names},
        "dead_letters_by_reason": counts_by(counts, "dead_"),
        "by_relation": counts_by(counts, "relation_"),
        "by_language": counts_by(counts, "lang_"),
        "to": to,
        "dead_letters_file": dead,
        **_speed("items", judged, seconds),
    }


def run_sentence(stats: Mapping[str, Any]) -> str:
    """Return the counts of `run_stats` as a line in words; problems get further lines."""
    line = f"{counted(stats['judged'], 'item')}: {_verdicts(stats)}"
    extras = [
        f"{stats[name]:,} {words}"
        for name, words in (
            ("corrected", "corrected"),
            ("retracted", "retracted"),
            ("repeated", "delivered again"),
            ("postings_skipped", "posting lists too long to read"),
            ("cut_short", "not judged: a cascade reached its bound"),
            ("late", "older than rule.lateness allows: they may miss duplicates"),
        )
        if stats[name]
    ]
    if extras:
        line += "; " + ", ".join(extras)
    if stats["lines"]:
        line += f"; {stats['items_per_second']:,.0f} items/s"
    else:
        line += "; nothing new in the inputs (--fresh starts over)"
    for name, words in (
        ("half_written", "Half-written last lines of inputs, left for the next run"),
        ("undated", "Without published_at and seen_at, dated by the items before them"),
        ("unread_dates", "Items with a date that cannot be read, which counts as missing"),
    ):
        if stats[name]:
            line += f"\n{words}: {stats[name]:,}"
    if number := stats["dead_letters"]:
        file = stats["dead_letters_file"]
        line += f"\n{counted(number, 'bad record')} {'is' if number == 1 else 'are'} in {file}: "
        line += as_called(f"see `newsdedup dlq ls {quote(file)}`")
    return line


def counts_by(counts: Mapping[str, int], prefix: str) -> dict[str, int]:
    """Return the counts whose names begin with `prefix`, keyed by the names without it, sorted."""
    names = sorted(name for name in counts if name.startswith(prefix))
    return {name.removeprefix(prefix): counts[name] for name in names}


def _verdict_stats(counts: Mapping[str, int], judged: int) -> dict[str, Any]:
    """Return the counts of both verdicts, and the share of duplicates in `judged` items."""
    originals, duplicates = (counts.get(verdict, 0) for verdict in ("original", "duplicate"))
    share = round(duplicates / judged, 4) if judged else 0.0
    return {"originals": originals, "duplicates": duplicates, "duplicate_share": share}


def _verdicts(stats: Mapping[str, Any]) -> str:
    """Return the counts of both verdicts in words, as "3 originals, 1 duplicate (25.0%)"."""
    originals = counted(stats["originals"], "original")
    return (
        f"{originals}, {counted(stats['duplicates'], 'duplicate')} ({stats['duplicate_share']:.1%})"
    )


def _speed(things: str, number: int, seconds: float) -> dict[str, Any]:
    """Return the seconds, and the rate as "THINGS_per_second", 0 for no time."""
    rate = round(number / seconds, 1) if seconds else 0.0
    return {"seconds": round(seconds, 3), f"{things}_per_second": rate}
