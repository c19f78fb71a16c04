"""A broker that falls silent after a batch is published and before its offsets are committed."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import pytest

from newsdedup.synthetic.stream import demo_stream
from runners.scraped import Probe
from runners.streaming import PATIENCE_SECONDS, Stream, ended, verdicts
from servers.fault_proxy import FaultProxy
from servers.fixtures import running
from servers.kafka_broker import KafkaBroker
from servers.ports import HOST
from servers.process import wait_until

pytestmark = pytest.mark.usefixtures("kafka_program", "redis_program")

ITEMS = [dict(planted.item) for planted in demo_stream()][:80]
UNIQUE = {(item["source"], item["id"]) for item in ITEMS}


class Far(NamedTuple):
    """A broker, and the only way to it that it tells its clients."""

    broker: KafkaBroker
    way: FaultProxy


@pytest.fixture(scope="module")
def far(tmp_path_factory) -> Iterator[Far]:
    folder = tmp_path_factory.mktemp("far")
    with FaultProxy(0) as way:
        listed = {"advertised.listeners": f"PLAINTEXT://{HOST}:{way.port}"}
        broker = KafkaBroker(folder / "kafka", settings=listed)
        way.aim(int(broker.address.rpartition(":")[2]))
        with running(broker, folder / "kafka"):
            yield Far(broker, way)


@contextmanager
def about_to_commit(stream, way, *, runner, probe):
    """Run a worker whose broker has just fallen silent; it has published a batch."""
    stream.produce(ITEMS)
    variables = {"worker__port": str(probe.port), "worker__drain": "2m"}
    with stream.worker(runner=runner, failpoint="before_commit:1:stop", **variables) as process:
        wait_until(lambda: is_stopped(process.pid), what="it is about to commit")
        way.silence()
        try:
            os.kill(process.pid, signal.SIGCONT)
            probe.until("/readyz", lambda it: "waiting for kafka" in it.text, stream=stream)
            yield process
        finally:
            way.well()


def is_stopped(pid: int) -> bool:
    found, status = os.waitpid(pid, os.WUNTRACED | os.WNOHANG)
    return found == pid and os.WIFSTOPPED(status)


def test_a_worker_waits_for_a_broker_that_is_silent_when_it_commits(far, redis, tmp_path):
    stream, probe = Stream(far.broker, redis, tmp_path), Probe()
    with about_to_commit(stream, far.way, runner="aiokafka", probe=probe) as process:
        wait_until(lambda: "waiting server=kafka" in stream.logs(), what="it says that it waits")
        assert probe.ask("/livez").status == 200
        far.way.well()
        stream.judged(len(UNIQUE))
        probe.ready(stream)
        wait_until(lambda: acknowledged(stream) == len(ITEMS), what="all is committed")
        assert ended(process) == 0, stream.logs()
    assert set(verdicts(stream.read(stream.output))) == UNIQUE


def test_a_worker_that_cannot_commit_ends_in_order_and_the_next_one_repeats_the_batch(
    far, redis, tmp_path
):
    stream, probe = Stream(far.broker, redis, tmp_path), Probe()
    with about_to_commit(stream, far.way, runner="faust", probe=probe) as process:
        process.send_signal(signal.SIGTERM)
        # Long before the deadline, at which it would be cut short.
        assert process.wait(PATIENCE_SECONDS) == 0, stream.logs()
        assert "not_drained" not in stream.logs()
    with stream.worker(runner="faust") as process:
        events = stream.judged(len(UNIQUE))
        assert ended(process) == 0, stream.logs()
    assert acknowledged(stream) == len(ITEMS)
    bodies: dict[str, object] = {}
    for one in events:
        assert bodies.setdefault(one.dedup["event_id"], one.value) == one.value


def acknowledged(stream: Stream) -> int:
    """Return how many records have been committed."""
    return sum(end or 0 for end in stream.committed())
