"""The file of feeds: its tables, and how an older one is brought up to date.

Here are also the table of pages, which says by which id the item of a page is known, and that of
leases at hubs, with their secrets, so that a restart keeps them; feed_state.py has the others.

Unlike the state of the engine it cannot be made anew from the input: a feed shows its last entries
only. So a new version adds a step to _MIGRATIONS and never asks to begin anew.
"""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import xxhash

from newsdedup.adapters.sqlite.file_schema import FileSchema
from newsdedup.core.moments import MICROSECOND, to_datetime, to_micros
from newsdedup.feeder.scheduling.hub_lease import HubLease
from newsdedup.ports.errors import SourceUnusable

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_MIGRATIONS: Final = (
    """
    CREATE TABLE feeds (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        subscribed TEXT NOT NULL UNIQUE, address TEXT NOT NULL, category TEXT NOT NULL,
        full_text INTEGER NOT NULL, source TEXT NOT NULL, secret TEXT NOT NULL,
        title TEXT NOT NULL, publisher TEXT NOT NULL, status TEXT NOT NULL,
        etag TEXT NOT NULL, last_modified TEXT NOT NULL, interval INTEGER NOT NULL,
        next_at INTEGER NOT NULL, tried_at INTEGER NOT NULL, succeeded_at INTEGER NOT NULL,
        failures INTEGER NOT NULL, problem TEXT NOT NULL,
        added_at INTEGER NOT NULL, news_at INTEGER NOT NULL, entries INTEGER NOT NULL
    );
    CREATE INDEX feeds_by_address ON feeds (address);
    CREATE INDEX feeds_by_time ON feeds (status, next_at);
    CREATE TABLE entries (
        feed INTEGER NOT NULL REFERENCES feeds ON DELETE CASCADE, entry BLOB NOT NULL,
        content BLOB NOT NULL, item TEXT NOT NULL, listed_at INTEGER NOT NULL,
        PRIMARY KEY (feed, entry)
    ) WITHOUT ROWID;
    CREATE TABLE output (place TEXT NOT NULL);
    CREATE INDEX entries_by_time ON entries (listed_at);
    CREATE TABLE pages (
        page BLOB PRIMARY KEY, item TEXT NOT NULL, names BLOB NOT NULL, listed_at INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX pages_by_time ON pages (listed_at);
    """,
    """
    CREATE TABLE leases (
        feed INTEGER PRIMARY KEY REFERENCES feeds ON DELETE CASCADE, base TEXT NOT NULL,
        token TEXT NOT NULL UNIQUE, secret TEXT NOT NULL, topic TEXT NOT NULL, hubs TEXT NOT NULL,
        begun_at INTEGER NOT NULL, state TEXT NOT NULL, next_at INTEGER NOT NULL,
        expires_at INTEGER NOT NULL, failures INTEGER NOT NULL, problem TEXT NOT NULL,
        pushed_at INTEGER NOT NULL, missed_at INTEGER NOT NULL
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

FORGOTTEN_PER_COMMIT: Final = 4_096
_Record = TypeVar("_Record", bound="DataclassInstance")


@dataclass(frozen=True, slots=True)
class FeedsFile:
    """An open file of feeds; each method raises StateUnusable where SQLite fails."""

    path: Path
    connection: sqlite3.Connection

    def read(self, query: str, *parameters: object) -> list[Any]:
        """Return the rows of a query, each a tuple of its columns; or raise StateUnusable."""
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
    values = ((field.type, getattr(record, field.name)) for field in fields(record))
    return [_STORED_AS[kind](value) if kind in _STORED_AS else value for kind, value in values]


def record_of(kind: type[_Record], row: Iterable[Any]) -> _Record:
    """Return the record of a dataclass from its row, whose columns are in the order of fields."""
    stored = zip(fields(kind), row, strict=True)
    return kind(
        **{one.name: _READ_AS.get(one.type, lambda same: same)(value) for one, value in stored}
    )


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
    with closing(FEEDS_SCHEMA.open_for_reading(path, FEEDS_SCHEMA.check)) as connection:
        yield FeedsFile(path, connection)


@dataclass(frozen=True, slots=True)
class StoredPage:
    """A page of one source."""

    item: str
    """The item that it was delivered as first; "" if several items share it, and it names none."""
    names: frozenset[bytes] = frozenset()
    """Hashes of the ids of entries that had its address."""


@dataclass(frozen=True, slots=True)
class PageTable:
    """Pages by source and canonical address, which are one text; only its hash is stored.

    A page outlives its feed: anyone who subscribes to it again gets the ids that are known.
    """

    file: FeedsFile

    def known(self, pages: Iterable[str]) -> dict[str, StoredPage]:
        """Return those of `pages` (source and address) that are stored."""
        return {
            page: StoredPage(item, frozenset(names[at : at + 8] for at in range(0, len(names), 8)))
            for page in pages
            for item, names in self.file.read(
                "SELECT item, names FROM pages WHERE page = ?", text_hash(page)
            )
        }

    def store(self, pages: Mapping[str, StoredPage], *, at: datetime) -> None:
        """Store pages anew, which were listed at a moment."""
        with self.file.transaction():
            self.file.connection.executemany(
                "INSERT OR REPLACE INTO pages VALUES (?, ?, ?, ?)",
                [
                    (text_hash(page), one.item, b"".join(sorted(one.names)), to_micros(at))
                    for page, one in pages.items()
                ],
            )

    def refresh(self, pages: Iterable[str], *, at: datetime, older_than: datetime) -> None:
        """Note, within a transaction of the caller, that pages are still listed at a moment.

        Those that were noted after `older_than` are left: not every visit shall write all of them.
        """
        self.file.connection.executemany(
            "UPDATE pages SET listed_at = ? WHERE page = ? AND listed_at < ?",
            [(to_micros(at), text_hash(page), to_micros(older_than)) for page in pages],
        )

    def forget(self, before: datetime) -> int:
        """Delete some pages that were not stored anew since a moment; return how many."""
        return self.file.write(
            "DELETE FROM pages WHERE page IN (SELECT page FROM pages WHERE listed_at < ? LIMIT ?)",
            to_micros(before),
            FORGOTTEN_PER_COMMIT,
        )


def entry_name(entry: str) -> bytes:
    """Return the hash by which a page knows the id of an entry: 64 bits."""
    return xxhash.xxh3_64_digest(entry.encode("utf-8", "surrogatepass"))


def text_hash(text: str) -> bytes:
    """Return the 16 bytes by which a page or the id of an entry is stored, however long it is."""
    return xxhash.xxh3_128_digest(text.encode("utf-8", "surrogatepass"))


_LEASE_COLUMNS: Final = column_names(HubLease)
_SELECTED: Final = ", ".join(f"leases.{name}" for name in _LEASE_COLUMNS)


@dataclass(frozen=True, slots=True)
class HubLeases:
    """The table of leases; each method is one transaction and raises StateUnusable if it fails."""

    file: FeedsFile

    def all(self) -> list[HubLease]:
        """Return the leases of the feeds that are visited."""
        return [lease for lease, _ in self._select("")]

    def of_feed(self, feed: int) -> HubLease | None:
        """Return the lease of a feed that is visited; None if it has none."""
        return next((lease for lease, _ in self._select("AND feed = ?", feed)), None)

    def of_token(self, token: str) -> HubLease | None:
        """Return the lease of a feed that is visited by the token of its callback; None if none."""
        return next((lease for lease, _ in self._select("AND token = ?", token)), None)

    def due(self, at: datetime) -> list[tuple[HubLease, str]]:
        """Return the leases whose hub is to be asked, with the addresses as subscribed."""
        where = "AND leases.next_at <= ? ORDER BY leases.next_at, feed"
        return list(self._select(where, to_micros(at)))

    def store(self, lease: HubLease) -> None:
        """Store the lease of a feed, which replaces its former one; not for a removed feed."""
        parameters = ", ".join("?" * len(_LEASE_COLUMNS))
        self.file.write(
            f"INSERT OR REPLACE INTO leases ({', '.join(_LEASE_COLUMNS)}) SELECT {parameters}"  # noqa: S608 - names of fields
            " WHERE EXISTS (SELECT 1 FROM feeds WHERE number = ?)",
            *row_of(lease),
            lease.feed,
        )

    def remove(self, feed: int) -> None:
        """Forget the lease of a feed: pushes to its callback are answered 410."""
        self.file.write("DELETE FROM leases WHERE feed = ?", feed)

    def keep_only(self, base: str) -> int:
        """Forget the leases whose public address is not `base`, and return how many.

        No server answers there any more: their feeds are visited by their interval again.
        """
        with self.file.transaction():
            self.file.connection.execute(
                "UPDATE feeds SET next_at = min(next_at, tried_at + interval)"
                " WHERE number IN (SELECT feed FROM leases WHERE base <> ?) AND failures = 0",
                (base,),
            )
            forgotten = self.file.connection.execute("DELETE FROM leases WHERE base <> ?", (base,))
            return forgotten.rowcount

    def visit_at(self, feed: int, at: datetime) -> None:
        """Set when a feed is visited next."""
        self.file.write("UPDATE feeds SET next_at = ? WHERE number = ?", to_micros(at), feed)

    def _select(self, which: str, *parameters: str | int) -> Iterator[tuple[HubLease, str]]:
        """Yield leases of active feeds with their subscribed addresses; `which` is more SQL."""
        for *row, subscribed in self.file.read(
            f"SELECT {_SELECTED}, feeds.subscribed FROM leases"  # noqa: S608 - constants of ours
            f" JOIN feeds ON feeds.number = leases.feed WHERE feeds.status = 'active' {which}",
            *parameters,
        ):
            yield record_of(HubLease, row), subscribed


def read_leases(path: Path) -> list[HubLease]:
    """Return the leases of a file of feeds; none of one that is older than this version.

    Nothing is changed. Raise SourceUnusable if there is no such file, StateUnusable if it cannot be
    read.
    """
    with reading_feeds(path) as file:
        # The first files had no leases.
        return [] if FEEDS_SCHEMA.is_older(file.connection) else HubLeases(file).all()
