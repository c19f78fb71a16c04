"""Rows of CSV files, read a line at a time; a bad row is told and the next one is read."""

import csv
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain

from newsdedup.adapters.files.lines import Idle, Line
from newsdedup.adapters.formats.json_object import BYTE_ORDER_MARK, Limits
from newsdedup.adapters.tables.columns import ChosenColumns, ColumnMap
from newsdedup.adapters.tables.rows import BadTableRow, TableRow, bad_row
from newsdedup.ports.errors import InvalidItem, SourceUnusable

_DELIMITERS = ",;\t|"
"""The one that the header holds most often parts the columns; of equals the first."""


class _RecordLines:
    """Decoded lines for a reader of records, which asks for more while a quote is open."""

    def __init__(self, lines: Iterator[Line], limit: int) -> None:
        self._lines = lines
        self._limit = limit
        self._held = 0
        self.line = 0
        self.ended = False
        self.undecodable = False

    def begin(self) -> None:
        """Forget the record before: another one begins."""
        self._held, self.undecodable = 0, False

    def __iter__(self) -> "_RecordLines":
        """Return itself, as an iterator must."""
        return self

    def __next__(self) -> str:
        """Return the next line of the record; raise InvalidItem if it grows beyond the limit."""
        line = next(self._lines, None)
        if line is None:
            self.ended = True
            raise StopIteration
        self.line = line.number
        self._held += line.size + 1
        if self._held > self._limit:
            raise InvalidItem("too_long", f"the record has more than {self._limit} bytes")
        data = line.data.removeprefix(BYTE_ORDER_MARK) if line.number == 1 else line.data
        try:
            text = data.decode()
        except UnicodeDecodeError:
            self.undecodable = True
            text = data.decode(errors="replace")
        return text + "\n"


def read_csv(
    name: str, lines: Iterable[Line | Idle], columns: ColumnMap, *, limits: Limits
) -> Iterator[TableRow | BadTableRow]:
    """Yield the rows below the header; raise SourceUnusable if that cannot be read."""
    found = (line for line in lines if isinstance(line, Line))
    first = next(found, None)
    if first is None:
        return
    feed = _RecordLines(chain([first], found), limits.line_bytes)
    reader = csv.reader(feed, delimiter=max(_DELIMITERS, key=first.data.decode("latin-1").count))
    records = _records(feed, reader, limits.line_bytes)
    header = next(records, None)
    if header is None:
        return
    if isinstance(header, InvalidItem):
        raise SourceUnusable(f"{name}: the header cannot be read: {header}{_advice(header)}")
    chosen = columns.of_table(header, table=name)
    for number, record in enumerate(records):
        yield _row(TableRow(name, number, {}, feed.line), header, record, chosen)


def _row(
    at: TableRow, header: list[str], record: list[str] | InvalidItem, chosen: ChosenColumns
) -> TableRow | BadTableRow:
    if isinstance(record, InvalidItem):
        return bad_row(at, record)
    if any(record[len(header) :]):
        told = f"the row has {len(record)} cells, the header {len(header)}"
        return bad_row(at, InvalidItem("bad_csv", told))
    return replace(at, fields=chosen.own_fields(dict(zip(header, record, strict=False))))


def _records(
    feed: _RecordLines, reader: Iterator[list[str]], limit: int
) -> Iterator[list[str] | InvalidItem]:
    """Yield the records that hold something; after an error it goes on with the next line."""
    while True:
        feed.begin()
        try:
            with _field_limit(limit):
                record = next(reader, None)
        except csv.Error as error:
            yield InvalidItem("bad_csv", str(error))
            continue
        except InvalidItem as error:
            yield error
            continue
        if record is None:
            return
        if feed.ended:
            yield InvalidItem("bad_csv", "a quote is never closed: all that follows is in this row")
        elif feed.undecodable:
            yield InvalidItem("not_utf8", "the row is not UTF-8")
        elif record:
            yield record


@contextmanager
def _field_limit(limit: int) -> Iterator[None]:
    """Let a field be as long as a record; the limit of the csv module is one for the process."""
    before = csv.field_size_limit(limit)
    try:
        yield
    finally:
        csv.field_size_limit(before)


def _advice(error: InvalidItem) -> str:
    if error.code != "not_utf8":
        return ""
    return "; convert the file, for example with `iconv -f cp1251 -t utf-8`"
