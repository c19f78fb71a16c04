"""Where the tables of a finished collection go."""

import os
import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import typer

from newsdedup.cli.places import STANDARD

if TYPE_CHECKING:
    from newsdedup.runners.files.result import Result

Form = Literal["jsonl", "csv", "parquet"]
TABLES = ("items", "pairs", "stories", "rejected")


@dataclass(frozen=True, slots=True)
class ResultPlaces:
    """The form of the tables and the file of each; no files if items go to standard output."""

    form: Form
    files: Mapping[str, Path]


def result_places(to: str, form: Form | None, *, inputs: Sequence[str]) -> ResultPlaces:
    """Return where the tables go; raise if they cannot go there, before anything is read."""
    from newsdedup.adapters.files.outputs import sink_errors  # noqa: PLC0415
    from newsdedup.adapters.tables.table_files import TABLE_FORMATS, check_format_library  # noqa: PLC0415

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
    if to == STANDARD:
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
    from newsdedup.adapters.files.paths import refuse_clashes  # noqa: PLC0415
    from newsdedup.ports.errors import SinkUnusable  # noqa: PLC0415

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
    from newsdedup.adapters.tables.table_files import write_rows, write_table  # noqa: PLC0415
    from newsdedup.runners.files.result_tables import tables  # noqa: PLC0415

    for table in tables(result):
        if table.name in places.files:
            write_table(table, places.files[table.name], places.form)
        elif table.name == "items":
            write_rows(table, sys.stdout.buffer, places.form)
