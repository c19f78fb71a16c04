"""The state file: its tables, its lock, and the checks before it is opened."""

import fcntl
import os
import sqlite3
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from typing import Final

from newsdedup.adapters.files.outputs import sink_errors
from newsdedup.adapters.files.paths import refuse_folder
from newsdedup.adapters.sqlite.file_schema import (
    MEMORY,
    DatabaseKind,
    OpenFiles,
    check_header,
    is_empty_database,
    open_database,
    read_meta,
)
from newsdedup.ports.errors import SinkUnusable, StateBusy, StateUnusable

STATE_FORMAT = 3
"""Since format 3 entries say what their keys are worth. States of format 2 are read, and become
format 3 when they are opened for writing: earlier releases then refuse them."""
_OLDEST_FORMAT = 2
STATE: Final = DatabaseKind(
    noun="state", advice="put back a copy of it, or begin anew with `newsdedup run --fresh`"
)
_TABLES = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE records (
    ordinal INTEGER PRIMARY KEY, bucket INTEGER NOT NULL, source TEXT NOT NULL, id TEXT NOT NULL,
    record BLOB NOT NULL
);
CREATE INDEX records_by_id ON records (id);
CREATE TABLE versions (
    n INTEGER PRIMARY KEY, item INTEGER NOT NULL, bucket INTEGER NOT NULL, received BLOB NOT NULL,
    published BLOB NOT NULL
);
CREATE TABLE lessons (n INTEGER PRIMARY KEY, generation INTEGER NOT NULL, taught BLOB NOT NULL);
CREATE INDEX versions_by_item ON versions (item);
CREATE INDEX records_by_bucket ON records (bucket);
CREATE INDEX versions_by_bucket ON versions (bucket);
"""


def open_state(path: Path, *, made_by: str, settings: str = "{}") -> sqlite3.Connection:
    """Return a connection to a state, creating a missing one.

    Raise StateUnusable if it was made by other settings (`made_by`) or has another format.
    """
    # FULL: what was committed outlives a power cut, as the output files that were synced.
    with STATE.errors(path, "opening"), ExitStack() as failure:
        connection = open_database(path, synchronous="FULL")
        failure.callback(connection.close)
        connection.execute("PRAGMA secure_delete = FAST")
        connection.execute("PRAGMA cache_size = -65536")
        if is_empty_database(connection):
            connection.executescript(f"BEGIN; {_TABLES} COMMIT;")
            meta = [("format", str(STATE_FORMAT)), ("made_by", made_by), ("settings", settings)]
            connection.executemany("INSERT INTO meta VALUES (?, ?)", meta)
        _check(connection, path, made_by)
        connection.execute("UPDATE meta SET value = ? WHERE name = 'format'", (str(STATE_FORMAT),))
        failure.pop_all()
    return connection


class ReadState(OpenFiles):
    """A state that is open for reading, which a run may be writing."""

    def __init__(self, path: Path, *, made_by: str | None = None) -> None:
        """Open a state.

        Raise SourceUnusable if there is no such file, StateUnusable for another format, or if it
        was made by other settings than `made_by`, unless that is None.
        """
        self.path = path
        self._opened = ExitStack()
        self._connection = self._opened.enter_context(
            closing(STATE.open_for_reading(path, partial(_check, made_by=made_by)))
        )


def lock_state(path: Path) -> int:
    """Lock a state by a file alongside it; return the descriptor, whose closing unlocks.

    Raise StateBusy if another process holds the lock, SinkUnusable if the folder is missing or the
    path is that of a folder.
    """
    with sink_errors(path):
        refuse_folder(path)
    if not path.parent.is_dir():
        raise SinkUnusable(f"{path}: cannot be written: there is no folder {path.parent}")
    name = path.with_name(path.name + ".lock")
    with sink_errors(name):
        descriptor = os.open(name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(descriptor)
        raise StateBusy(f"state {path} is in use by another process") from error
    return descriptor


def remove_state(path: Path) -> None:
    """Remove a state and SQLite's files alongside it; do nothing if there is none.

    Raise StateUnusable for a file that is no state, StateBusy if another process writes it,
    SinkUnusable if its folder cannot be written.
    """
    if path == MEMORY or not path.exists():
        return
    check_header(path)
    with STATE.errors(path, "opening"), closing(sqlite3.connect(path)) as connection:
        _format(connection, path)  # nothing but a state may be removed
    descriptor = lock_state(path)
    try:
        for name in (path.name, path.name + "-wal", path.name + "-shm"):
            path.with_name(name).unlink(missing_ok=True)
    except OSError as error:
        reason = error.strerror or error
        raise SinkUnusable(f"state {path}: cannot be removed: {reason}") from error
    finally:
        os.close(descriptor)


def _check(connection: sqlite3.Connection, path: Path, made_by: str | None) -> None:
    """Raise StateUnusable for a state of another format, or of settings other than `made_by`.

    `made_by` None allows all settings.
    """
    version, maker = _format(connection, path), read_meta(connection, "made_by")
    if version < _OLDEST_FORMAT:
        raise StateUnusable(
            f"state {path} has format {version}, of an earlier version of newsdedup; this one "
            f"reads {_OLDEST_FORMAT} and {STATE_FORMAT}: begin anew with `newsdedup run --fresh`, "
            "or use another --state"
        )
    if version > STATE_FORMAT:
        raise StateUnusable(
            f"state {path} has format {version}; this version of newsdedup reads up to "
            f"{STATE_FORMAT}: upgrade newsdedup, or use another --state"
        )
    if made_by not in (None, maker):
        raise StateUnusable(
            f"state {path} was made with other settings and would be judged otherwise now.\n"
            f"  then: {maker}\n  now:  {made_by}\n"
            "Use the same settings, another --state, or begin anew with `newsdedup run --fresh`."
        )


def _format(connection: sqlite3.Connection, path: Path) -> int:
    """Return the number of a state's format; raise StateUnusable for another database."""
    try:
        return int(read_meta(connection, "format") or "")
    except (sqlite3.OperationalError, ValueError) as error:
        if getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) != sqlite3.SQLITE_ERROR:
            raise  # it has a table of that name, and cannot be read
        raise StateUnusable(f"{path} is a database, but no newsdedup state") from None
