"""The file of saved searches: the searches, the position in the archive, hits, what is unsent."""

import os
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, ExitStack
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from newsdedup.adapters.sqlite.file_schema import MEMORY, OpenFiles
from newsdedup.adapters.sqlite.state_file import lock_state
from newsdedup.archive.watch_queries import WatchedChanges, WatchMatch
from newsdedup.core.events import ItemRef
from newsdedup.core.moments import DAY, to_datetime, to_micros
from newsdedup.watches.hits import (
    LONGEST_WAIT,
    WATCH_SCHEMA,
    DeadLetter,
    StoredHit,
    UnsentHit,
    WatchHit,
    encode_hit,
    make_hit,
)
from newsdedup.watches.watch import MOST_WATCHES, Watch, WatchInvalid
from newsdedup.watches.watch_states import STATES, WatchState, state_of

_MOST_HITS: Final = 10_000
"""Hits of one search that are kept, and the same number of dead letters; the oldest go first."""
AT_ONCE: Final = 8
"""Bodies that are sent at the same time: half to webhooks that fail, a quarter to one."""
_WATCH: Final = msgspec.json.Decoder(Watch)
_DUE: Final = f"""
SELECT d.id, d.watch, w.definition, d.body, d.attempts, w.failures > 0 AS failing
FROM watches w CROSS JOIN deliveries d ON d.id IN (
    SELECT id FROM deliveries WHERE watch = w.name AND dead = 0 AND due <= ?
    ORDER BY due, id LIMIT {AT_ONCE // 4}
) ORDER BY d.due, d.id
"""


class WatchPosition(NamedTuple):
    """How far an archive has been read."""

    archive: str
    """The number of its file."""
    change: int
    again_until: int
    """Changes up to this one were read before, in another file: old items are no news."""


class Unsent(NamedTuple):
    """Hits that webhooks have not taken."""

    waiting: int
    dead: int
    oldest: datetime | None
    """When the first of those that wait was found."""


