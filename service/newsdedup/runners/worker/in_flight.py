"""The way of a batch, from a runner that has read its records to Kafka that has their offsets.

    add: prepare  ->  wait, joined with others  ->  decide, publish  ->  confirm, commit offsets

Three things happen alongside each other. The runner reads, decodes and prepares (analyzes) what
comes; one batch is decided and published; and what is published is confirmed to the outbox and
committed to Kafka, some times a second. What was prepared while a batch was in hand is the next
batch. So a batch is as small as the load allows: an idle worker takes a record at once, a busy one
takes all that came meanwhile.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from newsdedup.adapters.kafka.records import ReceivedRecord
from newsdedup.runners.tasks import cancel_all, wait_at_most
from newsdedup.runners.worker.merge import KafkaArrival
from newsdedup.runners.worker.worker import BatchProcessor, Prepared

LOG: Final = logging.getLogger("newsdedup.acknowledger")
CommitOffsets = Callable[[Sequence[ReceivedRecord]], Awaitable[None]]
"""Commits the end offsets of some records; raises CommitGivenUp as the worker stops."""
_PAUSE_SECONDS: Final = 0.1
"""How long finished batches wait for others, to be acknowledged together."""


class CommitGivenUp(Exception):
    """Kafka is away while the worker stops: the offsets are not committed."""


class BatchesInFlight:
    """Finishes analyzed batches one after the other; those that wait are joined to one.

    Make it within a running event loop. After the first error nothing more is finished, and
    `failure` has the error.
    """

    def __init__(
        self,
        worker: BatchProcessor,
        commit: CommitOffsets,
        *,
        batch: int,
        linger_seconds: float,
        stopping: asyncio.Event,
        finished: Callable[[Sequence[ReceivedRecord]], None] = lambda _: None,
    ) -> None:
        """Batches have `batch` records at most; one that is smaller waits `linger_seconds`.

        `finished` is called with the records of each batch that is judged and published.
        """
        self.failure: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._worker = worker
        self._batch = batch
        self._linger_seconds = linger_seconds
        self._stopping = stopping
        self._finished = finished
        self._acknowledger = _Acknowledger(worker, commit, most=batch, fail=self.fail)
        self._waiting: list[Prepared] = []
        self._finishing: asyncio.Future[None] | None = None
        self._full = asyncio.Event()
        """Set while a batch waits that is full."""
        self._taken = asyncio.Event()
        """Set when the waiting records were taken, or will not be."""

    @property
    def room(self) -> int:
        """How many records are missing to a full batch."""
        return self._batch - sum(len(prepared.arrivals) for prepared in self._waiting)

    async def run(self, *work: Coroutine[Any, Any, None]) -> None:
        """Run the tasks that add batches until the worker is to stop; then finish the one in hand.

        Raise the error of a batch, or of `work`, whose end ends all. What is not acknowledged by
        then comes again.
        """
        tasks = [asyncio.ensure_future(one) for one in work]
        stopped = asyncio.ensure_future(self._stopping.wait())
        try:
            ends: list[asyncio.Future[Any]] = [self.failure, *tasks, stopped]
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            for one in ends:
                if one.done():
                    one.result()
            if self._stopping.is_set():
                await self.drain()
        finally:
            await cancel_all([*tasks, stopped])
            await self.cancel()

    async def add(self, batch: list[KafkaArrival]) -> None:
        """Analyze a batch and let it be finished; if a full one waits, return when it is taken.

        Raise the error of `failure`.
        """
        prepared = await self._worker.prepare(batch)
        self._waiting.append(prepared)  # looked up now: the list is replaced when it is taken
        if self._finishing is None or self._finishing.done():
            self._finishing = asyncio.ensure_future(self._finish_all())
        while self.room <= 0 and self._is_going_on():
            self._full.set()
            self._taken.clear()
            await self._taken.wait()
        if self.failure.done():
            self.failure.result()

    async def drain(self) -> None:
        """Wait for the batch in hand and until it is acknowledged; raise the error of either.

        Return early when Kafka is away and the offsets of an earlier batch are given up: the batch
        in hand could not be published either.
        """
        given_up = asyncio.ensure_future(self._acknowledger.given_up.wait())
        try:
            if self._finishing is not None:
                waiting: set[asyncio.Future[Any]] = {self._finishing, given_up}
                await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            if self.failure.done():
                self.failure.result()
            await self._acknowledger.drain()
        finally:
            given_up.cancel()

    async def cancel(self) -> None:
        """Drop all batches: what is not acknowledged comes again."""
        self._waiting.clear()
        if self._finishing is not None:
            await cancel_all([self._finishing])
        await self._acknowledger.cancel()
        self.failure.cancel()

    def fail(self, error: Exception) -> None:
        """Set `failure`; later errors are ignored."""
        if not self.failure.done():
            self.failure.set_exception(error)

    def _is_going_on(self) -> bool:
        """Return whether waiting batches will be taken: no stop is requested, nothing failed."""
        return not self._stopping.is_set() and not self.failure.done()

    async def _finish_all(self) -> None:
        """Finish what waits, batch after batch, until nothing waits or the worker is to stop."""
        try:
            while self._waiting and self._is_going_on():
                if self._linger_seconds and self.room > 0:
                    await wait_at_most(self._full, self._linger_seconds)
                batch, self._waiting = join_prepared(self._waiting), []
                self._full.clear()
                self._taken.set()
                await self._acknowledger.make_room(len(batch.arrivals))
                await self._worker.finish(batch)
                self._finished(batch.records)
                self._worker.fail("before_commit")
                self._acknowledger.add(batch)
        except Exception as error:  # noqa: BLE001 - anyone who waits for `failure` raises it
            self.fail(error)
        finally:
            self._taken.set()


def join_prepared(parts: Sequence[Prepared]) -> Prepared:
    """Return one batch made of several in their order, with the sum of their seconds."""
    if len(parts) == 1:
        return parts[0]
    return Prepared(
        arrivals=[arrival for part in parts for arrival in part.arrivals],
        seconds=sum(part.seconds for part in parts),
        stages=[stage for part in parts for stage in part.stages],
    )


@dataclass(slots=True, eq=False)
class _Acknowledger:
    """Deletes the events of finished batches from the outbox and commits their offsets.

    Both happen in the background, some times a second and for all batches that were finished
    meanwhile. What is not acknowledged comes again after a kill, so it is bounded: together with
    the batch in hand it has no more records than a full batch.
    """

    worker: BatchProcessor
    commit: CommitOffsets
    most: int
    """Records of a full batch."""
    fail: Callable[[Exception], None]
    """Called with an error, which an idle worker would notice only at the next batch."""
    given_up: asyncio.Event = field(default_factory=asyncio.Event, init=False)
    """Set when Kafka is away while the worker stops: nothing more is acknowledged."""
    _finished: list[Prepared] = field(default_factory=list, init=False)
    """Batches whose acknowledgement has not begun."""
    _records: int = field(default=0, init=False)
    """Records of batches that are finished and not acknowledged."""
    _running: asyncio.Future[None] | None = field(default=None, init=False)
    _hurry: asyncio.Event = field(default_factory=asyncio.Event, init=False)
    """Set while `drain` waits until all is acknowledged."""

    def add(self, finished: Prepared) -> None:
        """Acknowledge a batch in the background, after earlier ones; `drain` raises its error."""
        self._finished.append(finished)
        self._records += len(finished.arrivals)
        if self._running is None or self._running.done():
            self._running = asyncio.ensure_future(self._acknowledge_all())

    async def make_room(self, records: int) -> None:
        """Wait until a batch of `records` records may be finished; raise an earlier error."""
        failed = self._running is not None and self._running.done()
        if failed or self._records + records > self.most:
            await self.drain()

    async def drain(self) -> None:
        """Wait until all is acknowledged; raise the error if that fails."""
        if self._running is not None:
            self._hurry.set()
            await asyncio.shield(self._running)
            self._hurry.clear()

    async def cancel(self) -> None:
        """Acknowledge nothing more: the records of the rest come again."""
        self._finished.clear()
        if self._running is not None:
            await cancel_all([self._running])

    async def _acknowledge_all(self) -> None:
        """Acknowledge batches until none is left; pass an error to `fail`, and raise it."""
        try:
            while self._finished:
                await wait_at_most(self._hurry, _PAUSE_SECONDS)
                batches, self._finished = self._finished, []
                await self.worker.confirm(batches)
                records = [record for one in batches for record in one.records]
                await self.commit(records)
                self._records -= len(records)
        except CommitGivenUp as reason:
            LOG.warning("not_committed reason=%s", reason)
            self.given_up.set()
        except Exception as error:
            self.fail(error)
            raise
