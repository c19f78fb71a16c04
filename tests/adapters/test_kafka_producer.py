"""What is published is waited for, though not for ever; asking twice writes nothing twice."""

import asyncio
import time

import pytest
from aiokafka.errors import KafkaError

from cli.own_topics import OwnTopics
from newsdedup.adapters.kafka import publisher as publishing
from newsdedup.adapters.kafka.client import KafkaAccess
from newsdedup.adapters.kafka.publisher import KafkaPublisher
from newsdedup.adapters.kafka.records import OutgoingRecord
from newsdedup.ports.errors import Unavailable
from runners.streaming import PATIENCE_SECONDS, Stream


def test_a_broker_that_is_away_is_reported_and_confirms_later(kafka, redis, tmp_path):
    stream = Stream(kafka, redis, tmp_path, partitions=1)
    records = [[OutgoingRecord(stream.output, None, f'{{"n":{n}}}'.encode())] for n in range(2)]

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


def test_a_topic_that_was_deleted_is_named(kafka):
    topics = OwnTopics(kafka.address)
    assert topics.command("topics", "create").exit_code == 0

    async def published() -> None:
        publisher = KafkaPublisher(topics.access, message_bytes=10_000, timeout_ms=8_000)
        records = [[OutgoingRecord(topics.output, b"k", b"{}")] for _ in range(2)]
        try:
            await confirmed(publisher, records[0])
            await asyncio.to_thread(topics.delete, topics.output)
            with pytest.raises(Unavailable, match=f"there is no topic {topics.output}"):
                await publisher.publish(records[1])
        finally:
            await publisher.close()

    asyncio.run(published())


def test_a_list_whose_writing_was_broken_off_is_written_when_it_is_asked_for_again(
    kafka, redis, tmp_path
):
    stream = Stream(kafka, redis, tmp_path, partitions=1)

    async def published() -> None:
        publisher = KafkaPublisher(KafkaAccess(kafka.address), message_bytes=10_000)
        records = [OutgoingRecord(stream.output, None, b'{"n":0}')]
        try:
            writing = asyncio.ensure_future(publisher.publish(records))
            await asyncio.sleep(0)
            writing.cancel()
            await asyncio.gather(writing, return_exceptions=True)
            records[:] = [OutgoingRecord(stream.output, None, b'{"n":1}')]
            assert await publisher.publish(records) == []
        finally:
            await publisher.close()

    asyncio.run(published())
    assert [one.value["n"] for one in stream.read(stream.output)] == [1]


def test_a_producer_that_has_died_is_replaced(kafka, redis, tmp_path):
    stream = Stream(kafka, redis, tmp_path, partitions=1)

    async def published() -> None:
        publisher = KafkaPublisher(KafkaAccess(kafka.address), message_bytes=10_000)
        records = [OutgoingRecord(stream.output, None, f'{{"n":{n}}}'.encode()) for n in range(2)]
        try:
            assert await publisher.publish(records[:1]) == []
            died = KafkaError("Unexpected error during batch delivery")
            publisher._producer._message_accumulator.fail_all(died)
            with pytest.raises(Unavailable, match="Unexpected error"):
                await publisher.publish(records[1:])
            await confirmed(publisher, records[1:])
        finally:
            await publisher.close()

    asyncio.run(published())
    assert [one.value["n"] for one in stream.read(stream.output)] == [0, 1]


def test_writes_at_the_same_time_share_one_producer(kafka, redis, tmp_path, monkeypatch):
    stream = Stream(kafka, redis, tmp_path, partitions=1)
    started = []

    class Counted(publishing.AIOKafkaProducer):
        async def start(self) -> None:
            started.append(self)
            await super().start()

    monkeypatch.setattr(publishing, "AIOKafkaProducer", Counted)

    async def published() -> None:
        writer = KafkaPublisher(KafkaAccess(kafka.address), message_bytes=10_000)
        lists = [[OutgoingRecord(stream.output, None, f'{{"n":{n}}}'.encode())] for n in range(3)]
        try:
            assert await asyncio.gather(*map(writer.publish, lists)) == [[], [], []]
        finally:
            await writer.close()

    asyncio.run(published())
    assert len(started) == 1
    assert {one.value["n"] for one in stream.read(stream.output)} == {0, 1, 2}


async def confirmed(publisher, records) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        try:
            assert await publisher.publish(records) == []
        except Unavailable:
            continue
        return
    raise AssertionError("never confirmed")
