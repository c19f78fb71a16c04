"""A namespace in a cluster: it goes where its slot goes, and lives on with a promoted replica."""

import asyncio

import pytest

from laws.redis_news import hours, item, originals, worker
from laws.redis_shared import Shared
from newsdedup.ports import StateMoved, Unavailable
from servers.redis_cluster import RedisCluster

SAME = {1, 2, 3, 4}


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory):
    servers = RedisCluster(tmp_path_factory.mktemp("shared-cluster"))
    servers.start()
    yield servers
    servers.stop()


@pytest.fixture
def shared(cluster):
    there = Shared(cluster.url, cluster=True)
    yield there
    there.close()


def test_a_namespace_is_served_after_its_slot_has_moved_and_while_it_moves(cluster, shared):
    keys = shared.keys(1024)
    served = worker(shared, keys)
    shared.run(served.judge([item("a", SAME), *hours(0, 10)]))
    slot = cluster.nodes[0].ask("CLUSTER", "KEYSLOT", keys.fixed[0])
    source = cluster.master_of(keys.fixed[0])
    target = next(node for node in cluster.masters() if node is not source)
    names = {node: node.ask("CLUSTER", "MYID") for node in (source, target)}
    target.ask("CLUSTER", "SETSLOT", slot, "IMPORTING", names[source])
    source.ask("CLUSTER", "SETSLOT", slot, "MIGRATING", names[target])
    moving = source.ask("CLUSTER", "GETKEYSINSLOT", slot, 10_000)
    half = len(moving) // 2
    migrate(source, target, moving[:half])
    with pytest.raises(Unavailable, match="slot"):
        shared.run(worker(shared, keys, name="early").judge([item("b", SAME, at=1)]))
    migrate(source, target, moving[half:])
    for node in (target, source):
        node.ask("CLUSTER", "SETSLOT", slot, "NODE", names[target])
    cluster.wait()
    told = shared.run(patiently(served, [item("b", SAME, at=1)])).events
    assert originals(told) == {"b": "a"}
    assert cluster.master_of(keys.fixed[0]) is target
    assert target.ask("EXISTS", keys.fixed[0]) == 1


def migrate(source, target, keys):
    host, _, port = target.address.partition(":")
    source.ask("MIGRATE", host, port, "", 0, 10_000, "KEYS", *keys)


def test_a_promoted_replica_goes_on_with_all_that_it_had_got(cluster, shared):
    keys = shared.keys(1024)
    served = worker(shared, keys)
    batch = [item("a", SAME), *hours(0, 10)]
    settled = shared.run(served.judge(batch)).events
    master = cluster.master_of(keys.fixed[0])
    assert master.ask("WAIT", 1, 10_000) >= 1
    master.kill()
    told = shared.run(patiently(served, [item("b", SAME, at=1)])).events
    assert originals(told) == {"b": "a"}
    again = shared.run(served.judge(batch)).events
    assert [event.payload for event in again] == [event.payload for event in settled]
    master.start()
    cluster.wait()


async def patiently(served, batch):
    """Judge a batch as soon as somebody serves its slot again."""
    async with asyncio.timeout(60):
        while True:
            try:
                return await served.judge(batch)
            except (Unavailable, StateMoved):
                # Another node serves the slot: what it may have lost is begun anew.
                continue
