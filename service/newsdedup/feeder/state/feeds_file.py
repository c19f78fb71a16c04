"""The file of feeds: its tables, and how an older one is brought up to date.

Unlike the state of the engine it cannot be made anew from the input: a feed shows its last entries
only. So a new version adds a step to _MIGRATIONS and never asks to begin anew.
"""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from newsdedup.adapters.sqlite.file_schema import FileSchema, check_header, connect_read_only
from newsdedup.core.moments import MICROSECOND, to_datetime, to_micros
from newsdedup.ports.errors import SourceUnusable

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_MIGRATIONS: Final = (
    """
    CREATE TABLE feeds (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        subscribed TEXT NOT NULL UNIQUE,
        address TEXT NOT NULL,
        category TEXT NOT NULL,
        full_text INTEGER NOT NULL,
        source TEXT NOT NULL,
        secret TEXT NOT NULL,
        title TEXT NOT NULL,
        publisher TEXT NOT NULL,
        status TEXT NOT NULL,
        etag TEXT NOT NULL,
        last_modified TEXT NOT NULL,
        interval INTEGER NOT NULL,
        next_at INTEGER NOT NULL,
        tried_at INTEGER NOT NULL,
        succeeded_at INTEGER NOT NULL,
        failures INTEGER NOT NULL,
        problem TEXT NOT NULL,
        added_at INTEGER NOT NULL,
        news_at INTEGER NOT NULL,
        entries INTEGER NOT NULL
    );
    CREATE INDEX feeds_by_address ON feeds (address);
    CREATE INDEX feeds_by_time ON feeds (status, next_at);
    CREATE TABLE entries (
        feed INTEGER NOT NULL REFERENCES feeds ON DELETE CASCADE,
        entry BLOB NOT NULL,
        content BLOB NOT NULL,
        item TEXT NOT NULL,
        listed_at INTEGER NOT NULL,
        PRIMARY KEY (feed, entry)
    ) WITHOUT ROWID;
    CREATE TABLE output (place TEXT NOT NULL);
    CREATE INDEX entries_by_time ON entries (listed_at);
    CREATE TABLE pages (
        page BLOB PRIMARY KEY,
        item TEXT NOT NULL,
        names BLOB NOT NULL,
        listed_at INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX pages_by_time ON pages (listed_at);
    """,
    """
    CREATE TABLE leases (
        feed INTEGER PRIMARY KEY REFERENCES feeds ON DELETE CASCADE,
        base TEXT NOT NULL,
        token TEXT NOT NULL UNIQUE,
        secret TEXT NOT NULL,
        topic TEXT NOT NULL,
        hubs TEXT NOT NULL,
        begun_at INTEGER NOT NULL,
        state TEXT NOT NULL,
        next_at INTEGER NOT NULL,
        expires_at INTEGER NOT NULL,
        failures INTEGER NOT NULL,
        problem TEXT NOT NULL,
        pushed_at INTEGER NOT NULL,
        missed_at INTEGER NOT NULL
    );
    """,
    "ALTER TABLE feeds ADD COLUMN allow_private INTEGER NOT NULL DEFAULT 0;",
)
FEEDS_SCHEMA: Final = FileSchema(
    noun="file of feeds",
    advice="put back a copy of it, or remove it and begin anew with `newsdedup feeds import LIST`: "
    "then all that feeds show comes again (docs/operations.md)",
    application_id=0x6E644664,  # "ndFd"
    steps=_MIGRATIONS,
)


_STORED_AS: Final[Mapping[Any, Callable[[Any], Any]]] = {
    datetime: to_micros,
    timedelta: lambda span: span // MICROSECOND,
    tuple[str, ...]: "\n".join,
}
_READ_AS: Final[Mapping[Any, Callable[[Any], Any]]] = {
    datetime: to_datetime,
    timedelta: MICROSECOND.__mul__,
    tuple[str, ...]: lambda lines: tuple(lines.split("\n")),
    bool: bool,
}

_Record = TypeVar("_Record", bound="DataclassInstance")


@dataclass(frozen=True, slots=True)
class FeedsFile:
    """An open file of feeds; each method raises StateUnusable where SQLite fails."""

    path: Path
    connection: sqlite3.Connection

    def read(self, query: str, *parameters: object) -> list[Any]:
        """Return the rows of a query."""
        with FEEDS_SCHEMA.errors(self.path, "reading"):
            return self.connection.execute(query, parameters).fetchall()

    def write(self, statement: str, *parameters: object) -> int:
        """Execute one statement as a transaction; return how many rows it changed."""
        with self.transaction():
            return self.connection.execute(statement, parameters).rowcount

    def transaction(self) -> AbstractContextManager[None]:
        """Return what makes a block one transaction, which is undone if the block raises."""
        return FEEDS_SCHEMA.transaction(self.connection, self.path)


def column_names(kind: type["DataclassInstance"]) -> tuple[str, ...]:
    """Return the columns in which the records of a dataclass are stored: its fields."""
    return tuple(field.name for field in fields(kind))


def row_of(record: "DataclassInstance") -> list[Any]:
    """Return a record as SQLite stores it: times in microseconds, several texts as lines."""
    return [
        _STORED_AS.get(field.type, _as_it_is)(getattr(record, field.name))
        for field in fields(record)
    ]


def record_of(kind: type[_Record], row: Iterable[Any]) -> _Record:
    """Return the record of a dataclass that a row holds."""
    stored = zip(fields(kind), row, strict=True)
    return kind(**{one.name: _READ_AS.get(one.type, _as_it_is)(value) for one, value in stored})


def _as_it_is(value: Any) -> Any:
    return value


def open_feeds_file(path: Path) -> FeedsFile:
    """Return a file of feeds opened for writing, creating a missing one.

    Raise StateUnusable for another database, or one of a later version of newsdedup.
    """
    # Visits that a power cut undoes are repeated under the same ids.
    connection = FEEDS_SCHEMA.open(path)
    connection.execute("PRAGMA foreign_keys = ON")
    return FeedsFile(path, connection)


@contextmanager
def reading_feeds(path: Path) -> Iterator[FeedsFile]:
    """Open a file of feeds for a block that changes nothing, also if the file is an older one.

    Raise SourceUnusable if there is no such file, StateUnusable for another database, or one of a
    later version.
    """
    if not path.is_file():
        raise SourceUnusable(
            f"{path}: there is no such file of feeds; `newsdedup feeds add ADDRESS` begins one"
        )
    check_header(path)
    with ExitStack() as opened:
        with FEEDS_SCHEMA.errors(path, "opening"):
            connection = opened.enter_context(closing(connect_read_only(path)))
            FEEDS_SCHEMA.check(connection, path)
        yield FeedsFile(path, connection)
