"""A topic is read to its end, unless its broker falls silent on the way."""

import asyncio
import os
import signal

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


async def read(stream, *, before=lambda: None):
    """Return how many records a topic has; something happens before the first is asked for."""
    async with reader.open_topic(KafkaAccess(stream.kafka.address), stream.input) as whole:
        before()
        return sum([len(batch) async for batch in whole.records(at_once=2)])


def test_a_topic_is_read_to_its_end(stream):
    assert asyncio.run(read(stream)) == len(NEWS)


def test_a_broker_that_falls_silent_is_told(stream, monkeypatch):
    monkeypatch.setattr(reader, "SILENT_SECONDS", 2.0)
    broker = stream.kafka.process.pid
    try:
        with pytest.raises(Unavailable, match=r"nothing more comes|does not answer"):
            asyncio.run(read(stream, before=lambda: os.kill(broker, signal.SIGSTOP)))
    finally:
        os.kill(broker, signal.SIGCONT)
