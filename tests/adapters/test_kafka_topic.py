"""A topic is read to its end, unless its broker falls silent on the way."""

import asyncio
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


async def read(stream, *, before=lambda: None):
    """Return how many records a topic has; something happens before the first is asked for."""
    async with reader.open_topic(KafkaAccess(stream.kafka.address), stream.input) as whole:
        before()
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
            os.kill(broker, signal.SIGSTOP)
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


def test_a_broker_that_falls_silent_is_told(stream, monkeypatch):
    monkeypatch.setattr(reader, "SILENT_SECONDS", 2.0)
    broker = stream.kafka.process.pid
    try:
        with pytest.raises(Unavailable, match=r"nothing more comes|does not answer"):
            asyncio.run(read(stream, before=lambda: os.kill(broker, signal.SIGSTOP)))
    finally:
        os.kill(broker, signal.SIGCONT)
