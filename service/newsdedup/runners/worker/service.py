"""The life of a worker: signals, the loop, and its background tasks (watchdog, outbox, probes)."""

import asyncio
import logging
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from time import monotonic
from typing import Any, Final, NoReturn, Protocol, TypeVar

from newsdedup.ports.errors import NewsdedupError, Unavailable
from newsdedup.ports.telemetry import Telemetry
from newsdedup.runners.tasks import call_at_signals, cancel_all
from newsdedup.runners.worker.worker import Worker

LOG: Final = logging.getLogger("newsdedup.service")
WATCH_SECONDS: Final = 2.0
"""Interval of the lag metric and of the watchdog."""
_Answer = TypeVar("_Answer")
_STALLED_EXIT: Final = 70
_AGAIN_SECONDS: Final = 1.0
PROBE_SECONDS: Final = 3.0
"""How often a server is asked whether it answers, unless its own time limit is shorter."""
_SAMPLE_SECONDS: Final = 60.0
"""Measuring the memory of a namespace takes about a thousand short calls."""

BackgroundTask = Callable[[], Coroutine[Any, Any, None]]
"""Runs alongside the loop until it is cancelled."""


class Loop(Protocol):
    """Reads batches of a consumer group for a worker, and commits their offsets.

    Laws, checked for every runner by tests/runners/test_workers.py: no offset is committed before
    the worker has finished its batch; after `stop`, `run` returns when the batch in hand is
    finished; after an unexpected error `run` commits nothing and raises it.
    """

    async def run(self) -> None:
        """Process batches until `stop` is called."""

    def stop(self) -> None:
        """Let `run` return after the batch in hand."""

    async def lag(self) -> dict[str, int]:
        """Return by "TOPIC/PARTITION" how many records are not done, as far as that is known."""


@dataclass(frozen=True, slots=True)
class Deadlines:
    """Time limits of a worker in seconds.

    After a stop signal it has `drain` to finish its batch; after `stall` without progress it ends
    itself; an event that waits in the outbox for `orphans` belongs to a worker that has died.
    """

    drain: float
    stall: float
    orphans: float


async def serve(
    loop: Loop, worker: Worker, deadlines: Deadlines, *, companions: Sequence[BackgroundTask] = ()
) -> None:
    """Run a worker until SIGTERM or SIGINT, then let it finish its batch within `drain` seconds.

    Raise the error of the loop, or of a background task, which ends the loop.
    """
    stop_signal = asyncio.Event()
    call_at_signals(stop_signal.set)
    async with _background_tasks(loop, worker, deadlines, companions) as others:
        running = asyncio.ensure_future(loop.run())
        stopped = asyncio.ensure_future(stop_signal.wait())
        waiting: set[asyncio.Future[Any]] = {running, stopped, *others}
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        stopped.cancel()
        for one in others:
            if one.done():
                # A background task ends only by failing.
                running.cancel()
                one.result()
        if not running.done():
            worker.telemetry.stopping()
            LOG.info("stopping deadline_seconds=%g", deadlines.drain)
            loop.stop()
            if not (await asyncio.wait({running}, timeout=deadlines.drain))[0]:
                LOG.warning("not_drained: the batch at hand comes again")
                await cancel_all([running])
        if running.cancelled() and not stop_signal.is_set():
            raise RuntimeError("the runner was cancelled, and not by us")
        if not running.cancelled():
            running.result()


@asynccontextmanager
async def _background_tasks(
    loop: Loop, worker: Worker, deadlines: Deadlines, companions: Sequence[BackgroundTask]
) -> AsyncIterator[set["asyncio.Future[None]"]]:
    """Yield the tasks of watchdog, orphaned events and companions, which run during a block."""
    tasks = [
        asyncio.ensure_future(_publish_orphans(worker, deadlines.orphans)),
        asyncio.ensure_future(_watch_progress(loop, worker, deadlines.stall)),
        *(asyncio.ensure_future(companion()) for companion in companions),
    ]
    try:
        yield set(tasks)
    finally:
        await cancel_all(tasks)


async def _publish_orphans(worker: Worker, seconds: float) -> None:
    """Publish, for ever, the events of dead workers: those older than `seconds` in the outbox."""
    while True:
        try:
            await worker.adopt(older_than_ms=round(seconds * 1000))
        except Unavailable as error:
            LOG.debug("not_adopted reason=%s", error)
        await asyncio.sleep(seconds / 3)


async def _watch_progress(loop: Loop, worker: Worker, stall: float) -> None:
    """Report the lag for ever; exit if records wait for `stall` seconds without progress."""
    nothing_waited_at = monotonic()
    while True:
        lag = await loop.lag()
        worker.telemetry.lag(lag)
        waiting, now = sum(lag.values()), monotonic()
        if not waiting:
            nothing_waited_at = now
        # A worker without records makes no progress either: count from when it last had none.
        if now - max(worker.progressed_at, nothing_waited_at) > stall:
            LOG.critical("stalled seconds=%g lag=%d", stall, waiting)
            _end()
        await asyncio.sleep(WATCH_SECONDS)


def _end() -> NoReturn:
    """Exit at once: an orderly exit would wait for whatever hangs."""
    logging.shutdown()
    os._exit(_STALLED_EXIT)


async def wait_for_server(
    server: str, ask: Callable[[], Awaitable[_Answer]], telemetry: Telemetry
) -> _Answer:
    """Call `ask` every second until it no longer raises Unavailable; return what it returned.

    Each new reason is logged.
    """
    logged = ""
    while True:
        try:
            answer = await ask()
        except Unavailable as error:
            if str(error) != logged:
                LOG.warning("waiting server=%s reason=%s", server, error)
            logged = str(error)
            telemetry.reached(server, answers=False)
            await asyncio.sleep(_AGAIN_SECONDS)
        else:
            telemetry.reached(server, answers=True)
            return answer


async def probe_server(
    server: str,
    ask: Callable[[], Awaitable[object]],
    telemetry: Telemetry,
    *,
    seconds: float = PROBE_SECONDS,
) -> None:
    """Report for ever whether a server answers: an idle worker would not notice an outage.

    Each outage is logged when it is noticed and when it is over.
    """
    answered = True
    while True:
        try:
            await ask()
        except NewsdedupError as error:
            if answered:
                LOG.warning("no_answer server=%s reason=%s", server, error)
            answered = False
        else:
            if not answered:
                LOG.warning("answers_again server=%s", server)
            answered = True
        telemetry.reached(server, answers=answered)
        await asyncio.sleep(seconds)


async def sample_forever(measure: Callable[[], Awaitable[None]]) -> None:
    """Measure once a minute, for ever; a failure with another reason than the last is logged."""
    logged = ""
    while True:
        try:
            await measure()
            logged = ""
        except NewsdedupError as error:
            if str(error) != logged:
                LOG.info("not_sampled reason=%s", error)
            logged = str(error)
        await asyncio.sleep(_SAMPLE_SECONDS)
