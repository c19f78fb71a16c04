"""Several workers on one store: the stories are those of the definition, no event differs."""

import asyncio
import random
from contextlib import suppress

import pytest

from laws.redis_news import item, judgements, originals, worker
from laws.streams import by_definition, entry
from laws.test_lateness import HOUR, RULE, arrival, engine
from newsdedup import ItemKey
from newsdedup.adapters.memory.store import MemoryBatchLedger
from newsdedup.adapters.redis.calls import Calls
from newsdedup.adapters.redis.keys import Keys
from newsdedup.adapters.redis.namespace import reset_positions, stored_positions
from newsdedup.core.stories.commands import Pin, Split
from newsdedup.engine.shared.engine import SharedEngine
from newsdedup.ports.errors import Unavailable


@pytest.fixture
def shared_redis(laid_out):
    """Have all of this on one server, and in a cluster with shards."""
    return laid_out


def twins(seed, count=50):
    """Return entries over so few terms that nearly all of them concern each other."""
    rng = random.Random(seed)  # noqa: S311 - a stream, no secret
    return [
        entry(f"i{n}", rng.sample(range(1, 9), rng.randint(2, 6)), at=rng.randint(0, 5) * HOUR)
        for n in range(count)
    ]


async def at_work(served, entries, *, batch):
    """Return the events of a worker that judges its share, and how often it was disturbed."""
    events = []
    for first in range(0, len(entries), batch):
        judged = await served.process([arrival(one) for one in entries[first : first + batch]])
        events.extend(judged.events)
    return events


def together(shared, shares, *, sets=1024):
    keys = shared.keys(sets)
    workers = [worker(shared, keys, name=f"w{n}", chunk=4) for n in range(len(shares))]

    async def all_at_work():
        shares_at_work = zip(workers, shares, strict=True)
        return await asyncio.gather(*(at_work(w, s, batch=7) for w, s in shares_at_work))

    result = [event for events in shared.run(all_at_work()) for event in events]
    return result, workers


@pytest.mark.parametrize("seed", range(6))
def test_two_workers_that_share_a_stream_end_in_the_stories_of_the_definition(shared_redis, seed):
    entries = twins(seed)
    reported, workers = together(shared_redis, [entries[::2], entries[1::2]], sets=1024 >> seed)
    expected = by_definition(entries, RULE)
    assert originals(reported) == {key.id: leader.id for key, leader in expected.items()}
    assert any(one.conflicts for one in workers)


@pytest.mark.parametrize("seed", range(3))
def test_items_delivered_to_every_worker_have_one_event_for_each_revision(shared_redis, seed):
    entries = twins(seed, count=30)
    rng = random.Random(seed)  # noqa: S311 - a stream, no secret
    reported, _ = together(shared_redis, [rng.sample(entries, len(entries)) for _ in range(3)])
    bodies = {}
    for said in judgements(reported):
        assert bodies.setdefault(said.event_id, said) == said
    numbers = {}
    for said in bodies.values():
        numbers.setdefault(said.item.id, []).append(said.revision.n)
    assert all(sorted(found) == list(range(len(found))) for found in numbers.values())
    assert len(numbers) == len(entries)


@pytest.mark.parametrize("chunk", [1, 3, 32])
def test_one_worker_tells_the_same_events_as_memory_whatever_the_batches(shared_redis, chunk):
    rng = random.Random(chunk)  # noqa: S311 - a stream, no secret
    stream = [
        item(
            f"i{rng.randint(0, 40)}",
            rng.sample(range(1, 9), rng.randint(2, 6)),
            at=hour // 3 + rng.randint(0, 8),
            updated=rng.randint(0, 1),
        )
        for hour in range(240)
    ]
    memory, served = engine(), worker(shared_redis, shared_redis.keys(4), chunk=chunk)
    expected = [memory.publish(one) for one in stream]
    reported = []
    while len(reported) < len(stream):
        batch = stream[len(reported) : len(reported) + rng.randint(1, 40)]
        reported += [one.events for one in shared_redis.run(served.process(batch)).outcomes]
    assert plain(reported) == plain(expected)


def plain(reported):
    return [[(e.payload, e.received, e.repeated) for e in events] for events in reported]


def test_a_leader_filed_since_the_look_up_is_noticed(shared_redis):
    keys = shared_redis.keys(1024)
    first, second = (worker(shared_redis, keys, name=name) for name in ("first", "second"))
    slow = Looking(second, other=first, arrivals=[item("a", {1, 2, 3, 4})])
    events = shared_redis.run(slow.process([item("b", {1, 2, 3, 4}, at=1)])).events
    assert originals(events) == {"b": "a"}
    assert slow.conflicts == 1


def test_a_member_filed_since_the_look_up_goes_to_the_new_leader_that_it_matches_better(
    shared_redis,
):
    keys = shared_redis.keys(1024)
    first, second = (worker(shared_redis, keys, name=name) for name in ("first", "second"))
    shared_redis.run(first.process([item("a", {1, 2, 3, 4})]))
    # Later than all that the second worker sees, so it asks for no members.
    better = item("b", {4, 6, 7, 8, 9}, at=1)
    member = item("m", {1, 2, 3, 4, 6, 7, 8, 9}, at=2)
    slow = Looking(second, other=first, arrivals=[member])
    events = shared_redis.run(slow.process([better])).events
    assert originals(events) == {"b": "b", "m": "b"}
    assert slow.conflicts == 1


