"""Errors of Kafka while records are read: what may pass is waited for, a wrong setting is named."""

import asyncio

import pytest
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, codec
from aiokafka.coordinator.assignors.range import RangePartitionAssignor

from newsdedup.ports.errors import SettingsInvalid
from runners.collecting import collecting
from runners.streaming import Stream

RUNNERS = pytest.mark.parametrize("runner", ["aiokafka", "faust"])


@pytest.fixture
def stream(kafka, tmp_path):
    return Stream(kafka, None, tmp_path, partitions=1)


async def write_compressed(stream, *values, by):
    options = {"bootstrap_servers": stream.kafka.address, "compression_type": by}
    async with AIOKafkaProducer(**options) as producer:
        for value in values:
            await producer.send_and_wait(stream.input, value, partition=0)


@RUNNERS
def test_a_record_that_cannot_be_read_yet_is_read_once_it_can_be(stream, monkeypatch, runner):
    async def read():
        await write_compressed(stream, b"first", by="gzip")
        await write_compressed(stream, b"second", by="zstd")
        monkeypatch.setattr(codec, "cramjam", None)
        async with collecting(stream, runner=runner) as it:
            await it.until(lambda: len(it.reasons) >= 2)
            monkeypatch.undo()
            await it.until(lambda: b"second" in it.values)
        return it

    it = asyncio.run(read())
    assert it.values == [b"first", b"second"]
    assert any("zstd" in reason for reason in it.reasons)


@RUNNERS
def test_another_program_in_the_group_is_named_as_the_reason_to_wait(stream, runner):
    async def read():
        options = {"bootstrap_servers": stream.kafka.address, "group_id": stream.name}
        options |= {"partition_assignment_strategy": [RangePartitionAssignor]}
        async with (
            AIOKafkaConsumer(stream.input, **options),
            collecting(stream, runner=runner) as it,
        ):
            await it.until(lambda: any("kafka.group" in reason for reason in it.reasons))

    asyncio.run(read())


@RUNNERS
def test_a_session_that_the_broker_does_not_allow_names_the_setting(stream, runner):
    async def read():
        async with collecting(stream, runner=runner, session_seconds=3600) as it:
            await it.until(lambda: False)

    with pytest.raises(SettingsInvalid, match=r"worker.session = 3600s.*group.max.session"):
        asyncio.run(read())
