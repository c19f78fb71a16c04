"""Workers that join and leave while items come, all of them twice, change nothing."""

import pytest

from newsdedup.synthetic.stream import demo_stream
from runners.outcome import outcome, undisturbed
from runners.streaming import Stream, ended
from servers.process import wait_until

RUNNERS = ("aiokafka", "faust", "aiokafka")
ASSIGNED = "Setting newly assigned partitions {TopicPartition("


@pytest.fixture(scope="module")
def items() -> list[dict]:
    return [dict(planted.item) for planted in demo_stream()]


@pytest.fixture(scope="module")
def expected(items, tmp_path_factory):
    return undisturbed(items, tmp_path_factory.mktemp("undisturbed"))


@pytest.fixture
def stream(kafka, redis, tmp_path) -> Stream:
    return Stream(kafka, redis, tmp_path)


def test_workers_may_join_and_leave_in_mid_stream(stream, items, expected):
    half = len(items) // 2
    stream.produce(items[:half])
    first, second, third = (stream.worker(runner=name, worker__batch="8") for name in RUNNERS)
    with first as leaving, second as staying, third as joining:
        wait_until(lambda: at_work(stream) == 3, what="all three have partitions")
        stream.produce([item for item in items for _ in range(2)])
        stream.until(lambda events: len(events) > half)
        assert ended(leaving) == 0, stream.logs()
        wanted = set(expected.versions)
        stream.until(lambda events: wanted <= versions(events))
        joining.kill()
        stream.adopted()
        assert ended(staying) == 0, stream.logs()
    found = outcome(stream.read(stream.output), expected)
    assert found.sound, (found, stream.logs())
    assert found.redelivered > 0


@pytest.mark.parametrize("runner", ["aiokafka", "faust"])
def test_partitions_that_a_topic_gets_later_are_read(stream, runner):
    first, second = ({"source": "wire", "id": n, "title": f"Bridge {n} opened"} for n in "12")
    with stream.worker(runner=runner) as process:
        stream.produce([first])
        stream.judged(1)
        stream.add_partition()
        stream.produce([second], partition=stream.partitions - 1)
        stream.judged(2)
        assert ended(process) == 0, stream.logs()


def at_work(stream: Stream) -> int:
    """Return how many workers have got partitions."""
    return sum(ASSIGNED in path.read_text("utf-8") for path in stream.folder.glob("*.log"))


def versions(events) -> set[tuple[str, str, str]]:
    said = [one.dedup for one in events if one.dedup["event"] == "item.judged"]
    return {(one["item"]["source"], one["item"]["id"], one["version"]) for one in said}
