"""Writes an archive: batches of events, each with the position that it was read from."""

import logging
import os
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final, Self

from newsdedup.adapters.files.paths import file_identity
from newsdedup.adapters.sqlite.state_file import lock_state
from newsdedup.archive.archive_file import ARCHIVE_SCHEMA, open_archive_file
from newsdedup.archive.content import ContentCodec
from newsdedup.archive.event_lines import ArchivedEvent, EventUnreadable, read_event_line
from newsdedup.archive.item_tables import ItemTables, RowChange
from newsdedup.archive.pending_rows import ItemRow, PendingRow
from newsdedup.archive.rollups import RollupChanges, check_archive
from newsdedup.archive.search_words import SearchWords
from newsdedup.core.model import ItemKey
from newsdedup.core.moments import to_micros
from newsdedup.ports.errors import StateUnusable, is_bug
from newsdedup.ports.isolation import InternalErrorLimit, internal_error

LOG: Final = logging.getLogger("newsdedup.isolation")
_PRUNED_PER_BATCH: Final = 200
_CHECKPOINT_WAIT: Final = 100
"""Milliseconds in which readers must let go of old pages; else the next erasure tries again."""


def utc_now() -> datetime:
    """Return the time by the clock of this machine."""
    return datetime.now(UTC)


class ArchiveWriter:
    """The only writer of an archive. One thread uses it.

    Laws, checked by tests/archive/test_archive_laws.py: events in any order that keeps those of
    each item in theirs, delivered twice, in batches of any sizes, make the same archive.
    """

    def __init__(
        self,
        path: Path,
        words: SearchWords,
        *,
        keep: timedelta | None = None,
        clock: Callable[[], datetime] = utc_now,
        indexed: Callable[[int], None] = lambda _: None,
    ) -> None:
        """Open and lock an archive, creating a missing one and bringing an older one up to date.

        Items older than `keep` are erased. `indexed` gets the numbers of items whose words are
        indexed anew, where lemmas have changed. Raise StateBusy if another process writes it.
        """
        self.path = path
        self._keep, self._clock = keep, clock
        self._unswept = False
        """Whether erased pages may still stand in the write-ahead log."""
        self._limit = InternalErrorLimit()
        with ExitStack() as failure:
            failure.callback(os.close, lock := lock_state(path))
            self._lock = lock
            self._connection = open_archive_file(path)
            self._file = file_identity(path)
            failure.callback(self._connection.close)
            with ARCHIVE_SCHEMA.errors(path, "reading"):
                codec = ContentCodec(self._meta("dictionary"))
            self._tables = ItemTables(self._connection, codec, words)
            self._index_anew(words.version, indexed)
            failure.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close and unlock the archive."""
        self._sweep()
        self._connection.close()
        os.close(self._lock)

    def position(self, name: str) -> str | None:
        """Return the position of an input as it was committed, None if it was never read."""
        with ARCHIVE_SCHEMA.errors(self.path, "reading"):
            row = self._connection.execute(
                "SELECT position FROM positions WHERE name = ?", (name,)
            ).fetchone()
        return None if row is None else str(row[0])

    def positions(self) -> dict[str, str]:
        """Return the positions of all inputs by their names."""
        with ARCHIVE_SCHEMA.errors(self.path, "reading"):
            return dict(self._connection.execute("SELECT name, position FROM positions"))

    def items(self) -> int:
        """Return how many items the archive holds."""
        with ARCHIVE_SCHEMA.errors(self.path, "reading"):
            row = self._connection.execute(
                "SELECT coalesce(sum(items), 0) FROM totals WHERE kind = 'verdict'"
            ).fetchone()
        return int(row[0])

    def apply(
        self, lines: Iterable[bytes], positions: Iterable[tuple[str, str]] = ()
    ) -> Counter[str]:
        """Apply lines of events and note the positions behind them, in one transaction.

        Return how many events were applied, by kind, and how many changed nothing (`repeated`),
        are no events (`unreadable`) or were left out because a bug was raised (`internal_error`).
        Raise StateUnusable if SQLite fails, or the archive was replaced by another file: nothing is
        written then. Raise TooManyInternalErrors if too many of the last events raise bugs: the
        positions are not moved then.
        """
        self._require_own_file()
        counts: Counter[str] = Counter()
        events = read_events(lines, counts)
        try:
            counts += self._store(events, positions)
        except Exception as error:
            if not is_bug(error):
                raise
            counts += self._isolate(events)
            counts += self._store((), positions)
        else:
            self._limit.note([None] * len(events))
        if self._unswept:
            self._sweep()
        return counts

    def _store(
        self, events: Sequence[ArchivedEvent], positions: Iterable[tuple[str, str]]
    ) -> Counter[str]:
        """Apply events and positions in one transaction; return the counts."""
        counts: Counter[str] = Counter()
        try:
            with ARCHIVE_SCHEMA.transaction(self._connection, self.path):
                self._apply(events, counts)
                self._connection.executemany(
                    "INSERT OR REPLACE INTO positions VALUES (?, ?)", list(positions)
                )
        finally:
            self._tables.forget()
        return counts

    def _isolate(self, events: Sequence[ArchivedEvent]) -> Counter[str]:
        """Apply events one by one, leave out and log those that raise a bug; return the counts.

        After a crash in between they come again, and change nothing.
        """
        counts: Counter[str] = Counter()
        for event in events:
            try:
                counts += self._store([event], ())
                self._limit.note([None])
            except Exception as error:  # noqa: BLE001 - a bug costs the event, not the archive
                rejection = internal_error(error, "archive")
                LOG.error("event_left_out source=%r id=%r", *event.key)  # noqa: TRY400 - no text
                counts["internal_error"] += 1
                self._limit.note([rejection])
        return counts

    def prune(self) -> Counter[str]:
        """Erase all items that are too old; `apply` erases a few with each batch."""
        counts: Counter[str] = Counter()
        while (erased := self.apply(())["expired"]) > 0:
            counts["expired"] += erased
        return counts

    def check(self) -> list[str]:
        """Return where the archive is damaged, or its sums differ from its items; none if all fits.

        All items are counted: it takes seconds for each million.
        """
        with ARCHIVE_SCHEMA.errors(self.path, "reading"):
            return check_archive(self._connection)

    def _require_own_file(self) -> None:
        """Raise StateUnusable if what is written would go to a file that nobody can open."""
        if file_identity(self.path) != self._file:
            raise StateUnusable(
                f"archive {self.path} was replaced or removed while this process writes it: "
                "start it again"
            )

    def _apply(self, events: Sequence[ArchivedEvent], counts: Counter[str]) -> None:
        """Apply events within the transaction."""
        pending_rows: dict[ItemKey, PendingRow] = {}
        for event in events:
            if event.key not in pending_rows:
                pending_rows[event.key] = self._tables.pending_row(event.key)
            applied = pending_rows[event.key].apply(event)
            counts[_kind(event) if applied else "repeated"] += 1
        self._expire(pending_rows, counts)
        changes = [
            (pending_row, RowChange(pending_row.before, self._tables.new_row(pending_row)))
            for pending_row in pending_rows.values()
        ]
        self._write(changes)

    def _expire(self, pending_rows: dict[ItemKey, PendingRow], counts: Counter[str]) -> None:
        """Let what is too old expire: drafts, and some of the oldest items that stand."""
        if self._keep is None:
            return
        horizon = to_micros(self._clock() - self._keep)
        for key in self._tables.outdated(horizon, most=_PRUNED_PER_BATCH):
            pending_rows.setdefault(key, self._tables.pending_row(key))
        for pending_row in pending_rows.values():
            at = pending_row.event.at if pending_row.event is not None else None
            if at is None and pending_row.before is not None and not pending_row.is_gone:
                at = pending_row.before.at
            if at is not None and at < horizon:
                counts["expired"] += pending_row.before is not None
                pending_row.expire()

    def _write(self, changes: list[tuple[PendingRow, RowChange]]) -> None:
        """Write what a batch changes: rows, delays, sums, tombstones, the number of the change."""
        dated = self._with_delays(changes)
        rollups = RollupChanges()
        number = int(self._meta("change"))
        written: list[tuple[PendingRow, RowChange, int]] = []
        for pending_row, change in dated:
            rollups.add(change)
            if pending_row.event is not None or pending_row.newly_erased or change.after is None:
                number += 1
            self._unswept |= change.before is not None and change.after is None
            if pending_row.newly_erased and pending_row.erased is not None:
                self._connection.execute(
                    "INSERT OR REPLACE INTO tombstones VALUES (?, ?, ?, ?, ?)",
                    (pending_row.source, pending_row.key.id, *pending_row.erased, number),
                )
            if pending_row.event is None and change.after is not None:
                self._tables.write_delay(change.after)
            written.append((pending_row, change, number))
        for before, after in self._other_delays(dated):
            rollups.add(RowChange(before, after))
            self._tables.write_delay(after)
        self._tables.write(written)
        rollups.write(self._connection)
        self._connection.execute("UPDATE meta SET value = ? WHERE name = 'change'", (number,))

    def _with_delays(
        self, changes: list[tuple[PendingRow, RowChange]]
    ) -> list[tuple[PendingRow, RowChange]]:
        """Return the changes with the delays of new rows behind their originals."""
        times = {
            (pending_row.source, pending_row.key.id): after for pending_row, (_, after) in changes
        }

        def with_delay(row: ItemRow) -> ItemRow:
            original = (row.original_source, row.original_id)
            if row.verdict != "duplicate":
                return row
            if original in times:
                there = times[original]
                at = None if there is None else there.at
            else:
                at = self._tables.time_of(*original)
            return row._replace(delay=None if at is None else row.at - at)

        return [
            (pending_row, RowChange(before, None if after is None else with_delay(after)))
            for pending_row, (before, after) in changes
        ]

    def _other_delays(
        self, changes: list[tuple[PendingRow, RowChange]]
    ) -> list[tuple[ItemRow, ItemRow]]:
        """Return the copies outside of the batch whose original it brings, moves or takes away."""
        own = {(pending_row.source, pending_row.key.id) for pending_row, _ in changes}
        others: list[tuple[ItemRow, ItemRow]] = []
        for pending_row, (before, after) in changes:
            was, now = (None if row is None else row.at for row in (before, after))
            if was != now:
                for copy in self._tables.copies_of(pending_row.source, pending_row.key.id):
                    if (copy.source, copy.id) not in own:
                        delay = None if now is None else copy.at - now
                        others.append((copy, copy._replace(delay=delay)))
        return others

    def _index_anew(self, version: str, indexed: Callable[[int], None]) -> None:
        """Make the index of words anew if its words are of another version."""
        with ARCHIVE_SCHEMA.transaction(self._connection, self.path):
            stored = self._connection.execute(
                "SELECT value FROM meta WHERE name = 'words'"
            ).fetchone()
            if stored is None or stored[0] != version:
                self._tables.index_anew(indexed)
                self._connection.execute(
                    "INSERT OR REPLACE INTO meta VALUES ('words', ?)", (version,)
                )

    def _sweep(self) -> None:
        """Take what was erased out of the write-ahead log, as far as readers let go of it."""
        run = self._connection
        try:
            run.execute(f"PRAGMA busy_timeout = {_CHECKPOINT_WAIT}")
            busy, *_ = run.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            self._unswept = bool(busy)
        except sqlite3.OperationalError:
            self._unswept = True
        finally:
            run.execute("PRAGMA busy_timeout = 5000")

    def _meta(self, name: str) -> Any:
        """Return a value of the table `meta`."""
        row = self._connection.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
        return row[0]


def read_events(lines: Iterable[bytes], counts: Counter[str]) -> list[ArchivedEvent]:
    """Return the events about items; count the others as `stories`, `unreadable` or blank."""
    events: list[ArchivedEvent] = []
    for line in lines:
        try:
            event = read_event_line(line)
        except EventUnreadable:
            counts["unreadable"] += 1
            continue
        except Exception as error:  # noqa: BLE001 - a bug costs the line, not the archive
            internal_error(error, "archive")
            counts["internal_error"] += 1
            continue
        if event is None:
            counts["stories"] += 1
        else:
            events.append(event)
    return events


def _kind(event: ArchivedEvent) -> str:
    """Return the kind of an event that was applied, for counting."""
    if event.judgement is None:
        return "retracted"
    return "judged" if event.judgement.event == "item.judged" else "corrected"
