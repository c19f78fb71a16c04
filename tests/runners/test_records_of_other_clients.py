"""Records as other clients write them: compressed, in transactions, with names that are no text."""

import asyncio

import pytest
from aiokafka import AIOKafkaProducer

from newsdedup.adapters.kafka.client import KafkaAccess
from newsdedup.adapters.kafka.reader import open_topic
from runners.collecting import collecting
from runners.streaming import Stream

RUNNERS = pytest.mark.parametrize("runner", ["aiokafka", "faust"])
CODECS = ("gzip", "snappy", "lz4", "zstd")


@pytest.fixture
def stream(kafka, tmp_path):
    return Stream(kafka, None, tmp_path, partitions=1)


async def whole_topic(stream):
    """Return all that a reader finds in the input."""
    async with open_topic(KafkaAccess(stream.kafka.address), stream.input) as topic:
        return [record async for batch in topic.records(at_once=10) for record in batch]


@pytest.mark.parametrize("codec", CODECS)
def test_a_compressed_record_is_read(stream, codec):
    async def written_and_read():
        options = {"bootstrap_servers": stream.kafka.address, "compression_type": codec}
        async with AIOKafkaProducer(**options) as producer:
            await producer.send_and_wait(stream.input, codec.encode() * 100, partition=0)
        return await whole_topic(stream)

    (record,) = asyncio.run(written_and_read())
    assert record.value == codec.encode() * 100


async def one_transaction_aborted(stream):
    """Write three records, of which the second is in a transaction that is aborted."""
    options = {"bootstrap_servers": stream.kafka.address, "transactional_id": stream.name}
    async with AIOKafkaProducer(**options) as producer:
        for value in (b"first", b"aborted", b"last"):
            await producer.begin_transaction()
            await producer.send_and_wait(stream.input, value, partition=0)
            if value == b"aborted":
                await producer.abort_transaction()
            else:
                await producer.commit_transaction()


@RUNNERS
def test_records_of_an_aborted_transaction_are_not_judged(stream, runner):
    async def judged():
        await one_transaction_aborted(stream)
        async with collecting(stream, runner=runner) as it:
            await it.until(lambda: b"last" in it.values)
        return it.values

    assert asyncio.run(judged()) == [b"first", b"last"]


def test_records_of_an_aborted_transaction_are_not_read(stream):
    asyncio.run(one_transaction_aborted(stream))
    assert [one.value for one in asyncio.run(whole_topic(stream))] == [b"first", b"last"]


@RUNNERS
def test_records_of_a_transaction_wait_only_from_its_end_on(stream, runner):
    async def judged():
        options = {"bootstrap_servers": stream.kafka.address, "transactional_id": stream.name}
        async with (
            AIOKafkaProducer(bootstrap_servers=stream.kafka.address) as plain,
            AIOKafkaProducer(**options) as producer,
            collecting(stream, runner=runner) as it,
        ):
            await plain.send_and_wait(stream.input, b"first", partition=0)
            await producer.begin_transaction()
            await producer.send_and_wait(stream.input, b"last", partition=0)
            await it.until(lambda: b"first" in it.values)
            await it.until_lag({f"{stream.input}/0": 0})
            assert it.values == [b"first"]
            await producer.commit_transaction()
            await it.until(lambda: b"last" in it.values)

    asyncio.run(judged())
