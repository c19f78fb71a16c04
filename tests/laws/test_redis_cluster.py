"""A namespace in a cluster: it goes where its slots go, and lives on with promoted replicas."""

import asyncio
import os
import signal
from contextlib import contextmanager

import pytest

from laws.redis_news import hours, item, originals, worker
from laws.redis_shared import Shared
from newsdedup.ports.errors import StateMoved, StateUnusable, Unavailable
from servers.process import wait_until
from servers.redis_cluster import RedisCluster
from servers.redis_server import CLUSTER_PERMISSIONS, PERMISSIONS

pytestmark = pytest.mark.usefixtures("redis_program")

SAME = {1, 2, 3, 4}
SHARDS = 4


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory):
    servers = RedisCluster(tmp_path_factory.mktemp("shared-cluster"))
    servers.start()
    yield servers
    servers.stop()


@pytest.fixture(scope="module", params=[1, SHARDS])
def shared(cluster, request):
    there = Shared(cluster.url, cluster=True, shards=request.param, front=f"n{request.param}")
    yield there
    there.close()


@pytest.fixture(scope="module")
def sharded(cluster):
    there = Shared(cluster.url, cluster=True, shards=SHARDS, front="s")
    yield there
    there.close()


@pytest.fixture
def keys(cluster, sharded):
    """Have a namespace whose documents lie on all masters."""
    while True:
        keys = sharded.keys(1024)
        nodes = {cluster.master_of(keys.of_shard(shard).fixed[0]).port for shard in range(SHARDS)}
        if len(nodes) == len(cluster.masters()):
            return keys


def test_a_namespace_is_served_after_its_slot_has_moved_and_while_it_moves(cluster, shared):
    keys = shared.keys(1024)
    moved(cluster, shared, keys, keys.fixed[0])


def test_a_shard_is_served_after_its_slot_has_moved_and_while_it_moves(cluster, sharded, keys):
    moved(cluster, sharded, keys, keys.of_shard(1).fixed[0])


@pytest.fixture
def guarded(cluster):
    """Make a client whose user may do so much."""
    opened = []

    def allowed(permissions):
        rules = f"reset on >secret ~{{g-*}}:* ~{{g-*|*}}:* {permissions}"
        for node in cluster.nodes:
            node.ask("ACL", "SETUSER", "guarded", *rules.split())
        user = {"username": "guarded", "password": "secret"}
        opened.append(Shared(cluster.url, cluster=True, shards=SHARDS, front="g", **user))
        return opened[-1]

    yield allowed
    for one in opened:
        one.close()


def test_a_user_with_the_documented_permissions_serves_a_cluster_whose_slots_move(cluster, guarded):
    shared = guarded(f"{PERMISSIONS} {CLUSTER_PERMISSIONS}")
    keys = shared.keys(1024)
    moved(cluster, shared, keys, keys.fixed[0])
    other = shared.keys(1024)
    moved(cluster, shared, other, other.of_shard(1).fixed[0])


def test_a_user_who_may_not_ask_for_the_slots_gets_an_error_that_says_so(guarded):
    shared = guarded(PERMISSIONS)
    with pytest.raises(StateUnusable, match=r"cluster\|slots"):
        shared.run(worker(shared, shared.keys()).process([item("a", SAME)]))


def test_a_node_of_a_cluster_named_as_a_single_server_is_refused_with_the_setting(cluster):
    # The node that the address leads to does not hold the slot of every namespace.
    shared = Shared(cluster.url)
    while True:
        keys = shared.keys()
        if cluster.master_of(keys.fixed[0]).url != cluster.url:
            break
    with pytest.raises(StateUnusable, match=r"moved to another node .* set redis\.cluster"):
        shared.run(worker(shared, keys).process([item("a", SAME)]))
    shared.close()


def moved(cluster, shared, keys, key):
    """Move a key's slot to another master while a worker requests it."""
    served = worker(shared, keys)
    shared.run(served.process([item("a", SAME), *hours(0, 10)]))
    slot = cluster.nodes[0].ask("CLUSTER", "KEYSLOT", key)
    source = cluster.master_of(key)
    target = next(node for node in cluster.masters() if node is not source)
    names = {node: node.ask("CLUSTER", "MYID") for node in (source, target)}
    target.ask("CLUSTER", "SETSLOT", slot, "IMPORTING", names[source])
    source.ask("CLUSTER", "SETSLOT", slot, "MIGRATING", names[target])
    moving = source.ask("CLUSTER", "GETKEYSINSLOT", slot, 10_000)
    half = len(moving) // 2
    migrate(source, target, moving[:half])
    with pytest.raises(Unavailable, match="slot"):
        shared.run(worker(shared, keys, name="early").process([item("b", SAME, at=1)]))
    migrate(source, target, moving[half:])
    for node in (target, source):
        node.ask("CLUSTER", "SETSLOT", slot, "NODE", names[target])
    cluster.wait()
    events = shared.run(patiently(served, [item("b", SAME, at=1)])).events
    assert originals(events) == {"b": "a"}
    assert cluster.master_of(key) is target
    assert target.ask("EXISTS", key) == 1


def migrate(source, target, keys):
    host, _, port = target.address.partition(":")
    source.ask("MIGRATE", host, port, "", 0, 10_000, "KEYS", *keys)


