"""Records as other clients write them: compressed, in transactions, with names that are no text."""

import asyncio
import gzip
import struct

import pytest
from aiokafka import AIOKafkaProducer
from aiokafka.record.util import calc_crc32c

from newsdedup.adapters.kafka.client import KafkaAccess
from newsdedup.adapters.kafka.reader import open_topic
from newsdedup.adapters.kafka.records import UNPACKED_BYTES, UNREAD_HEADER, RecordDecoder
from newsdedup.ports.errors import InvalidItem
from runners.collecting import collecting
from runners.streaming import Stream

RUNNERS = pytest.mark.parametrize("runner", ["aiokafka", "faust"])
HEADER_BYTES = 61
"""The head of a batch, before its records."""
CRC_BYTES = 21
"""What of it the checksum does not cover; the checksum is at its end, the codec behind it."""
CODECS = ("gzip", "snappy", "lz4", "zstd")


@pytest.fixture
def stream(kafka, tmp_path):
    return Stream(kafka, None, tmp_path, partitions=1)


async def whole_topic(stream):
    """Return all that a reader finds in the input."""
    async with open_topic(KafkaAccess(stream.kafka.address), stream.input) as topic:
        return [record async for batch in topic.records(at_once=10) for record in batch]


async def judged_records(stream, writing, *, runner):
    """Return what a worker judges of what is written, up to the value `last`."""
    await writing
    async with collecting(stream, runner=runner) as it:
        await it.until(lambda: b"last" in it.values)
    return it.records


@pytest.mark.parametrize("codec", CODECS)
def test_a_compressed_record_is_read(stream, codec):
    async def written_and_read():
        options = {"bootstrap_servers": stream.kafka.address, "compression_type": codec}
        async with AIOKafkaProducer(**options) as producer:
            await producer.send_and_wait(stream.input, codec.encode() * 100, partition=0)
        return await whole_topic(stream)

    (record,) = asyncio.run(written_and_read())
    assert record.value == codec.encode() * 100


async def write_bomb(stream, codec):
    """Write a record, a batch of two that is much longer unpacked than packed, and a record."""
    options = {
        "bootstrap_servers": stream.kafka.address,
        "compression_type": codec,
        "max_request_size": 2 * UNPACKED_BYTES,
        "max_batch_size": 2 * UNPACKED_BYTES,
    }
    async with AIOKafkaProducer(**options) as producer:
        await producer.send_and_wait(stream.input, b"first", partition=0)
        batch = producer.create_batch()
        for value in (b"second", b" " * UNPACKED_BYTES):
            batch.append(key=None, value=value, timestamp=None)
        await (await producer.send_batch(batch, stream.input, partition=0))
        await producer.send_and_wait(stream.input, b"last", partition=0)


@pytest.mark.parametrize("codec", ["gzip", "lz4", "zstd"])
def test_a_batch_that_is_too_large_unpacked_is_one_record_that_is_refused(stream, codec):
    asyncio.run(write_bomb(stream, codec))
    first, unread, last = asyncio.run(whole_topic(stream))
    assert [first.value, last.value] == [b"first", b"last"]
    assert [first.offset, unread.offset, last.offset] == [0, 2, 3]
    assert len(unread.value) < UNPACKED_BYTES // 100
    with pytest.raises(InvalidItem, match="records of a compressed batch") as refused:
        RecordDecoder().decode(unread)
    assert refused.value.code == "too_long"


@RUNNERS
def test_a_worker_goes_on_behind_a_batch_that_is_too_large_unpacked(stream, runner):
    records = asyncio.run(judged_records(stream, write_bomb(stream, "zstd"), runner=runner))
    assert [one.offset for one in records] == [0, 2, 3]
    assert records[1].header(UNREAD_HEADER) is not None


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
    writing = one_transaction_aborted(stream)
    records = asyncio.run(judged_records(stream, writing, runner=runner))
    assert [one.value for one in records] == [b"first", b"last"]


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


class StrangeBatch:
    """A builder of a batch of records in which each name `??` is two bytes that are no UTF-8."""

    def __init__(self, builder, *, gzipped=False):
        self._builder = builder
        self._gzipped = gzipped

    def __getattr__(self, name):
        return getattr(self._builder, name)

    def build(self):
        built = self._builder.build()
        header, records = built[:HEADER_BYTES], built[HEADER_BYTES:].replace(b"??", b"\xff\xfe")
        if self._gzipped:
            records = gzip.compress(records)
            struct.pack_into(">h", header, CRC_BYTES, 1)
        struct.pack_into(">i", header, 8, HEADER_BYTES - 12 + len(records))
        built = header + records
        struct.pack_into(">I", built, CRC_BYTES - 4, calc_crc32c(bytes(built[CRC_BYTES:])))
        return built


async def write_strange_name(stream, **options):
    """Write four records in one batch, of which the second has a header with a strange name."""
    async with AIOKafkaProducer(bootstrap_servers=stream.kafka.address) as producer:
        batch = producer.create_batch()
        batch._builder = StrangeBatch(batch._builder, **options)
        for value in (b"first", b"second", b"third"):
            headers = [("??", b"\xff"), ("own", b"1")] if value == b"second" else []
            batch.append(key=None, value=value, timestamp=None, headers=headers)
        await (await producer.send_batch(batch, stream.input, partition=0))
        await producer.send_and_wait(stream.input, b"last", partition=0)


STRANGE = [(b"first", ()), (b"second", (("\\xff\\xfe", b"\xff"), ("own", b"1")))]
STRANGE += [(b"third", ()), (b"last", ())]


@RUNNERS
def test_a_record_with_a_header_name_that_is_no_text_is_judged(stream, runner):
    records = asyncio.run(judged_records(stream, write_strange_name(stream), runner=runner))
    assert [(one.value, one.headers) for one in records] == STRANGE


@pytest.mark.parametrize("gzipped", [False, True])
def test_a_record_with_a_header_name_that_is_no_text_is_read(stream, gzipped):
    asyncio.run(write_strange_name(stream, gzipped=gzipped))
    records = asyncio.run(whole_topic(stream))
    assert [(one.value, one.headers) for one in records] == STRANGE
    assert [one.offset for one in records] == [0, 1, 2, 3]
