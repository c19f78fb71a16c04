"""Database files: errors and transactions of any, and the schemas of those that outlive a version.

A state of the engine can be made anew from its input. Other files cannot: so a new version adds a
step to the schema of a file, never changes one, and no file must be made anew.
"""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Self

import msgspec

from newsdedup.ports.errors import SinkUnusable, SourceUnusable, StateUnusable

MEMORY = Path(":memory:")
_HEADER = b"SQLite format 3\0"
_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_READ_ONLY = frozenset({sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM})
"""SQLite cannot write the file, or cannot make its log alongside it: it needs that to read, too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseKind:
    """A kind of database file, and what messages say of one."""

    noun: str
    """What messages call the file: "archive"."""
    advice: str
    """What to do about a damaged file, for messages."""
    makes: str = ""
    """What makes such a file, for messages about a missing one: "`newsdedup archive` makes one"."""

    @contextmanager
    def errors(self, path: Path, doing: str) -> Iterator[None]:
        """Turn errors of SQLite, and of decoding its values, into StateUnusable.

        SinkUnusable is raised where the file or its folder cannot be written. `doing` names the
        operation, for the message.
        """
        try:
            yield
        except sqlite3.Error as error:
            # Extended codes keep the kind in the low byte.
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF
            if code in _READ_ONLY:
                raise SinkUnusable(
                    f"{self.noun} {path}: {doing} failed: the file or its folder is read-only, or "
                    f"may not be written by this user ({error}); make both writable, or use a copy "
                    "elsewhere"
                ) from error
            if code in _DAMAGED:
                raise self._damaged(path, error) from error
            raise StateUnusable(f"{self.noun} {path}: {doing} failed: {error}") from error
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise self._damaged(path, error) from error

    @contextmanager
    def transaction(self, connection: sqlite3.Connection, path: Path) -> Iterator[None]:
        """Make what a block writes one transaction; raise StateUnusable if SQLite fails."""
        with self.errors(path, "writing"):
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                connection.execute("COMMIT")
            except BaseException:
                # A full or failing disk has ended the transaction already.
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    def open_for_reading(
        self, path: Path, check: Callable[[sqlite3.Connection, Path], None]
    ) -> sqlite3.Connection:
        """Return a read-only connection to a file that `check` accepts; others may be writing it.

        Raise SourceUnusable if there is no such file, StateUnusable if it is no database.
        """
        makes = f"; {self.makes}" if self.makes else ""
        if not path.is_file():
            raise SourceUnusable(f"{self.noun} {path}: there is no such file{makes}")
        try:
            check_header(path)
        except StateUnusable as error:
            raise StateUnusable(f"{error}{makes}") from error
        with self.errors(path, "opening"), ExitStack() as failure:
            connection = connect_read_only(path)
            failure.callback(connection.close)
            check(connection, path)
            failure.pop_all()
        return connection

    def _damaged(self, path: Path, error: Exception) -> StateUnusable:
        """Return the error for a file whose content SQLite or a decoder refuses."""
        return StateUnusable(f"{self.noun} {path} is damaged: {error}; {self.advice}")


@dataclass(frozen=True, slots=True, kw_only=True)
class FileSchema(DatabaseKind):
    """What a kind of file holds in this version of newsdedup."""

    application_id: int
    """The number in SQLite's header by which such a file is known."""
    steps: Sequence[str]
    """Statements, one text for each version; `user_version` is the number of those applied."""

    def open(self, path: Path) -> sqlite3.Connection:
        """Return a connection for writing; create a missing file, bring an older one up to date.

        A power cut may undo the last transactions. Raise StateUnusable, before anything is
        changed, for another database or one of a later version.
        """
        check_header(path)
        with self.errors(path, "opening"), ExitStack() as failure:
            if path.exists() and path.stat().st_size:
                with closing(connect_read_only(path)) as present:
                    if not is_empty_database(present):
                        self.check(present, path)
            connection = open_database(path, synchronous="NORMAL")
            failure.callback(connection.close)
            for number in range(_version(connection), len(self.steps)):
                connection.executescript(
                    f"BEGIN; {self.steps[number]}"
                    f" PRAGMA application_id = {self.application_id};"
                    f" PRAGMA user_version = {number + 1}; COMMIT;"
                )
            failure.pop_all()
        return connection

    def check(self, connection: sqlite3.Connection, path: Path) -> None:
        """Raise StateUnusable for a database of another kind, or one of a later version."""
        (application_id,) = connection.execute("PRAGMA application_id").fetchone()
        if application_id != self.application_id:
            raise StateUnusable(f"{path} is a database, but no {self.noun}")
        if _version(connection) > len(self.steps):
            raise StateUnusable(
                f"{self.noun} {path} was written by a later version of newsdedup: upgrade "
                "newsdedup, or use another file"
            )

    def is_older(self, connection: sqlite3.Connection) -> bool:
        """Return whether a file lacks steps of this version's schema."""
        return _version(connection) < len(self.steps)


class OpenFiles:
    """Files and locks that are open until `close` or the end of a `with` block."""

    _opened: ExitStack

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close and unlock the files."""
        self._opened.close()


def _version(connection: sqlite3.Connection) -> int:
    """Return the version of the schema that a database stores, 0 for a new one."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


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


def read_meta(connection: sqlite3.Connection, name: str) -> Any:
    """Return a value of the table `meta`, None for a name that it lacks."""
    row = connection.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
    return None if row is None else row[0]
