"""JSON objects that are not one a line: the elements of an array, or objects over many lines.

Between objects white space, commas and brackets are passed over, so that reading can begin behind
any object: a position in such a file is a byte offset, as in a file of lines.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from newsdedup.adapters.files.lines import IDLE, LONG_LINE_BYTES, Idle, Line, ReadBytes
from newsdedup.ports.errors import Rejection

_BEGINNING = re.compile(rb"[^\s,\[\]\xef\xbb\xbf]")
"""Of a record; a byte order mark is none."""
_NESTING = re.compile(rb'["{}\[\]]')
_IN_STRING = re.compile(rb'["\\]')
_END_OF_OTHER = re.compile(rb"[\n,\[\]{]")
"""Where something ends that is no object."""


@dataclass(frozen=True, slots=True)
class InputRecord(Line):
    """A record of an input that is no line: an element of an array, or a row of a table.

    Its number is that of the element, or of the line on which the row ends.
    """

    is_half: bool = False
    """Whether the input ended within it."""
    rejection: Rejection | None = None
    """Why it holds no item, where its format already says so."""

    @property
    def is_open(self) -> bool:
        """Return whether more of the record may follow."""
        return self.is_half


def split_values(
    read: ReadBytes, *, name: str, offset: int = 0, number: int = 0, limit: int
) -> Iterator[InputRecord | Idle]:
    """Yield the objects of a stream whose first byte is at `offset`, behind `number` objects.

    What is between them and is no object is yielded as well: it decodes to an error. `Idle` is
    yielded where the stream was silent. Of an object longer than the limit `data` has only the
    beginning, `size` the whole length, so memory is bounded.
    """
    splitter = _ValueSplitter(name, offset, number, limit)
    while (chunk := read()) != b"":
        if chunk is None:
            yield IDLE
        else:
            yield from splitter.take(chunk)
    yield from splitter.finish()


class _ValueSplitter:
    """Finds the ends of objects in bytes that come in chunks."""

    def __init__(self, name: str, offset: int, number: int, limit: int) -> None:
        self._name = name
        self._number = number
        self._limit = limit
        self._offset = offset
        """Of the first byte of the chunk."""
        self._start: int | None = None
        """Where the current record begins, None between two."""
        self._data = bytearray()
        self._size = 0
        self._depth = 0
        """Of open braces and brackets; 0 within something that is no object."""
        self._in_string = False
        self._escaped = False

    def take(self, chunk: bytes) -> Iterator[InputRecord]:
        """Yield the records that end in a chunk."""
        at = begin = 0
        while at < len(chunk):
            if self._start is None:
                first = _BEGINNING.search(chunk, at)
                if first is None:
                    break
                begin = at = first.start()
                self._start = self._offset + begin
                if chunk[at] == ord("{"):
                    self._depth = 1
                    at += 1
            at, ended = self._scan(chunk, at)
            if ended:
                self._add(chunk[begin:at])
                yield self._record(is_half=False)
        if self._start is not None:
            self._add(chunk[begin:])
        self._offset += len(chunk)

    def finish(self) -> Iterator[InputRecord]:
        """Yield the record within which the stream ended, if any."""
        if self._start is not None:
            yield self._record(is_half=True)

    def _scan(self, chunk: bytes, at: int) -> tuple[int, bool]:
        """Return where the current record ends in a chunk, and True; else its length, and False."""
        if not self._depth:
            end = _END_OF_OTHER.search(chunk, at + (self._size == 0))
            return (len(chunk), False) if end is None else (end.start(), True)
        while at < len(chunk):
            if self._escaped:
                self._escaped = False
                at += 1
                continue
            sign = (_IN_STRING if self._in_string else _NESTING).search(chunk, at)
            if sign is None:
                break
            at = sign.end()
            if sign[0] == b'"':
                self._in_string = not self._in_string
            elif sign[0] == b"\\":
                self._escaped = True
            else:
                self._depth += 1 if sign[0] in b"{[" else -1
                if not self._depth:
                    return at, True
        return len(chunk), False

    def _add(self, data: bytes) -> None:
        """Add bytes to the current record: all of them, or those before the limit."""
        self._size += len(data)
        if len(self._data) <= self._limit:
            self._data += data

    def _record(self, *, is_half: bool) -> InputRecord:
        """Return the current record, marked as open if it `is_half`; prepare for the next one."""
        data = bytes(self._data)
        if self._size > self._limit:
            data = data[:LONG_LINE_BYTES]
        start = self._start or 0
        self._number += 1
        record = InputRecord(
            self._name, self._number, start, start + self._size, data, self._size, is_half
        )
        self._start, self._size, self._depth = None, 0, 0
        self._data.clear()
        self._in_string = self._escaped = False
        return record
