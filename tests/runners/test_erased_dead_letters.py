"""A withdrawal takes the dead letters of its item away: from readers and from the topic."""

import asyncio
import json
from typing import Any

import pytest

from newsdedup.adapters.kafka.admin import TopicSpec, topic_admin
from newsdedup.adapters.kafka.client import KafkaAccess
from runners.processes import run
from runners.streaming import Event, Stream, ended
from servers.process import wait_until

SOON = {
    "cleanup.policy": "compact,delete",
    "segment.ms": "100",
    "max.compaction.lag.ms": "100",
    "min.cleanable.dirty.ratio": "0.01",
    "delete.retention.ms": "0",
}
PERSON = "Anna Example of Marstad"
NAMED = {"source": "a", "id": "1", "title": PERSON, "text": 7}
OTHER = {"source": "b", "id": "1", "title": "Storm closes harbour", "text": 7}
WITHDRAWN = {"newsdedup": "retract", "source": "a", "id": "1"}
THIRD = {"source": "c", "id": "1", "title": "School strike ends", "text": 7}
NOISE = b"{no item"


@pytest.fixture
def stream(kafka, redis, tmp_path) -> Stream:
    made = Stream(kafka, redis, tmp_path, partitions=1)
    made.dead = f"{made.name}.dead_letters"
    asyncio.run(create(kafka.address, TopicSpec(made.dead, 1, 1, SOON)))
    return made


async def create(address: str, wanted: TopicSpec) -> None:
    async with topic_admin(KafkaAccess(address)) as there:
        assert await there.create([wanted]) == [wanted.name]


def dlq(stream: Stream, *words: str) -> dict[str, Any]:
    """Return what a command about the dead letters tells as JSON."""
    done = run("dlq", *words, "--json", cwd=stream.folder, **stream.environment())
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_withdrawal_erases_the_dead_letters_of_its_item(stream):
    stream.produce([NAMED, OTHER, NOISE])
    with stream.worker() as process:
        stream.until(lambda dead_letters: len(dead_letters) >= 3, topic=stream.dead)
        stream.produce([NAMED, WITHDRAWN, THIRD])
        stream.until(lambda dead_letters: any(map(is_last, dead_letters)), topic=stream.dead)
        listed = dlq(stream, "ls", f"topic:{stream.dead}")["dead_letters"]
        assert sorted(one["offset"] for one in listed) == [1, 2, 5]
        wait_until(lambda: is_forgotten(stream), what="the topic has forgotten the dead letters")
        assert ended(process) == 0, stream.logs()


def test_dead_letters_of_a_withdrawn_item_are_not_fed_again(stream):
    stream.produce([NAMED, OTHER, WITHDRAWN, THIRD])
    with stream.worker() as process:
        stream.until(lambda dead_letters: any(map(is_last, dead_letters)), topic=stream.dead)
        assert ended(process) == 0, stream.logs()
    assert dlq(stream, "replay", f"topic:{stream.dead}")["replayed"] == 2
    fed = stream.read(stream.input)[4:]
    assert [one.value["source"] for one in fed] == ["b", "c"]


def is_last(dead_letter: Event) -> bool:
    return THIRD["title"] in str(dead_letter.value)


def is_forgotten(stream: Stream) -> bool:
    """Return whether the topic holds nothing of a person; its newest part is never compacted."""
    stream.produce([NOISE])
    return not any(PERSON in str(one.value) for one in stream.read(stream.dead))
