"""A server that comes back without all it received: noticed, and no revision is used twice."""

import pytest

from laws.redis_news import item, judgements, worker
from laws.redis_shared import shared_engine
from laws.test_lateness import RULE
from laws.test_redis_failures import SAME, reached, server
from newsdedup.adapters.redis.calls import LIBRARY, LIBRARY_VERSION, Calls
from newsdedup.adapters.redis.namespace import (
    Era,
    begin_era,
    begin_generation,
    open_namespace,
    stored_positions,
)
from newsdedup.adapters.redis.sharded_store import redis_store
from newsdedup.ports.errors import StateLost, StateMoved


@pytest.mark.usefixtures("redis_program")
@pytest.mark.parametrize("shards", [1, 3])
def test_a_worker_notices_that_everything_was_lost(tmp_path, shards):
    with server(tmp_path) as flushed, reached(flushed.url, timeout_seconds=5) as shared:
        calls = Calls(shared.client, home="{news}:meta")
        keys, born = shared.run(open_namespace(calls, "news", made_by="a test", shards=shards))
        store = redis_store(calls, keys, RULE, worker="worker", life=10**12, born=born)
        served = shared_engine(rule=RULE, store=store)
        shared.run(served.process([item("a", SAME)]))
        flushed.ask("FLUSHALL")
        with pytest.raises(StateLost, match="'news'"):
            shared.run(served.process([item("b", SAME, at=1)]))
        again = shared.run(open_namespace(calls, "news", made_by="a test", shards=shards))
        assert (again.keys == keys) == (shards == 1)
        assert again.born != born


def test_a_new_generation_makes_every_revision_newer(shared_redis):
    keys = shared_redis.keys()
    served = worker(shared_redis, keys)
    (before,) = judgements(shared_redis.run(served.process([item("a", SAME)])).events)
    run, calls = shared_redis.run, Calls(shared_redis.client, home=keys.fixed[0])
    assert run(begin_generation(calls, keys)) == 1
    with pytest.raises(StateMoved):
        run(served.process([item("b", SAME, at=1)]))
    (after,) = judgements(run(served.process([item("b", SAME, at=1)])).events)
    assert after.revision.epoch > before.revision.epoch + (1 << 31)


@pytest.mark.usefixtures("redis_program")
def test_what_a_restarted_server_has_lost_is_judged_again_under_revisions_never_used(tmp_path):
    lossy = {"appendonly": "no"}
    with server(tmp_path, settings=lossy) as lost, reached(lost.url, timeout_seconds=5) as shared:
        keys = shared.keys()
        served = shared.served(keys)
        shared.run(served.process([item("a", SAME)], positions={"news.raw/0": 1}))
        lost.ask("SAVE")
        late = [item("b", SAME, at=1)]
        before = judgements(shared.run(served.process(late, positions={"news.raw/0": 2})).events)
        lost.kill()
        lost.start()
        calls = Calls(shared.client, home=keys.fixed[0])
        with pytest.raises(StateMoved):
            shared.run(served.process(late))
        assert shared.run(stored_positions(calls, keys)) == {"news.raw/0": 1}
        after = judgements(shared.run(served.process(late)).events)
        assert [said.verdict for said in (*before, *after)] == ["duplicate"] * 2
        assert after[0].revision.epoch > before[0].revision.epoch
        assert after[0].event_id != before[0].event_id


def test_a_worker_that_has_begun_notices_what_is_lost_before_its_first_batch(shared_redis):
    keys = shared_redis.keys()
    run, calls = shared_redis.run, Calls(shared_redis.client, home=keys.fixed[0])
    run(worker(shared_redis, keys).process([item("a", SAME)], positions={"news.raw/0": 1}))
    fresh = worker(shared_redis, keys)
    run(fresh.begin())
    run(begin_generation(calls, keys))
    with pytest.raises(StateMoved):
        run(fresh.process([item("b", SAME, at=1)]))
    run(begin_generation(calls, keys))
    run(fresh.begin())
    (after,) = judgements(run(fresh.process([item("b", SAME, at=1)])).events)
    assert after.verdict == "duplicate"


