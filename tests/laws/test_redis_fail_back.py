"""Servers that take over from each other, and back: what they have lost is noticed."""

from contextlib import closing, contextmanager, suppress

import pytest

from laws.redis_news import item, judgements, worker
from laws.redis_shared import Shared
from newsdedup.adapters.redis.calls import Calls
from newsdedup.adapters.redis.namespace import stored_positions
from newsdedup.ports.errors import StateMoved
from servers.fault_proxy import FaultProxy
from servers.fixtures import running
from servers.ports import HOST
from servers.process import wait_until
from servers.redis_server import RedisServer

pytestmark = pytest.mark.usefixtures("redis_program")

SAME = {1, 2, 3, 4}
LAYOUTS = pytest.mark.parametrize("shards", [1, 3])


class Pair:
    """Two servers with one state, and the way to the one that is master."""

    def __init__(self, one, two, proxy, shared):
        self.one = one
        self.two = two
        self.proxy = proxy
        self.shared = shared
        self.keys = shared.keys()
        self.reported = []

    def judge(self, served, *batch, position=0):
        """Return what a worker tells of a batch as soon as it notices no new generation."""
        while True:
            with suppress(StateMoved):
                judging = served.process(batch, positions={"news.raw/0": position})
                self.reported += (said := judgements(self.shared.run(judging).events))
                return said

    def position(self):
        calls = Calls(self.shared.client, home=self.keys.fixed[0])
        return self.shared.run(stored_positions(calls, self.keys))["news.raw/0"]

    def switch(self):
        """Let the second become master as planned, the first a replica with what it had."""
        self.one.ask("FAILOVER", "TO", HOST, self.two.port)
        following = {"role": "slave", "master_link_status": "up"}
        wait_until(
            lambda: following.items() <= self.one.info("replication").items(),
            what="the former master follows",
        )
        stats = self.two.info("stats")
        assert (stats["sync_full"], stats["sync_partial_ok"]) == (0, 1)
        self.proxy.aim(self.two.port)

    def switched_and_parted(self):
        """Return a worker whose master is now the second; the first follows it no more."""
        served = worker(self.shared, self.keys)
        self.judge(served, item("a", SAME), position=1)
        self.switch()
        self.judge(served, item("b", SAME, at=1), position=2)
        self.part(self.one)
        return served

    def part(self, replica):
        """Let a replica have all that its master has, and get nothing more."""
        master = self.one if replica is self.two else self.two
        assert master.ask("WAIT", 1, 60_000) == 1
        replica.ask("REPLICAOF", "NO", "ONE")

    def take_over(self, replica):
        """Let the master die and a replica take over."""
        (self.one if replica is self.two else self.two).kill()
        self.proxy.aim(replica.port)

    def assert_bodies(self):
        """Check that no event id was published with two bodies."""
        bodies = {}
        for said in self.reported:
            assert bodies.setdefault(said.event_id, said) == said


@contextmanager
def pair(folder, shards):
    one = RedisServer(folder / "one")
    two = RedisServer(folder / "two", replica_of=one)
    with (
        running(one, folder / "one"),
        running(two, folder / "two"),
        FaultProxy(one.port) as proxy,
    ):
        two.wait_for_master()
        with closing(Shared(f"redis://{HOST}:{proxy.port}/0", shards=shards)) as shared:
            yield Pair(one, two, proxy, shared)


@LAYOUTS
def test_a_master_that_takes_over_again_without_the_last_writes_is_noticed(tmp_path, shards):
    with pair(tmp_path, shards) as both:
        served = both.switched_and_parted()
        (lost, _, _) = both.judge(served, item("first", SAME, at=-1), position=3)
        both.take_over(both.one)
        with pytest.raises(StateMoved):
            both.shared.run(served.process([item("first", SAME, at=-1)]))
        assert both.position() == 2
        both.judge(served, item("earlier", SAME, at=-2))
        (again, *_) = both.judge(served, item("first", SAME, at=-1), position=3)
        assert (lost.verdict, again.verdict) == ("original", "duplicate")
        both.assert_bodies()


@LAYOUTS
def test_a_worker_that_has_just_come_uses_no_revision_of_those_that_were_lost(tmp_path, shards):
    with pair(tmp_path, shards) as both:
        served = both.switched_and_parted()
        both.judge(served, item("first", SAME, at=-1), position=3)
        both.take_over(both.one)
        heir = worker(both.shared, both.keys, name="heir")
        both.judge(heir, item("earlier", SAME, at=-2))
        both.judge(heir, item("first", SAME, at=-1), position=3)
        both.assert_bodies()


@LAYOUTS
def test_a_replica_that_missed_when_its_master_was_woken_is_noticed(tmp_path, shards):
    with pair(tmp_path, shards) as both:
        served = worker(both.shared, both.keys)
        both.judge(served, item("a", SAME), position=1)
        both.part(both.two)
        both.one.restart()
        both.judge(served, item("first", SAME, at=-1), position=2)
        both.take_over(both.two)
        with pytest.raises(StateMoved):
            both.shared.run(served.process([item("first", SAME, at=-1)]))
        assert both.position() == 1
        both.judge(served, item("earlier", SAME, at=-2))
        both.judge(served, item("first", SAME, at=-1), position=2)
        both.assert_bodies()


@LAYOUTS
def test_what_was_decided_before_a_replica_took_over_is_not_committed_after_it(tmp_path, shards):
    with pair(tmp_path, shards) as both:
        served, slow = (worker(both.shared, both.keys, name=name) for name in ("served", "slow"))
        both.judge(served, item("a", SAME), position=1)
        both.part(both.two)
        commit_as_usual = slow.store.commit

        async def overtaken(commit):
            slow.store.commit = commit_as_usual
            outcome = await served.process([item("first", SAME, at=-1)])
            both.reported += judgements(outcome.events)
            both.take_over(both.two)
            with pytest.raises(StateMoved):
                await served.process([item("c", {5, 6, 7, 8})])
            return await commit_as_usual(commit)

        slow.store.commit = overtaken
        with pytest.raises(StateMoved):
            both.shared.run(slow.process([item("earlier", SAME, at=-2)]))
        both.judge(slow, item("earlier", SAME, at=-2))
        both.assert_bodies()
