"""How far the files of imports were read, so that a second start goes on there."""

import os
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from newsdedup.adapters.files.inputs import hash_prefix, position_key, source_errors
from newsdedup.adapters.sqlite.file_schema import MEMORY, FileSchema, OpenFiles
from newsdedup.adapters.sqlite.state_file import lock_state
from newsdedup.feeder.archives.archive_entry import START, ArchivePosition

IMPORTS_SCHEMA: Final = FileSchema(
    noun="file of positions",
    advice="remove it: the files are read from their beginning then, under the same ids "
    "(docs/items.md)",
    application_id=0x6E64496D,  # "ndIm"
    steps=(
        # IF NOT EXISTS: the first files did not count their steps.
        """
        CREATE TABLE IF NOT EXISTS files (
            import TEXT NOT NULL, file TEXT NOT NULL, head TEXT NOT NULL, size INTEGER NOT NULL,
            number INTEGER NOT NULL, offset INTEGER NOT NULL, PRIMARY KEY (import, file)
        ) WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS letters (import TEXT NOT NULL, data BLOB NOT NULL);
        """,
    ),
)


@dataclass(frozen=True, slots=True)
class StampedPosition:
    """How far a file was read, and by what it is recognized."""

    prefix: str
    """Length and hash of its first bytes."""
    size: int
    position: ArchivePosition = START


class ImportState(OpenFiles):
    """The positions of one import; other imports may have theirs in the same file.

    `name` identifies the import: what is read, how, and where it goes. Each method is one
    transaction and raises StateUnusable if it fails. Raise StateBusy if another process has the
    file open.
    """

    def __init__(self, path: Path, name: str) -> None:
        self.path = path
        self._name = name
        with ExitStack() as opened:
            if path != MEMORY:
                opened.callback(os.close, lock_state(path))
            # What a power cut undoes is imported again under the same ids.
            self._connection = IMPORTS_SCHEMA.open(path)
            opened.callback(self._connection.close)
            self._opened = opened.pop_all()

    def begin(self, file: str, *, grows: bool) -> StampedPosition:
        """Return how far a file was read; its start if that is not known or the file was changed.

        `grows`: a file that became longer and has the same beginning has new records at its end.
        Raise SourceUnusable if the file cannot be read.
        """
        with source_errors(file):
            start = StampedPosition(hash_prefix(file), Path(file).stat().st_size)
        with IMPORTS_SCHEMA.errors(self.path, "reading"):
            row = self._connection.execute(
                "SELECT head, size, number, offset FROM files WHERE import = ? AND file = ?",
                (self._name, position_key(file)),
            ).fetchone()
        if row is None:
            return start
        prefix, size, number, offset = row
        is_same = hash_prefix(file, length=int(prefix.partition(":")[0])) == prefix
        is_whole = start.size >= size if grows else start.size == size
        position = ArchivePosition(number, offset) if is_same and is_whole else START
        return replace(start, position=position)

    def commit(self, reached: Mapping[str, StampedPosition], dead_letters: bytes) -> None:
        """Store how far files were read, by path, and dead letters that will be written next."""
        rows = [
            (
                *(self._name, position_key(file), at.prefix, at.size),
                *(at.position.number, at.position.offset),
            )
            for file, at in reached.items()
        ]
        with IMPORTS_SCHEMA.transaction(self._connection, self.path):
            self._connection.executemany(
                "INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?)", rows
            )
            if dead_letters:
                self._connection.execute(
                    "INSERT INTO letters VALUES (?, ?)", (self._name, dead_letters)
                )

    def pending_dead_letters(self) -> bytes:
        """Return the dead letters (lines of JSON) that a killed process may not have written."""
        with IMPORTS_SCHEMA.errors(self.path, "reading"):
            rows = self._connection.execute(
                "SELECT data FROM letters WHERE import = ?", (self._name,)
            ).fetchall()
        return b"".join(data for (data,) in rows)

    def forget_dead_letters(self) -> None:
        """Drop the pending dead letters: they are in their file."""
        with IMPORTS_SCHEMA.transaction(self._connection, self.path):
            self._connection.execute("DELETE FROM letters WHERE import = ?", (self._name,))

    def forget(self) -> None:
        """Drop the positions of this import: it begins anew."""
        with IMPORTS_SCHEMA.transaction(self._connection, self.path):
            self._connection.execute("DELETE FROM files WHERE import = ?", (self._name,))