@pytest.mark.usefixtures("redis")
@pytest.mark.parametrize("front", ["shared_redis", "shared"])
def test_nothing_that_was_read_before_writes_were_lost_is_processed_whichever_worker_notices_first(
    request, front
):
    shared = request.getfixturevalue(front)
    keys, run = shared.keys(), shared.run
    calls = Calls(shared.client, home=keys.fixed[0])
    served = worker(shared, keys)
    run(served.begin())
    run(served.process([item("a", SAME)], positions={"news.raw/0": 1}))
    seen = served.store._era
    run(begin_era(calls, keys, after=Era("lost", seen.generation)))
    # Partitions are assigned anew: the positions are read while a batch is in flight.
    for _ in range(2):
        with pytest.raises(StateMoved):
            run(served.look(()))
        with pytest.raises(StateMoved):
            run(served.process([item("b", SAME, at=1)], positions={"news.raw/0": 9}))
    assert run(stored_positions(calls, keys)) == {"news.raw/0": 1}
    run(served.begin())
    run(served.look(()))
    (after,) = judgements(run(served.process([item("b", SAME, at=1)])).events)
    assert after.verdict == "duplicate"


@pytest.mark.usefixtures("redis")
@pytest.mark.parametrize("front", ["shared_redis", "shared"])
def test_an_era_begins_once_after_the_one_that_a_worker_has_seen(request, front):
    shared = request.getfixturevalue(front)
    keys, run = shared.keys(), shared.run
    calls = Calls(shared.client, home=keys.fixed[0])
    store = worker(shared, keys).store
    run(store.look(()))
    seen = run(era_of(calls, keys))
    run(begin_era(calls, keys, after=seen))
    assert run(era_of(calls, keys)) == seen
    for _ in range(2):
        run(begin_era(calls, keys, after=Era("lost", seen.generation)))
    assert run(era_of(calls, keys)).generation == seen.generation + 1
    with pytest.raises(StateMoved):
        run(store.look(()))


async def era_of(calls, keys):
    """Return the era of a namespace."""
    name, generation = await calls.command("HMGET", keys.fixed[0], "era", "generation")
    return Era(name.decode(), int(generation))


class OtherRelease(Calls):
    """Calls of workers whose library is another one."""

    async def function(self, name, keys, args):
        return await self.command("FCALL", f"newsdedup_other_{name}", len(keys), *keys, *args)

    async def load(self):
        await self.command("FUNCTION", "LOAD", "REPLACE", LIBRARY.replace(LIBRARY_VERSION, "other"))


def test_workers_of_two_releases_on_one_server_do_not_wake_it_by_turns(shared_redis):
    keys, run = shared_redis.keys(), shared_redis.run
    ours, theirs = (worker(shared_redis, keys, name=name) for name in ("ours", "theirs"))
    theirs.store.calls = OtherRelease(shared_redis.client, home=keys.fixed[0])
    run(ours.process([item("a", SAME)]))
    run(theirs.process([item("b", SAME, at=1)]))
    with pytest.raises(StateMoved):
        run(ours.process([item("c", SAME, at=2)]))
    reported = [run(one.process([item("c", SAME, at=2)])).events for one in (ours, theirs, ours)]
    assert [event.repeated for events in reported for event in events] == [False, True, True]
    run(shared_redis.client.execute_command("FUNCTION", "DELETE", "newsdedup_other"))


def test_positions_are_kept_of_a_batch_without_events(shared_redis):
    keys = shared_redis.keys()
    served = worker(shared_redis, keys)
    shared_redis.run(served.process([], positions={"news.raw/3": 17}))
    calls = Calls(shared_redis.client, home=keys.fixed[0])
    assert shared_redis.run(stored_positions(calls, keys)) == {"news.raw/3": 17}
