"""A home that has lost its end: shards take back what it does not know, and nothing else."""

from contextlib import suppress

import pytest

from laws.redis_news import hours, item, judgements, originals, worker
from laws.redis_sharded import SHARDS, kept, lose, of_home, put_back, spread, start_anew, state
from newsdedup.adapters.redis.namespace import stored_positions
from newsdedup.ports.errors import StateMoved
from newsdedup.ports.store import Lookup

SAME = {1, 2, 3, 4}


def test_what_home_has_lost_is_taken_back_by_the_shards(shared, keys):
    served = worker(shared, keys)
    shared.run(served.process([*spread(keys, SAME), *hours(0, 4)], positions={"news.raw/0": 1}))
    dump, before = kept(shared, of_home(keys)), state(shared, keys)
    late = [item("first", SAME, at=-1), item("h0-0", SAME, updated=3), *hours(30, 40)]
    reported = judgements(shared.run(served.process(late, positions={"news.raw/0": 2})).events)
    assert state(shared, keys) != before
    put_back(shared, of_home(keys), dump)
    start_anew(shared)
    with pytest.raises(StateMoved):
        shared.run(served.process(late))
    assert shared.run(stored_positions(served.store.calls, keys)) == {"news.raw/0": 1}
    heir = worker(shared, keys, name="heir")
    shared.run(heir.store.look([Lookup("leaders")]))
    assert documents(shared, keys) == documents_of(before, keys)
    after = judgements(shared.run(heir.process(late, positions={"news.raw/0": 2})).events)
    assert [said.verdict for said in after] == [said.verdict for said in reported]
    assert not {said.event_id for said in after} & {said.event_id for said in reported}
    assert min(said.revision.epoch for said in after) > max(s.revision.epoch for s in reported)


def documents(shared, keys):
    return documents_of(state(shared, keys), keys)


def documents_of(kept_in_shards, keys):
    """Return records and postings: the rest of a shard says where it stands."""
    fixed = {name.encode() for shard in range(SHARDS) for name in keys.of_shard(shard).fixed}
    return [
        {name: data for name, data in found.items() if name not in fixed}
        for found in kept_in_shards
    ]


def test_a_home_that_forgot_an_era_begins_a_later_one_than_the_shards_have_seen(shared, keys):
    served = worker(shared, keys)
    shared.run(served.process(spread(keys, SAME), positions={"news.raw/0": 1}))
    dump = kept(shared, of_home(keys))
    reported = []
    for _ in range(3):
        put_back(shared, of_home(keys), dump)
        start_anew(shared)
        reported += judgements(shared.run(anew(served, [item("first", SAME, at=-1)])).events)
    bodies = {}
    for said in reported:
        assert bodies.setdefault(said.event_id, said) == said
    epochs = [said.revision.epoch for said in reported if said.item.id == "first"]
    assert len(epochs) == 3
    assert epochs == sorted(set(epochs))


def test_what_was_read_before_home_lost_its_end_is_not_committed_after_it(shared, keys):
    first, second = (worker(shared, keys, name=name) for name in ("first", "second"))
    shared.run(first.process([item("a", SAME)]))
    dump = kept(shared, of_home(keys))
    shared.run(first.process([item("b", {5, 6, 7, 8})]))
    look = second.store.look

    async def overtaken(looks):
        seen = await look(looks)
        second.store.look = look
        await lose(shared.client, of_home(keys), dump)
        await anew(first, [item("c", {5, 6, 7, 8}, at=2)])
        return seen

    second.store.look = overtaken
    events = shared.run(anew(second, [item("copy", {5, 6, 7, 8}, at=3)])).events
    assert originals(events) == {"copy": "c"}


def test_a_home_that_takes_over_again_without_what_another_one_took_is_noticed(shared, keys):
    served = worker(shared, keys)
    shared.run(served.process(spread(keys, SAME)))
    dump = kept(shared, of_home(keys))
    start_anew(shared)
    late = [item("first", SAME, at=-1)]
    reported = judgements(shared.run(anew(served, late)).events)
    put_back(shared, of_home(keys), dump)
    with pytest.raises(StateMoved):
        shared.run(served.process(late))
    after = judgements(shared.run(anew(served, late)).events)
    assert not {said.event_id for said in after} & {said.event_id for said in reported}
    assert [said.verdict for said in after] == [said.verdict for said in reported]


async def anew(served, batch):
    """Judge a batch again for as long as generations begin."""
    while True:
        with suppress(StateMoved):
            return await served.process(batch)


def test_a_commit_on_its_way_from_a_home_that_is_gone_does_no_harm(shared, keys):
    served = worker(shared, keys)
    shared.run(served.process(spread(keys, SAME)))
    dump, given, give = kept(shared, of_home(keys)), [], served.store.shards.apply

    async def noted(one, *, era, stamp):
        given.append((one, era, stamp))
        return await give(one, era=era, stamp=stamp)

    served.store.shards.apply = noted
    shared.run(served.process([item("first", SAME, at=-1)]))
    shared.run(lose(shared.client, of_home(keys), dump))
    heir = worker(shared, keys, name="heir")
    shared.run(heir.store.look([Lookup("leaders")]))
    before = state(shared, keys)
    assert given
    for one, era, stamp in given:
        assert not shared.run(give(one, era=era, stamp=stamp))
    assert state(shared, keys) == before
