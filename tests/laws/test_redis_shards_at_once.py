"""Workers at one time, while home and shards lose their ends amid their calls and workers die."""

import asyncio
from contextlib import suppress

import pytest

from laws.redis_news import judgements, worker
from laws.redis_sharded import (
    SHARDS,
    Killed,
    chance,
    dumped,
    lose,
    of_home,
    of_shard,
    restored,
)
from laws.streams import by_definition
from laws.test_lateness import RULE, arrival
from laws.test_redis_workers import twins
from newsdedup import ItemKey
from newsdedup.adapters.redis.namespace import stored_positions
from newsdedup.ports.errors import StateMoved
from newsdedup.ports.store import Lookup

BATCH = 4
CALLS = 400
"""Calls to servers before which something may happen; after them nothing does, so all ends."""


class Trouble:
    """What happens to a namespace before some calls of its workers."""

    def __init__(self, shared, keys, rng):
        self.lost = self.killed = self.workers = 0
        self._redis = shared.client
        self._rng = rng
        self._home = of_home(keys)
        self._patterns = [self._home, *(of_shard(keys, shard) for shard in range(SHARDS))]
        self._kept = {}
        self._left = CALLS

    def before(self, call):
        """Return a call before which something may happen."""

        async def troubled(*arguments, **options):
            self._left -= 1
            if self._left > 0:
                await self._happen(self._rng.random())
            return await call(*arguments, **options)

        return troubled

    async def _happen(self, chance):
        pattern = self._rng.choice(self._patterns)
        if chance < 0.1:
            self._kept[pattern] = await dumped(self._redis, pattern)
        elif chance < 0.17 and pattern in self._kept:
            self.lost += 1
            losing = lose if pattern == self._home else restored
            await losing(self._redis, pattern, self._kept.pop(pattern))
        elif chance > 0.98:
            self.killed += 1
            raise Killed


def worker_at_work(shared, keys, trouble):
    """Return a worker with a name that none had before, to whom all of this happens."""
    trouble.workers += 1
    served = worker(shared, keys, name=f"w{trouble.workers}", chunk=2)
    store = served.store
    for kind in ("home_state", "read", "apply", "catch_up"):
        setattr(store.shards, kind, trouble.before(getattr(store.shards, kind)))
    store.commit = trouble.before(store.commit)
    return served


async def judged(shared, keys, name, stream, trouble):
    """Judge a stream to its end from the positions of the state; return the judgements."""
    events, served = [], None
    while True:
        try:
            with suppress(StateMoved):
                if served is None:
                    served = worker_at_work(shared, keys, trouble)
                    # What is lost after this look is noticed by the next; positions tell the rest.
                    await served.store.look(())
                at = (await stored_positions(served.store.calls, keys)).get(name, 0)
                if at == len(stream):
                    return events
                batch = [arrival(one) for one in stream[at : at + BATCH]]
                judged = await served.process(batch, positions={name: at + len(batch)})
                events += judged.events
        except Killed:
            served = None
        events += await adopted(shared, keys)


async def adopted(shared, keys):
    """Return what waits in the outbox, and publish it."""
    outbox = shared.outbox(keys)
    waiting = await outbox.waiting()
    await outbox.published([one.number for one in waiting])
    return [one.event for one in waiting]


@pytest.mark.parametrize("seed", range(4))
def test_workers_at_one_time_end_in_the_stories_of_the_definition_whatever_is_lost(shared, seed):
    keys, entries = shared.keys(64), twins(seed, count=40)
    trouble = Trouble(shared, keys, chance(seed))
    streams = {"a": entries[::2], "b": entries[1::2]}

    async def all_at_once():
        while any([await left(shared, keys, name, each) for name, each in streams.items()]):
            reported = [judged(shared, keys, name, each, trouble) for name, each in streams.items()]
            for events in await asyncio.gather(*reported):
                found.extend(events)
        found.extend(await adopted(shared, keys))

    found = []
    shared.run(all_at_once())
    expected = {key.id: leader.id for key, leader in by_definition(entries, RULE).items()}
    assert shared.run(leaders(shared, keys, expected)) == expected
    bodies = {}
    for said in judgements(found):
        assert bodies.setdefault(said.event_id, said) == said
    assert trouble.lost
    assert trouble.killed


async def leaders(shared, keys, names):
    """Return the leader of each item by the state: a lost correction is not published again."""
    store = worker(shared, keys, name="reader").store
    seen = await store.look([Lookup("item", ItemKey("s", name)) for name in names])
    kept = [stored.record for answer in seen.answers for stored in answer]
    return {record.key.id: record.leader.id for record in kept}


async def left(shared, keys, name, stream):
    return (await stored_positions(worker(shared, keys).store.calls, keys)).get(name, 0) < len(
        stream
    )
