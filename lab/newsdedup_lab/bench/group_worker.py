"""One worker among others of its consumer group, in a process of its own, and what it costs."""

import asyncio
from collections.abc import Sequence
from multiprocessing.connection import Connection
from time import process_time
from typing import Any, Final, NamedTuple

from newsdedup.bootstrap.workers import make_loop, make_worker, namespace_session
from newsdedup.config import Settings
from newsdedup.engine.shared.engine import SharedEngine
from newsdedup.ports.errors import Unavailable
from newsdedup.ports.telemetry import BatchReport, Telemetry
from newsdedup_lab.bench.growth import resident_bytes
from newsdedup_lab.bench.worker import analysis_rate, end_with_parent

WORKER_READY: Final = "ready"
BEGIN_WORK: Final = "begin"
END_WORK: Final = "end"
"""The messages between a worker and who measures it: WORKER_READY comes, BEGIN_WORK is sent and
answered by WORKER_READY, END_WORK is sent and answered by the costs."""


class WorkerCosts(NamedTuple):
    """What one worker did between BEGIN_WORK and END_WORK."""

    processor_seconds: float
    conflicts: int
    """How often its commit was refused because another worker was first."""
    batches: int
    resident_bytes: int
    """Its memory at the end."""

    def since(self, earlier: "WorkerCosts") -> "WorkerCosts":
        """Return the costs since earlier ones, with the memory of now."""
        return WorkerCosts(
            self.processor_seconds - earlier.processor_seconds,
            self.conflicts - earlier.conflicts,
            self.batches - earlier.batches,
            self.resident_bytes,
        )


class _BatchCounter(Telemetry):
    """Telemetry that counts batches."""

    def __init__(self) -> None:
        self.batches = 0

    def batch(self, _report: BatchReport) -> None:
        """Count a batch."""
        self.batches += 1


def work_in_group(settings: Settings, items: Sequence[bytes], messages: Connection) -> None:
    """Work as the settings say until END_WORK is received; called in a process of its own.

    `items` warm the vocabulary before the worker joins its group.
    """
    end_with_parent()
    asyncio.run(_work(settings, items, messages))


async def _work(settings: Settings, items: Sequence[bytes], messages: Connection) -> None:
    """Warm up, join the group, answer BEGIN_WORK and END_WORK; raise what ends the loop before."""
    counter, received = _BatchCounter(), asyncio.Event()
    asyncio.get_running_loop().add_reader(messages.fileno(), received.set)
    async with namespace_session(settings) as opened:
        worker = make_worker(settings, opened, telemetry=counter)
        try:
            await analysis_rate(worker, items, size=settings.worker.batch)
            loop = make_loop(settings, opened, worker)
            running = asyncio.ensure_future(loop.run())
            messages.send(WORKER_READY)
            await _receive(messages, received, running)
            before = _costs(worker.engine, counter)
            messages.send(WORKER_READY)
            await _receive(messages, received, running)
            messages.send(_costs(worker.engine, counter).since(before))
            loop.stop()
            await running
        finally:
            await worker.close()


async def _receive(
    messages: Connection, received: asyncio.Event, running: "asyncio.Future[None]"
) -> None:
    """Wait for the next message; raise what ends the loop before it comes."""
    while not messages.poll():
        received.clear()
        waiting: set[asyncio.Future[Any]] = {asyncio.ensure_future(received.wait()), running}
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        if running.done():
            await running
            raise Unavailable("a measured worker ended before it was stopped")
    messages.recv()


def _costs(engine: SharedEngine, counter: _BatchCounter) -> WorkerCosts:
    """Return the costs of this process since its start."""
    return WorkerCosts(process_time(), engine.conflicts, counter.batches, resident_bytes())
