"""Servers that refuse, forget or fall silent: a clear error, and nothing half written."""

import asyncio
import os
import signal
from contextlib import contextmanager

import pytest

from laws.redis_news import hours, item, originals, worker
from laws.redis_shared import Shared, shared_engine
from laws.test_lateness import HOUR, LATENESS, RULE
from newsdedup.adapters.redis.calls import Calls, create_client
from newsdedup.adapters.redis.inspection import measure_memory
from newsdedup.adapters.redis.keys import Keys
from newsdedup.adapters.redis.namespace import (
    LateItems,
    count_late,
    late_counts,
    open_namespace,
    stored_positions,
)
from newsdedup.ports.errors import StateMoved, StateUnusable, Unavailable
from servers.redis_server import PERMISSIONS, RedisServer

pytestmark = pytest.mark.usefixtures("redis_program")

SAME = {1, 2, 3, 4}
FULL = {"maxmemory": "100mb", "maxmemory-policy": "noeviction"}
SLOW = {
    "appendonly": "no",
    "key-load-delay": "2000",
    "loading-process-events-interval-bytes": "1024",
}


class Impatient(Shared):
    """A client that gives up soon."""

    def __init__(self, url, *, timeout_seconds=0.2, **options):
        super().__init__(url)
        self.run(self.client.aclose())
        self.client = create_client(url, timeout_seconds=timeout_seconds, **options)

    def served(self, keys):
        calls = Calls(self.client, home=keys.fixed[0], attempts=2)
        store = self.worker(keys, RULE)
        store.calls = calls
        return shared_engine(rule=RULE, store=store, lateness=LATENESS * HOUR)


@contextmanager
def server(folder, **options):
    """Run a server of the test's own."""
    started = RedisServer(folder / "redis", **options)
    started.start()
    try:
        yield started
    finally:
        started.stop()


@contextmanager
def reached(url, **options):
    """Have a client of a server for a while."""
    shared = Impatient(url, **options)
    try:
        yield shared
    finally:
        shared.close()


def test_a_full_server_refuses_a_batch_whole_and_takes_it_later(tmp_path):
    with server(tmp_path, settings=FULL) as full, reached(full.url, timeout_seconds=5) as shared:
        keys = shared.keys()
        served = shared.served(keys)
        shared.run(served.process([item("a", SAME)]))
        before = full.ask("DBSIZE"), full.ask("HGET", keys.fixed[0], "seq")
        full.ask("CONFIG", "SET", "maxmemory", "1mb")
        with pytest.raises(Unavailable, match="memory is full"):
            shared.run(served.process([item("b", SAME, at=1)]))
        assert (full.ask("DBSIZE"), full.ask("HGET", keys.fixed[0], "seq")) == before
        full.ask("CONFIG", "SET", "maxmemory", "0")
        assert originals(shared.run(served.process([item("b", SAME, at=1)])).events) == {"b": "a"}


def test_a_replica_refuses_what_only_a_master_may_take(tmp_path):
    with (
        server(tmp_path) as master,
        server(tmp_path / "replica", replica_of=master) as replica,
        reached(replica.url, timeout_seconds=5) as shared,
    ):
        replica.wait_for_master()
        with pytest.raises(Unavailable, match="replica"):
            shared.run(shared.served(shared.keys()).process([item("a", SAME)]))


def test_a_server_that_loads_its_data_is_waited_for(tmp_path):
    with (
        server(tmp_path, settings=SLOW) as loading,
        reached(loading.url, timeout_seconds=5) as shared,
    ):
        keys = shared.keys(1024)
        shared.run(worker(shared, keys).process(hours(0, 40)))
        loading.ask("SAVE")
        loading.kill()
        loading.launch()
        served = shared.served(keys)
        with pytest.raises(Unavailable, match=r"loading|cannot be reached"):
            shared.run(served.process([item("a", SAME, at=40)]))
        loading.wait()
        assert shared.run(served.process([item("a", SAME, at=40)])).outbox_numbers


def test_functions_that_the_server_has_lost_are_loaded_again(shared_redis):
    keys = shared_redis.keys()
    served = worker(shared_redis, keys)
    shared_redis.run(served.process([item("a", SAME)]))
    shared_redis.run(shared_redis.client.function_flush())
    # It cannot be distinguished from a server that has started anew.
    with pytest.raises(StateMoved):
        shared_redis.run(served.process([item("b", SAME, at=1)]))
    assert originals(shared_redis.run(served.process([item("b", SAME, at=1)])).events) == {"b": "a"}


