"""Partitions that Faust's consumer gets while it still looks for where former ones begin."""

import asyncio

import pytest
from aiokafka import AIOKafkaProducer

from runners.collecting import Collector, collecting
from runners.streaming import PATIENCE_SECONDS, Stream
from servers.process import LOOK_EVERY, wait_until

PARTITIONS = 2


@pytest.fixture
def stream(kafka, tmp_path):
    return Stream(kafka, None, tmp_path, partitions=PARTITIONS)


async def write_to_all(stream, value: bytes) -> None:
    async with AIOKafkaProducer(bootstrap_servers=stream.kafka.address) as producer:
        for partition in range(PARTITIONS):
            await producer.send_and_wait(stream.input, value, partition=partition)


async def both_have_one(*collectors: Collector) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        while [len(await one.loop.lag()) for one in collectors] != [1, 1]:  # noqa: ASYNC110 - no event tells of the lag
            await asyncio.sleep(LOOK_EVERY)


class SlowOnce:
    """Answers the first question for the stored positions only when it is released."""

    def __init__(self, collector: Collector) -> None:
        self.asked, self.go_on = asyncio.Event(), asyncio.Event()
        self._read = collector.read
        collector.read = self.read  # type: ignore[method-assign]

    async def read(self) -> dict[str, int]:
        if not self.asked.is_set():
            self.asked.set()
            await self.go_on.wait()
        return await self._read()


def test_a_seek_of_a_former_assignment_keeps_no_partition_of_the_next_one_from_being_committed(
    stream,
):
    async def read():
        async with collecting(stream, runner="faust") as it:
            await write_to_all(stream, b"alone")
            await it.until(lambda: it.values.count(b"alone") == PARTITIONS)
            async with collecting(stream, runner="faust") as other:
                other.positions = it.positions  # as in Redis, which both share
                await both_have_one(it, other)
                consumer = it.loop._app.seeking_consumer
                slow = SlowOnce(it)
                seeking = asyncio.ensure_future(consumer.seek_to_committed())
                await slow.asked.wait()
            await write_to_all(stream, b"alone again")
            await it.until(lambda: it.values.count(b"alone again") >= PARTITIONS)
            slow.go_on.set()
            assert await seeking == {}
            await write_to_all(stream, b"last")
            await asyncio.to_thread(
                wait_until, stream.all_committed, what="all records are committed"
            )

    asyncio.run(read())
