"""Whether a server answers is asked over a connection of its own, and reported soon."""

import asyncio
import signal
import socket
from contextlib import contextmanager
from datetime import timedelta

import pytest

from newsdedup.adapters.kafka.client import KafkaAccess, KafkaProbe
from newsdedup.bootstrap import observation
from newsdedup.bootstrap.observation import RedisProbe
from newsdedup.config import build_settings
from newsdedup.ports.errors import Unavailable
from newsdedup.ports.telemetry import Telemetry
from runners.scraped import Probe
from runners.streaming import Stream
from servers.fixtures import running
from servers.ports import HOST
from servers.process import wait_until
from servers.redis_server import RedisServer

NEWS = {"id": "1", "source": "wire", "title": "Bridge opened", "text": "The bridge is open."}


@contextmanager
def silent(server):
    """Let a server hang during a block."""
    server.process.signal(signal.SIGSTOP)
    try:
        yield
    finally:
        server.process.signal(signal.SIGCONT)


@pytest.mark.parametrize("runner", ["faust", "aiokafka"])
@pytest.mark.parametrize("works", [True, False], ids=["at work", "idle"])
def test_a_worker_tells_that_redis_hangs_and_logs_it_once(kafka, redis, tmp_path, runner, works):
    stream, probe = Stream(kafka, redis, tmp_path), Probe()
    variables = {"worker__port": str(probe.port), "redis__timeout": "1s"}
    with stream.worker(runner=runner, **variables):
        stream.produce([NEWS])
        stream.judged(1)
        probe.ready(stream)
        with silent(redis):
            if works:
                stream.produce([NEWS | {"id": "2"}])
            away = probe.until("/readyz", lambda it: it.status == 503, stream=stream)
            assert away.text == "waiting for redis\n"
            assert probe.ask("/livez").status == 200
            wait_until(
                lambda: "no_answer server=redis reason=redis: " in stream.logs(),
                what="the log says that Redis does not answer",
            )
        probe.ready(stream)
        if works:
            stream.judged(2)
    assert stream.logs().count("no_answer server=redis") == 1
    assert stream.logs().count("answers_again server=redis") == 1


@pytest.mark.usefixtures("redis_program")
def test_a_probe_of_a_redis_that_hangs_waits_as_long_as_one_answer_may_take(tmp_path):
    server = RedisServer(tmp_path)
    settings = build_settings({"redis.url": server.url, "redis.timeout": timedelta(seconds=0.2)})
    probe = RedisProbe(settings)

    async def ask() -> None:
        await probe.ping()
        with silent(server):
            for _ in range(3):
                with pytest.raises(Unavailable, match=r"no answer within 0\.2 s"):
                    await probe.ping()
        await probe.ping()
        await probe.aclose()

    with running(server, tmp_path):
        asyncio.run(ask())


def test_a_probe_says_that_a_broker_which_takes_a_connection_does_not_answer():
    async def ask(address: str) -> None:
        probe = KafkaProbe(KafkaAccess(address), topic="news.raw")
        with pytest.raises(Unavailable, match=r"^kafka: the broker does not answer$"):
            await probe.ping()

    with socket.create_server((HOST, 0)) as silence:
        asyncio.run(ask(f"{HOST}:{silence.getsockname()[1]}"))


@pytest.mark.parametrize("timeout", [0.2, 1, 5, 120])
def test_an_outage_of_redis_is_reported_within_twice_its_time_limit(monkeypatch, timeout):
    settings, pauses = build_settings({"redis.timeout": timedelta(seconds=timeout)}), []

    async def note_pause(*_: object, seconds: float) -> None:
        pauses.append(seconds)

    monkeypatch.setattr(observation.service, "probe_server", note_pause)
    asyncio.run(observation.probe_redis(settings, Telemetry()))
    # Longest: it falls silent right after an answer; then a pause, and an attempt in vain.
    assert pauses[0] + timeout < 2 * timeout
