"""What a worker has cached is never taken for what Redis keeps: each look-up answers as the first.

A worker that has read and written before, and one that comes now, are told the same after every
change: by others, by itself, by expiry, and by a server that comes back without all it received.
"""

from collections.abc import Callable
from random import Random

import pytest

from laws.redis_sharded import chance, kept, put_back, start_anew
from laws.redis_shared import Shared
from laws.streams import RULE, entry
from newsdedup.adapters.redis import record_cache
from newsdedup.core.model import Micros
from newsdedup.core.stories.records import Record
from newsdedup.core.stories.window import Watermark
from newsdedup.ports.errors import StateMoved
from newsdedup.ports.store import (
    Commit,
    Lookup,
    LookupResult,
    RecordUpdate,
    SharedStore,
    StoredRecord,
)

TERMS = range(1, 7)
NAMES = "abcdefgh"
HOUR: Micros = 3_600 * 10**6
CHANGES = 60

Seen = list[list[tuple[str, Record, int]]]


class Namespace:
    """A namespace with two workers that stay, and the changes that may happen to it."""

    def __init__(self, shared: Shared, rng: Random) -> None:
        self._shared, self._rng = shared, rng
        self._keys = shared.keys()
        self._all = f"{{{self._keys.namespace}*"
        self._bucket = 0
        self._kept = kept(shared, self._all)
        self._fresh = 0
        self.workers = [shared.worker(self._keys, RULE, name=name) for name in ("one", "other")]

    def newcomer(self) -> SharedStore:
        """Return a worker that has cached nothing."""
        self._fresh += 1
        return self._shared.worker(self._keys, RULE, name=f"fresh{self._fresh}")

    def look(self, store: SharedStore, *lookups: Lookup) -> LookupResult:
        """Return what a worker is told; a new era is reported once, before it goes on."""
        try:
            return self._shared.run(store.look(lookups))
        except StateMoved:
            return self._shared.run(store.look(lookups))

    def answers(self, store: SharedStore) -> Seen:
        """Return all leaders and members that a worker finds, in an order of its own.

        Nothing is asked by item: such records are sent each time, and would renew what is cached.
        """
        filing = RULE.index_keys(entry("a", TERMS, at=0))
        kinds = (Lookup("leaders", filing=filing), Lookup("members", filing=filing))
        seen = self.look(store, *kinds)
        return [
            sorted([(f"{one.slot}", one.record, one.bucket) for one in found])
            for found in seen.answers
        ]

    def write(self) -> None:
        """Let one of the workers write a new record or the next state of a stored one.

        All have bytes of one length, and most of them one time: only a stamp tells them apart.
        """
        writer, name = self._rng.choice(self.workers), self._rng.choice(NAMES)
        at = self._rng.choice([0, 0, 0, 1])
        leader = entry(name, TERMS, at=at)
        other = entry(self._rng.choice(NAMES), TERMS, at=0)
        led_by = self._rng.choice([leader.key, leader.key, other.key])
        record = Record(leader, leader=led_by, revision=self._rng.randrange(1, 9))
        found = self.look(writer, Lookup("item", record.key)).answers[0]
        before: StoredRecord | None = found[0] if found else None
        bucket = max(self._bucket, before.bucket if before else 0)
        self._commit(writer, [RecordUpdate(record, bucket, before, None)], floor=None)

    def expire(self) -> None:
        """Let all expire that was stored so far, with the next record that is written."""
        self._bucket += 100
        writer, name = self._rng.choice(self.workers), self._rng.choice(NAMES)
        moved = entry(name, TERMS, at=self._bucket * HOUR)
        self.look(writer)
        update = RecordUpdate(Record(moved, leader=moved.key), self._bucket, None, None)
        self._commit(writer, [update], floor=self._bucket)

    def keep(self) -> None:
        """Remember what the server has now, to be what it has after a loss."""
        self._kept = kept(self._shared, self._all)

    def lose(self) -> None:
        """Let the server come back without what it received since; it gives slots again."""
        put_back(self._shared, self._all, self._kept)
        start_anew(self._shared)
        for store in (*self.workers, self.newcomer()):
            self.look(store)

    def flush(self) -> None:
        """Let the server lose everything."""
        self._kept = {}
        self.lose()

    def _commit(
        self, store: SharedStore, updates: list[RecordUpdate], *, floor: int | None
    ) -> None:
        seen = self.look(store)
        commit = Commit(seen.version, (), (), Watermark(), floor, updates)
        assert self._shared.run(store.commit(commit)) is not None


@pytest.mark.parametrize("cached", [3, 65_536])
@pytest.mark.parametrize("front", ["shared_redis", "shared"])
def test_a_worker_with_a_cache_is_told_what_a_new_one_is_told_whatever_happened(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, front: str, cached: int
) -> None:
    whole = record_cache.RecordCache.__init__
    monkeypatch.setattr(
        record_cache.RecordCache, "__init__", lambda cache: whole(cache, size=cached)
    )
    rng = chance(cached)
    namespace = Namespace(request.getfixturevalue(front), rng)
    rare: list[Callable[[], None]] = [namespace.keep, namespace.lose, namespace.expire]
    for number in range(CHANGES):
        change = rng.choice(rare) if number % 6 == 5 else namespace.write
        if number == CHANGES // 2:
            change = namespace.flush
        change()
        told = [namespace.answers(store) for store in namespace.workers]
        expected = namespace.answers(namespace.newcomer())
        assert told == [expected] * 2, change.__name__
