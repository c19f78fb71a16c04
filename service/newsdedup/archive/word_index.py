"""The index of words: of which version it is, and how a new version of newsdedup makes it anew.

The new index is made alongside the one that searches use, which it replaces when it has all items.
Each step is a transaction, so a process that was stopped or killed goes on where it was.
"""

import logging
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from newsdedup.adapters.sqlite.file_schema import read_meta
from newsdedup.archive.archive_file import ARCHIVE_SCHEMA

LOG: Final = logging.getLogger("newsdedup.archive")
_STEP_ITEMS: Final = 2_000
"""Items of a transaction: those of a second or two."""
_MAKE: Final = (
    "CREATE VIRTUAL TABLE word_index_next USING fts5"
    " (words, content = '', columnsize = 0, detail = 'none', tokenize = 'ascii')"
)
"""As `word_index` in the schema of the file."""
_REPLACE: Final = (
    "DROP TABLE word_index",
    "ALTER TABLE word_index_next RENAME TO word_index",
    "DELETE FROM meta WHERE name = 'next_words'",
)

IndexWords = Callable[[int, int], Sequence[tuple[int, str]]]
"""Returns the numbers and words of the first items above a number, at most so many."""


class IndexProgress(NamedTuple):
    """How far the index that searches will use is made."""

    done: int
    items: int

    @property
    def share(self) -> float:
        """Return the share of the items that it has, 1 for an archive without items."""
        return self.done / self.items if self.items else 1.0


class _Next(msgspec.Struct, frozen=True, kw_only=True):
    """The index that is being made, as the table `meta` stores it."""

    version: str
    change: int
    """The last change of the archive: a later one may be of items that it has already."""
    last: int
    """The number of its last item."""
    done: int


_NEXT: Final = msgspec.json.Decoder(_Next)


def index_progress(connection: sqlite3.Connection, version: str) -> IndexProgress | None:
    """Return how far an index of this version is made; None if searches use one.

    Until it is made they use one of an earlier version, and find less where words changed.
    """
    if read_meta(connection, "words") == version:
        return None
    (items,) = connection.execute(
        "SELECT coalesce(sum(items), 0) FROM totals WHERE kind = 'verdict'"
    ).fetchone()
    making = _stored(connection)
    done = making.done if making is not None and making.version == version else 0
    return IndexProgress(done, items)


def make_index_anew(
    connection: sqlite3.Connection,
    path: Path,
    version: str,
    words: IndexWords,
    report: Callable[[IndexProgress], object],
) -> None:
    """Make the index of an archive anew if it is of another version; go on with one that was begun.

    `report` gets the progress before the first step and after each. What it raises ends the work,
    which the next call continues. Raise StateUnusable if SQLite fails.
    """
    with ARCHIVE_SCHEMA.errors(path, "reading"):
        progress = index_progress(connection, version)
    if progress is None:
        return
    if not progress.items:
        with ARCHIVE_SCHEMA.transaction(connection, path):
            _set_meta(connection, "words", version)
        return
    with ARCHIVE_SCHEMA.transaction(connection, path):
        making = _begun(connection, version)
    more, logged = True, -1
    while more:
        report(IndexProgress(making.done, progress.items))
        if (tenth := making.done * 10 // progress.items) > logged:
            LOG.info("indexing_words done=%d items=%d", making.done, progress.items)
            logged = tenth
        with ARCHIVE_SCHEMA.transaction(connection, path):
            rows = words(making.last, _STEP_ITEMS)
            more = bool(rows)
            if more:
                connection.executemany(
                    "INSERT INTO word_index_next (rowid, words) VALUES (?, ?)", rows
                )
                done = making.done + len(rows)
                making = msgspec.structs.replace(making, last=rows[-1][0], done=done)
                _set_meta(connection, "next_words", msgspec.json.encode(making).decode())
    with ARCHIVE_SCHEMA.transaction(connection, path):
        for statement in _REPLACE:
            connection.execute(statement)
        _set_meta(connection, "words", version)
    LOG.info("indexed_words items=%d", making.done)


def _begun(connection: sqlite3.Connection, version: str) -> _Next:
    """Return the index that is being made, a new one if none of this version fits the archive."""
    change = int(read_meta(connection, "change"))
    making = _stored(connection)
    if making is not None and (making.version, making.change) == (version, change):
        return making
    connection.execute("DROP TABLE IF EXISTS word_index_next")
    connection.execute(_MAKE)
    return _Next(version=version, change=change, last=-(2**63), done=0)


def _stored(connection: sqlite3.Connection) -> _Next | None:
    """Return what is stored of the index that is being made, None if there is none."""
    value = read_meta(connection, "next_words")
    return None if value is None else _NEXT.decode(value)


def _set_meta(connection: sqlite3.Connection, name: str, value: str) -> None:
    connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (name, value))
