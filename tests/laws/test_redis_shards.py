"""Shards: in order, once, and brought up to date from home."""

import pytest

from laws.redis_news import hours, item, originals, worker
from laws.redis_sharded import (
    SHARDS,
    Killed,
    dying,
    in_shard,
    kept,
    of_shard,
    put_back,
    spread,
    state,
)
from newsdedup import ItemKey
from newsdedup.adapters.redis.calls import Calls
from newsdedup.adapters.redis.inspection import measure_memory
from newsdedup.adapters.redis.shards import ShardLost
from newsdedup.ports.store import Lookup

SAME = {1, 2, 3, 4}


def test_documents_lie_in_all_shards_and_an_item_is_asked_of_its_own(shared, keys):
    served = worker(shared, keys)
    events = shared.run(served.process(spread(keys, SAME))).events
    assert set(originals(events).values()) == {in_shard(keys, 0)}
    sizes = [
        shared.run(shared.client.hlen(keys.of_shard(shard).span_hashes(0)[1]))
        for shard in range(SHARDS)
    ]
    assert sizes == [1] * SHARDS
    key = ItemKey("s", in_shard(keys, 1))
    assert served.store._lookups_of(1, [Lookup("item", key)]) == [0]
    assert served.store._lookups_of(0, [Lookup("item", key)]) == []
    assert shared.run(measure_memory(served.store.calls, keys)).items == SHARDS


@pytest.mark.parametrize("before", range(SHARDS))
def test_what_a_worker_committed_before_it_died_is_given_to_the_shards_by_others(
    shared, keys, before
):
    dead, heir = (worker(shared, keys, name=name) for name in ("dead", "heir"))

    async def killed():
        async with dying(dead, before=before):
            await dead.process(spread(keys, SAME))

    with pytest.raises(Killed):
        shared.run(killed())
    events = shared.run(heir.process([item("copy", SAME, at=5)])).events
    assert originals(events) == {"copy": in_shard(keys, 0)}
    again = shared.run(heir.process(spread(keys, SAME)))
    assert all(event.repeated for event in again.events)
    waiting = [one.event.payload for one in shared.run(shared.outbox(keys).waiting())]
    assert waiting == [event.payload for event in (*again.events, *events)]


def test_a_commit_is_applied_once_and_only_after_the_one_before_it(shared, keys):
    served = worker(shared, keys)
    shared.run(served.process(spread(keys, SAME)))
    given, give = [], served.store.shards.apply

    async def noted(one, *, era, stamp):
        given.append((one, era, stamp))
        return await give(one, era=era, stamp=stamp)

    served.store.shards.apply = noted
    before = state(shared, keys)
    late = [item(in_shard(keys, 0, "late"), SAME, at=-1), item(in_shard(keys, 0, "j"), {7, 8, 9})]
    shared.run(served.process(late))
    middle = state(shared, keys)
    shared.run(served.process([item(in_shard(keys, 0, "later"), SAME, at=-2)]))
    after = state(shared, keys)
    for one, era, stamp in given:
        assert shared.run(give(one, era=era, stamp=stamp))
    assert state(shared, keys) == after
    for shard in range(SHARDS):
        put_back(shared, of_shard(keys, shard), before[shard])
    first = [call for call in given if call[0].shard == 0]
    for one, era, stamp in first[1:]:
        assert not shared.run(give(one, era=era, stamp=stamp))
    assert state(shared, keys) == before
    assert middle != before
    shared.run(worker(shared, keys, name="heir").process([item("x", {21, 22, 23, 24})]))
    one, era, stamp = first[-1]
    assert shared.run(give(one, era=era, stamp=stamp))


def test_a_commit_whose_answer_was_lost_is_made_once_and_answered_the_same(shared, keys):
    class Doubting(Calls):
        async def function(self, name, keys, args):
            answer = await super().function(name, keys, args)
            return await super().function(name, keys, args) if name == "promise" else answer

    served = worker(shared, keys)
    served.store.calls = Doubting(shared.client, home=keys.fixed[0])
    judged = shared.run(served.process(spread(keys, SAME)))
    waiting = shared.run(shared.outbox(keys).waiting())
    assert [one.number for one in waiting] == judged.outbox_numbers
    events = shared.run(worker(shared, keys, name="other").process([item("c", SAME, at=-1)])).events
    assert set(originals(events).values()) == {"c"}


@pytest.mark.parametrize("shard", range(SHARDS))
def test_a_shard_that_lost_its_end_gets_it_again(shared, keys, shard):
    served = worker(shared, keys)
    shared.run(served.process(spread(keys, SAME)))
    dump = kept(shared, of_shard(keys, shard))
    events = shared.run(served.process([item("first", SAME, at=-1), *hours(0, 10)])).events
    whole = state(shared, keys)
    for lost in (dump, {}):
        put_back(shared, of_shard(keys, shard), lost)
        again = shared.run(served.process([item("first", SAME, at=-1)]))
        assert [event.payload for event in again.events] == [events[0].payload]
        assert sorted(state(shared, keys)[shard]) == sorted(whole[shard])
    copy = shared.run(served.process([item("copy", SAME, at=9)])).events
    assert originals(copy) == {"copy": "first"}


def test_a_shard_that_lost_more_than_home_remembers_is_reported_as_lost(shared, keys):
    served = worker(shared, keys)
    shared.run(served.process(spread(keys, SAME)))
    shared.run(served.process([item("first", SAME, at=-1)]))
    shared.run(shared.client.xtrim(keys.pending[1], maxlen=0))
    assert originals(shared.run(served.process([item("copy", SAME, at=9)])).events) == {
        "copy": "first"
    }
    put_back(shared, of_shard(keys, 1), {})
    with pytest.raises(ShardLost, match="shard 1"):
        shared.run(served.process([item("b", SAME, at=10)]))
