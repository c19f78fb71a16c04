"""Tables as files: lines of JSON, CSV or Parquet; a file is whole or not there at all."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, BinaryIO, Literal

import msgspec

from newsdedup.adapters.files.outputs import sink_errors
from newsdedup.adapters.tables.parquet import import_pyarrow, write_parquet

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
    """Write a table to a file, replacing it only when the new one is complete."""
    part = path.with_name(f".{path.name}.part")
    with sink_errors(path):
        try:
            with part.open("wb") as file:
                write_rows(table, file, form)
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)


def write_rows(table: ResultTable, file: BinaryIO, form: TableFormat) -> None:
    """Write a table into an open file, in one of the three formats."""
    if form == "parquet":
        write_parquet(table.columns, table.rows, file)
    elif form == "csv":
        _write_csv(table, file)
    else:
        encoder = msgspec.json.Encoder()
        for row in table.rows:
            fields = dict(zip(table.columns, row, strict=True))
            file.write(encoder.encode(fields) + b"\n")


def _write_csv(table: ResultTable, file: BinaryIO) -> None:
    """Write a table as CSV in UTF-8 with a header; the file stays open."""
    text = io.TextIOWrapper(file, encoding="utf-8", newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(table.columns)
    writer.writerows([_cell(value) for value in row] for row in table.rows)
    text.detach()


def _cell(value: Any) -> Any:
    """Return a value as CSV has it: lists and flags as JSON, times as ISO 8601, None empty."""
    if isinstance(value, bool | list | tuple):
        return msgspec.json.encode(value).decode()
    return value.isoformat() if isinstance(value, datetime) else value