def test_nobody_at_the_address_is_unavailable(tmp_path):
    with (
        reached(RedisServer(tmp_path).url) as shared,
        pytest.raises(Unavailable, match="cannot be reached"),
    ):
        shared.run(shared.served(shared.keys()).process([item("a", SAME)]))


def test_a_server_that_falls_silent_is_unavailable_and_its_commit_is_made_once(tmp_path):
    with server(tmp_path) as silent, reached(silent.url) as shared:
        keys = shared.keys()
        served = shared.served(keys)
        shared.run(served.process([item("a", SAME)]))
        os.kill(silent.process.pid, signal.SIGSTOP)
        with pytest.raises(Unavailable, match="in time"):
            shared.run(served.process([item("b", SAME, at=1)]))
        os.kill(silent.process.pid, signal.SIGCONT)
        judged = shared.run(served.process([item("b", SAME, at=1)]))
        assert originals(judged.events) == {"b": "a"}
        assert shared.run(shared.outbox(keys).count()) == 2


class Doubting(Calls):
    """A client that never gets the answer to the first sending of a commit."""

    async def function(self, name, keys, args):
        answer = await super().function(name, keys, args)
        return await super().function(name, keys, args) if name == "commit" else answer


def test_a_commit_sent_twice_is_made_once_and_answered_the_same(shared_redis):
    keys = shared_redis.keys()
    served = worker(shared_redis, keys)
    served.store.calls = Doubting(shared_redis.client, home=keys.fixed[0])
    judged = shared_redis.run(served.process([item("a", SAME), item("b", SAME, at=1)]))
    outbox = shared_redis.outbox(keys)
    assert [one.number for one in shared_redis.run(outbox.waiting())] == judged.outbox_numbers
    plain = worker(shared_redis, keys, name="other")
    events = shared_redis.run(plain.process([item("c", SAME, at=-1)])).events
    assert originals(events) == dict.fromkeys("abc", "c")


class Unfreeing(Calls):
    """A client that gets no answer when it frees keys."""

    async def command(self, *parts):
        if parts[0] == "UNLINK":
            raise Unavailable("redis: UNLINK: it did not answer in time")
        return await super().command(*parts)


def test_a_commit_stands_though_the_server_does_not_answer_when_expired_sets_are_freed(
    shared_redis,
):
    keys = shared_redis.keys()
    served = worker(shared_redis, keys)
    served.store.calls = Unfreeing(shared_redis.client, home=keys.fixed[0])
    for hour in range(0, 90, 15):
        judged = shared_redis.run(served.process(hours(hour, hour + 1)))
        assert [event.repeated for event in judged.events] == [False] * 3


def test_a_commit_after_others_were_lost_by_the_server_is_refused(shared_redis):
    keys = shared_redis.keys()
    first, second = (worker(shared_redis, keys, name=name) for name in ("first", "second"))
    shared_redis.run(first.process([item("a", SAME), item("b", {5, 6, 7, 8})]))
    dump = shared_redis.run(saved(shared_redis.client, keys))
    shared_redis.run(first.process([item("c", {9, 10, 11, 12})]))
    look = second.store.look

    async def failed_over(looks):
        seen = await look(looks)
        second.store.look = look
        await restored(shared_redis.client, keys, dump)
        await first.process([item("d", {21, 22, 23, 24})])
        return seen

    second.store.look = failed_over
    events = shared_redis.run(second.process([item("e", {21, 22, 23, 24}, at=1)])).events
    assert originals(events) == {"e": "d"}


async def saved(redis, keys):
    return {name: await redis.dump(name) async for name in scanned(redis, keys)}


async def restored(redis, keys, dump):
    names = [name async for name in scanned(redis, keys)]
    await redis.delete(*names)
    for name, data in dump.items():
        await redis.restore(name, 0, data)


def scanned(redis, keys):
    return redis.scan_iter(match=f"{{{keys.namespace}}}:*")