class WatchStore(OpenFiles):
    """The only writer of a file of saved searches. One thread uses it.

    A hit and what is to be sent of it are stored with the position that they bring, in one
    transaction: a kill loses none, and finds none twice.
    """

    def __init__(self, path: Path, *, keep: timedelta) -> None:
        """Open and lock the file, creating a missing one; hits older than `keep` are erased.

        Raise StateBusy if another process writes it, StateUnusable for another kind of file.
        """
        self.path = path
        self._keep = keep
        self.version = 0
        """Grows with each change that a page shows."""
        with ExitStack() as opened:
            if path != MEMORY:
                opened.callback(os.close, lock_state(path))
            self._connection = WATCH_SCHEMA.open(path)
            opened.callback(self._connection.close)
            self._opened = opened.pop_all()

    def position(self) -> WatchPosition | None:
        """Return how far the archive has been read, None before the first time."""
        row = self._query("SELECT archive, change, again_until FROM position").fetchone()
        return None if row is None else WatchPosition(*row)

    def begin(self, position: WatchPosition) -> None:
        """Set the position where reading goes on."""
        with self._transaction():
            self._move(position)

    def watches(self) -> tuple[Watch, ...]:
        """Return all saved searches by name."""
        rows = self._query("SELECT definition FROM watches ORDER BY name")
        return tuple(_WATCH.decode(definition) for (definition,) in rows)

    def list_watches(self, listed: Sequence[Watch], now: datetime) -> None:
        """Store the searches of the settings; delete those of earlier settings with their hits.

        Hits of a search that stays listed stay; searches made on pages are left alone.
        """
        with self._transaction():
            names = {watch.name for watch in listed}
            for (name,) in self._query("SELECT name FROM watches WHERE listed").fetchall():
                if name not in names:
                    self._delete(name)
            for watch in listed:
                self._put(watch, now, listed=True)

    def add(self, watch: Watch, now: datetime) -> None:
        """Store a new search; raise WatchInvalid if its name is taken or there are too many."""
        with self._transaction():
            names = {name for (name,) in self._query("SELECT name FROM watches")}
            if watch.name in names:
                raise WatchInvalid("there is a search with this name")
            if len(names) >= MOST_WATCHES:
                raise WatchInvalid(f"there are {MOST_WATCHES} searches already")
            self._put(watch, now, listed=False)

    def delete(self, name: str) -> bool:
        """Delete a search with its hits; return whether there was one that pages may delete."""
        query = "SELECT 1 FROM watches WHERE name = ? AND NOT listed"
        with self._transaction():
            found = self._query(query, name).fetchone() is not None
            if found:
                self._delete(name)
        return found

    def store(
        self,
        watches: Sequence[Watch],
        found: WatchedChanges,
        position: WatchPosition,
        now: datetime,
        *,
        show: Callable[[WatchHit], None],
    ) -> list[WatchHit]:
        """Store what was found for each of some searches, and the position; return the new hits.

        Items that their sources withdrew are forgotten. `position` is the one that is reached.
        `show` gets the new hits before the end of the transaction.
        """
        new: list[WatchHit] = []
        again = position.change <= position.again_until
        oldest = to_micros(now) - self._keep // timedelta(microseconds=1)
        with self._transaction():
            created = dict(self._query("SELECT name, created FROM watches").fetchall())
            for key in found.erased:
                for table in ("hits", "deliveries"):
                    self._query(f"DELETE FROM {table} WHERE source = ? AND item = ?", *key)
            for match in found.matches:
                watch = watches[match.chosen]
                if watch.name not in created or (
                    again and to_micros(match.summary.at) < max(created[watch.name], oldest)
                ):
                    continue
                if (hit := self._insert(watch, match, now)) is not None:
                    show(hit)
                    new.append(hit)
            self._prune({hit.watch for hit in new}, oldest)
            self._move(position)
        return new

    def states(self, now: datetime) -> tuple[WatchState, ...]:
        """Return all searches with what became of them, by name."""
        return tuple(map(state_of, self._query(STATES, to_micros(now) - DAY)))

    def hits(
        self,
        watch: str = "",
        *,
        below: int = 2**62,
        since: datetime | None = None,
        until: datetime | None = None,
        limit: int = 100,
    ) -> list[tuple[int, StoredHit]]:
        """Return the newest hits with their numbers, of one search or of all, found in a span."""
        ordered, condition, order = "hits_by_time", "'' = ?", "found DESC, number"
        if watch:
            ordered, condition, order = "hits_by_watch", "watch = ?", "number"
        rows = self._query(
            "SELECT number, id, watch, source, item, story, sources, found FROM hits"
            f" INDEXED BY {ordered} WHERE {condition} AND number < ? AND found >= ? AND found < ?"
            f" ORDER BY {order} DESC LIMIT ?",
            *(watch, below),
            0 if since is None else to_micros(since),
            2**62 if until is None else to_micros(until),
            limit,
        )
        return [
            (
                number,
                StoredHit(
                    id=id_,
                    watch=name,
                    item=ItemRef(source, item),
                    story=story,
                    sources=sources,
                    hit_at=to_datetime(found),
                ),
            )
            for number, id_, name, source, item, story, sources, found in rows
        ]

    def due(self, now: datetime) -> list[UnsentHit]:
        """Return what is to be sent now, the longest due first, two hits of each search at most.

        What is due later than any attempt is put off is due now: the clock was set back since.
        """
        (last,) = self._query("SELECT max(due) FROM deliveries WHERE dead = 0").fetchone()
        latest = to_micros(now + 2 * LONGEST_WAIT)
        if last is not None and last > latest:
            with self._transaction():
                change = "UPDATE deliveries SET due = ? WHERE dead = 0 AND due > ?"
                self._query(change, to_micros(now), latest)
        return [
            UnsentHit(
                id=id_,
                watch=watch,
                address=_WATCH.decode(definition).webhook,
                body=body,
                attempts=attempts,
                failing=bool(failing),
            )
            for id_, watch, definition, body, attempts, failing in self._query(_DUE, to_micros(now))
        ]

    def next_due(self) -> datetime | None:
        """Return when something is to be sent next, None if nothing waits."""
        (due,) = self._query("SELECT min(due) FROM deliveries WHERE dead = 0").fetchone()
        return None if due is None else to_datetime(due)

    def unsent(self) -> Unsent:
        """Return how many hits wait for their webhooks, and how many are dead letters."""
        query = (
            "SELECT (SELECT count(*) FROM deliveries WHERE dead = 0),"
            " (SELECT count(*) FROM deliveries WHERE dead = 1),"
            " (SELECT min(found) FROM deliveries WHERE dead = 0)"
        )
        waiting, dead, oldest = self._query(query).fetchone()
        return Unsent(waiting, dead, None if oldest is None else to_datetime(oldest))

    def sent(self, delivery: UnsentHit) -> None:
        """Forget what a webhook has taken."""
        with self._transaction():
            self._query("DELETE FROM deliveries WHERE id = ?", delivery.id)
            self._query(
                "UPDATE watches SET failures = 0, failing_since = NULL, problem = ''"
                " WHERE name = ? AND failures > 0",
                delivery.watch,
            )

    def failed(
        self, delivery: UnsentHit, problem: str, now: datetime, again: datetime | None
    ) -> None:
        """Store that a webhook has not taken a body, which is dead if it has no time `again`."""
        with self._transaction():
            self._query(
                "UPDATE deliveries SET attempts = attempts + 1, problem = ?, dead = ?, due = ?"
                " WHERE id = ?",
                problem,
                again is None,
                to_micros(again or now),
                delivery.id,
            )
            self._query(
                "UPDATE watches SET failures = failures + 1, problem = ?,"
                " failing_since = coalesce(failing_since, ?) WHERE name = ?",
                problem,
                to_micros(now),
                delivery.watch,
            )

    def dead_letters(self, watch: str) -> list[DeadLetter]:
        """Return the newest 100 hits that the webhook of a search has not taken."""
        rows = self._query(
            "SELECT id, found, attempts, problem FROM deliveries WHERE watch = ? AND dead = 1"
            " ORDER BY found DESC, id LIMIT 100",
            watch,
        )
        return [
            DeadLetter(id=id_, hit_at=to_datetime(found), attempts=attempts, problem=problem)
            for id_, found, attempts, problem in rows
        ]

    def send_again(self, watch: str, now: datetime) -> int:
        """Let the dead letters of a search be sent again, with all attempts; return how many."""
        query = "UPDATE deliveries SET dead = 0, attempts = 0, due = ? WHERE watch = ? AND dead = 1"
        with self._transaction():
            return self._query(query, to_micros(now), watch).rowcount

    def _insert(self, watch: Watch, match: WatchMatch, now: datetime) -> WatchHit | None:
        """Store and return the hit of a match, and its body for a webhook; None if it is known."""
        hit, item, at = make_hit(watch, match, now), match.summary, to_micros(now)
        inserted = self._query(
            "INSERT OR IGNORE INTO hits (watch, id, source, item, story, sources, found)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            *(hit.watch, hit.id, item.source, item.id, item.story, match.sources, at),
        ).rowcount
        if inserted and watch.webhook:
            self._query(
                "INSERT OR IGNORE INTO deliveries (id, watch, body, source, item, due, found)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                *(hit.id, hit.watch, encode_hit(hit), item.source, item.id, at, at),
            )
        return hit if inserted else None

    def _prune(self, names: Iterable[str], oldest: int) -> None:
        """Erase hits that are too old, or too many of one of the named searches.

        Of those that wait for their webhook the same become dead letters.
        """
        self._query("DELETE FROM hits WHERE found < ?", oldest)
        self._query("UPDATE deliveries SET dead = 1 WHERE dead = 0 AND found < ?", oldest)
        self._query("DELETE FROM deliveries WHERE dead = 1 AND due < ?", oldest)
        for name in names:
            self._query(
                "DELETE FROM hits WHERE watch = ? AND number <= (SELECT number FROM hits"
                f" WHERE watch = ? ORDER BY number DESC LIMIT 1 OFFSET {_MOST_HITS})",
                *(name, name),
            )
            self._query(
                "UPDATE deliveries INDEXED BY deliveries_by_watch SET dead = 1"
                " WHERE watch = ? AND dead = 0 AND found <= (SELECT found"
                " FROM deliveries INDEXED BY deliveries_by_watch WHERE watch = ? AND dead = 0"
                f" ORDER BY found DESC LIMIT 1 OFFSET {_MOST_HITS})",
                *(name, name),
            )
            self._query(
                "DELETE FROM deliveries WHERE watch = ? AND dead = 1 AND due <= (SELECT due FROM"
                " deliveries WHERE watch = ? AND dead = 1 ORDER BY due DESC LIMIT 1"
                f" OFFSET {_MOST_HITS})",
                *(name, name),
            )

    def _put(self, watch: Watch, now: datetime, *, listed: bool) -> None:
        """Store a search, or what it is now under its name."""
        self._query(
            "INSERT INTO watches (name, definition, listed, created) VALUES (?, ?, ?, ?)"
            " ON CONFLICT (name) DO UPDATE"
            " SET definition = excluded.definition, listed = excluded.listed",
            *(watch.name, msgspec.json.encode(watch).decode(), listed, to_micros(now)),
        )
        if not watch.webhook:
            self._query("DELETE FROM deliveries WHERE watch = ?", watch.name)

    def _delete(self, name: str) -> None:
        """Delete a search and all that was found and is to be sent of it."""
        self._query("DELETE FROM watches WHERE name = ?", name)
        for table in ("hits", "deliveries"):
            self._query(f"DELETE FROM {table} WHERE watch = ?", name)

    def _move(self, position: WatchPosition) -> None:
        self._query("INSERT OR REPLACE INTO position VALUES (1, ?, ?, ?)", *position)

    def _query(self, query: str, *parameters: object) -> sqlite3.Cursor:
        """Return the rows of a query; raise StateUnusable if SQLite fails."""
        with WATCH_SCHEMA.errors(self.path, "reading"):
            return self._connection.execute(query, parameters)

    def _transaction(self) -> AbstractContextManager[None]:
        """Return a block whose changes are one transaction, and another version for pages."""
        self.version += 1
        return WATCH_SCHEMA.transaction(self._connection, self.path)
