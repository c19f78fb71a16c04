"""Where the tables of a finished collection go."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from newsdedup.runners.files.result import Result

import os
import sys
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import typer

from newsdedup.cli.options import STANDARD_STREAM

if TYPE_CHECKING:
    from newsdedup.runners.files.result import Result


TableForm = Literal["jsonl", "csv", "parquet"]
TABLES = ("items", "pairs", "stories", "rejected")


@dataclass(frozen=True, slots=True)
class ResultPlaces:
    """The form of the tables and the file of each; no files if items go to standard output."""

    form: TableForm
    files: Mapping[str, Path]


def result_places(to: str, form: TableForm | None, *, inputs: Sequence[str]) -> ResultPlaces:
    """Return where the tables go; raise if they cannot go there, before anything is read."""
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
        return ResultPlaces(chosen, {})
    if by_name:
        files = {name: path.with_name(f"{path.stem}.{name}{path.suffix}") for name in TABLES}
        files["items"] = path
    else:
        files = {name: path / f"{name}.{chosen}" for name in TABLES}
    _check(files.values(), inputs)
    return ResultPlaces(chosen, files)


def _check(files: Collection[Path], inputs: Sequence[str]) -> None:
    """Make the folder, and refuse to write where that is impossible or would harm an input."""
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


def write_result(result: "Result", places: ResultPlaces) -> None:
    """Write all tables, or the items to standard output."""
    from newsdedup.adapters.tables.table_files import write_rows, write_table
    from newsdedup.runners.files.result_tables import tables

    for table in tables(result):
        if table.name in places.files:
            write_table(table, places.files[table.name], places.form)
        elif table.name == "items":
            write_rows(table, sys.stdout.buffer, places.form)


def result_figures(
    result: "Result", files: Mapping[str, Path], *, seconds: float
) -> dict[str, object]:
    """Return the figures of a finished collection."""
    counts = result.counts()
    items = len(result.items)
    return {
        "rows": counts["rows"],
        "originals": counts["original"],
        "duplicates": counts["duplicate"],
        "duplicate_share": round(counts["duplicate"] / items, 4) if items else 0.0,
        "stories": counts["stories"],
        "stories_with_copies": counts["copied"],
        "by_relation": _by(counts, "relation_"),
        "by_language": _by(counts, "lang_"),
        "rejected": counts["rejected"],
        "rejected_by_reason": _by(counts, "rejected_"),
        "undated": counts["undated"],
        "repeated_ids": counts["repeated_ids"],
        "files": {name: str(path) for name, path in files.items()},
        "seconds": round(seconds, 3),
        "rows_per_second": round(counts["rows"] / seconds, 1) if seconds else 0.0,
    }


def _by(counts: Counter[str], prefix: str) -> dict[str, int]:
    names = sorted(name for name in counts if name.startswith(prefix))
    return {name.removeprefix(prefix): counts[name] for name in names}


def result_lines(result: "Result", files: Mapping[str, Path], *, seconds: float) -> list[str]:
    """Return the figures as lines; what needs a look is told only where it occurs."""
    counts = result.counts()
    share = counts["duplicate"] / (len(result.items) or 1)
    rate = counts["rows"] / seconds if seconds else 0.0
    found = f"{counts['original']:,} originals, {counts['duplicate']:,} duplicates ({share:.1%})"
    stories = f"in {counts['copied']:,} stories"
    lines = [f"{counts['rows']:,} rows: {found} {stories}; {rate:,.0f} rows/s"]
    if counts["rejected"]:
        codes = ", ".join(f"{n:,} {code}" for code, n in _by(counts, "rejected_").items())
        where = f": see {files['rejected']}" if files else ": with --to FOLDER they are listed"
        lines.append(f"{counts['rejected']:,} rows cannot be items ({codes}){where}")
    if counts["repeated_ids"]:
        lines.append(
            f"{counts['repeated_ids']:,} rows repeat the id of a row above: each is judged as an "
            "item of its own"
        )
    if counts["undated"]:
        lines.append(f"{counts['undated']:,} rows have no date: they go by their place in the file")
    lines.extend(f"{name:9}{path}" for name, path in files.items())
    return lines
