"""Writes an archive: batches of events, each with the position in its input that it reaches."""

import logging
import os
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from newsdedup.adapters.files.paths import file_identity
from newsdedup.adapters.sqlite.file_schema import OpenFiles, read_meta
from newsdedup.adapters.sqlite.state_file import lock_state
from newsdedup.archive.archive_file import ARCHIVE_SCHEMA, open_archive_file
from newsdedup.archive.event_lines import (
    ArchivedEvent,
    ContentCodec,
    EventUnreadable,
    read_event_line,
)
from newsdedup.archive.item_tables import ItemTables
from newsdedup.archive.pending_rows import ItemRow, PendingRow
from newsdedup.archive.rollups import RollupChanges, check_archive, fill_new_sums
from newsdedup.archive.search_words import SearchWords
from newsdedup.archive.word_index import IndexProgress, make_index_anew
from newsdedup.core.model import ItemKey
from newsdedup.core.moments import to_micros
from newsdedup.ports.errors import StateUnusable, is_bug
from newsdedup.ports.isolation import InternalErrorLimit, internal_error

LOG: Final = logging.getLogger("newsdedup.isolation")
_PRUNED_PER_BATCH: Final = 200
"""Items that are too old and erased with a batch, besides as many as it has items itself: so no
archive outgrows its retention."""
_CHECKPOINT_WAIT: Final = 100
"""Milliseconds in which readers must release old pages; else the next erasure tries again."""
_LONG_CHECKPOINT_WAIT: Final = 1_000
_LOG_BYTES: Final = 64 * 2**20
"""Of the write-ahead log: SQLite begins it anew only at a moment without a query, which many
readers leave none of. From this size on the writer makes them release it, and again when it has
grown as much."""


