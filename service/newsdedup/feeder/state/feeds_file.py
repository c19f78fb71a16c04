"""The file of feeds: its tables, and how an older one is brought up to date.

Unlike the state of the engine it cannot be made anew from the input: a feed shows its last entries
only. So a new version adds a step to _MIGRATIONS and never asks to begin anew.
"""

import sqlite3
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from newsdedup.adapters.sqlite.file_schema import FileSchema
from newsdedup.adapters.sqlite.state_file import check_header, connect_read_only
from newsdedup.ports.errors import SourceUnusable

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


def open_feeds_file(path: Path) -> sqlite3.Connection:
    """Return a connection to a file of feeds, creating a missing one.

    Raise StateUnusable for another database, or one of a later version of newsdedup.
    """
    # Visits that a power cut undoes are repeated under the same ids.
    connection = FEEDS_SCHEMA.open(path)
    connection.execute("PRAGMA foreign_keys = ON")
    return connection


def open_feeds_for_reading(path: Path) -> sqlite3.Connection:
    """Return a connection that changes nothing, also if the file is older than this version.

    Raise SourceUnusable if there is no such file, StateUnusable for another database, or one of a
    later version.
    """
    if not path.is_file():
        raise SourceUnusable(
            f"{path}: there is no such file of feeds; `newsdedup feeds add ADDRESS` begins one"
        )
    check_header(path)
    with FEEDS_SCHEMA.errors(path, "opening"), ExitStack() as failure:
        connection = connect_read_only(path)
        failure.callback(connection.close)
        FEEDS_SCHEMA.check(connection, path)
        failure.pop_all()
    return connection
