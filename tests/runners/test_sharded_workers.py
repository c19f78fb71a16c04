"""Workers on a namespace with shards, on a real Kafka and a real cluster of three masters."""

import asyncio
import json
import signal

import pytest

from newsdedup.bootstrap.workers import namespace_session
from newsdedup.config import read_settings
from newsdedup.ports.errors import StateUnusable
from newsdedup.synthetic.stream import demo_stream
from runners.outcome import first_verdicts, undisturbed
from runners.processes import run
from runners.streaming import Stream, ended, stories, verdicts

ITEMS = 200
SHARDS = {"redis__cluster": "true", "redis__shards": "3"}


@pytest.fixture(scope="module")
def items() -> list[dict]:
    return [dict(planted.item) for planted in demo_stream()][:ITEMS]


@pytest.fixture
def stream(kafka, redis_cluster, tmp_path) -> Stream:
    return Stream(kafka, redis_cluster, tmp_path)


def run_until(stream, enough):
    """Run a worker until it has published enough; return all events of the output."""
    with stream.worker(**SHARDS) as process:
        stream.until(enough)
        assert ended(process) == 0, stream.logs()
    return stream.read(stream.output)


def test_a_killed_worker_and_a_lost_home_change_no_story(stream, redis_cluster, items, tmp_path):
    expected = undisturbed(items, tmp_path)
    stream.produce(items)
    with stream.worker(failpoint="after_index:2", **SHARDS) as process:
        assert process.wait(120) == -signal.SIGKILL, stream.logs()
    # Each version, not each item: the last record of a partition is an edit.
    events = run_until(stream, lambda events: expected.versions <= set(first_verdicts(events)))
    assert stories(verdicts(events)) == expected.stories
    bodies = {}
    for one in events:
        assert bodies.setdefault(one.dedup["event_id"], one.value) == one.value
    for node in redis_cluster.masters():
        for key in node.ask("KEYS", f"{{{stream.name}}}:*"):
            node.ask("DEL", key)
    done = run("rebuild", "--json", cwd=tmp_path, **stream.environment(**SHARDS))
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["records"] == len(events)
    stream.produce(items)
    again = run_until(stream, lambda found: len(found) >= len(events) + len(items))
    assert stories(verdicts(again)) == expected.stories
    assert {one.dedup["event_id"]: one.value for one in again}.items() >= bodies.items()


def test_a_namespace_with_another_number_of_shards_is_refused(redis_cluster):
    def opening(shards):
        chosen = {"redis.url": redis_cluster.url, "redis.namespace": "refused"}
        chosen |= {"redis.cluster": "true", "redis.shards": str(shards)}
        return opened(read_settings(chosen, {}, None).settings)

    assert asyncio.run(opening(3)).shards == 3
    assert asyncio.run(opening(3)) == asyncio.run(opening(3))
    for other in (1, 2):
        with pytest.raises(StateUnusable, match="3 shards"):
            asyncio.run(opening(other))


async def opened(settings):
    async with namespace_session(settings) as found:
        return found.keys
