"""Servers that pause, fill up, fall silent, crawl, break off or fail over while a stream runs."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from newsdedup.synthetic.stream import generate_stream as synthetic
from runners.outcome import outcome, undisturbed
from runners.streaming import Stream, ended
from servers.fault_proxy import FaultProxy
from servers.fixtures import running
from servers.kafka_broker import KafkaBroker
from servers.ports import HOST
from servers.process import wait_until
from servers.redis_server import RedisServer

pytestmark = pytest.mark.usefixtures("kafka_program", "redis_program")

SHARE = 60
IMPATIENT = {"redis__timeout": "500ms"}


class Shares:
    """A stream that is produced share by share."""

    def __init__(self, stream: Stream) -> None:
        self.stream = stream
        self.produced: list[dict] = []
        self._items = (dict(planted.item) for planted in synthetic(100 * SHARE, seed=11))

    def produce(self) -> None:
        """Write the next share to the input."""
        share = [item for item, _ in zip(self._items, range(SHARE), strict=False)]
        self.produced.extend(share)
        self.stream.produce(share)

    def judged(self) -> None:
        """Return when all that was produced has its verdict."""
        self.stream.judged(len({(item["source"], item["id"]) for item in self.produced}))

    @contextmanager
    def outage(self) -> Iterator[None]:
        """Let a share come while a server is away; the worker must have noticed."""
        before = self.stream.logs().count("waiting server=redis")
        yield
        self.produce()
        wait_until(
            lambda: self.stream.logs().count("waiting server=redis") > before,
            what="the worker waits",
        )

    def check(self) -> None:
        """Compare what came out with an undisturbed run."""
        events = self.stream.read(self.stream.output)
        found = outcome(events, undisturbed(self.produced, self.stream.folder))
        assert found.sound, (found, self.stream.logs())


def test_a_redis_that_is_silent_paused_full_or_slow_is_waited_for(kafka, tmp_path):
    server = RedisServer(tmp_path / "redis")
    with running(server, tmp_path / "redis"), FaultProxy(server.port) as proxy:
        shares = Shares(Stream(kafka, server, tmp_path))
        url = f"redis://{HOST}:{proxy.port}/0"
        with shares.stream.worker(runner="aiokafka", redis__url=url, **IMPATIENT) as process:
            shares.produce()
            shares.judged()
            with shares.outage():
                proxy.silence()
            proxy.well()
            shares.judged()
            with shares.outage():
                server.ask("CLIENT", "PAUSE", 600_000, "WRITE")
            server.ask("CLIENT", "UNPAUSE")
            shares.judged()
            with shares.outage():
                server.ask("CONFIG", "SET", "maxmemory", "1mb")
            server.ask("CONFIG", "SET", "maxmemory", "0")
            shares.judged()
            proxy.slow(0.01)
            shares.produce()
            shares.judged()
            proxy.well()
            assert ended(process) == 0, shares.stream.logs()
        shares.check()


def test_after_a_fail_over_to_a_replica_that_missed_writes_they_are_read_again(kafka, tmp_path):
    master = RedisServer(tmp_path / "master")
    replica = RedisServer(tmp_path / "replica", replica_of=master)
    with (
        running(master, tmp_path / "master"),
        running(replica, tmp_path / "replica"),
        FaultProxy(master.port) as proxy,
    ):
        replica.wait_for_master()
        shares = Shares(Stream(kafka, master, tmp_path))
        url = f"redis://{HOST}:{proxy.port}/0"
        with shares.stream.worker(runner="faust", redis__url=url) as process:
            shares.produce()
            shares.judged()
            assert master.ask("WAIT", 1, 60_000) == 1
            replica.ask("REPLICAOF", "NO", "ONE")
            shares.produce()
            shares.judged()
            master.kill()
            proxy.aim(replica.port)
            shares.produce()
            shares.judged()
            wait_until(lambda: "sought_back" in shares.stream.logs(), what="it seeks back")
            assert ended(process) == 0, shares.stream.logs()
        shares.check()


def test_connections_to_kafka_that_break_or_crawl_lose_nothing(redis, tmp_path):
    with FaultProxy(0) as proxy:
        listed = {"advertised.listeners": f"PLAINTEXT://{HOST}:{proxy.port}"}
        broker = KafkaBroker(tmp_path / "kafka", settings=listed)
        proxy.aim(int(broker.address.rpartition(":")[2]))
        with running(broker, tmp_path / "kafka"):
            shares = Shares(Stream(broker, redis, tmp_path))
            with shares.stream.worker(runner="faust") as process:
                shares.produce()
                shares.judged()
                for _ in range(2):
                    shares.produce()
                    proxy.cut()
                    shares.judged()
                proxy.slow(0.01)
                shares.produce()
                shares.judged()
                proxy.well()
                assert ended(process) == 0, shares.stream.logs()
            shares.check()
