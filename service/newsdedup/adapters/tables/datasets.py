"""Collections on disk: the files that they are made of, and the rows of each."""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack

from newsdedup.adapters.files.input_forms import CSV_SUFFIXES, InputForm
from newsdedup.adapters.files.inputs import (
    JSON_SUFFIXES,
    InputPosition,
    expand_inputs,
    source_errors,
)
from newsdedup.adapters.files.json_values import split_values
from newsdedup.adapters.files.lines import Idle, Line, split_lines
from newsdedup.adapters.formats.item_json import COMMAND_FIELD
from newsdedup.adapters.formats.json_object import Limits, decode_object
from newsdedup.adapters.tables.columns import ChosenColumns, ColumnMap, list_columns
from newsdedup.adapters.tables.csv_rows import read_csv
from newsdedup.adapters.tables.input_records import open_input
from newsdedup.adapters.tables.rows import BadTableRow, TableRow, bad_row
from newsdedup.adapters.tables.table_files import read_parquet
from newsdedup.ports.errors import InvalidItem, SourceUnusable

_SILENCE_SECONDS = 3600.0
_SHAPES = 1_000
"""Sets of field names whose columns are cached: most files have a few."""
_PARQUET_SUFFIXES = (".parquet", ".pq")
TABLE_SUFFIXES = (*JSON_SUFFIXES, *CSV_SUFFIXES, *_PARQUET_SUFFIXES)


def dataset_files(datasets: Iterable[str]) -> list[str]:
    """Return the files that files, folders and `-` mean: of a folder its tables, sorted.

    Raise SourceUnusable for a missing file or a folder without tables, SettingsInvalid for a file
    named twice.
    """
    return expand_inputs(datasets, suffixes=TABLE_SUFFIXES)


def read_datasets(
    files: Iterable[str], columns: ColumnMap, *, limits: Limits
) -> Iterator[TableRow | BadTableRow]:
    """Yield the rows of files of all forms that are read; raise NothingToRead for another form."""
    for name in files:
        if name.lower().endswith(_PARQUET_SUFFIXES):
            yield from read_parquet(name, columns)
            continue
        with source_errors(name), ExitStack() as stack:
            form, read = open_input(name, InputPosition(), _SILENCE_SECONDS, stack)
            split = split_values if form is InputForm.VALUES else split_lines
            rows = read_csv if form is InputForm.CSV else read_json_lines
            lines = split(read, name=name, limit=limits.line_bytes)
            yield from rows(name, lines, columns, limits=limits)


def read_json_lines(
    name: str, lines: Iterable[Line | Idle], columns: ColumnMap, *, limits: Limits
) -> Iterator[TableRow | BadTableRow]:
    """Yield the objects of the lines that are not blank, as rows or as rejected rows.

    Raise SourceUnusable for a file that holds one JSON array.
    """
    shapes: dict[tuple[str, ...], ChosenColumns] = {}
    number = -1
    for line in lines:
        if isinstance(line, Idle) or not line.size or line.data.isspace():
            continue
        number += 1
        if number == 0 and line.data.lstrip().startswith(b"["):
            raise SourceUnusable(
                f"{name} holds one JSON array: write an object a line, as `jq -c '.[]'` does"
            )
        try:
            fields = _own_fields(line, columns, shapes, limits)
            yield TableRow(name, number, fields, line.number, line.offset)
        except InvalidItem as error:
            yield bad_row(TableRow(name, number, {}, line.number, line.offset), error, line.data)


def _own_fields(
    line: Line, columns: ColumnMap, shapes: dict[tuple[str, ...], ChosenColumns], limits: Limits
) -> dict[str, object]:
    """Return the fields of a line of JSON; `shapes` caches columns by the names of all fields."""
    if line.size > limits.line_bytes:
        raise InvalidItem("too_long", f"the line has more than {limits.line_bytes} bytes")
    fields = decode_object(line.data, limits)
    if COMMAND_FIELD in fields:
        raise InvalidItem("command", "a command changes a stream: give it to `newsdedup run`")
    shape = tuple(fields)
    chosen = shapes.get(shape)
    if chosen is None:
        if len(shapes) >= _SHAPES:
            shapes.clear()
        chosen = shapes[shape] = columns.of_row(shape)
    if not chosen.has_text:
        raise InvalidItem(
            "no_text", f"nothing looks like a title or a text in {list_columns(shape)}"
        )
    return chosen.own_fields(fields)
