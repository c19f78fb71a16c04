"""Rows of CSV files, read a line at a time; after a bad row the next one is read."""

import csv
import re
from collections.abc import Iterable, Iterator
from itertools import chain, count

from newsdedup.adapters.files.lines import Idle, Line
from newsdedup.adapters.formats.json_object import BYTE_ORDER_MARK, Limits
from newsdedup.adapters.tables.columns import ColumnMap
from newsdedup.adapters.tables.rows import BadTableRow, TableRow, bad_row
from newsdedup.ports.errors import InvalidItem, SourceUnusable

_DELIMITERS = ",;\t|"
"""The one that the header holds most often separates the columns; of equals the first."""
_NAMES_DELIMITER = re.compile(rb"(?:\xef\xbb\xbf)?sep=([,;\t|])\s*\Z")


def read_csv(
    name: str, lines: Iterable[Line | Idle], columns: ColumnMap, *, limits: Limits
) -> Iterator[TableRow | BadTableRow]:
    """Yield good and rejected rows below the header; raise SourceUnusable if it is unreadable."""
    records, header = open_csv(name, iter(lines), limits.line_bytes)
    if not header:
        return
    chosen = columns.of_table(header, table=name)
    for number in count():
        try:
            record = records.read()
        except InvalidItem as error:
            row = TableRow(name, number, {}, records.line, records.offset)
            yield bad_row(row, error, records.received)
            continue
        if record is None:
            return
        fields = chosen.own_fields(dict(zip(header, record, strict=False)))
        row = TableRow(name, number, fields, records.line, records.offset)
        if any(record[len(header) :]):
            reason = f"the row has {len(record)} cells, the header {len(header)}"
            yield bad_row(row, InvalidItem("bad_csv", reason), records.received)
        else:
            yield row


def open_csv(name: str, lines: Iterator[Line | Idle], limit: int) -> tuple["CsvRecords", list[str]]:
    """Return the records of a file, of at most `limit` bytes each, and its header.

    The header of an empty file is empty. A line in front of it may name the delimiter, as Excel
    reads it: "sep=;". Raise SourceUnusable if it cannot be read.
    """
    first = next((line for line in lines if isinstance(line, Line)), None)
    named = _NAMES_DELIMITER.match(first.data if first else b"")
    if named:
        first = next((line for line in lines if isinstance(line, Line)), None)
    delimiter = named[1].decode() if named else delimiter_of(first.data if first else b"")
    records = CsvRecords(delimiter, limit)
    if first is None:
        return records, []
    records.begin_with(first, lines)
    try:
        return records, records.read() or []
    except InvalidItem as error:
        advice = "; convert it with `iconv -f ENCODING -t utf-8`, as cp1251 or cp1252"
        hint = advice if error.code == "not_utf8" else ""
        raise SourceUnusable(f"{name}: the header cannot be read: {error}{hint}") from error


def delimiter_of(first_line: bytes) -> str:
    """Return the delimiter (comma, semicolon, tab or bar) that the first line has most often."""
    return max(_DELIMITERS, key=first_line.decode("latin-1").count)


class CsvRecords:
    """The records of a CSV file, each of one or more lines; itself the iterator of their lines.

    The csv module asks for another line as long as a quote is open.
    """

    def __init__(self, delimiter: str, limit: int) -> None:
        """Take the separator of columns and the most bytes of a record; `begin_with` has lines."""
        self.line = 0
        """The number of the last line that was read."""
        self.offset = 0
        """Where the last record began."""
        self.end = 0
        """Where the next one begins."""
        self.is_open = False
        """Whether the input ended in the last record: without a line end, or within quotes."""
        self._lines: Iterator[Line] = iter(())
        self._limit = limit
        self._size = 0
        self._received: list[bytes] = []
        self._ended = False
        self._is_utf8 = True
        self._reader = csv.reader(self, delimiter=delimiter)

    @property
    def received(self) -> bytes:
        """Return the bytes of the last record, as many as were read of it."""
        return b"\n".join(self._received)

    def begin_with(self, line: Line, behind: Iterator[Line | Idle]) -> None:
        """Let the next record begin with a line, and go on with those behind it."""
        self._lines = chain([line], (one for one in behind if isinstance(one, Line)))

    def read(self) -> list[str] | None:
        """Return the next record that is not blank, None at the end.

        Raise InvalidItem for a record that is too long or badly written; the next call goes on
        behind the line where that was noticed.
        """
        while True:
            self._size, self._received, self._is_utf8 = 0, [], True
            # Let a field be as long as a record; the csv module has one limit for the process.
            limit_before = csv.field_size_limit(self._limit)
            try:
                record = next(self._reader, None)
            except csv.Error as error:
                raise InvalidItem("bad_csv", str(error)) from error
            finally:
                csv.field_size_limit(limit_before)
            if record is not None and self._ended:
                self.is_open = True
                reason = "a quote is never closed: all that follows is in this row"
                raise InvalidItem("bad_csv", reason)
            if record is not None and not self._is_utf8:
                raise InvalidItem("not_utf8", "the row is not UTF-8")
            if record or record is None:
                return record

    def __iter__(self) -> "CsvRecords":
        """Return itself, as an iterator must."""
        return self

    def __next__(self) -> str:
        """Return the next line; raise InvalidItem if the record grows beyond the limit."""
        line = next(self._lines, None)
        if line is None:
            self._ended = True
            raise StopIteration
        self.line, self.end, self.is_open = line.number, line.end, line.is_open
        if not self._received:
            self.offset = line.offset
        self._size += line.size + 1
        self._received.append(line.data)
        if self._size > self._limit:
            raise InvalidItem("too_long", f"the record has more than {self._limit} bytes")
        data = line.data.removeprefix(BYTE_ORDER_MARK) if line.number == 1 else line.data
        try:
            text = data.decode()
        except UnicodeDecodeError:
            self._is_utf8 = False
            text = data.decode(errors="replace")
        return text + "\n"
