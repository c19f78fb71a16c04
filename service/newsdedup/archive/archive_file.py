"""The file of an archive: its tables, and how an older one is brought up to date.

The tables that other programs may query are described in docs/archive.md. A new version adds a step
to _MIGRATIONS and never changes one: what was archived may be all that is left of the events.
"""

import sqlite3
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from newsdedup.adapters.formats.compression import newest_dictionary
from newsdedup.adapters.sqlite.file_schema import FileSchema
from newsdedup.ports.errors import StateUnusable

_MIGRATIONS: Final = (
    """
    CREATE TABLE meta (name TEXT PRIMARY KEY, value NOT NULL) WITHOUT ROWID;
    CREATE TABLE positions (name TEXT PRIMARY KEY, position TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE sources (source INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE stories (
        story INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, items INTEGER NOT NULL,
        duplicates INTEGER NOT NULL, sources INTEGER NOT NULL, first INTEGER NOT NULL,
        last INTEGER NOT NULL
    );
    CREATE INDEX stories_by_last ON stories (last);
    CREATE TABLE story_sources (
        story INTEGER NOT NULL, source INTEGER NOT NULL, items INTEGER NOT NULL,
        PRIMARY KEY (story, source)
    ) WITHOUT ROWID;
    CREATE TABLE items (
        number INTEGER PRIMARY KEY, source INTEGER NOT NULL, id TEXT NOT NULL,
        epoch INTEGER NOT NULL, n INTEGER NOT NULL, at INTEGER NOT NULL, verdict TEXT NOT NULL,
        relation TEXT NOT NULL, score REAL, lang TEXT NOT NULL, decided_by TEXT NOT NULL,
        late INTEGER NOT NULL, version TEXT NOT NULL, story INTEGER NOT NULL,
        original_source INTEGER NOT NULL, original_id TEXT NOT NULL, matched_source INTEGER,
        matched_id TEXT, delay INTEGER, links INTEGER NOT NULL, title TEXT NOT NULL,
        url TEXT NOT NULL, change INTEGER NOT NULL
    );
    CREATE UNIQUE INDEX items_by_key ON items (source, id);
    CREATE INDEX items_by_story ON items (story, number);
    CREATE INDEX items_by_relation ON items (relation, number);
    CREATE INDEX items_by_change ON items (change);
    CREATE INDEX items_by_original ON items (original_source, original_id)
        WHERE verdict = 'duplicate';
    CREATE INDEX items_duplicate ON items (number) WHERE verdict = 'duplicate';
    CREATE INDEX items_by_matched ON items (matched_source, matched_id)
        WHERE verdict = 'original' AND matched_source IS NOT NULL;
    CREATE TABLE contents (number INTEGER PRIMARY KEY, event BLOB NOT NULL);
    CREATE TABLE revisions (
        source INTEGER NOT NULL, id TEXT NOT NULL, epoch INTEGER NOT NULL, n INTEGER NOT NULL,
        standing TEXT NOT NULL, PRIMARY KEY (source, id, epoch, n)
    ) WITHOUT ROWID;
    CREATE TABLE tombstones (
        source INTEGER NOT NULL, id TEXT NOT NULL, epoch INTEGER NOT NULL, n INTEGER NOT NULL,
        change INTEGER NOT NULL, PRIMARY KEY (source, id)
    ) WITHOUT ROWID;
    CREATE INDEX tombstones_by_change ON tombstones (change);
    CREATE TABLE volumes (
        hour INTEGER NOT NULL, lang TEXT NOT NULL, verdict TEXT NOT NULL, items INTEGER NOT NULL,
        PRIMARY KEY (hour, lang, verdict)
    ) WITHOUT ROWID;
    CREATE TABLE source_volumes (
        source INTEGER NOT NULL, hour INTEGER NOT NULL, lang TEXT NOT NULL, verdict TEXT NOT NULL,
        items INTEGER NOT NULL, PRIMARY KEY (source, hour, lang, verdict)
    ) WITHOUT ROWID;
    CREATE TABLE source_days (
        source INTEGER NOT NULL, day INTEGER NOT NULL, verdict TEXT NOT NULL,
        items INTEGER NOT NULL, links INTEGER NOT NULL, PRIMARY KEY (source, day, verdict)
    ) WITHOUT ROWID;
    CREATE TABLE copies (
        source INTEGER NOT NULL, original_source INTEGER NOT NULL, span INTEGER NOT NULL,
        day INTEGER NOT NULL, items INTEGER NOT NULL, delay INTEGER NOT NULL,
        PRIMARY KEY (source, original_source, span, day)
    ) WITHOUT ROWID;
    CREATE TABLE totals (
        kind TEXT NOT NULL, name TEXT NOT NULL, items INTEGER NOT NULL, PRIMARY KEY (kind, name)
    ) WITHOUT ROWID;
    CREATE VIRTUAL TABLE word_index USING fts5 (
        words, content = '', columnsize = 0, detail = 'none', tokenize = 'ascii'
    );
    INSERT INTO meta VALUES ('change', 0);
    """,
    """
    CREATE INDEX copies_by_original ON copies (original_source, items, delay);
    """,
    """
    ALTER TABLE items ADD COLUMN category TEXT NOT NULL DEFAULT '';
    CREATE INDEX items_by_category ON items (category, number) WHERE category <> '';
    DROP INDEX items_duplicate;
    CREATE INDEX items_duplicate ON items (number, original_source, source)
        WHERE verdict = 'duplicate';
    ALTER TABLE stories ADD COLUMN by_size INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE stories ADD COLUMN by_speed INTEGER NOT NULL DEFAULT 0;
    DROP INDEX stories_by_last;
    CREATE INDEX stories_by_last ON stories (last, sources, by_size, by_speed);
    CREATE INDEX stories_by_size ON stories (by_size, story, sources);
    CREATE INDEX stories_by_speed ON stories (by_speed, story, sources);
    """,
    """
    CREATE INDEX items_by_pair ON items (original_source, source, number)
        WHERE verdict = 'duplicate';
    CREATE TABLE earlier_texts (
        source INTEGER NOT NULL, id TEXT NOT NULL, version TEXT NOT NULL, epoch INTEGER NOT NULL,
        n INTEGER NOT NULL, text BLOB NOT NULL, PRIMARY KEY (source, id, version)
    ) WITHOUT ROWID;
    """,
)
ARCHIVE_SCHEMA: Final = FileSchema(
    noun="archive",
    advice="remove it and make it anew of the events, with `newsdedup archive EVENTS --to FILE` or "
    "by the server that follows their topic (docs/archive.md)",
    makes="`newsdedup archive EVENTS --to FILE` makes an archive of events",
    application_id=0x6E644172,  # "ndAr"
    steps=_MIGRATIONS,
)


