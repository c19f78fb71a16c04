"""Acknowledges finished batches, while the worker goes on with the next one."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Final

from newsdedup.adapters.kafka.records import ReceivedRecord
from newsdedup.runners.worker.consumer import BatchProcessor
from newsdedup.runners.worker.service import cancel_all
from newsdedup.runners.worker.worker import Prepared

LOG: Final = logging.getLogger("newsdedup.acknowledger")
CommitOffsets = Callable[[Sequence[ReceivedRecord]], Awaitable[None]]
"""Commits the end offsets of some records; raises CommitGivenUp as the worker stops."""
_PAUSE_SECONDS: Final = 0.1
"""How long finished batches wait for others, to be acknowledged together."""


class CommitGivenUp(Exception):
    """Kafka is away while the worker stops: the offsets are not committed."""


class Acknowledger:
    """Deletes the events of finished batches from the outbox and commits their offsets.

    Both happen in the background, some times a second and for all batches that were finished
    meanwhile. What is not acknowledged comes again after a kill, so it is bounded: together with
    the batch in hand it has no more records than a full batch.
    """

    def __init__(
        self,
        worker: BatchProcessor,
        commit: CommitOffsets,
        *,
        most: int,
        fail: Callable[[Exception], None],
    ) -> None:
        self._worker = worker
        self._commit = commit
        self._most = most
        self._fail = fail
        """Called with an error, which an idle worker would notice only at the next batch."""
        self._finished: list[Prepared] = []
        """Batches whose acknowledgement has not begun."""
        self._records = 0
        """Records of batches that are finished and not acknowledged."""
        self._running: asyncio.Future[None] | None = None
        self._hurry = asyncio.Event()
        """Set while somebody waits until all is acknowledged."""
        self.given_up = asyncio.Event()
        """Set when Kafka is away while the worker stops: nothing more is acknowledged."""

    def add(self, finished: Prepared) -> None:
        """Begin to acknowledge a batch, or let it wait until those before it are acknowledged."""
        self._finished.append(finished)
        self._records += len(finished.batch)
        if self._running is None or self._running.done():
            self._running = asyncio.ensure_future(self._acknowledge_all())

    async def make_room(self, records: int) -> None:
        """Wait until a batch of so many records may be finished; raise what failed before."""
        failed = self._running is not None and self._running.done()
        if self._running is not None and (failed or self._records + records > self._most):
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
        """Acknowledge batches until none is left."""
        try:
            while self._finished:
                with suppress(TimeoutError):
                    async with asyncio.timeout(_PAUSE_SECONDS):
                        await self._hurry.wait()
                batches, self._finished = self._finished, []
                await self._worker.confirm(batches)
                records = [record for one in batches for record in one.batch]
                await self._commit(records)
                self._records -= len(records)
        except CommitGivenUp as reason:
            LOG.warning("not_committed reason=%s", reason)
            self.given_up.set()
        except Exception as error:
            self._fail(error)
            raise
