"""Tables as files: lines of JSON, CSV or Parquet, whole or not there at all; Parquet is also read.

Parquet needs pyarrow, the extra `parquet`, and is read and written a batch of rows at a time.
"""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, Literal

import msgspec

from newsdedup.adapters.files.outputs import sink_errors
from newsdedup.adapters.tables.columns import ColumnMap
from newsdedup.adapters.tables.rows import BadTableRow, TableRow
from newsdedup.core.moments import EPOCH
from newsdedup.ports.errors import SinkUnusable, SourceUnusable

_NO_PYARROW = "Parquet needs pyarrow, which the extra parquet of newsdedup brings"
_READ_ROWS = 1_024
_READ_BYTES = 1 << 20
"""Bytes of a column read at a time: otherwise a whole row group is in memory."""
_WRITE_ROWS = 10_000
"""Rows of a row group: readers skip and split by it."""
_FORMULA = re.compile("[\\t\\r\\n]|\\s*[-=+@\uff0d\uff1d\uff0b\uff20]")
"""What a formula begins with: the signs, in some spreadsheets also in their wide forms."""
TableFormat = Literal["jsonl", "csv", "parquet"]
ColumnKind = Literal["text", "count", "number", "flag", "moment", "texts", "rows"]
"""What a column holds; `rows` are lists of references to rows, as objects."""
TABLE_FORMATS: Mapping[str, TableFormat] = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".csv": "csv",
    ".parquet": "parquet",
    ".pq": "parquet",
}


def read_parquet(name: str, columns: ColumnMap) -> Iterator[TableRow | BadTableRow]:
    """Yield the rows of a file; of its columns only those are read that an item needs.

    Raise SourceUnusable if the file or pyarrow is missing, or if the file is damaged.
    """
    try:
        import pyarrow as pa  # noqa: PLC0415 - an extra, and slow to import
        from pyarrow import parquet  # noqa: PLC0415 - an extra, and slow to import
    except ImportError as error:
        raise SourceUnusable(f"{name}: {_NO_PYARROW}") from error
    try:
        with parquet.ParquetFile(name, buffer_size=_READ_BYTES) as file:
            chosen = columns.of_table(file.schema_arrow.names, table=name)
            named = (column for columns in chosen.columns.values() for column, _ in columns)
            needed = list(dict.fromkeys(named))
            number = 0
            for batch in file.iter_batches(_READ_ROWS, columns=needed, use_threads=False):
                values = {name: _cells(batch.column(name), pa) for name in batch.schema.names}
                for at in range(batch.num_rows):
                    fields = {column: cells[at] for column, cells in values.items()}
                    yield TableRow(name, number, chosen.own_fields(fields))
                    number += 1
    except (pa.ArrowException, OSError) as error:
        raise SourceUnusable(f"{name}: cannot be read: {error}") from error


def _cells(column: Any, pa: Any) -> list[Any]:
    """Return the cells of a column (`pa` is pyarrow) as values of Python, times as datetimes."""
    if pa.types.is_timestamp(column.type):
        # By way of whole microseconds: Python knows neither nanoseconds nor every zone.
        zone = None if column.type.tz is None else "UTC"
        whole = column.cast(pa.timestamp("us", zone), safe=False).cast(pa.int64()).to_pylist()
        return [None if at is None else EPOCH + timedelta(microseconds=at) for at in whole]
    cells: list[Any] = column.to_pylist()
    # Writers that do not declare their texts as such leave bytes.
    return [cell.decode(errors="replace") if isinstance(cell, bytes) else cell for cell in cells]


def import_pyarrow() -> Any:
    """Return pyarrow for writing; raise SinkUnusable if it is not installed."""
    try:
        import pyarrow as pa  # noqa: PLC0415 - an extra, and slow to import
    except ImportError as error:
        raise SinkUnusable(f"{_NO_PYARROW}, or take --format csv") from error
    return pa


def write_parquet(
    columns: Mapping[str, str], rows: Iterable[Sequence[Any]], file: BinaryIO
) -> None:
    """Write rows; `columns` names the kind of each cell. Raise SinkUnusable without pyarrow."""
    pa = import_pyarrow()
    from pyarrow import parquet  # noqa: PLC0415 - an extra, and slow to import

    text, count = pa.string(), pa.int64()
    kinds = {
        "text": text,
        "count": count,
        "number": pa.float64(),
        "flag": pa.bool_(),
        "moment": pa.timestamp("us", "UTC"),
        "texts": pa.list_(text),
        "rows": pa.list_(
            pa.struct([("input", text), ("row", count), ("source", text), ("id", text)])
        ),
    }
    schema = pa.schema([(name, kinds[kind]) for name, kind in columns.items()])
    left = iter(rows)
    with parquet.ParquetWriter(file, schema, compression="zstd") as writer:
        while batch := list(islice(left, _WRITE_ROWS)):
            cells = zip(*batch, strict=True)
            arrays = [pa.array(cell, kind) for cell, kind in zip(cells, schema.types, strict=True)]
            writer.write_batch(pa.record_batch(arrays, schema=schema))


@dataclass(frozen=True, slots=True)
class ResultTable:
    """Named rows with the same columns; they can be iterated once."""

    name: str
    columns: Mapping[str, ColumnKind]
    rows: Iterable[Sequence[Any]]


def check_format_library(form: TableFormat) -> None:
    """Raise SinkUnusable if the library for this format is not installed."""
    if form == "parquet":
        import_pyarrow()


def write_table(table: ResultTable, path: Path, form: TableFormat) -> None:
    """Write a table to a file, replaced only when complete; raise SinkUnusable if that fails."""
    part = path.with_name(f".{path.name}.part")
    with sink_errors(path):
        try:
            with part.open("wb") as file:
                write_rows(table, file, form)
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)


def write_rows(table: ResultTable, file: BinaryIO, form: TableFormat) -> None:
    """Write a table, CSV with a header; leave the file open. Raise SinkUnusable without pyarrow."""
    if form == "parquet":
        write_parquet(table.columns, table.rows, file)
    elif form == "csv":
        text = io.TextIOWrapper(file, encoding="utf-8", newline="")
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(table.columns)
        writer.writerows([_cell(value) for value in row] for row in table.rows)
        text.detach()
    else:
        encoder = msgspec.json.Encoder()
        for row in table.rows:
            fields = dict(zip(table.columns, row, strict=True))
            file.write(encoder.encode(fields) + b"\n")


def harmless_cell(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula, by an apostrophe before such a one."""
    return f"'{text}" if _FORMULA.match(text) else text


def _cell(value: Any) -> Any:
    """Return a value as CSV has it: lists and flags as JSON, times as ISO 8601, None empty."""
    if isinstance(value, bool | list | tuple):
        return msgspec.json.encode(value).decode()
    return value.isoformat() if isinstance(value, datetime) else value
