"""Partitions that Faust's consumer gets while it still looks for where former ones begin."""

import asyncio

import pytest
from aiokafka import AIOKafkaProducer
from aiokafka.consumer.fetcher import OffsetResetStrategy

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


def test_a_partition_of_which_nothing_is_committed_is_sought_back_to_its_beginning(stream):
    async def read():
        async with collecting(stream, runner="faust") as it:
            uncommitted = asyncio.Event()

            async def wait(_: object) -> None:
                await uncommitted.wait()

            it.confirm = wait  # type: ignore[method-assign]
            await write_to_all(stream, b"read, not committed")
            await it.until(lambda: len(it.values) == PARTITIONS)
            # As Faust does when records come while partitions move: it drops these.
            assert await it.loop._app.seeking_consumer.seek_to_committed()
            await it.until(lambda: len(it.values) == 2 * PARTITIONS)
            uncommitted.set()
            await asyncio.to_thread(
                wait_until, stream.all_committed, what="all records are committed"
            )

    asyncio.run(read())


def test_the_last_records_of_a_partition_that_faust_drops_are_read_again(stream):
    async def read():
        async with collecting(stream, runner="faust") as it:
            await write_to_all(stream, b"first")
            await it.until(lambda: it.values.count(b"first") == PARTITIONS)
            app, accept = it.loop._app, it.loop._accept
            it.loop._accept = lambda message: it.loop._app is not app and accept(message)
            await write_to_all(stream, b"last")
            await it.until(lambda: it.values.count(b"last") == PARTITIONS)

    asyncio.run(read())


def test_an_app_goes_on_that_looks_for_idle_partitions_while_one_is_sought_back(stream):
    async def read():
        async with collecting(stream, runner="faust") as it:
            await write_to_all(stream, b"one")
            await it.until(lambda: len(it.values) == PARTITIONS)
            app = it.loop._app
            thread = app.seeking_consumer._thread

            async def look() -> None:
                consumer, (tp, *_) = thread._ensure_consumer(), app.seeking_consumer.assignment()
                state = consumer._subscription.subscription.assignment.state_value(tp)
                state.await_reset(OffsetResetStrategy.EARLIEST)
                app.seeking_consumer.verify_event_path(0.0, tp)

            await thread.call_thread(look)

    asyncio.run(read())
