"""What is published is waited for, though not for ever; asking twice writes nothing twice."""

import asyncio
import time

import pytest

from newsdedup.adapters.kafka_client import KafkaAccess
from newsdedup.adapters.kafka_producer import KafkaPublisher
from newsdedup.adapters.kafka_records import Outgoing
from newsdedup.ports import Unavailable
from runners.streaming import PATIENCE_SECONDS, Stream


def test_a_broker_that_is_away_is_told_and_confirms_later(kafka, redis, tmp_path):
    stream = Stream(kafka, redis, tmp_path, partitions=1)
    records = [[Outgoing(stream.output, None, f'{{"n":{n}}}'.encode())] for n in range(2)]

    async def published() -> None:
        publisher = KafkaPublisher(
            KafkaAccess(kafka.address), message_bytes=10_000, timeout_ms=30_000
        )
        publisher._timeout_ms = 1_000  # how long is waited; what the client waits stays
        try:
            await confirmed(publisher, records[0])
            kafka.kill()
            with pytest.raises(Unavailable):
                await publisher.publish(records[1])
            await asyncio.to_thread(kafka.start)
            await confirmed(publisher, records[1])
        finally:
            await publisher.close()

    asyncio.run(published())
    assert [one.value["n"] for one in stream.read(stream.output)] == [0, 1]


async def confirmed(publisher, records) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        try:
            assert await publisher.publish(records) == []
        except Unavailable:
            continue
        return
    raise AssertionError("never confirmed")
