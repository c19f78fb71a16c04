"""Inputs of any form: as records for `run` and `produce`, as rows of a collection for the others.

Lines of JSON, arrays of it and CSV are read as both. Each record has the bytes of an item and its
offset in the content of the input, behind which reading can begin again: what holds for lines of
JSON after a crash holds for all of them.
"""

import csv
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from functools import lru_cache
from typing import Any, Final

import msgspec

from newsdedup.adapters.files.input_forms import (
    CSV_SUFFIXES,
    InputForm,
    input_form,
    read_prefix,
)
from newsdedup.adapters.files.inputs import (
    JSON_SUFFIXES,
    InputPosition,
    expand_inputs,
    is_stream,
    open_reader,
    read_lines,
    skip_end_of_line,
    source_errors,
)
from newsdedup.adapters.files.json_values import InputRecord, split_values
from newsdedup.adapters.files.lines import Idle, Line, ReadBytes, split_lines
from newsdedup.adapters.files.paths import STDIO
from newsdedup.adapters.formats.item_json import COMMAND_FIELD
from newsdedup.adapters.formats.json_object import Limits, decode_object
from newsdedup.adapters.tables.columns import ChosenColumns, ColumnMap, list_columns
from newsdedup.adapters.tables.csv_rows import CsvRecords, delimiter_of, open_csv, read_csv
from newsdedup.adapters.tables.rows import BadTableRow, TableRow, bad_row, encode_fields
from newsdedup.adapters.tables.table_files import read_parquet
from newsdedup.ports.errors import InvalidItem, NothingToRead, Rejection, SourceUnusable

_COLUMNS: Final = ColumnMap(keeps_others=True)
_SILENCE_SECONDS = 3600.0
_SHAPES = 1_000
"""Sets of field names whose columns are cached: most files have a few."""
_PARQUET_SUFFIXES = (".parquet", ".pq")
TABLE_SUFFIXES = (*JSON_SUFFIXES, *CSV_SUFFIXES, *_PARQUET_SUFFIXES)


def read_records(
    name: str, start: InputPosition, *, limit: int, idle_seconds: float
) -> Iterator[Line | Idle]:
    """Yield the records of an input from a position on; standard input begins where it is.

    They are lines of JSON, the objects of a JSON array, or the rows of CSV as objects. Of a record
    longer than the limit only the beginning is read; Idle is yielded when a stream was silent for
    so long. Raise SourceUnusable if the input cannot be read, or not to its end, and NothingToRead
    if it has another form.
    """
    with source_errors(name), ExitStack() as stack:
        form, read = open_input(name, start, idle_seconds, stack)
        offset = start.offset
        if start.in_line and form is not InputForm.VALUES:
            read, offset = skip_end_of_line(read, offset)
        if form is InputForm.VALUES:
            yield from split_values(read, name=name, offset=offset, number=start.line, limit=limit)
            return
        lines = split_lines(read, name=name, offset=offset, number=start.line, limit=limit)
        if form is InputForm.CSV:
            lines = _rows_as_items(name, lines, start, limit)
        yield from lines


def check_forms(names: Iterable[str]) -> None:
    """Raise NothingToRead if a file has a form that is not read; pipes are not touched."""
    for name in names:
        if not is_stream(name):
            with source_errors(name), ExitStack() as stack:
                open_input(name, InputPosition(), 0, stack)


def open_input(
    name: str, start: InputPosition, idle_seconds: float, stack: ExitStack
) -> tuple[InputForm, ReadBytes]:
    """Return the form of an input and a reader of its bytes from a position on.

    The reader waits as `open_reader` does; the stack closes its file. Raise NothingToRead if the
    form is one that is not read.
    """
    if is_stream(name):
        prefix, read = read_prefix(open_reader(name, start.offset, idle_seconds, stack))
    else:
        with ExitStack() as closing:
            prefix, _ = read_prefix(open_reader(name, 0, idle_seconds, closing))
        read = open_reader(name, start.offset, idle_seconds, stack)
    return input_form(name, prefix, is_news_table=is_news_table), read


def is_news_table(first_line: bytes) -> bool:
    """Return whether a line is a header of CSV with a column for the title or the text."""
    delimiter = delimiter_of(first_line)
    if delimiter.encode() not in first_line:
        return False
    try:
        text = first_line.decode("utf-8-sig")
        header = next(csv.reader([text], delimiter=delimiter), [])
    except (csv.Error, UnicodeDecodeError):
        return False
    return _COLUMNS.of_row(header).has_text


