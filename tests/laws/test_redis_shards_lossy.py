"""Two workers while home and shards lose their ends and workers die: as if nothing had happened."""

from contextlib import suppress

import pytest

from laws.redis_news import judgements, originals, worker
from laws.redis_sharded import (
    SHARDS,
    Killed,
    chance,
    dying,
    kept,
    of_home,
    of_shard,
    put_back,
    start_anew,
)
from laws.streams import by_definition
from laws.test_lateness import RULE, arrival
from laws.test_redis_workers import twins
from newsdedup.adapters.redis.namespace import stored_positions
from newsdedup.ports.errors import StateMoved

BATCH = 4
TROUBLES = 8


class Troubled:
    """Two streams, each judged by a worker of its own, in a namespace that suffers losses."""

    def __init__(self, shared, keys, streams, rng):
        self.shared = shared
        self.keys = keys
        self.streams = streams
        self.events = []
        self._rng = rng
        self._workers = {}
        self._names = 0
        self._kept = {}
        for name in streams:
            self.replace(name)

    def replace(self, name):
        """Let another worker take a stream over."""
        self._names += 1
        self._workers[name] = worker(self.shared, self.keys, name=f"w{self._names}", chunk=2)

    def position(self, name):
        calls = self._workers[name].store.calls
        return self.shared.run(stored_positions(calls, self.keys)).get(name, 0)

    def work(self, name):
        """Judge the next batch of a stream, from where the state says that it stands."""
        at = self.position(name)
        batch = [arrival(one) for one in self.streams[name][at : at + BATCH]]
        judging = self._workers[name].process(batch, positions={name: at + len(batch)})
        with suppress(StateMoved):
            self.events += self.shared.run(judging).events

    def die(self, name):
        """Let a worker die amid a commit, and another one take over."""
        at = self.position(name)
        batch = [arrival(one) for one in self.streams[name][at : at + BATCH]]

        async def killed():
            async with dying(self._workers[name], before=self._rng.randrange(2 * SHARDS)):
                return await self._workers[name].process(batch, positions={name: at + len(batch)})

        with suppress(Killed, StateMoved):
            self.events += self.shared.run(killed()).events
        self.replace(name)
        self.adopt()

    def adopt(self):
        """Publish what waits in the outbox."""
        outbox = self.shared.outbox(self.keys)
        waiting = self.shared.run(outbox.waiting())
        self.events += [one.event for one in waiting]
        self.shared.run(outbox.published([one.number for one in waiting]))

    def keep(self):
        """Remember what a server has now, to be what it has later."""
        pattern = self._rng.choice(self._patterns())
        self._kept[pattern] = kept(self.shared, pattern)

    def lose(self):
        """Let a server lose all that it got since then; home is woken again after that."""
        if self._kept:
            pattern = self._rng.choice(sorted(self._kept))
            put_back(self.shared, pattern, self._kept.pop(pattern))
            if pattern == of_home(self.keys):
                start_anew(self.shared)

    def _patterns(self):
        shards = [of_shard(self.keys, shard) for shard in range(SHARDS)]
        return [of_home(self.keys), of_home(self.keys), *shards]


@pytest.mark.parametrize("seed", range(5))
def test_the_stories_are_those_of_the_definition_whatever_was_lost_on_the_way(shared, seed):
    rng, entries = chance(seed), twins(seed, count=40)
    streams = {"news.raw/0": entries[::2], "news.raw/1": entries[1::2]}
    troubled = Troubled(shared, shared.keys(64), streams, rng)
    for _ in range(TROUBLES):
        for trouble in rng.sample([troubled.keep, troubled.lose, troubled.keep], 3):
            troubled.work(rng.choice(sorted(streams)))
            trouble()
        troubled.die(rng.choice(sorted(streams)))
    while any(troubled.position(name) < len(stream) for name, stream in streams.items()):
        for name in streams:
            troubled.work(name)
    troubled.adopt()
    expected = {key.id: leader.id for key, leader in by_definition(entries, RULE).items()}
    assert originals(troubled.events) == expected
    bodies = {}
    for said in judgements(troubled.events):
        assert bodies.setdefault(said.event_id, said) == said
