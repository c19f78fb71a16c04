"""One worker over a full input topic, in a process of its own, timed from first to last batch."""

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection
from threading import Thread
from time import perf_counter
from typing import Final, Literal, TypeVar

from newsdedup.adapters.kafka.publisher import KafkaPublisher
from newsdedup.adapters.kafka.records import OutgoingRecord, ReceivedRecord
from newsdedup.bootstrap.workers import (
    kafka_access,
    make_loop,
    make_runner,
    make_worker,
    namespace_session,
)
from newsdedup.config import Settings
from newsdedup.engine.arrivals import Arrival
from newsdedup.engine.collector import freeze_survivors
from newsdedup.ports.errors import Unavailable
from newsdedup.ports.telemetry import BatchReport, Telemetry, no_failpoint
from newsdedup.runners.worker.service import Loop
from newsdedup.runners.worker.worker import BatchProcessor, Prepared

_T = TypeVar("_T")
WorkerKind = Literal["whole", "empty"]
_TIMEOUT_SECONDS = 900
WORKER_ENDED: Final = "a measured worker has ended; its error stands above"


@dataclass(frozen=True, slots=True)
class WorkerRates:
    """Records per second of a worker, and of its analysis alone."""

    rate: float
    analysis: float = 0.0


class RecordCounter(Telemetry):
    """Telemetry that counts records and sets `done` when all are processed.

    `rate` is then the records per second after the first batch; if that batch had all records,
    those since the counter was made.
    """

    def __init__(self, all_records: int) -> None:
        self.done = asyncio.Event()
        self._left = all_records
        self._from = perf_counter(), all_records
        self._begun = False
        self.rate = 0.0

    def batch(self, report: BatchReport) -> None:
        """Count the records of a finished batch; after the last one set `rate` and `done`.

        The first batch only starts the clock, unless it has all records.
        """
        now = perf_counter()
        self._left -= report.records
        if self._left <= 0:
            began, records = self._from
            self.rate = records / (now - began)
            self.done.set()
        elif not self._begun:
            self._begun, self._from = True, (now, self._left)


class PassThrough:
    """A processor that publishes each record unchanged, to measure the runner itself."""

    def __init__(self, publisher: KafkaPublisher, *, topic: str, telemetry: Telemetry) -> None:
        self.telemetry: Telemetry = telemetry
        self.fail: Callable[[str], None] = no_failpoint
        self._publisher = publisher
        self._topic = topic

    def decode(self, record: ReceivedRecord) -> Arrival[ReceivedRecord]:
        """Wrap a record without looking at it."""
        return Arrival(record)

    async def prepare(self, batch: list[Arrival[ReceivedRecord]]) -> Prepared:
        """Wrap a batch without looking at it."""
        return Prepared(batch)

    async def finish(self, prepared: Prepared) -> None:
        """Publish the records of a batch unchanged, wait for the broker, and count them."""
        records = [
            OutgoingRecord(self._topic, one.key, one.value or b"", one.headers)
            for one in prepared.records
        ]
        if records:
            await self._publisher.publish(records)
        self.telemetry.batch(BatchReport(len(prepared.arrivals), 0))
        freeze_survivors()

    async def confirm(self, finished: Sequence[Prepared]) -> None:
        """Do nothing: there is no outbox."""

    async def waited(self, server: str, attempt: Callable[[], Awaitable[_T]]) -> _T:  # noqa: ARG002 - none is away
        """Attempt once and return the outcome."""
        return await attempt()


class TimedWorker:
    """A worker in a process of its own, while it is timed."""

    def __init__(self, messages: Connection) -> None:
        self._messages = messages

    def rates(self) -> WorkerRates:
        """Wait until the worker has done all records; return its rates, or raise its error.

        Raise Unavailable if the process has ended without either.
        """
        try:
            outcome: WorkerRates | Exception = self._messages.recv()
        except EOFError as error:
            raise Unavailable(WORKER_ENDED) from error
        if isinstance(outcome, Exception):
            raise outcome
        return outcome


