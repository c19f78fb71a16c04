"""Records that Kafka deletes before a worker has read them."""

import asyncio

import pytest
from aiokafka import AIOKafkaProducer

from newsdedup.adapters.kafka.admin import topic_admin
from newsdedup.adapters.kafka.client import KafkaAccess
from newsdedup.adapters.kafka.reader import follow_topic
from runners.collecting import collecting
from runners.streaming import Stream

RUNNERS = pytest.mark.parametrize("runner", ["aiokafka", "faust"])


async def write(stream: Stream, count: int) -> None:
    async with AIOKafkaProducer(bootstrap_servers=stream.kafka.address) as producer:
        for number in range(count):
            await producer.send_and_wait(stream.input, str(number).encode(), partition=0)


def warned(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [one.partition(":")[0] for one in caplog.messages if one.startswith("records_deleted")]


@RUNNERS
def test_records_that_were_deleted_while_no_worker_ran_are_counted_in_the_log(
    kafka, tmp_path, runner, caplog
):
    stream = Stream(kafka, None, tmp_path, partitions=1)

    async def judged_after_a_pause() -> None:
        await write(stream, 3)
        async with collecting(stream, runner=runner) as it:
            await it.until(lambda: len(it.records) == 3)
            await it.until_lag({f"{stream.input}/0": 0})
        before = it.positions
        await write(stream, 7)
        await stream.delete({0: 8})
        async with collecting(stream, runner=runner) as it:
            it.positions |= before
            await it.until(lambda: len(it.records) == 2)
            await it.until_lag({f"{stream.input}/0": 0})

    asyncio.run(judged_after_a_pause())
    assert warned(caplog) == [f"records_deleted partition={stream.input}/0 from=3 records=5"]


@RUNNERS
def test_records_that_a_new_group_finds_deleted_and_ends_of_transactions_are_no_loss(
    kafka, tmp_path, runner, caplog
):
    stream = Stream(kafka, None, tmp_path, partitions=1)

    async def judged() -> None:
        await write(stream, 3)
        await stream.delete({0: 2})
        options = {"bootstrap_servers": kafka.address, "transactional_id": stream.name}
        async with AIOKafkaProducer(**options) as producer:
            for _ in range(2):
                async with producer.transaction():
                    await producer.send_and_wait(stream.input, b"in one", partition=0)
        async with collecting(stream, runner=runner) as it:
            await it.until(lambda: len(it.records) == 3)
            await it.until_lag({f"{stream.input}/0": 0})

    asyncio.run(judged())
    assert warned(caplog) == []


def test_records_that_were_deleted_while_no_server_read_them_are_counted_in_the_log(
    kafka, tmp_path, caplog
):
    stream = Stream(kafka, None, tmp_path, partitions=2)

    async def stored(_: str) -> dict[int, int]:
        return {0: 3, 1: 0}

    async def followed() -> None:
        await write(stream, 10)
        await stream.delete({0: 8})
        access = KafkaAccess(kafka.address)
        async with follow_topic(access, stream.input, beginning=True, stored=stored) as batches:
            # A batch is empty where nothing came for a second.
            while not (batch := await anext(batches)):
                pass
            assert [one.value for one in batch] == [b"8", b"9"]

    asyncio.run(followed())
    assert warned(caplog) == [f"records_deleted partition={stream.input}/0 from=3 records=5"]


def test_the_first_offsets_of_a_topic_are_known_to_the_doctor(kafka, tmp_path):
    stream = Stream(kafka, None, tmp_path, partitions=2)

    async def first() -> list[dict[str, int]]:
        await write(stream, 3)
        await stream.delete({0: 2})
        async with topic_admin(KafkaAccess(kafka.address)) as admin:
            return [await admin.first_offsets(name) for name in (stream.input, "none")]

    assert asyncio.run(first()) == [{f"{stream.input}/0": 2, f"{stream.input}/1": 0}, {}]
