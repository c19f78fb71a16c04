"""Database files that outlive a version of newsdedup, and how an older one is brought up to date.

A state of the engine can be made anew from its input. These files cannot: so a new version adds a
step to the schema of a file, never changes one, and no file must be made anew.
"""

import sqlite3
from collections.abc import Sequence
from contextlib import AbstractContextManager, ExitStack, closing
from dataclasses import dataclass
from pathlib import Path

from newsdedup.adapters.sqlite.state_file import (
    check_header,
    connect_read_only,
    is_empty_database,
    open_database,
    state_errors,
    transaction,
)
from newsdedup.ports.errors import StateUnusable


@dataclass(frozen=True, slots=True, kw_only=True)
class FileSchema:
    """What a kind of file holds in this version of newsdedup."""

    noun: str
    """What messages call the file: "archive"."""
    advice: str
    """What to do about a damaged file, for messages."""
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

    def errors(self, path: Path, doing: str) -> AbstractContextManager[None]:
        """Return a context that turns SQLite's errors into StateUnusable with text `doing`."""
        return state_errors(path, doing, noun=self.noun, advice=self.advice)

    def transaction(
        self, connection: sqlite3.Connection, path: Path
    ) -> AbstractContextManager[None]:
        """Return a context that makes a block one transaction; StateUnusable if SQLite fails."""
        return transaction(connection, path, noun=self.noun, advice=self.advice)

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


def _version(connection: sqlite3.Connection) -> int:
    """Return the version of the schema that a database stores, 0 for a new one."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])
