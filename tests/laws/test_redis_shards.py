"""Shards: in order, once, brought up to date from home, taken back where home has lost its end."""

from contextlib import suppress

import pytest

from laws.redis_news import hours, item, judgements, originals, worker
from laws.redis_sharded import (
    Killed,
    dying,
    in_shard,
    kept,
    lose,
    of_home,
    of_shard,
    put_back,
    start_anew,
)
from laws.redis_shared import Shared
from newsdedup.adapters.redis_calls import Calls
from newsdedup.adapters.redis_messages import Look
from newsdedup.adapters.redis_namespace import memory, positions
from newsdedup.adapters.redis_shards import ShardLost
from newsdedup.core.model import ItemKey
from newsdedup.ports import StateMoved

SAME = {1, 2, 3, 4}
SHARDS = 3


@pytest.fixture(scope="module")
def shared(redis):
    there = Shared(redis.url, shards=SHARDS, front="shards")
    yield there
    there.close()


@pytest.fixture
def keys(shared):
    return shared.keys(1024)


def state(shared, keys):
    """Return what all shards keep."""
    return [kept(shared, of_shard(keys, shard)) for shard in range(SHARDS)]


def spread(keys):
    """Return items of one message, one in each shard."""
    return [item(in_shard(keys, shard), SAME, at=shard) for shard in range(SHARDS)]


def test_documents_lie_in_all_shards_and_an_item_is_asked_of_its_own(shared, keys):
    served = worker(shared, keys)
    told = shared.run(served.judge(spread(keys))).events
    assert set(originals(told).values()) == {in_shard(keys, 0)}
    sizes = [shared.run(shared.client.hlen(keys.of(shard).hashes(0)[1])) for shard in range(SHARDS)]
    assert sizes == [1] * SHARDS
    key = ItemKey("s", in_shard(keys, 1))
    assert served.store._asked_of(1, [Look("item", key)]) == [0]
    assert served.store._asked_of(0, [Look("item", key)]) == []
    assert shared.run(memory(served.store.calls, keys)).items == SHARDS


@pytest.mark.parametrize("before", range(SHARDS))
def test_what_a_worker_settled_before_it_died_is_given_to_the_shards_by_others(
    shared, keys, before
):
    dead, heir = (worker(shared, keys, name=name) for name in ("dead", "heir"))

    async def killed():
        async with dying(dead, before=before):
            await dead.judge(spread(keys))

    with pytest.raises(Killed):
        shared.run(killed())
    told = shared.run(heir.judge([item("copy", SAME, at=5)])).events
    assert originals(told) == {"copy": in_shard(keys, 0)}
    again = shared.run(heir.judge(spread(keys)))
    assert all(event.repeated for event in again.events)
    waiting = [one.event.payload for one in shared.run(shared.outbox(keys).waiting())]
    assert waiting == [event.payload for event in (*again.events, *told)]


def test_a_commit_is_applied_once_and_only_after_the_one_before_it(shared, keys):
    served = worker(shared, keys)
    shared.run(served.judge(spread(keys)))
    given, give = [], served.store.shards.give

    async def noted(one, *, era, stamp):
        given.append((one, era, stamp))
        return await give(one, era=era, stamp=stamp)

    served.store.shards.give = noted
    before = state(shared, keys)
    late = [item(in_shard(keys, 0, "late"), SAME, at=-1), item(in_shard(keys, 0, "j"), {7, 8, 9})]
    shared.run(served.judge(late))
    middle = state(shared, keys)
    shared.run(served.judge([item(in_shard(keys, 0, "later"), SAME, at=-2)]))
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
    shared.run(worker(shared, keys, name="heir").judge([item("x", {21, 22, 23, 24})]))
    one, era, stamp = first[-1]
    assert shared.run(give(one, era=era, stamp=stamp))


def test_a_commit_whose_answer_was_lost_is_made_once_and_answered_the_same(shared, keys):
    class Doubting(Calls):
        async def function(self, name, keys, args):
            answer = await super().function(name, keys, args)
            return await super().function(name, keys, args) if name == "promise" else answer

    served = worker(shared, keys)
    served.store.calls = Doubting(shared.client, home=keys.fixed[0])
    judged = shared.run(served.judge(spread(keys)))
    waiting = shared.run(shared.outbox(keys).waiting())
    assert [one.number for one in waiting] == judged.sent
    told = shared.run(worker(shared, keys, name="other").judge([item("c", SAME, at=-1)])).events
    assert set(originals(told).values()) == {"c"}


@pytest.mark.parametrize("shard", range(SHARDS))
def test_a_shard_that_lost_its_end_gets_it_again(shared, keys, shard):
    served = worker(shared, keys)
    shared.run(served.judge(spread(keys)))
    dump = kept(shared, of_shard(keys, shard))
    told = shared.run(served.judge([item("first", SAME, at=-1), *hours(0, 10)])).events
    whole = state(shared, keys)
    for lost in (dump, {}):
        put_back(shared, of_shard(keys, shard), lost)
        again = shared.run(served.judge([item("first", SAME, at=-1)]))
        assert [event.payload for event in again.events] == [told[0].payload]
        assert sorted(state(shared, keys)[shard]) == sorted(whole[shard])
    copy = shared.run(served.judge([item("copy", SAME, at=9)])).events
    assert originals(copy) == {"copy": "first"}


