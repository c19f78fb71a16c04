"""After Redis has lost everything the output topic restores verdicts, stories and texts."""

import asyncio
import json
import time

import pytest
from aiokafka import AIOKafkaProducer

from newsdedup.synthetic.stream import demo_stream
from runners.processes import run
from runners.streaming import Stream, ended, stories, verdicts


@pytest.fixture(scope="module")
def items() -> list[dict]:
    return [dict(planted.item) for planted in demo_stream()]


def keys(items) -> set[tuple[str, str]]:
    return {(item["source"], item["id"]) for item in items}


def judged_by(stream, items, *, runner: str = "aiokafka") -> None:
    """Let a worker judge all that was produced so far, and end."""
    with stream.worker(runner=runner) as process:
        stream.judged(len(keys(items)))
        assert ended(process) == 0, stream.logs()


def lost(stream) -> None:
    """Let Redis forget the namespace of a stream, as if it had lost everything."""
    for key in stream.redis.ask("KEYS", f"{{{stream.name}}}:*"):
        stream.redis.ask("DEL", key)


def command(stream, *words: str):
    return run(*words, cwd=stream.folder, **stream.environment())


def test_a_worker_refuses_an_empty_state_until_it_is_rebuilt_and_then_goes_on(
    kafka, redis, tmp_path, items
):
    half = len(items) // 2
    plain, disturbed = (Stream(kafka, redis, folder(tmp_path, name)) for name in ("a", "b"))
    for stream in (plain, disturbed):
        stream.produce(items[:half])
        judged_by(stream, items[:half])
    before = {one.dedup["event_id"]: one.value for one in disturbed.read(disturbed.output)}
    lost(disturbed)
    for runner in ("faust", "aiokafka"):
        with disturbed.worker(runner=runner) as process:
            assert process.wait(120) == 78, disturbed.logs()
    assert "newsdedup rebuild" in disturbed.logs()
    done = command(disturbed, "rebuild", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["records"] == len(disturbed.read(disturbed.output))
    # The rebuilt one goes on under the other runner: neither keeps anything of its own.
    for stream, runner in ((plain, "aiokafka"), (disturbed, "faust")):
        stream.produce(items)
        judged_by(stream, items, runner=runner)
    events = disturbed.read(disturbed.output)
    final = verdicts(events)
    assert stories(final) == stories(verdicts(plain.read(plain.output)))
    assert {one.dedup["event_id"]: one.value for one in events}.items() >= before.items()
    # What was judged before comes again as the same event; what is new counts as newer.
    assert {
        final[key]["revision"]["epoch"] >> 32 for key in keys(items[half:]) - keys(items[:half])
    } == {1}
    bodies: dict[str, object] = {}
    for one in events:
        assert bodies.setdefault(one.dedup["event_id"], one.value) == one.value


def folder(path, name):
    (path / name).mkdir()
    return path / name


async def published(stream, *, hours_ago: int, partition: int) -> None:
    """Let the output hold one more record of that time, which is nobody's event."""
    at_ms = int((time.time() - 3600 * hours_ago) * 1_000)
    async with AIOKafkaProducer(bootstrap_servers=stream.kafka.address) as producer:
        await producer.send_and_wait(stream.output, b"{}", partition=partition, timestamp_ms=at_ms)


def test_what_was_published_before_since_is_not_read(kafka, redis, tmp_path):
    stream = Stream(kafka, redis, tmp_path, partitions=2)
    # One partition has nothing later.
    for hours_ago, partition in ((120, 0), (120, 1), (90, 0), (0, 0)):
        asyncio.run(published(stream, hours_ago=hours_ago, partition=partition))
    done = command(stream, "rebuild", "--since", "4d", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {"records": 2, "foreign": 2}


def test_a_state_that_is_not_empty_is_not_rebuilt(kafka, redis, tmp_path, items):
    stream = Stream(kafka, redis, tmp_path)
    stream.produce(items[:8])
    judged_by(stream, items[:8])
    done = command(stream, "rebuild")
    assert done.returncode == 78
    assert b"is not empty" in done.stderr
