"""Collections on disk: the files that they are made of, and the rows of each."""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path

from newsdedup.adapters.files.input_forms import CSV_SUFFIXES, InputForm
from newsdedup.adapters.files.inputs import JSON_SUFFIXES, InputPosition, source_errors
from newsdedup.adapters.files.json_values import split_values
from newsdedup.adapters.files.lines import Idle, Line, split_lines
from newsdedup.adapters.files.paths import STDIO, list_files
from newsdedup.adapters.formats.item_json import COMMAND_FIELD
from newsdedup.adapters.formats.json_object import Limits, decode_object
from newsdedup.adapters.tables.columns import ChosenColumns, ColumnMap, list_columns
from newsdedup.adapters.tables.csv_rows import read_csv
from newsdedup.adapters.tables.input_records import open_input
from newsdedup.adapters.tables.parquet import read_parquet
from newsdedup.adapters.tables.rows import BadTableRow, TableRow, bad_row
from newsdedup.ports.errors import InvalidItem, SettingsInvalid, SourceUnusable

_SILENCE_SECONDS = 3600.0
_SHAPES = 1_000
"""Sets of field names whose columns are cached: most files have a few."""
_PARQUET_SUFFIXES = (".parquet", ".pq")
TABLE_SUFFIXES = (*JSON_SUFFIXES, *CSV_SUFFIXES, *_PARQUET_SUFFIXES)


def dataset_files(datasets: Iterable[str]) -> list[str]:
    """Return the files that files, folders and `-` mean: of a folder its files, sorted.

    Raise SourceUnusable for a missing file or a folder without tables, SettingsInvalid for a file
    named twice.
    """
    files = [file for dataset in datasets for file in _files(dataset)]
    if len(set(files)) != len(files):
        raise SettingsInvalid("a file is named twice: each of its rows would be its own copy")
    return files


def _files(dataset: str) -> list[str]:
    path = Path(dataset)
    with source_errors(dataset):
        is_folder, is_there = path.is_dir(), dataset == STDIO or path.exists()
    if is_folder:
        inside = list_files(path, lambda name: name.lower().endswith(TABLE_SUFFIXES))
        if not inside:
            raise SourceUnusable(f"{dataset}: no files in it end in {', '.join(TABLE_SUFFIXES)}")
        return [str(file) for file in inside]
    if not is_there:
        raise SourceUnusable(f"{dataset}: there is no such file or folder")
    return [dataset]


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
