"""A topic is read to its end, unless its broker falls silent on the way."""

import asyncio
import json
import os
import signal
from functools import partial

import pytest

from newsdedup.adapters.kafka import reader
from newsdedup.adapters.kafka.client import KafkaAccess
from newsdedup.ports.errors import Unavailable
from runners.streaming import Stream

NEWS = [{"id": str(number), "source": "wire", "title": "Bridge opened"} for number in range(3)]


@pytest.fixture
def stream(kafka, redis, tmp_path):
    stream = Stream(kafka, redis, tmp_path, partitions=2)
    stream.produce(NEWS)
    return stream


follow_from_beginning = partial(reader.follow_topic, beginning=True)


async def read(stream):
    """Return how many records a topic has."""
    async with reader.open_topic(KafkaAccess(stream.kafka.address), stream.input) as whole:
        return sum([len(batch) async for batch in whole.records(at_once=2)])


def test_a_topic_is_read_to_its_end(stream):
    assert asyncio.run(read(stream)) == len(NEWS)


@pytest.mark.parametrize("opening", [reader.open_topic, follow_from_beginning])
def test_a_broker_that_falls_silent_while_a_topic_is_opened_is_reported(
    stream, monkeypatch, opening
):
    broker = stream.kafka.process.pid

    class FallingSilent(reader.AIOKafkaConsumer):
        def assign(self, partitions):
            silence(broker)
            super().assign(partitions)

    async def open_within(seconds):
        async with (
            asyncio.timeout(seconds),
            opening(KafkaAccess(stream.kafka.address), stream.input),
        ):
            pass

    monkeypatch.setattr(reader, "AIOKafkaConsumer", FallingSilent)
    monkeypatch.setattr(reader, "SILENT_SECONDS", 2.0)
    try:
        with pytest.raises(Unavailable, match="does not answer"):
            asyncio.run(open_within(20))
    finally:
        os.kill(broker, signal.SIGCONT)


@pytest.mark.parametrize("beginning", [True, False])
def test_partitions_that_a_followed_topic_gets_later_are_read_whole(stream, monkeypatch, beginning):
    monkeypatch.setattr(reader, "METADATA_AGE_MS", 100)
    access = KafkaAccess(stream.kafka.address)
    later = [{"id": f"later-{number}", "source": "wire", "title": "Bridge"} for number in range(9)]

    async def grow_while_followed():
        async with (
            asyncio.timeout(30),
            reader.follow_topic(access, stream.input, beginning=beginning) as batches,
        ):
            await asyncio.to_thread(stream.produce, later[:3], partition=0)
            seen = await ids(batches, until="later-2")
            await asyncio.to_thread(stream.add_partition)
            await asyncio.to_thread(stream.produce, later[3:6], partition=2)
            seen += await ids(batches, until="later-5")
            await asyncio.to_thread(stream.produce, later[6:], partition=0)
            return seen + await ids(batches, until="later-8")

    read_once = sorted(one["id"] for one in (later + NEWS if beginning else later))
    assert sorted(asyncio.run(grow_while_followed())) == read_once


async def ids(batches, *, until):
    """Return the ids of what is followed, up to the batch with the last one."""
    seen = []
    while until not in seen:
        seen += [json.loads(one.value)["id"] for one in await anext(batches)]
    return seen


def test_a_broker_that_falls_silent_is_reported(stream, monkeypatch):
    broker = stream.kafka.process.pid

    class FallingSilent(reader.AIOKafkaConsumer):
        def assign(self, partitions):
            super().assign(partitions)
            # Else all records may be fetched in the background before the broker is silent.
            self.pause(*partitions)

        async def getmany(self, **limits):
            if self.paused():
                silence(broker)
                self.resume(*self.paused())
            return await super().getmany(**limits)

    monkeypatch.setattr(reader, "AIOKafkaConsumer", FallingSilent)
    monkeypatch.setattr(reader, "SILENT_SECONDS", 2.0)
    try:
        with pytest.raises(Unavailable, match="nothing more comes"):
            asyncio.run(read(stream))
    finally:
        os.kill(broker, signal.SIGCONT)


def silence(broker):
    """Stop a broker's process; it may answer until all of its threads have stopped."""
    os.kill(broker, signal.SIGSTOP)
    os.waitpid(broker, os.WUNTRACED)
