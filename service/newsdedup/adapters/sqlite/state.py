"""The embedded mode's state: index, verdicts and positions move in one transaction.

The records of the window live in memory, where they are searched; SQLite is their journal. A
process that dies loses the open batch only, and the next one finds the input at its beginning.
"""

import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

import msgspec

from newsdedup.adapters.files.inputs import InputPosition
from newsdedup.adapters.memory.store import MemoryStore
from newsdedup.adapters.sqlite.ledger import DELETED_PER_COMMIT, SqliteLedger
from newsdedup.adapters.sqlite.state_file import MEMORY, lock_state, open_state, state_errors
from newsdedup.core.matching.rules import Rule
from newsdedup.core.matching.stream_statistics import Observation
from newsdedup.core.model import Entry, ItemKey
from newsdedup.core.stories.publication import Settlement
from newsdedup.core.stories.records import Record
from newsdedup.core.stories.window import Watermark

_encode = msgspec.msgpack.Encoder().encode
_Row = tuple[int, int, str, str, bytes]
"""Ordinal, bucket, source, id, encoded record."""


@dataclass(frozen=True, slots=True)
class StreamProgress:
    """All that a batch commits beside records and judgements."""

    watermark: Watermark = field(default_factory=Watermark)
    inputs: dict[str, InputPosition] = field(default_factory=dict)
    outputs: dict[str, int] = field(default_factory=dict)
    """Committed lengths of output files."""
    letters: bytes = b""
    """Dead letters of the batch, which go to their file after the commit."""
    counts: dict[str, int] = field(default_factory=dict)


class SqliteState:
    """A Store over memory, with its ledger, whose changes are kept by `commit`."""

    def __init__(self, path: Path, rule: Rule, *, made_by: str, settings: str = "{}") -> None:
        self.path = path
        self._lock = None if path == MEMORY else lock_state(path)
        try:
            self._connection = open_state(path, made_by=made_by, settings=settings)
        except BaseException:
            self._unlock()
            raise
        self.ledger = SqliteLedger(self._connection, path)
        self._store = MemoryStore(rule)
        self._changed: dict[int, _Row] = {}
        self._floor: int | None = None
        self.taken: Callable[[], list[Observation]] = list
        """Hands over what the stream has taught since the last commit."""
        with state_errors(path, "reading"), ExitStack() as failure:
            failure.callback(self.close)
            self.progress = _progress(self._connection)
            self._load()
            failure.pop_all()

    def __len__(self) -> int:
        """Return how many items are kept."""
        return len(self._store)

    @property
    def skipped(self) -> int:
        """Return how many posting lists were too long to be read since the state was opened."""
        return self._store.skipped

    def known(self, key: ItemKey) -> Record | None:
        """Return the record of an item, None if nothing is stored of it."""
        return self._store.known(key)

    def leaders(self, near: Entry) -> Sequence[Record]:
        """Return the leaders that share enough keys with an entry, unordered."""
        return self._store.leaders(near)

    def members(self, near: Entry) -> Sequence[Record]:
        """Return the members of stories, not earlier than an entry, that share enough keys."""
        return self._store.members(near)

    def followers(self, leader: ItemKey) -> Sequence[Record]:
        """Return the records that follow a leader, unordered."""
        return self._store.followers(leader)

    def store(self, settlement: Settlement, *, bucket: int) -> None:
        """Keep what a decision changes; new records expire with the bucket."""
        self._store.store(settlement, bucket=bucket)
        for record in settlement.changed:
            ordinal, filed = self._store.place(record.key)
            self._changed[ordinal] = (ordinal, filed, *record.key, _encode(record))

    def bucket(self, key: ItemKey) -> int:
        """Return the bucket with which a kept item expires: that of its latest version."""
        return self._store.bucket(key)

    def expire(self, *, before: int) -> None:
        """Forget the records filed in buckets before this one."""
        self._store.expire(before=before)
        self._floor = before

    def commit(self, progress: StreamProgress) -> None:
        """Make everything since the last commit durable, or nothing of it."""
        run = self._connection
        with state_errors(self.path, "writing"):
            run.execute("BEGIN IMMEDIATE")
            try:
                self._write_records()
                self.ledger.flush()
                self._write_lessons()
                _write_progress(run, progress)
                run.execute("COMMIT")
            except BaseException:
                run.execute("ROLLBACK")
                raise
        self.progress = progress
        self._changed.clear()

    def lessons(self) -> Iterator[Observation]:
        """Yield what the stream has taught, as it was learned; what was forgotten is gone."""
        decode = msgspec.msgpack.Decoder(list[Observation]).decode
        with state_errors(self.path, "reading"):
            rows = self._connection.execute("SELECT taught FROM lessons ORDER BY n").fetchall()
            found = [decode(taught) for (taught,) in rows]
        for lessons in found:
            yield from lessons

    def close(self) -> None:
        """Let go of the file; what was not committed is lost, as it must be."""
        self._connection.close()
        self._unlock()

    def _load(self) -> None:
        decode = msgspec.msgpack.Decoder(Record).decode
        rows = self._connection.execute(
            "SELECT ordinal, bucket, record FROM records ORDER BY ordinal"
        )
        for ordinal, bucket, record in rows:
            self._store.restore(decode(record), ordinal=ordinal, bucket=bucket)

    def _write_records(self) -> None:
        self._connection.executemany(
            "INSERT INTO records VALUES (?, ?, ?, ?, ?)"
            " ON CONFLICT (ordinal)"
            " DO UPDATE SET record = excluded.record, bucket = excluded.bucket",
            self._changed.values(),
        )
        if self._floor is not None:
            self._connection.execute(
                "DELETE FROM records WHERE ordinal IN"
                " (SELECT ordinal FROM records WHERE bucket < ? LIMIT ?)",
                (self._floor, DELETED_PER_COMMIT),
            )

    def _write_lessons(self) -> None:
        taken = self.taken()
        if not taken:
            return
        # A row for each generation: a batch in which one turns must not be forgotten with it.
        self._connection.executemany(
            "INSERT INTO lessons (generation, taught) VALUES (?, ?)",
            [
                (generation, _encode(list(lessons)))
                for generation, lessons in groupby(taken, key=lambda lesson: lesson.generation)
            ],
        )
        # Only the latest two generations are remembered.
        self._connection.execute(
            "DELETE FROM lessons WHERE generation < ?", (taken[-1].generation - 1,)
        )

    def _unlock(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def _progress(run: sqlite3.Connection) -> StreamProgress:
    row = run.execute("SELECT value FROM meta WHERE name = 'progress'").fetchone()
    if row is None:
        return StreamProgress()
    return msgspec.json.decode(row[0], type=StreamProgress)


def _write_progress(run: sqlite3.Connection, progress: StreamProgress) -> None:
    run.execute(
        "INSERT INTO meta VALUES ('progress', ?)"
        " ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        (msgspec.json.encode(progress),),
    )