def _rows_as_items(
    name: str, lines: Iterator[Line | Idle], start: InputPosition, limit: int
) -> Iterator[Line | Idle]:
    """Yield rows of CSV as records from a position on; the header is that of the whole input.

    Raise NothingToRead if no column has a title or a text.
    """
    beginning = lines
    if start.offset:
        beginning = read_lines(name, InputPosition(), limit=limit, idle_seconds=0)
    rows, header = open_csv(name, beginning, limit)
    if not rows.line:
        return
    chosen = _COLUMNS.of_row(header)
    if not chosen.has_text:
        address = "standard input" if name == STDIO else name
        raise NothingToRead(
            f"{address} looks like CSV, but no column looks like a title or a text among "
            f"{list_columns(header)}: say which one is, for example with "
            f"`newsdedup import table {name} --map title=COLUMN,text=COLUMN --to items.jsonl`"
        )
    for line in lines:
        if isinstance(line, Idle):
            yield line
            continue
        rows.begin_with(line, lines)
        record = _next_row(name, rows, header, chosen)
        if record is not None:
            yield record


def _next_row(
    name: str, rows: CsvRecords, header: list[str], chosen: ChosenColumns
) -> InputRecord | None:
    """Return the next row as a record, rejected if broken; None if only blank lines were left."""
    data, rejection = b"", None
    try:
        cells = rows.read()
        if cells is None:
            return None
        # An open row that lacks cells is half-written; a closed one leaves its last columns empty.
        if (rows.is_open and len(cells) < len(header)) or any(cells[len(header) :]):
            reason = f"the row has {len(cells)} cells, the header {len(header)}"
            rejection = Rejection("bad_csv", reason)
        else:
            fields = chosen.own_fields(dict(zip(header, cells, strict=False)))
            data = encode_fields(_with_links(fields))
    except InvalidItem as error:
        rejection = error.rejection
    if rejection is not None:
        data = rows.received
    return InputRecord(
        name, rows.line, rows.offset, rows.end, data, len(data), rows.is_open, rejection
    )


def _with_links(fields: dict[str, Any]) -> dict[str, Any]:
    """Return fields with links as a list; a cell has them as JSON or separated by spaces."""
    links = fields.get("links")
    if isinstance(links, str):
        try:
            fields["links"] = msgspec.json.decode(links)
        except msgspec.DecodeError:
            fields["links"] = links.split()
    return fields


def dataset_files(datasets: Iterable[str]) -> list[str]:
    """Return the files that files, folders and `-` mean: of a folder its tables, sorted.

    Raise SourceUnusable for a missing file or a folder without tables, SettingsInvalid for a file
    named twice.
    """
    return expand_inputs(datasets, suffixes=TABLE_SUFFIXES)


def read_datasets(
    files: Iterable[str], columns: ColumnMap, *, limits: Limits
) -> Iterator[TableRow | BadTableRow]:
    """Yield the rows of files; raise SourceUnusable, or NothingToRead for an unknown form."""
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
    choose = lru_cache(maxsize=_SHAPES)(columns.of_row)
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
            fields = _own_fields(line, choose, limits)
            yield TableRow(name, number, fields, line.number, line.offset)
        except InvalidItem as error:
            yield bad_row(TableRow(name, number, {}, line.number, line.offset), error, line.data)


def _own_fields(
    line: Line, choose: Callable[[tuple[str, ...]], ChosenColumns], limits: Limits
) -> dict[str, object]:
    """Return our fields in a line of JSON, by the columns of `choose`; or raise InvalidItem."""
    if line.size > limits.line_bytes:
        raise InvalidItem("too_long", f"the line has more than {limits.line_bytes} bytes")
    fields = decode_object(line.data, limits)
    if COMMAND_FIELD in fields:
        raise InvalidItem("command", "a command changes a stream: give it to `newsdedup run`")
    shape = tuple(fields)
    chosen = choose(shape)
    if not chosen.has_text:
        raise InvalidItem(
            "no_text", f"nothing looks like a title or a text in {list_columns(shape)}"
        )
    return chosen.own_fields(fields)