@pytest.mark.parametrize("shards", [1, 3])
def test_a_user_with_the_documented_permissions_can_do_all_a_worker_does(tmp_path, shards):
    rules = f"on >secret ~{{news}}:* ~{{news|*}}:* {PERMISSIONS}"
    named = {"username": "newsdedup", "password": "secret", "timeout_seconds": 5}
    with (
        server(tmp_path, users={"newsdedup": rules}) as guarded,
        reached(guarded.url, **named) as shared,
    ):
        calls = Calls(shared.client, home="{news}:meta")
        opening = open_namespace(calls, "news", made_by="a test", items_per_window=8, shards=shards)
        keys = shared.run(opening).keys
        served = shared.served(keys)
        for hour in range(0, 80, 4):
            batch = [*hours(hour, hour + 4), item("a", SAME, at=hour, updated=hour)]
            judged = shared.run(served.process(batch, positions={"news.raw/0": hour}))
            shared.run(shared.outbox(keys).published(judged.outbox_numbers))
        assert shared.run(measure_memory(calls, keys)).items > 0
        assert shared.run(stored_positions(calls, keys)) == {"news.raw/0": 76}
        late = {LateItems("news.raw", "0", "lateness"): 2}
        shared.run(count_late(calls, keys, late))
        assert shared.run(late_counts(calls, keys)) == late
        with pytest.raises(StateUnusable, match=r"permission.*docs/deploying\.md"):
            shared.run(shared.served(shared.keys()).process([item("a", SAME)]))


@pytest.mark.parametrize("shards", [1, 3])
@pytest.mark.parametrize("missing", ["sadd", "pexpireat", "hincrby", "ltrim"])
def test_a_commit_that_the_user_may_not_finish_writes_nothing(tmp_path, missing, shards):
    rules = f"on >secret ~{{news}}:* ~{{news|*}}:* {PERMISSIONS}"
    named = {"username": "newsdedup", "password": "secret", "timeout_seconds": 5}
    with (
        server(tmp_path, users={"newsdedup": rules}) as guarded,
        reached(guarded.url, **named) as shared,
    ):
        keys = Keys("news", 1024, shards, "life")
        guarded.ask("ACL", "SETUSER", "newsdedup", f"-{missing}")
        with pytest.raises(StateUnusable, match=rf"'{missing}' command; docs/deploying\.md"):
            shared.run(shared.served(keys).process([item("a", SAME)]))
        guarded.ask("ACL", "SETUSER", "newsdedup", f"+{missing}")
        batch = [item("a", SAME), item("b", SAME, at=1)]
        assert originals(shared.run(shared.served(keys).process(batch)).events) == {
            "a": "a",
            "b": "a",
        }


def test_a_wrong_password_is_no_outage(tmp_path):
    with (
        server(tmp_path, password="right") as guarded,  # noqa: S106 - it guards nothing
        reached(guarded.url, password="wrong") as shared,  # noqa: S106
        pytest.raises(StateUnusable, match="password"),
    ):
        shared.run(shared.served(shared.keys()).process([item("a", SAME)]))


def test_a_namespace_made_with_other_settings_is_refused(shared_redis):
    calls = Calls(shared_redis.client, home="{made}:meta")
    first = shared_redis.run(open_namespace(calls, "made", made_by="terms of 12"))
    assert (
        shared_redis.run(open_namespace(calls, "made", made_by="terms of 12", items_per_window=9))
        == first
    )
    with pytest.raises(StateUnusable, match="other settings"):
        shared_redis.run(open_namespace(calls, "made", made_by="terms of 10"))


def test_all_workers_of_a_loop_may_wait_at_once(shared_redis):
    keys = shared_redis.keys(1024)

    async def all_at_once():
        workers = [worker(shared_redis, keys, name=f"w{n}") for n in range(8)]
        batches = [
            w.process([item(f"i{n}", {10 * n + i for i in range(6)})])
            for n, w in enumerate(workers)
        ]
        return await asyncio.gather(*batches)

    result = shared_redis.run(all_at_once())
    assert sum(len(one.outbox_numbers) for one in result) == 8


def test_a_single_server_named_as_a_cluster_is_refused_with_the_setting(tmp_path):
    said = pytest.raises(StateUnusable, match=r"leads to no cluster: unset redis\.cluster")
    with server(tmp_path) as alone, reached(alone.url, cluster=True) as shared, said:
        shared.run(Calls(shared.client, home="x").command("PING"))
