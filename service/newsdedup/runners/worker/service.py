"""A worker's life: signals, the events of the dead, and the watchdog, around whatever drives it."""

import asyncio
import logging
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from time import monotonic
from typing import Any, Final, NoReturn, Protocol

from newsdedup.ports.errors import NewsdedupError, Unavailable
from newsdedup.ports.telemetry import Kept, Telemetry
from newsdedup.runners.worker.consumer import cancel_all
from newsdedup.runners.worker.worker import Worker

LOG: Final = logging.getLogger("newsdedup.service")
STALLED_EXIT: Final = 70
_WATCH_SECONDS: Final = 2.0
"""How often lag is told and the watchdog looks."""

BackgroundTask = Callable[[], Coroutine[Any, Any, None]]
"""Something that goes on beside the work until that ends."""


class Loop(Protocol):
    """What passes records to a worker and acknowledges them.

    Laws, checked for every runner by tests/runners/test_workers.py: nothing is acknowledged before
    the worker has finished it; `run` ends after the batch at hand when `stop` was called, and
    raises what is unexpected before anything more is acknowledged.
    """

    async def run(self) -> None:
        """Work until told to stop."""
        ...

    def stop(self) -> None:
        """Finish the batch at hand and end."""
        ...

    async def lag(self) -> dict[str, int]:
        """Return how many records of each assigned partition wait, as far as is known."""
        ...


@dataclass(frozen=True, slots=True)
class Deadlines:
    """How long a worker may take for what; all in seconds."""

    drain: float
    stall: float
    orphans: float


async def serve(
    loop: Loop, worker: Worker, deadlines: Deadlines, *, companions: Sequence[BackgroundTask] = ()
) -> None:
    """Run a worker until it is told to stop; raise what ended it otherwise."""
    told = asyncio.Event()
    handle_signals(told.set)
    async with _background_tasks(loop, worker, deadlines, companions) as others:
        running = asyncio.ensure_future(loop.run())
        stopped = asyncio.ensure_future(told.wait())
        waiting: set[asyncio.Future[Any]] = {running, stopped, *others}
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        stopped.cancel()
        for one in others:
            if one.done():
                # None of them ends by itself: it failed, and would be missed.
                running.cancel()
                one.result()
        if not running.done():
            worker.telemetry.stopping()
            LOG.info("stopping deadline_seconds=%g", deadlines.drain)
            loop.stop()
            await _drain(running, deadlines.drain)
        if running.cancelled() and not told.is_set():
            raise RuntimeError("the runner was cancelled, and not by us")
        if not running.cancelled():
            running.result()


def handle_signals(call: Callable[[], object]) -> None:
    """Let SIGTERM and Ctrl-C call something, instead of what they called before."""
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, call)


@asynccontextmanager
async def _background_tasks(
    loop: Loop, worker: Worker, deadlines: Deadlines, companions: Sequence[BackgroundTask]
) -> AsyncIterator[set["asyncio.Future[None]"]]:
    """Watch over a worker, and publish what others left, while it works."""
    tasks = [
        asyncio.ensure_future(_publish_orphans(worker, deadlines.orphans)),
        asyncio.ensure_future(_watch_progress(loop, worker, deadlines.stall)),
        *(asyncio.ensure_future(companion()) for companion in companions),
    ]
    try:
        yield set(tasks)
    finally:
        await cancel_all(tasks)


async def _drain(running: "asyncio.Future[None]", seconds: float) -> None:
    """Wait for the batch at hand; past the deadline it is left, unacknowledged, to the next one."""
    done, _ = await asyncio.wait({running}, timeout=seconds)
    if not done:
        LOG.warning("not_drained: the batch at hand comes again")
        running.cancel()
        await asyncio.wait({running})


async def _publish_orphans(worker: Worker, seconds: float) -> None:
    """Publish events that have waited so long that their worker must be dead."""
    while True:
        try:
            await worker.adopt(older_than_ms=round(seconds * 1000))
        except Unavailable as error:
            LOG.debug("not_adopted reason=%s", error)
        await asyncio.sleep(seconds / 3)


async def _watch_progress(loop: Loop, worker: Worker, stall: float) -> None:
    """Tell the lag; end the process if nothing moves although records wait."""
    nothing_waited_at = monotonic()
    while True:
        lag = await loop.lag()
        worker.telemetry.lag(lag)
        waiting, now = sum(lag.values()), monotonic()
        if not waiting:
            nothing_waited_at = now
        # Whoever had nothing to do for long does not stand still when something comes.
        if now - max(worker.progressed_at, nothing_waited_at) > stall:
            LOG.critical("stalled seconds=%g lag=%d", stall, waiting)
            _end()
        await asyncio.sleep(_WATCH_SECONDS)


def _end() -> NoReturn:
    """End at once: whatever hangs would also hang an end in order."""
    logging.shutdown()
    os._exit(STALLED_EXIT)


_AGAIN_SECONDS: Final = 1.0
_PROBE_SECONDS: Final = 3.0
_SAMPLE_SECONDS: Final = 60.0
"""Weighing a namespace takes about a thousand small questions."""


async def wait_for_server(
    server: str,
    ask: Callable[[], Awaitable[object]],
    telemetry: Telemetry,
    *,
    seconds: float = _AGAIN_SECONDS,
) -> None:
    """Return as soon as a server answers, however long that takes."""
    told = ""
    while True:
        try:
            await ask()
        except Unavailable as error:
            if str(error) != told:
                LOG.warning("waiting server=%s reason=%s", server, error)
            told = str(error)
            telemetry.reached(server, answers=False)
            await asyncio.sleep(seconds)
        else:
            telemetry.reached(server, answers=True)
            return


async def probe_server(
    server: str,
    ask: Callable[[], Awaitable[object]],
    telemetry: Telemetry,
    *,
    seconds: float = _PROBE_SECONDS,
) -> None:
    """Tell again and again whether a server answers."""
    while True:
        try:
            await ask()
        except NewsdedupError as error:
            LOG.debug("no_answer server=%s reason=%s", server, error)
            telemetry.reached(server, answers=False)
        else:
            telemetry.reached(server, answers=True)
        await asyncio.sleep(seconds)


async def sample_size(
    weigh: Callable[[], Awaitable[Kept]], telemetry: Telemetry, *, seconds: float = _SAMPLE_SECONDS
) -> None:
    """Tell again and again how much is kept."""
    while True:
        try:
            telemetry.kept(await weigh())
        except NewsdedupError as error:
            LOG.info("not_sampled reason=%s", error)
        await asyncio.sleep(seconds)
