"""The state file: its tables, its lock, and the checks before it is opened."""

import fcntl
import os
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Literal, Self

import msgspec

from newsdedup.adapters.files.outputs import sink_errors
from newsdedup.ports.errors import SinkUnusable, SourceUnusable, StateBusy, StateUnusable

STATE_FORMAT = 2
MEMORY = Path(":memory:")
_HEADER = b"SQLite format 3\0"
_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_READ_ONLY = frozenset({sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM})
"""SQLite cannot write the file, or cannot make its log alongside it: it needs that to read, too."""
_STATE = "state"
_ANEW = "put back a copy of it, or begin anew with `newsdedup run --fresh`"
_TABLES = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE records (
    ordinal INTEGER PRIMARY KEY,
    bucket INTEGER NOT NULL,
    source TEXT NOT NULL,
    id TEXT NOT NULL,
    record BLOB NOT NULL
);
CREATE INDEX records_by_id ON records (id);
CREATE TABLE versions (
    n INTEGER PRIMARY KEY,
    item INTEGER NOT NULL,
    bucket INTEGER NOT NULL,
    received BLOB NOT NULL,
    published BLOB NOT NULL
);
CREATE TABLE lessons (
    n INTEGER PRIMARY KEY,
    generation INTEGER NOT NULL,
    taught BLOB NOT NULL
);
CREATE INDEX versions_by_item ON versions (item);
CREATE INDEX records_by_bucket ON records (bucket);
CREATE INDEX versions_by_bucket ON versions (bucket);
"""


@contextmanager
def state_errors(
    path: Path, doing: str, *, noun: str = _STATE, advice: str = _ANEW
) -> Iterator[None]:
    """Turn errors of SQLite, and of decoding its values, into StateUnusable.

    SinkUnusable is raised where the file or its folder cannot be written. For the message, `doing`
    names the operation, `noun` the kind of file, and `advice` says what to do about a damaged one.
    """
    try:
        yield
    except sqlite3.Error as error:
        # Extended codes keep the kind in the low byte.
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code in _READ_ONLY:
            raise SinkUnusable(
                f"{noun} {path}: {doing} failed: the file or its folder is read-only, or may not "
                f"be written by this user ({error}); make both writable, or use a copy elsewhere"
            ) from error
        if code in _DAMAGED:
            raise StateUnusable(f"{noun} {path} is damaged: {error}; {advice}") from error
        raise StateUnusable(f"{noun} {path}: {doing} failed: {error}") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise StateUnusable(f"{noun} {path} is damaged: {error}; {advice}") from error


@contextmanager
def transaction(
    connection: sqlite3.Connection, path: Path, *, noun: str = _STATE, advice: str = _ANEW
) -> Iterator[None]:
    """Make what a block writes one transaction; raise StateUnusable if SQLite fails."""
    with state_errors(path, "writing", noun=noun, advice=advice):
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            connection.execute("COMMIT")
        except BaseException:
            # A full or failing disk has ended the transaction already.
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise


def open_state(path: Path, *, made_by: str, settings: str = "{}") -> sqlite3.Connection:
    """Return a connection to a state, creating a missing one.

    Raise StateUnusable if it was made by other settings (`made_by`) or has another format.
    """
    # FULL: what was committed outlives a power cut, as the output files that were synced.
    with state_errors(path, "opening"), ExitStack() as failure:
        connection = open_database(path, synchronous="FULL")
        failure.callback(connection.close)
        connection.execute("PRAGMA secure_delete = FAST")
        connection.execute("PRAGMA cache_size = -65536")
        if is_empty_database(connection):
            connection.executescript(f"BEGIN; {_TABLES} COMMIT;")
            meta = [("format", str(STATE_FORMAT)), ("made_by", made_by), ("settings", settings)]
            connection.executemany("INSERT INTO meta VALUES (?, ?)", meta)
        _check(connection, path, made_by)
        failure.pop_all()
    return connection


def open_database(path: Path, *, synchronous: Literal["FULL", "NORMAL"]) -> sqlite3.Connection:
    """Return a connection to a database with a write-ahead log, whose transactions are explicit.

    A missing file is created. Raise StateUnusable if it is no database, sqlite3.Error if it cannot
    be opened.
    """
    check_header(path)
    with ExitStack() as failure:
        connection = sqlite3.connect(path, isolation_level=None)
        failure.callback(connection.close)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute(f"PRAGMA synchronous = {synchronous}")
        failure.pop_all()
    return connection


def connect_read_only(path: Path) -> sqlite3.Connection:
    """Return a connection that changes nothing; raise sqlite3.Error if a file cannot be opened."""
    return sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, isolation_level=None)


def is_empty_database(connection: sqlite3.Connection) -> bool:
    """Return whether a database has no tables yet."""
    return not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]


def open_for_reading(path: Path, *, made_by: str | None = None) -> sqlite3.Connection:
    """Return a read-only connection to a state, which a run may be writing.

    Raise SourceUnusable if there is no such file, StateUnusable for another format, or if it was
    made by other settings than `made_by`, unless that is None.
    """
    if not path.is_file():
        raise SourceUnusable(f"state {path}: there is no such file")
    check_header(path)
    with state_errors(path, "opening"), ExitStack() as failure:
        connection = connect_read_only(path)
        failure.callback(connection.close)
        _check(connection, path, made_by)
        failure.pop_all()
    return connection


class ReadState:
    """A state that is open for reading; at the end of a `with` block it is closed."""

    def __init__(self, path: Path, *, made_by: str | None = None) -> None:
        """Open a state as `open_for_reading` does."""
        self.path = path
        self._connection = open_for_reading(path, made_by=made_by)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._connection.close()


def lock_state(path: Path) -> int:
    """Lock a state by a file alongside it; return the descriptor, whose closing unlocks.

    Raise StateBusy if another process holds the lock, SinkUnusable if the folder is missing.
    """
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
    with state_errors(path, "opening"), closing(sqlite3.connect(path)) as connection:
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


def check_header(path: Path) -> None:
    """Raise StateUnusable for a file that is no database: SQLite takes a short one for empty.

    Raise SourceUnusable for one that may not be read.
    """
    if path == MEMORY or not path.exists():
        return
    try:
        with path.open("rb") as file:
            header = file.read(len(_HEADER))
    except OSError as error:
        raise SourceUnusable(f"{path}: cannot be read: {error.strerror}") from error
    if header not in (b"", _HEADER):
        raise StateUnusable(f"{path} is no database: damaged, or another file")


def _check(connection: sqlite3.Connection, path: Path, made_by: str | None) -> None:
    """Raise StateUnusable for a state of another format, or of settings other than `made_by`.

    `made_by` None allows all settings.
    """
    version, maker = _format(connection, path), read_meta(connection, "made_by")
    if version < STATE_FORMAT:
        raise StateUnusable(
            f"state {path} has format {version}, of an earlier version of newsdedup; this one "
            f"reads {STATE_FORMAT}: begin anew with `newsdedup run --fresh`, or use another --state"
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


def read_meta(connection: sqlite3.Connection, name: str) -> str | None:
    """Return a value of the table `meta` as text, None if it is missing."""
    row = connection.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
    return None if row is None else str(row[0])