def test_a_shard_that_lost_more_than_home_remembers_is_told_as_lost(shared, keys):
    served = worker(shared, keys)
    shared.run(served.judge(spread(keys)))
    shared.run(served.judge([item("first", SAME, at=-1)]))
    shared.run(shared.client.xtrim(keys.owed[1], maxlen=0))
    assert originals(shared.run(served.judge([item("copy", SAME, at=9)])).events) == {
        "copy": "first"
    }
    put_back(shared, of_shard(keys, 1), {})
    with pytest.raises(ShardLost, match="shard 1"):
        shared.run(served.judge([item("b", SAME, at=10)]))


def test_what_home_has_lost_is_taken_back_by_the_shards(shared, keys):
    served = worker(shared, keys)
    shared.run(served.judge([*spread(keys), *hours(0, 4)], positions={"news.raw/0": 1}))
    dump, before = kept(shared, of_home(keys)), state(shared, keys)
    late = [item("first", SAME, at=-1), item("h0-0", SAME, updated=3), *hours(30, 40)]
    told = judgements(shared.run(served.judge(late, positions={"news.raw/0": 2})).events)
    assert state(shared, keys) != before
    put_back(shared, of_home(keys), dump)
    start_anew(shared)
    with pytest.raises(StateMoved):
        shared.run(served.judge(late))
    assert shared.run(positions(served.store.calls, keys)) == {"news.raw/0": 1}
    heir = worker(shared, keys, name="heir")
    shared.run(heir.store.look([Look("leaders")]))
    assert documents(shared, keys) == documents_of(before, keys)
    after = judgements(shared.run(heir.judge(late, positions={"news.raw/0": 2})).events)
    assert [said.verdict for said in after] == [said.verdict for said in told]
    assert not {said.event_id for said in after} & {said.event_id for said in told}
    assert min(said.revision.epoch for said in after) > max(s.revision.epoch for s in told)


def documents(shared, keys):
    return documents_of(state(shared, keys), keys)


def documents_of(kept_in_shards, keys):
    """Return records and postings: the rest of a shard says where it stands."""
    fixed = {name.encode() for shard in range(SHARDS) for name in keys.of(shard).fixed}
    return [
        {name: data for name, data in found.items() if name not in fixed}
        for found in kept_in_shards
    ]


def test_a_home_that_forgot_an_era_begins_a_later_one_than_the_shards_have_seen(shared, keys):
    served = worker(shared, keys)
    shared.run(served.judge(spread(keys), positions={"news.raw/0": 1}))
    dump = kept(shared, of_home(keys))
    told = []
    for _ in range(3):
        put_back(shared, of_home(keys), dump)
        start_anew(shared)
        told += judgements(shared.run(anew(served, [item("first", SAME, at=-1)])).events)
    bodies = {}
    for said in told:
        assert bodies.setdefault(said.event_id, said) == said
    epochs = [said.revision.epoch for said in told if said.item.id == "first"]
    assert len(epochs) == 3
    assert epochs == sorted(set(epochs))


def test_what_was_read_before_home_lost_its_end_is_not_settled_after_it(shared, keys):
    first, second = (worker(shared, keys, name=name) for name in ("first", "second"))
    shared.run(first.judge([item("a", SAME)]))
    dump = kept(shared, of_home(keys))
    shared.run(first.judge([item("b", {5, 6, 7, 8})]))
    look = second.store.look

    async def overtaken(looks):
        seen = await look(looks)
        second.store.look = look
        await lose(shared.client, of_home(keys), dump)
        await anew(first, [item("c", {5, 6, 7, 8}, at=2)])
        return seen

    second.store.look = overtaken
    told = shared.run(anew(second, [item("copy", {5, 6, 7, 8}, at=3)])).events
    assert originals(told) == {"copy": "c"}


def test_a_home_that_takes_over_again_without_what_another_one_took_is_noticed(shared, keys):
    served = worker(shared, keys)
    shared.run(served.judge(spread(keys)))
    dump = kept(shared, of_home(keys))
    start_anew(shared)
    late = [item("first", SAME, at=-1)]
    told = judgements(shared.run(anew(served, late)).events)
    put_back(shared, of_home(keys), dump)
    with pytest.raises(StateMoved):
        shared.run(served.judge(late))
    after = judgements(shared.run(anew(served, late)).events)
    assert not {said.event_id for said in after} & {said.event_id for said in told}
    assert [said.verdict for said in after] == [said.verdict for said in told]


async def anew(served, batch):
    """Judge a batch again for as long as generations begin."""
    while True:
        with suppress(StateMoved):
            return await served.judge(batch)
