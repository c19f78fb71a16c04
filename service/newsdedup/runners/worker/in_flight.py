"""The batches between a runner that reads and Kafka that has them acknowledged.

While one batch is judged and published, the records that come are analyzed; they are the next
batch. So a batch is as small as the load allows: an idle worker takes a record at once, a busy one
takes all that came meanwhile.
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from newsdedup.adapters.kafka.records import ReceivedRecord
from newsdedup.runners.worker.acknowledger import Acknowledger, CommitOffsets
from newsdedup.runners.worker.consumer import BatchProcessor, join_prepared
from newsdedup.runners.worker.service import cancel_all
from newsdedup.runners.worker.worker import Prepared


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
        self.failure: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._worker = worker
        self._batch = batch
        self._linger_seconds = linger_seconds
        self._stopping = stopping
        self._finished = finished
        """Called with the records of each batch that is judged and published."""
        self._acknowledger = Acknowledger(worker, commit, most=batch, fail=self.fail)
        self._waiting: list[Prepared] = []
        self._finishing: asyncio.Future[None] | None = None
        self._full = asyncio.Event()
        """Set while a batch waits that is full."""
        self._taken = asyncio.Event()
        """Set when the waiting records were taken, or will not be."""

    @property
    def room(self) -> int:
        """Return how many records are missing to a full batch."""
        return self._batch - sum(len(prepared.batch) for prepared in self._waiting)

    async def add(self, prepared: Prepared) -> None:
        """Let an analyzed batch be finished; if a full one waits, return when it is taken.

        Raise the error of `failure`.
        """
        self._waiting.append(prepared)
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
        """Return whether a batch that waits will be taken."""
        return not self._stopping.is_set() and not self.failure.done()

    async def _finish_all(self) -> None:
        """Finish what waits, batch after batch, until nothing waits or the worker is to stop."""
        try:
            while self._waiting and self._is_going_on():
                await self._linger()
                await self._finish(self._take())
        except Exception as error:  # noqa: BLE001 - anyone who waits for `failure` raises it
            self.fail(error)
        finally:
            self._taken.set()

    async def _linger(self) -> None:
        """Wait for more records while the batch is not full, as long as the settings allow."""
        if self._linger_seconds and self.room > 0:
            with suppress(TimeoutError):
                async with asyncio.timeout(self._linger_seconds):
                    await self._full.wait()

    def _take(self) -> Prepared:
        """Remove and return all that waits, as one batch."""
        batch, self._waiting = join_prepared(self._waiting), []
        self._full.clear()
        self._taken.set()
        return batch

    async def _finish(self, prepared: Prepared) -> None:
        """Judge and publish a batch, and have it acknowledged."""
        await self._acknowledger.make_room(len(prepared.batch))
        await self._worker.finish(prepared)
        self._finished(prepared.batch)
        self._worker.fail("before_commit")
        self._acknowledger.add(prepared)