def test_a_promoted_replica_goes_on_with_all_that_it_had_got(cluster, shared):
    keys = shared.keys(1024)
    promoted(cluster, shared, keys, keys.fixed[0])


def test_a_promoted_replica_of_a_shard_goes_on_with_all_that_it_had_got(cluster, sharded, keys):
    promoted(cluster, sharded, keys, keys.of_shard(2).fixed[0])


def promoted(cluster, shared, keys, key):
    """Kill a key's master after its replica has got all."""
    served = worker(shared, keys)
    batch = [item("a", SAME), *hours(0, 10)]
    committed = shared.run(served.process(batch)).events
    master = cluster.master_of(key)
    assert master.ask("WAIT", 1, 10_000) >= 1
    master.kill()
    events = shared.run(patiently(served, [item("b", SAME, at=1)])).events
    assert originals(events) == {"b": "a"}
    again = shared.run(served.process(batch)).events
    assert [event.payload for event in again] == [event.payload for event in committed]
    master.start()
    cluster.wait()


def test_a_shard_whose_promoted_replica_misses_writes_gets_them_from_home(cluster, sharded, keys):
    home = cluster.master_of(keys.fixed[0])
    shard = next(n for n in range(SHARDS) if serving(cluster, keys.of_shard(n)) is not home)
    served = worker(sharded, keys)
    sharded.run(served.process([item("a", SAME), *hours(0, 4)]))
    late = [item("first", SAME, at=-1), *hours(4, 12)]
    with failed_over(cluster, keys.of_shard(shard).fixed[0], "applied"):
        events = sharded.run(served.process(late)).events
    again = sharded.run(patiently(served, late)).events
    assert all(event.repeated for event in again)
    assert [event.payload for event in again] == judged(events)
    copy = sharded.run(patiently(served, [item("copy", SAME, at=9)])).events
    assert originals(copy) == {"copy": "first"}


def test_a_home_whose_promoted_replica_misses_writes_judges_them_again(cluster, sharded, keys):
    served = worker(sharded, keys)
    sharded.run(served.process([item("a", SAME), *hours(0, 4)], positions={"news.raw/0": 1}))
    late = [item("first", SAME, at=-1), *hours(4, 12)]
    with failed_over(cluster, keys.fixed[0], "seq"):
        events = sharded.run(served.process(late, positions={"news.raw/0": 2})).events
    after = sharded.run(patiently(served, late, positions={"news.raw/0": 2})).events
    assert_judged_again(after, events)
    copy = sharded.run(patiently(served, [item("copy", SAME, at=9)])).events
    assert originals(copy) == {"copy": "first"}


def test_a_home_that_takes_over_again_without_the_last_writes_judges_them_again(
    cluster, sharded, keys
):
    served = worker(sharded, keys)
    sharded.run(served.process([item("a", SAME)], positions={"news.raw/0": 1}))
    switched(cluster, keys.fixed[0])
    sharded.run(patiently(served, hours(0, 4), positions={"news.raw/0": 2}))
    late = [item("first", SAME, at=-1), *hours(4, 12)]
    with failed_over(cluster, keys.fixed[0], "seq"):
        events = sharded.run(served.process(late, positions={"news.raw/0": 3})).events
    after = sharded.run(patiently(served, late, positions={"news.raw/0": 3})).events
    assert_judged_again(after, events)


def assert_judged_again(after, reported):
    """Check that the same judgements are published again, under event ids that were not used."""
    assert not any(event.repeated for event in after)
    assert originals(after) == originals(reported)
    assert not {event.payload.event_id for event in after} & {e.payload.event_id for e in reported}


def switched(cluster, key):
    """Let a key's replica become master as planned, the master a replica with what it had."""
    master = cluster.master_of(key)
    (replica,) = cluster.replicas_of(master)
    before = replica.info("stats")["sync_full"]
    replica.ask("CLUSTER", "FAILOVER")
    wait_until(lambda: cluster.replicas_of(replica) == [master], what="the replica took over")
    cluster.wait()
    assert replica.info("stats")["sync_full"] == before


def serving(cluster, keys):
    return cluster.master_of(keys.fixed[0])


def judged(events):
    return [event.payload for event in events if event.payload.event == "item.judged"]


@contextmanager
def failed_over(cluster, key, count):
    """Let a key's replica take over without what is written meanwhile, as its count shows."""
    master = cluster.master_of(key)
    assert master.ask("WAIT", 1, 10_000) >= 1
    (replica,) = cluster.replicas_of(master)
    os.kill(replica.process.pid, signal.SIGSTOP)
    master.ask("CLIENT", "KILL", "TYPE", "replica")
    before = master.ask("HGET", key, count)
    yield
    assert master.ask("HGET", key, count) != before
    master.kill()
    os.kill(replica.process.pid, signal.SIGCONT)
    wait_until(lambda: cluster.master_of(key) is replica, what="the replica took over", within=60)
    assert replica.ask("HGET", key, count) == before
    master.start()
    cluster.wait()


async def patiently(served, batch, **options):
    """Judge a batch as soon as somebody serves its slot again."""
    async with asyncio.timeout(60):
        while True:
            try:
                return await served.process(batch, **options)
            except (Unavailable, StateMoved):
                # Another node serves the slot: what it may have lost is begun anew.
                continue
