"""Lines of files sorted by event time, in a temporary database: memory stays bounded."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from typing import Final, NamedTuple

import msgspec

from newsdedup.adapters.files.json_values import InputRecord
from newsdedup.adapters.files.lines import Line
from newsdedup.core.model import Micros
from newsdedup.ports.errors import SourceUnusable

_EARLIEST: Final = -(1 << 62)
_TABLE: Final = """
CREATE TABLE line (number INTEGER PRIMARY KEY, at INTEGER NOT NULL, item BLOB, line BLOB NOT NULL);
CREATE INDEX line_item ON line (item, at) WHERE item IS NOT NULL;
"""
_INSERT: Final = "INSERT INTO line (at, item, line) VALUES (?, ?, ?)"
_LATEST_OF_ITEM: Final = "SELECT max(at) FROM line WHERE item = ?"
_IN_ORDER: Final = "SELECT line FROM line ORDER BY at, number"
_DECODE: Final = msgspec.msgpack.Decoder(tuple[bool, msgspec.Raw]).decode


class LineSubject(NamedTuple):
    """What a line is about: the key of its item, and its event time; None where it has none."""

    item: bytes | None
    at: Micros | None


def sort_lines(
    lines: Iterable[Line | object], subject: Callable[[Line], LineSubject]
) -> Iterator[Line]:
    """Yield the lines of files in the order of event time, those of one time as they came.

    A line without a time has that of the line before it in its file. Lines about one item keep
    their order: none is earlier than the one before it. All lines are read before the first is
    yielded, and take as much space as they have bytes in the folder for temporary files.
    Raise SourceUnusable if there is not enough of it.
    """
    with closing(sqlite3.connect("", isolation_level=None)) as database:
        try:
            database.executescript(_TABLE)
            database.execute("BEGIN")
            _store(database, lines, subject)
            for (data,) in database.execute(_IN_ORDER):
                is_record, fields = _DECODE(data)
                yield msgspec.msgpack.decode(fields, type=InputRecord if is_record else Line)
        except sqlite3.OperationalError as error:
            raise SourceUnusable(
                f"the lines cannot be sorted by time: {error}; more space for temporary files "
                "(SQLITE_TMPDIR, TMPDIR) helps, or --as-is, which keeps their order"
            ) from error


def _store(
    database: sqlite3.Connection,
    lines: Iterable[Line | object],
    subject: Callable[[Line], LineSubject],
) -> None:
    """Store the lines, each with the time by which it is sorted; other objects are left out."""
    name, before = "", _EARLIEST
    for line in lines:
        if not isinstance(line, Line):
            continue
        if line.input != name:
            name, before = line.input, _EARLIEST
        item, own = subject(line)
        at = before = before if own is None else own
        if item is not None:
            latest = database.execute(_LATEST_OF_ITEM, (item,)).fetchone()[0]
            at = before if latest is None else max(before, latest)
        data = msgspec.msgpack.encode((isinstance(line, InputRecord), line))
        database.execute(_INSERT, (at, item, data))
