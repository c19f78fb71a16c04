"""Batches between reading and acknowledgement: joined while one is in hand, bounded, in order."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

import pytest

from newsdedup.adapters.kafka.records import ReceivedRecord
from newsdedup.engine.arrivals import Arrival
from newsdedup.ports.telemetry import Telemetry, no_failpoint
from newsdedup.runners.worker.in_flight import BatchesInFlight, CommitGivenUp
from newsdedup.runners.worker.worker import Prepared

FULL = 8


class Worker:
    """A processor whose batches finish, and whose offsets are committed, when a test says so."""

    def __init__(self) -> None:
        self.telemetry = Telemetry()
        self.fail: Callable[[str], None] = no_failpoint
        self.finished: list[list[int]] = []
        self.committed: list[int] = []
        self.may_finish = asyncio.Semaphore(0)
        self.may_commit = asyncio.Event()
        self.commit_error: Exception | None = None

    def decode(self, record: ReceivedRecord) -> Arrival[ReceivedRecord]:
        return Arrival(record)

    async def prepare(self, batch: list[Arrival[ReceivedRecord]]) -> Prepared:
        return Prepared(batch)

    async def finish(self, prepared: Prepared) -> None:
        await self.may_finish.acquire()
        self.finished.append(offsets(prepared.records))

    async def confirm(self, finished: Sequence[Prepared]) -> None:
        pass

    async def waited(self, _: str, attempt: Callable[[], Awaitable[object]]) -> object:
        return await attempt()

    async def commit(self, batch: Sequence[ReceivedRecord]) -> None:
        await self.may_commit.wait()
        if self.commit_error is not None:
            raise self.commit_error
        self.committed += offsets(batch)


def offsets(batch: Sequence[ReceivedRecord]) -> list[int]:
    return [record.offset for record in batch]


def records(*numbers: int) -> list[Arrival[ReceivedRecord]]:
    return [Arrival(ReceivedRecord("raw", 0, number, None, b"")) for number in numbers]


def in_flight_of(worker: Worker, stopping: asyncio.Event | None = None) -> BatchesInFlight:
    return BatchesInFlight(
        worker,
        worker.commit,
        batch=FULL,
        linger_seconds=0.0,
        stopping=stopping or asyncio.Event(),
    )


async def drained() -> None:
    """Return when every task has gone as far as it can without another event."""
    for _ in range(20):
        await asyncio.sleep(0)


async def waiting_reader(in_flight: BatchesInFlight) -> asyncio.Future[None]:
    """Return a reader that adds a full batch while one is in hand."""
    await in_flight.add(records(0))
    await drained()
    reader = asyncio.ensure_future(in_flight.add(records(*range(1, FULL + 1))))
    await drained()
    return reader


def test_an_idle_worker_takes_a_record_at_once_and_a_busy_one_all_that_came_meanwhile():
    async def play() -> None:
        worker = Worker()
        worker.may_commit.set()
        in_flight = in_flight_of(worker)
        await in_flight.add(records(0))
        await drained()
        await in_flight.add(records(1))
        await in_flight.add(records(2, 3))
        worker.may_finish.release()
        worker.may_finish.release()
        await in_flight.drain()
        assert worker.finished == [[0], [1, 2, 3]]
        assert worker.committed == [0, 1, 2, 3]

    asyncio.run(play())


def test_a_reader_waits_while_a_full_batch_waits():
    async def play() -> None:
        worker = Worker()
        worker.may_commit.set()
        in_flight = in_flight_of(worker)
        reader = await waiting_reader(in_flight)
        assert not reader.done()
        worker.may_finish.release()
        await reader
        await in_flight.cancel()

    asyncio.run(play())


def test_no_more_than_a_full_batch_is_finished_or_in_hand_without_being_acknowledged():
    async def play() -> None:
        worker = Worker()
        in_flight = in_flight_of(worker)
        for _ in range(3):
            worker.may_finish.release()
        await in_flight.add(records(0, 1, 2))
        await drained()
        await in_flight.add(records(3, 4, 5))
        await drained()
        await in_flight.add(records(6, 7, 8))
        await drained()
        assert worker.finished == [[0, 1, 2], [3, 4, 5]]
        worker.may_commit.set()
        await in_flight.drain()
        assert worker.finished == [[0, 1, 2], [3, 4, 5], [6, 7, 8]]
        assert worker.committed == list(range(9))

    asyncio.run(play())


def test_a_failed_acknowledgement_is_raised_although_no_further_batch_comes():
    async def play() -> None:
        worker = Worker()
        worker.commit_error = RuntimeError("no")
        in_flight = in_flight_of(worker)
        worker.may_finish.release()
        await in_flight.add(records(0))
        worker.may_commit.set()
        with pytest.raises(RuntimeError, match="no"):
            await in_flight.failure
        assert worker.committed == []
        await in_flight.cancel()

    asyncio.run(play())


def test_a_reader_that_waits_learns_of_a_failure():
    async def play() -> None:
        worker = Worker()
        in_flight = in_flight_of(worker)
        reader = await waiting_reader(in_flight)
        in_flight.fail(RuntimeError("no"))
        worker.may_finish.release()
        with pytest.raises(RuntimeError, match="no"):
            await reader
        await in_flight.cancel()

    asyncio.run(play())


def test_a_stopping_worker_whose_offsets_are_given_up_drops_the_batch_in_hand():
    async def play() -> None:
        worker = Worker()
        worker.commit_error = CommitGivenUp("kafka: the broker does not answer")
        stopping = asyncio.Event()
        in_flight = in_flight_of(worker, stopping)
        worker.may_finish.release()
        await in_flight.add(records(0))
        await drained()
        await in_flight.add(records(1))
        await drained()
        stopping.set()
        worker.may_commit.set()
        await in_flight.drain()
        await in_flight.cancel()
        assert worker.finished == [[0]]
        assert worker.committed == []

    asyncio.run(play())


def test_a_batch_that_is_prepared_while_those_before_it_are_taken_is_not_lost():
    class SlowlyPreparing(Worker):
        async def prepare(self, batch: list[Arrival[ReceivedRecord]]) -> Prepared:
            await drained()
            return await super().prepare(batch)

    async def play() -> None:
        worker = SlowlyPreparing()
        worker.may_commit.set()
        in_flight = in_flight_of(worker)
        await in_flight.add(records(0))
        await in_flight.add(records(1))
        reader = asyncio.ensure_future(in_flight.add(records(2)))
        await asyncio.sleep(0)
        for _ in range(3):
            worker.may_finish.release()
        await reader
        await in_flight.drain()
        assert worker.finished == [[0], [1], [2]]

    asyncio.run(play())