@contextmanager
def timed_worker(
    settings: Settings, kind: WorkerKind, items: Sequence[bytes], *, with_analysis: bool = True
) -> Iterator[TimedWorker]:
    """Process the input topic, which has `items`, with one worker; at the end its process is gone.

    A "whole" worker decides the records; `with_analysis` its analysis is timed alone before. An
    "empty" one only passes records on.
    """
    spawning = get_context("spawn")
    messages, theirs = spawning.Pipe(duplex=False)
    arguments = (theirs, settings, kind, items, with_analysis)
    process = spawning.Process(target=_time_worker, args=arguments)
    process.start()
    theirs.close()
    try:
        yield TimedWorker(messages)
    finally:
        process.kill()
        process.join()
        messages.close()


def end_with_parent() -> None:
    """End this process as soon as the one that has started it is gone, however that ended.

    Ctrl-C at the terminal is left to that one.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    if parent is None:
        return

    def watch() -> None:
        parent.join()
        os._exit(1)

    Thread(target=watch, daemon=True).start()


def _time_worker(
    messages: Connection,
    settings: Settings,
    kind: WorkerKind,
    items: Sequence[bytes],
    with_analysis: bool,
) -> None:
    """Send the rates of a worker, or its error; called in a process of its own."""
    end_with_parent()
    try:
        messages.send(asyncio.run(_run_worker(settings, kind, items, with_analysis=with_analysis)))
    except Exception as error:  # noqa: BLE001 - raised in the process that waits for it
        messages.send(error)


async def _run_worker(
    settings: Settings, kind: WorkerKind, items: Sequence[bytes], *, with_analysis: bool
) -> WorkerRates:
    """Run one worker over the input topic, which gets `items`, and return its rates.

    An "empty" worker only passes records on, and its analysis rate is 0. A "whole" one analyzes
    `items` without Kafka first, and `with_analysis` once more, which is timed.
    """
    count = RecordCounter(len(items))
    access, chosen = kafka_access(settings), settings.kafka
    if kind == "empty":
        publisher = KafkaPublisher(access, message_bytes=chosen.message_bytes)
        try:
            working = PassThrough(publisher, topic=chosen.output, telemetry=count)
            await _run_loop(make_runner(settings, working, _NoPositions()), count)
        finally:
            await publisher.close()
        return WorkerRates(count.rate)
    async with namespace_session(settings) as opened:
        worker = make_worker(settings, opened, telemetry=count)
        try:
            # The first pass warms the vocabulary, as in a stream that has run for some hours.
            await analysis_rate(worker, items, size=settings.worker.batch)
            analysis = 0.0
            if with_analysis:
                analysis = await analysis_rate(worker, items, size=settings.worker.batch)
            await _run_loop(make_loop(settings, opened, worker), count)
        finally:
            await worker.close()
        return WorkerRates(count.rate, analysis)


class _NoPositions:
    """The positions of a worker that stores nothing."""

    async def begin(self) -> None:
        """Do nothing."""

    async def read(self) -> dict[str, int]:
        """Return none."""
        return {}

    async def reset(self, _names: Collection[str]) -> None:
        """Do nothing."""


async def analysis_rate(working: BatchProcessor, items: Sequence[bytes], *, size: int) -> float:
    """Decode and analyze the values of records in batches of `size`; return records per second."""
    records = [ReceivedRecord("", 0, number, None, value) for number, value in enumerate(items)]
    began = perf_counter()
    for first in range(0, len(records), size):
        await working.prepare([working.decode(one) for one in records[first : first + size]])
        freeze_survivors()
    return len(records) / (perf_counter() - began)


async def _run_loop(loop: Loop, count: RecordCounter) -> None:
    """Run the loop until `count` has seen all records, then stop it.

    Raise TimeoutError after 900 seconds, and whatever ends the loop before.
    """
    running = asyncio.ensure_future(loop.run())
    counted = asyncio.ensure_future(count.done.wait())
    async with asyncio.timeout(_TIMEOUT_SECONDS):
        await asyncio.wait({running, counted}, return_when=asyncio.FIRST_COMPLETED)
    loop.stop()
    await running
    counted.cancel()
