"""What a worker tells anyone who looks after it, while real servers come and go."""

import os
import signal
import socket

import pytest

from runners.processes import run
from runners.scraped import Probe
from runners.streaming import PATIENCE_SECONDS, Stream
from servers.ports import HOST

NEWS = {"id": "1", "source": "wire", "title": "Bridge opened", "text": "The bridge is open."}


@pytest.fixture
def stream(kafka, redis, tmp_path) -> Stream:
    return Stream(kafka, redis, tmp_path)


def test_a_worker_that_starts_before_redis_waits_for_it(stream, redis):
    probe = Probe()
    redis.stop()
    try:
        with stream.worker(runner="aiokafka", worker__port=str(probe.port)):
            away = ["starting: no partitions assigned yet", "waiting for redis"]
            probe.until("/readyz", lambda it: it.text.splitlines() == away, stream=stream)
            assert probe.ask("/livez").status == 200
            redis.start()
            probe.ready(stream)
    finally:
        if not redis.answers():
            redis.start()


def test_a_worker_is_alive_but_not_ready_while_redis_is_away_and_while_it_drains(stream, redis):
    probe = Probe()
    with stream.worker(runner="faust", worker__port=str(probe.port)) as process:
        probe.ready(stream)
        # Until it has reported its partitions to others once, it takes no batch that could wait.
        stream.produce([NEWS])
        stream.judged(1)
        redis.stop()
        try:
            stream.produce([{**NEWS, "id": "another"}])
            away = probe.until("/readyz", lambda answer: answer.status == 503, stream=stream)
            assert away.text == "waiting for redis\n"
            in_vain = 'newsdedup_retries_total{server="redis"} 0.0'
            probe.until("/metrics", lambda answer: in_vain not in answer.text, stream=stream)
            assert probe.ask("/livez") == (200, "alive\n")
            process.send_signal(signal.SIGTERM)
            draining = ["draining", "waiting for redis"]
            probe.until("/readyz", lambda it: it.text.splitlines() == draining, stream=stream)
            assert probe.ask("/livez").status == 200
        finally:
            redis.start()
        assert process.wait(PATIENCE_SECONDS) == 0, stream.logs()


def test_a_worker_that_has_waited_for_redis_is_ready_again(stream, redis):
    probe = Probe()
    with stream.worker(runner="aiokafka", worker__port=str(probe.port)):
        stream.produce([NEWS])
        stream.judged(1)
        redis.stop()
        try:
            stream.produce([NEWS | {"id": "2"}])
            probe.until("/readyz", lambda answer: answer.status == 503, stream=stream)
        finally:
            redis.start()
        stream.judged(2)
        probe.ready(stream)


def test_a_worker_without_work_notices_that_kafka_is_silent(stream, kafka):
    probe = Probe()
    with stream.worker(runner="aiokafka", worker__port=str(probe.port)):
        probe.ready(stream)
        os.kill(kafka.process.pid, signal.SIGSTOP)
        try:
            away = probe.until("/readyz", lambda answer: answer.status == 503, stream=stream)
            assert away.text == "waiting for kafka\n"
            assert probe.ask("/livez").status == 200
        finally:
            os.kill(kafka.process.pid, signal.SIGCONT)
        probe.ready(stream)


def test_a_worker_that_gets_no_partition_is_ready_to_step_in(kafka, redis, tmp_path):
    stream, first, second = Stream(kafka, redis, tmp_path, partitions=1), Probe(), Probe()
    with stream.worker(runner="faust", worker__port=str(first.port)):
        first.ready(stream)
        with stream.worker(runner="faust", worker__port=str(second.port)):
            second.ready(stream)


@pytest.mark.usefixtures("process")
def test_a_port_that_is_taken_is_reported_before_anything_begins(tmp_path):
    with socket.create_server((HOST, 0)) as taken:
        port = taken.getsockname()[1]
        done = run("worker", "--port", str(port), cwd=tmp_path)
    said = done.stderr.decode()
    assert done.returncode == 2
    assert f"worker.port {port}" in said
    assert f"{HOST}:{port}" in said
    assert "Traceback" not in said