class ArchiveWriter(OpenFiles):
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
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        indexed: Callable[[IndexProgress], object] = lambda _: None,
    ) -> None:
        """Open and lock an archive, creating a missing one and bringing an older one up to date.

        Items older than `keep` are erased. Where the words of searches have changed, the index is
        made anew, which takes minutes for a million items: `indexed` gets the progress, and what it
        raises stops that until the next time. Raise StateBusy if another process writes it.
        """
        self.path = path
        self._keep, self._clock = keep, clock
        self._unswept = False
        """Whether erased pages may still be in the write-ahead log."""
        self._longest_log = _LOG_BYTES
        """Bytes of the write-ahead log from which on it is to be begun anew."""
        self._limit = InternalErrorLimit()
        with ExitStack() as opened:
            opened.callback(os.close, lock_state(path))
            self._connection = open_archive_file(path)
            self._file = file_identity(path)
            opened.callback(self._connection.close)
            with ARCHIVE_SCHEMA.errors(path, "reading"):
                codec = ContentCodec(read_meta(self._connection, "dictionary"))
            self._tables = ItemTables(self._connection, codec, words)
            self._fill_new_columns()
            make_index_anew(
                self._connection, path, words.version, self._tables.words_above, indexed
            )
            self._opened = opened.pop_all()

    def close(self) -> None:
        """Close and unlock the archive."""
        self._sweep()
        super().close()

    def position(self, name: str) -> str | None:
        """Return the committed position of an input, None without one; or raise StateUnusable."""
        with ARCHIVE_SCHEMA.errors(self.path, "reading"):
            row = self._connection.execute(
                "SELECT position FROM positions WHERE name = ?", (name,)
            ).fetchone()
        return None if row is None else str(row[0])

    def positions(self) -> dict[str, str]:
        """Return the positions of all inputs by name; raise StateUnusable if SQLite fails."""
        with ARCHIVE_SCHEMA.errors(self.path, "reading"):
            return dict(self._connection.execute("SELECT name, position FROM positions"))

    def items(self) -> int:
        """Return how many items the archive has; raise StateUnusable if SQLite fails."""
        with ARCHIVE_SCHEMA.errors(self.path, "reading"):
            row = self._connection.execute(
                "SELECT coalesce(sum(items), 0) FROM totals WHERE kind = 'verdict'"
            ).fetchone()
        return int(row[0])

    def apply(
        self, lines: Iterable[bytes], positions: Iterable[tuple[str, str]] = ()
    ) -> Counter[str]:
        """Apply lines of events and store the positions that they reach, in one transaction.

        Return how many events were applied, by kind, and how many changed nothing (`repeated`),
        are no events (`unreadable`) or were left out because a bug was raised (`internal_error`).
        Raise StateUnusable if SQLite fails, or the archive was replaced by another file: nothing is
        written then. Raise TooManyInternalErrors if too many of the last events raise bugs: the
        positions are not moved then.
        """
        if file_identity(self.path) != self._file:
            # What is written would go to a file that nobody can open.
            raise StateUnusable(
                f"archive {self.path} was replaced or removed while this process writes it: "
                "start it again"
            )
        counts: Counter[str] = Counter()
        events = _read_events(lines, counts)
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
        if (size := self._log_size()) > self._longest_log:
            self._sweep(_LONG_CHECKPOINT_WAIT)
            self._longest_log = _LOG_BYTES + (size if self._unswept else 0)
        return counts

    def _log_size(self) -> int:
        """Return the bytes of the write-ahead log, 0 without one."""
        try:
            return Path(f"{self.path.resolve()}-wal").stat().st_size
        except FileNotFoundError:
            return 0

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
        """Erase all items that are too old, and return how many, as `expired`.

        `apply` erases a few with each batch.
        """
        counts: Counter[str] = Counter()
        while (erased := self.apply(())["expired"]) > 0:
            counts["expired"] += erased
        return counts

    def check(self) -> list[str]:
        """Return what is damaged, and which sums differ from the items; nothing if all is right.

        All items are counted: it takes seconds for each million.
        """
        with ARCHIVE_SCHEMA.errors(self.path, "reading"):
            return check_archive(self._connection)

    def _apply(self, events: Sequence[ArchivedEvent], counts: Counter[str]) -> None:
        """Apply events in the open transaction; count them by kind, or as `repeated`."""
        rows: dict[ItemKey, PendingRow] = {}
        for event in events:
            if event.key not in rows:
                rows[event.key] = self._tables.pending_row(event.key)
            applied = rows[event.key].apply(event)
            counts[_kind(event) if applied else "repeated"] += 1
        self._expire(rows, counts)
        for row in rows.values():
            row.after = self._tables.new_row(row)
        self._write(list(rows.values()))

    def _expire(self, rows: dict[ItemKey, PendingRow], counts: Counter[str]) -> None:
        """Expire what is too old: rows of the batch, and some of the oldest stored items."""
        if self._keep is None:
            return
        horizon = to_micros(self._clock() - self._keep)
        for key in self._tables.outdated(horizon, most=_PRUNED_PER_BATCH + len(rows)):
            rows.setdefault(key, self._tables.pending_row(key))
        for row in rows.values():
            at = row.event.at if row.event is not None else None
            if at is None and row.before is not None and not row.is_gone:
                at = row.before.at
            if at is not None and at < horizon:
                counts["expired"] += row.before is not None
                row.expire()

    def _write(self, rows: Sequence[PendingRow]) -> None:
        """Write what a batch changes: rows, delays, sums, tombstones, the number of the change."""
        self._set_delays(rows)
        rollups = RollupChanges()
        number = int(read_meta(self._connection, "change"))
        for row in rows:
            rollups.add(row.before, row.after)
            if row.event is not None or row.newly_erased or row.after is None:
                number += 1
            row.change = number
            self._unswept |= row.before is not None and row.after is None
            if row.newly_erased is not None:
                self._connection.execute(
                    "INSERT OR REPLACE INTO tombstones VALUES (?, ?, ?, ?, ?)",
                    (row.source, row.key.id, *row.newly_erased, number),
                )
            if row.event is None and row.after is not None:
                self._tables.write_delay(row.after)
        for before, after in self._other_delays(rows):
            rollups.add(before, after)
            self._tables.write_delay(after)
        self._tables.write(rows)
        rollups.write(self._connection)
        self._connection.execute("UPDATE meta SET value = ? WHERE name = 'change'", (number,))

    def _set_delays(self, rows: Sequence[PendingRow]) -> None:
        """Set the delay of each copy after its original; None if the original's time is unknown."""
        times = {
            (row.source, row.key.id): None if row.after is None else row.after.at for row in rows
        }
        for row in rows:
            after = row.after
            if after is not None and after.verdict == "duplicate":
                original = (after.original_source, after.original_id)
                at = times[original] if original in times else self._tables.time_of(*original)
                row.after = after._replace(delay=None if at is None else after.at - at)

    def _other_delays(self, rows: Sequence[PendingRow]) -> list[tuple[ItemRow, ItemRow]]:
        """Return copies outside of the batch whose originals the batch moves in time.

        Of each come the row as it is stored, and the row with its new delay.
        """
        own = {(row.source, row.key.id) for row in rows}
        others: list[tuple[ItemRow, ItemRow]] = []
        for row in rows:
            was, now = (None if one is None else one.at for one in (row.before, row.after))
            if was != now:
                for copy in self._tables.copies_of(row.source, row.key.id):
                    if (copy.source, copy.id) not in own:
                        delay = None if now is None else copy.at - now
                        others.append((copy, copy._replace(delay=delay)))
        return others

    def _fill_new_columns(self) -> None:
        """Fill the columns that an older archive lacked: categories of items, ranks of stories.

        It takes half a minute for each million of items, once.
        """
        with ARCHIVE_SCHEMA.transaction(self._connection, self.path):
            if read_meta(self._connection, "columns") is None:
                self._tables.fill_categories()
                fill_new_sums(self._connection)
                self._connection.execute("INSERT INTO meta VALUES ('columns', 1)")

    def _sweep(self, wait: int = _CHECKPOINT_WAIT) -> None:
        """Empty the write-ahead log, unless readers still use it after `wait` milliseconds."""
        run = self._connection
        try:
            run.execute(f"PRAGMA busy_timeout = {wait}")
            busy, *_ = run.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            self._unswept = bool(busy)
        except sqlite3.OperationalError:
            self._unswept = True
        finally:
            run.execute("PRAGMA busy_timeout = 5000")


def _read_events(lines: Iterable[bytes], counts: Counter[str]) -> list[ArchivedEvent]:
    """Return the events about items; add the number of the other lines to `counts`, by reason.

    Reasons are `stories` (about stories), `unreadable`, and `internal_error` where a bug is raised.
    """
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
    """Return the name under which `apply` counts an event that changed something."""
    if event.judgement is None:
        return "retracted"
    return "judged" if event.judgement.event == "item.judged" else "corrected"