def test_what_others_commit_meanwhile_disturbs_nobody_whom_it_does_not_concern(shared_redis):
    keys = shared_redis.keys(1024)
    first, second = (worker(shared_redis, keys, name=name) for name in ("first", "second"))
    shared_redis.run(first.process([item("a", {1, 2, 3, 4})]))
    slow = Looking(second, other=first, arrivals=[item("c", {4, 5, 6, 7})])
    events = shared_redis.run(slow.process([item("b", {1, 2, 3, 4}, at=1)])).events
    assert originals(events) == {"b": "a"}
    assert slow.conflicts == 0


class Looking(SharedEngine):
    """A worker that is overtaken between its first look and its decision."""

    def __init__(self, served, *, other, arrivals):
        super().__init__(
            rule=served.rule,
            store=served.store,
            new_ledger=MemoryBatchLedger,
            lateness=6 * HOUR,
        )
        self._other = other
        self._arrivals = arrivals
        store, look = served.store, served.store.look

        async def overtaken(looks):
            seen = await look(looks)
            if self._arrivals:
                arrivals, self._arrivals = self._arrivals, []
                await self._other.process(arrivals)
            return seen

        store.look = overtaken


def test_a_look_up_that_takes_too_long_is_tried_again_with_fewer_items(shared_redis):
    served = worker(shared_redis, shared_redis.keys())
    look, asked = served.store.look, list[int]()

    async def impatient(looks):
        items = sum(look.kind == "item" for look in looks)
        asked.append(items)
        if items > 5:
            raise Unavailable("redis: no answer within 5 s")
        return await look(looks)

    served.store.look = impatient
    batch = [item(f"n{n}", {n, n + 1, n + 2, n + 3}, at=n) for n in range(20)]
    while True:
        with suppress(Unavailable):
            events = shared_redis.run(served.process(batch)).events
            break
    assert {said.item.id for said in judgements(events)} == {f"n{n}" for n in range(20)}
    assert asked[:3] == [20, 16, 8]
    assert min(asked) <= 5


def test_an_unknown_item_is_reported_and_the_rest_of_the_batch_is_judged(shared_redis):
    served = worker(shared_redis, shared_redis.keys())
    batch = [item("a", {1, 2, 3, 4}), Split(ItemKey("s", "x"), at=1), Pin(ItemKey("s", "a"), at=1)]
    first, unknown, pinned = shared_redis.run(served.process(batch)).outcomes
    assert [said.item.id for said in judgements(first.events)] == ["a"]
    assert (unknown.events, unknown.rejection.code) == ((), "unknown_item")
    assert (pinned.events, pinned.rejection) == ((), None)


def test_two_namespaces_on_one_server_never_meet(shared_redis):
    one, other = (worker(shared_redis, shared_redis.keys()) for _ in range(2))
    shared_redis.run(one.process([item("a", {1, 2, 3, 4})]))
    events = shared_redis.run(other.process([item("b", {1, 2, 3, 4}, at=1)])).events
    assert originals(events) == {"b": "b"}


def test_positions_move_with_the_last_commit_of_a_batch(shared_redis):
    keys = shared_redis.keys()
    served = worker(shared_redis, keys, chunk=1)
    calls = Calls(shared_redis.client, home=keys.fixed[0])
    batch = [item("a", {1, 2, 3, 4}), item("b", {5, 6, 7, 8})]
    shared_redis.run(served.process(batch, positions={"news.raw/0": 2}))
    assert shared_redis.run(stored_positions(calls, keys)) == {"news.raw/0": 2}
    shared_redis.run(served.process(batch[:1], positions={"news.raw/1": 7}))
    assert shared_redis.run(stored_positions(calls, keys)) == {"news.raw/0": 2, "news.raw/1": 7}


def test_a_worker_that_stood_still_sets_no_position_back(shared_redis):
    keys = shared_redis.keys()
    zombie, heir = worker(shared_redis, keys), worker(shared_redis, keys)
    calls = Calls(shared_redis.client, home=keys.fixed[0])
    batch = [item("a", {1, 2, 3, 4}), item("b", {5, 6, 7, 8})]
    shared_redis.run(heir.process(batch, positions={"news.raw/0": 2}))
    shared_redis.run(zombie.process(batch[:1], positions={"news.raw/0": 1}))
    assert shared_redis.run(stored_positions(calls, keys)) == {"news.raw/0": 2}
    shared_redis.run(reset_positions(calls, keys, ["news.raw/0"]))
    assert shared_redis.run(stored_positions(calls, keys)) == {"news.raw/0": 0}


@pytest.mark.parametrize(("namespace", "sets"), [("", 8), ("a{b", 8), ("a", 0), ("a", 12)])
def test_a_namespace_that_would_break_the_hash_slot_or_the_sets_is_refused(namespace, sets):
    with pytest.raises(ValueError, match=r"namespace|sets"):
        Keys(namespace, sets)
