"""The loop over all feeds: those that are due, side by side, few at a time from one host."""

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

from newsdedup.feeder.fetching.address_guard import host_name
from newsdedup.feeder.polling.feed_visitor import Visit
from newsdedup.feeder.polling.host_pace import Clock, HostPace
from newsdedup.feeder.scheduling.stored_feed import StoredFeed
from newsdedup.feeder.state.feed_state import FeedState

_TICK: Final = timedelta(seconds=10)
"""How often the list is read: another process may have added a feed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PollingLimits:
    """How much happens at once."""

    visits: int = 32
    """Feeds fetched or parsed at once; each may hold a body in memory."""
    visits_per_host: int = 2
    requests_per_second: float = 5.0
    """To one host."""
    horizon: timedelta = timedelta(days=90)
    """How long an entry is remembered after its feed stopped showing it."""

    @property
    def gap(self) -> timedelta:
        """Return the least time between two requests to one host."""
        return timedelta(seconds=1 / self.requests_per_second)


VisitFeed = Callable[[StoredFeed], Awaitable[Visit]]
"""Visits one feed and returns how it went; raises what must end the polling."""


@dataclass(slots=True)
class Poller:
    """Visits the feeds that are due; `observe` gets each visit, for a terminal or metrics.

    `on_stop` shortens the visits under way.
    """

    state: FeedState
    visit: VisitFeed
    pace: HostPace
    limits: PollingLimits
    clock: Clock
    observe: Callable[[Visit], None] = lambda _: None
    on_stop: Callable[[], None] = lambda: None
    _waiting: dict[str, deque[StoredFeed]] = field(default_factory=dict)
    """Feeds by host, so that the many feeds of a slow host hold up no other."""
    _workers: Counter[str] = field(default_factory=Counter)
    _stopped: asyncio.Event = field(default_factory=asyncio.Event)
    _woken: asyncio.Event = field(default_factory=asyncio.Event)
    _busy: set[int] = field(default_factory=set)
    """Numbers of the feeds that wait or are visited."""
    _open: asyncio.Semaphore = field(init=False)

    def __post_init__(self) -> None:
        self._open = asyncio.Semaphore(self.limits.visits)

    async def run_once(self, *, everything: bool = False) -> None:
        """Visit the feeds that are due, or all with `everything`; raise what ends the polling."""
        now = self.clock.now()
        async with _visits() as group:
            self._start(self.state.active() if everything else self.state.due(now), group)
        self._tidy()

    async def run(self) -> None:
        """Visit feeds as they become due until `stop` is called; raise what ends the polling."""
        async with _visits() as group:
            while not self._stopped.is_set():
                self._start(self.state.due(self.clock.now()), group)
                self._tidy()
                await self._sleep()

    def stop(self) -> None:
        """Finish the visits under way and no others: what waits for its turn stays due."""
        self._stopped.set()
        self._waiting.clear()
        self.on_stop()

    def wake(self) -> None:
        """Read the list now: a feed became due."""
        self._woken.set()

    async def _sleep(self) -> None:
        """Return after a tick, or as soon as `stop` or `wake` is called."""
        waits = [
            asyncio.create_task(self.clock.sleep(_TICK.total_seconds())),
            asyncio.create_task(self._stopped.wait()),
            asyncio.create_task(self._woken.wait()),
        ]
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()
            self._woken.clear()

    def _start(self, feeds: Iterable[StoredFeed], group: asyncio.TaskGroup) -> None:
        """Add feeds to the queues of their hosts, and start the workers of these in `group`."""
        for feed in feeds:
            if feed.number in self._busy:
                continue
            self._busy.add(feed.number)
            host = host_name(feed.address)
            self._waiting.setdefault(host, deque()).append(feed)
            if self._workers[host] < self.limits.visits_per_host:
                self._workers[host] += 1
                group.create_task(self._work(host))

    async def _work(self, host: str) -> None:
        """Visit the waiting feeds of a host, one after the other."""
        try:
            while waiting := self._waiting.get(host):
                feed = waiting.popleft()
                try:
                    await self.pace.wait(host)
                    async with self._open:
                        self.observe(await self.visit(feed))
                finally:
                    self._busy.discard(feed.number)
            self._waiting.pop(host, None)
        finally:
            self._workers[host] -= 1
            if not self._workers[host]:
                del self._workers[host]

    def _tidy(self) -> None:
        """Drop what is past from memory, and some entries beyond the horizon from the state."""
        self.pace.tidy()
        self.state.forget(self.clock.now() - self.limits.horizon)


@asynccontextmanager
async def _visits() -> AsyncIterator[asyncio.TaskGroup]:
    """Yield a group of tasks; raise its first error as itself: the others followed from it."""
    try:
        async with asyncio.TaskGroup() as group:
            yield group
    except BaseExceptionGroup as errors:
        error: BaseException = errors
        while isinstance(error, BaseExceptionGroup):
            error = error.exceptions[0]
        # Its own cause stays: a full disk has another exit code than other outputs that fail.
        raise error from error.__cause__
