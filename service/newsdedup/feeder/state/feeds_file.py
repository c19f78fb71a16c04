"""The file of feeds: its tables, and how an older one is brought up to date.

Unlike the state of the engine it cannot be made anew from the input: a feed shows its last entries
only. So a new version adds a step to _MIGRATIONS and never asks to begin anew.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

from newsdedup.adapters.sqlite.state_file import is_empty_database, open_database, state_errors
from newsdedup.ports.errors import StateUnusable

_APPLICATION: Final = 0x6E644664
"""The application_id of SQLite's header by which a file of feeds is known: "ndFd"."""

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
)
"""One step for each version of the file; `user_version` is the number of those applied."""


def open_feeds_file(path: Path) -> sqlite3.Connection:
    """Return a connection to a file of feeds, creating a missing one.

    Raise StateUnusable for another database, or one of a later version of newsdedup.
    """
    # NORMAL: a power cut may undo the last visits, which are then repeated under the same ids.
    connection = open_database(path, synchronous="NORMAL")
    with state_errors(path, "opening"), ExitStack() as failure:
        failure.callback(connection.close)
        connection.execute("PRAGMA foreign_keys = ON")
        _check_kind(connection, path)
        for number in range(_version(connection), len(_MIGRATIONS)):
            connection.executescript(
                f"BEGIN; {_MIGRATIONS[number]} PRAGMA application_id = {_APPLICATION};"
                f" PRAGMA user_version = {number + 1}; COMMIT;"
            )
        failure.pop_all()
    return connection


@contextmanager
def transaction(connection: sqlite3.Connection, path: Path) -> Iterator[None]:
    """Make what a block writes one transaction; raise StateUnusable if SQLite fails."""
    with state_errors(path, "writing"):
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            connection.execute("COMMIT")
        except BaseException:
            connection.execute("ROLLBACK")
            raise


def _check_kind(connection: sqlite3.Connection, path: Path) -> None:
    """Raise StateUnusable unless a database is a new one or a file of feeds that can be read."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    if application != _APPLICATION and not is_empty_database(connection):
        raise StateUnusable(f"{path} is a database, but no file of feeds")
    if _version(connection) > len(_MIGRATIONS):
        raise StateUnusable(
            f"{path} was written by a later version of newsdedup: upgrade, or use another file"
        )


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])