def open_archive_file(path: Path) -> sqlite3.Connection:
    """Return a connection to an archive for its writer, creating a missing one.

    Raise StateUnusable for another database, or one of a later version of newsdedup.
    """
    # What a power cut undoes is read again from its position.
    connection = ARCHIVE_SCHEMA.open(path)
    with ARCHIVE_SCHEMA.errors(path, "opening"), ExitStack() as failure:
        failure.callback(connection.close)
        # What is erased is overwritten, also in pages that are freed by it.
        connection.execute("PRAGMA secure_delete = ON")
        connection.execute("PRAGMA cache_size = -65536")
        connection.execute(
            "INSERT OR IGNORE INTO meta VALUES ('dictionary', ?)", (newest_dictionary(),)
        )
        failure.pop_all()
    return connection


def open_archive_for_reading(path: Path) -> sqlite3.Connection:
    """Return a read-only connection to an archive, which a process may be writing.

    Raise SourceUnusable if there is no such file, StateUnusable for another kind or version.
    """

    def check(connection: sqlite3.Connection, path: Path) -> None:
        connection.execute("PRAGMA cache_size = -4096")
        ARCHIVE_SCHEMA.check(connection, path)
        if ARCHIVE_SCHEMA.is_older(connection):
            raise StateUnusable(
                f"archive {path} is of an earlier version of newsdedup: "
                "`newsdedup archive EVENTS --to PATH` brings it up to date"
            )

    return ARCHIVE_SCHEMA.open_for_reading(path, check)
