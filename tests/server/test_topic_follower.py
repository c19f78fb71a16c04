"""An archive that follows a topic, through outages of Kafka."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path

import pytest

from archive.event_stream import search_words
from newsdedup.archive.writer import ArchiveWriter
from newsdedup.ports.errors import Unavailable
from newsdedup.server import topic_follower
from newsdedup.server.topic_follower import StoredOffsets, TopicBatch, TopicFollower


class FlappingTopic:
    """A topic whose broker is away twice for the same reason, twice each time."""

    def __init__(self) -> None:
        self.opened = 0
        self.over = asyncio.Event()

    @asynccontextmanager
    async def open(self, _: StoredOffsets) -> AsyncIterator[AsyncIterator[TopicBatch]]:
        self.opened += 1
        if self.opened == 5:
            self.over.set()
        if self.opened != 3:
            raise Unavailable("kafka: away")
        yield self.batches()

    async def batches(self) -> AsyncIterator[TopicBatch]:
        yield TopicBatch([], {})
        raise Unavailable("kafka: away")


def test_each_outage_of_kafka_is_logged_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(topic_follower, "_AGAIN_SECONDS", 0)

    async def follow() -> None:
        topic = FlappingTopic()
        follower = TopicFollower(partial(ArchiveWriter, tmp_path / "a", search_words()), "events")
        await follower.begin()
        following = asyncio.create_task(follower.run(topic.open))
        async with asyncio.timeout(30):
            await topic.over.wait()
        following.cancel()
        with suppress(asyncio.CancelledError):
            await following
        await follower.close()

    asyncio.run(follow())
    waits = [one for one in caplog.messages if one.startswith("waiting")]
    assert waits == ["waiting server=kafka reason=kafka: away"] * 2


def test_offsets_of_an_earlier_release_count_until_the_topic_is_made_anew(tmp_path: Path) -> None:
    stored = [("kafka:events/0", "7"), ("kafka:events/1", "5"), ("kafka:others/0", "3")]

    def open_writer() -> ArchiveWriter:
        writer = ArchiveWriter(tmp_path / "a", search_words())
        writer.apply([], stored)
        return writer

    async def offsets() -> list[dict[int, int]]:
        follower = TopicFollower(open_writer, "events")
        await follower.begin()
        found = [await follower._stored("first")]
        await follower._in_thread(partial(follower._apply, TopicBatch([], {0: 9})))
        found += [await follower._stored("first"), await follower._stored("second")]
        await follower.close()
        return found

    assert asyncio.run(offsets()) == [{0: 7, 1: 5}, {0: 9, 1: 5}, {}]
