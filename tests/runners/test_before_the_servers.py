"""A worker stopped before it works: while it loads its settings or waits for its servers."""

import os
import signal
from pathlib import Path

import pytest

from newsdedup.synthetic.stream import generate_stream
from runners.processes import started
from runners.streaming import PATIENCE_SECONDS, Stream, ended
from servers.ports import HOST, free_ports
from servers.process import wait_until

pytestmark = pytest.mark.usefixtures("kafka_program", "redis_program")


@pytest.mark.parametrize(
    ("server", "runner"),
    [("redis__url", "aiokafka"), ("kafka__servers", "aiokafka"), ("kafka__servers", "faust")],
)
def test_a_worker_without_a_server_waits_and_stops_in_order(kafka, redis, tmp_path, server, runner):
    stream = Stream(kafka, redis, tmp_path)
    nobody = f"{HOST}:{free_ports(1)[0]}"
    address = f"redis://{nobody}/0" if server == "redis__url" else nobody
    with stream.worker(runner=runner, **{server: address}) as process:
        wait_until(lambda: "waiting server=" in stream.logs(), what="it waits")
        assert process.poll() is None
        assert ended(process) == 0, stream.logs()
    # It had nothing at hand that could have been waited for.
    assert "not_drained" not in stream.logs()


def test_a_worker_whose_redis_answers_and_takes_no_writes_yet_waits_to_open_its_namespace(
    kafka, redis, tmp_path
):
    stream = Stream(kafka, redis, tmp_path)
    items = [dict(planted.item) for planted in generate_stream(8)]
    stream.produce(items)
    redis.ask("CONFIG", "SET", "maxmemory", 1)
    try:
        with stream.worker() as process:
            wait_until(
                lambda: (
                    "HSETNX: its memory is full" in stream.logs()
                    or "FUNCTION LOAD: its memory is full" in stream.logs()
                ),
                what="it waits",
            )
            assert process.poll() is None, stream.logs()
            redis.ask("CONFIG", "SET", "maxmemory", 0)
            stream.judged(len({(item["source"], item["id"]) for item in items}))
            assert ended(process) == 0, stream.logs()
    finally:
        redis.ask("CONFIG", "SET", "maxmemory", 0)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_worker_stopped_while_it_loads_its_settings_ends_in_order(tmp_path, number):
    settings = tmp_path / "newsdedup.toml"
    os.mkfifo(settings)
    with started("worker", "--config", settings, cwd=tmp_path) as process:
        writers: list[int] = []
        wait_until(lambda: opened(settings, writers), what="the worker reads its settings")
        process.send_signal(number)
        output, errors = process.communicate(timeout=PATIENCE_SECONDS)
    os.close(writers[0])
    assert (process.returncode, output, errors) == (0, b"", b"")


def opened(pipe: Path, writers: list[int]) -> bool:
    """Open a named pipe for writing, so that its reader waits; False as long as it has none."""
    try:
        writers.append(os.open(pipe, os.O_WRONLY | os.O_NONBLOCK))
    except OSError:
        return False
    return True
