"""The window of a state in memory, following the run that writes it."""

import sqlite3
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Final

import xxhash

from newsdedup.adapters.formats.record_bytes import decode_record
from newsdedup.adapters.memory.store import MemoryStore
from newsdedup.adapters.sqlite.ledger import SqliteLedger
from newsdedup.adapters.sqlite.state import StreamProgress, decode_observations, read_progress
from newsdedup.adapters.sqlite.state_file import STATE, ReadState
from newsdedup.core.matching.rules import Rule
from newsdedup.core.matching.statistics_recorder import StatisticsRecorder
from newsdedup.core.model import Micros
from newsdedup.core.stories.publication import Decision
from newsdedup.core.stories.window import Buckets

_REST: Final = 9
"""How much longer than a comparison of all records the pause after it is."""
_FEWEST_HASHES: Final = 10_000
"""So many are remembered before those of deleted records are looked for."""
_PLAIN: Final = frozenset({"lines", "item.judged", "repeated", "dead", "original", "duplicate"})
"""Counts that grow where nothing but new items came."""
_PLAIN_PREFIXES: Final = ("relation_", "lang_", "dead_")


class StateReplica(ReadState):
    """A read-only copy of a state in memory, made by the thread that uses it.

    It locks and writes nothing. Every method raises StateUnusable for a damaged state.
    """

    def __init__(
        self,
        path: Path,
        rule: Rule,
        *,
        made_by: str,
        lateness: Micros,
        recorder: StatisticsRecorder | None,
    ) -> None:
        """Open a state; nothing is read before the first refresh.

        Raise SourceUnusable if there is none, StateUnusable if it was made by other settings.
        """
        super().__init__(path, made_by=made_by)
        self.store = MemoryStore(rule)
        self.recorder = recorder
        self.progress = StreamProgress()
        self._buckets = Buckets(rule.window, lateness)
        self.ledger = SqliteLedger(self._connection, path)
        self._hashes: dict[int, int] = {}
        """Of each record by its ordinal: that of its encoded form."""
        self._most_hashes = _FEWEST_HASHES
        self._last_ordinal = -1
        self._last_observation = 0
        self._data_version: int | None = None
        self._records_changed = False
        """Whether records may have changed since they were compared."""
        self._compare_at = 0.0

    def refresh(self) -> bool:
        """Take over what was committed since the last call; return whether anything was.

        Mostly only new items came, and only they are read. After corrections all records are
        compared with those in memory, which takes a tenth of the time at most: until then a
        corrected item is as it was before. Raise StateUnusable if the file cannot be read.
        """
        run = self._connection
        with STATE.errors(self.path, "reading"):
            (version,) = run.execute("PRAGMA data_version").fetchone()
            if version == self._data_version and not self._may_compare():
                return False
            run.execute("BEGIN")
            try:
                before, self.progress = self.progress, read_progress(run)
                first = not self._hashes
                new = self._read_records(after=self._last_ordinal)
                self._hashes.update(new)
                if not first and not _only_new_items(before, self.progress, len(new)):
                    self._records_changed = True
                if self._may_compare():
                    self._compare_records()
                self._read_observations()
                self._expire()
            finally:
                with suppress(sqlite3.Error):
                    run.execute("ROLLBACK")
            self._data_version = version
        return True

    def _may_compare(self) -> bool:
        """Return whether records changed and the pause after the last comparison is over."""
        return self._records_changed and monotonic() >= self._compare_at

    def _compare_records(self) -> None:
        """Read all records again, then pause for _REST times as long as that took."""
        start = monotonic()
        self._hashes = self._read_records(after=-1)
        self._records_changed = False
        now = monotonic()
        self._compare_at = now + _REST * (now - start)

    def _read_records(self, *, after: int) -> dict[int, int]:
        """Store the changed records behind an ordinal; return the hash of each one by ordinal."""
        hashes: dict[int, int] = {}
        rows = self._connection.execute(
            "SELECT ordinal, bucket, record FROM records WHERE ordinal > ? ORDER BY ordinal",
            (after,),
        )
        for ordinal, bucket, encoded in rows:
            digest = xxhash.xxh3_64_intdigest(encoded)
            if self._hashes.get(ordinal) != digest:
                record = decode_record(encoded)
                self.store.store(Decision((record,), (), ()), bucket=bucket)
            hashes[ordinal] = digest
        self._last_ordinal = max(hashes, default=self._last_ordinal)
        return hashes

    def _expire(self) -> None:
        """Hide what has left the window by the watermark of the last commit, and forget it."""
        floor = self._buckets.floor(self.progress.watermark)
        if floor is not None:
            self.store.expire(before=floor)
        if len(self._hashes) > self._most_hashes:
            ordinals = self._connection.execute("SELECT ordinal FROM records")
            self._hashes = {number: self._hashes[number] for (number,) in ordinals}
            self._most_hashes = max(_FEWEST_HASHES, 2 * len(self._hashes))

    def _read_observations(self) -> None:
        """Add the observations stored since the last call to the statistics."""
        if self.recorder is None:
            return
        rows = self._connection.execute(
            "SELECT n, taught FROM lessons WHERE n > ? ORDER BY n", (self._last_observation,)
        ).fetchall()
        observations = [one for _, encoded in rows for one in decode_observations(encoded)]
        if observations:
            self.recorder.statistics.restore(observations)
            self._last_observation = rows[-1][0]


def _only_new_items(before: StreamProgress, now: StreamProgress, arrived: int) -> bool:
    """Return whether `arrived` new items, repeats and dead letters explain all that changed."""
    grown = {
        name: count - before.counts.get(name, 0)
        for name, count in now.counts.items()
        if count != before.counts.get(name, 0)
    }
    plain = all(name in _PLAIN or name.startswith(_PLAIN_PREFIXES) for name in grown)
    answered = sum(grown.get(name, 0) for name in ("item.judged", "repeated", "dead"))
    return plain and grown.get("item.judged", 0) == arrived and grown.get("lines") == answered
