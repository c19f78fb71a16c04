"""A feeder of the test that subscribes at a hub: a clock that steps, deliveries in a list."""

from collections import Counter
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta

from feeder.bad_site import Names, SteppingClock, admits_site
from feeder.polled import parse, shown
from feeder.websub.hub_site import HubSite, hub_site
from newsdedup.adapters.sqlite.file_schema import MEMORY
from newsdedup.feeder.fetching.fetcher import FetchLimits, open_fetcher
from newsdedup.feeder.polling.feed_visitor import FeedVisitor
from newsdedup.feeder.polling.host_pace import HostPace
from newsdedup.feeder.polling.poller import Poller, PollingLimits
from newsdedup.feeder.scheduling.stored_feed import IntervalBounds
from newsdedup.feeder.state.feed_state import FeedState, Subscription
from newsdedup.feeder.websub.callbacks import HubCallbacks, serve_callbacks
from newsdedup.feeder.websub.subscriber import HubSubscriber
from servers.ports import HOST, free_ports

BODY_BYTES = 10_000


@dataclass
class Subscribed:
    site: HubSite
    state: FeedState
    clock: SteppingClock
    base: str
    port: int
    poller: Poller = None
    subscriber: HubSubscriber = None
    delivered: list[str] = field(default_factory=list)
    woken: list[None] = field(default_factory=list)
    pushes: Counter = field(default_factory=Counter)

    async def deliver(self, feed, entries):
        assert feed.number
        self.delivered += [shown(entry) for entry in entries]

    def subscribe(self, *paths):
        self.state.subscribe(Subscription(self.site.at(path)) for path in paths)

    def feed(self, at=0):
        return self.state.feeds()[at]

    def lease(self, at=0):
        return self.state.leases.of_feed(self.feed(at).number)

    def wait(self):
        """Return how long the first feed waits for its next visit."""
        return self.feed().next_at - self.clock.at

    def step(self, **time):
        self.clock.at += timedelta(**time)

    async def visit_due(self):
        """Visit what is due, and let the hub verify what was requested of it."""
        await self.poller.run_once()
        await self.request_due()

    async def request_due(self):
        await self.subscriber.request_due()
        await self.site.drained()

    async def visit_next(self):
        """Visit the next feed when it is due."""
        self.clock.at = max(self.clock.at, self.state.next_due())
        await self.visit_due()


@asynccontextmanager
async def subscribed(*, path=MEMORY, site=None, clock=None, port=None, base=None):
    """Yield a feeder; of another run come `site`, `clock`, `port` and `base`."""
    clock = clock or SteppingClock()
    pace = HostPace(clock, timedelta())
    port = port or free_ports(1)[0]
    base = base or f"http://{HOST}:{port}/behind/a/proxy"
    if site is None:
        async with (
            hub_site() as own,
            subscribed(path=path, site=own, clock=clock, port=port, base=base) as run,
        ):
            yield run
        return
    async with open_fetcher(
        FetchLimits(body=100_000),
        agent="test",
        now=clock.now,
        pace=pace.wait,
        admits=admits_site,
        resolver=Names(),
    ) as fetcher:
        with FeedState(path, locked=True) as state:
            run = Subscribed(site, state, clock, base, port)
            bounds = IntervalBounds()
            visitor = FeedVisitor(
                state,
                fetcher,
                pace,
                parse=parse,
                deliver=run.deliver,
                bounds=bounds,
                clock=clock,
                draw=lambda: 0.0,
            )
            run.subscriber = HubSubscriber(
                state, fetcher, base=base, bounds=bounds, clock=clock, pace=pace.wait
            )
            state.leases.keep_only(base)
            run.subscriber.wake = lambda: run.woken.append(None)

            async def visit(feed):
                return await run.subscriber.visit(feed, visitor.visit)

            run.poller = Poller(state, visit, pace, PollingLimits(), clock=clock)
            callbacks = HubCallbacks(
                state.leases,
                clock=clock,
                body_bytes=BODY_BYTES,
                pushed=run.subscriber.pushed,
                count=lambda result: run.pushes.update([result]),
            )
            async with serve_callbacks(HOST, port, callbacks):
                yield run


@asynccontextmanager
async def one_feed(**how):
    """Yield a feeder whose only feed has an active lease, half an hour before its next visit."""
    async with subscribed(**how) as run:
        run.site.offer("/feed", "a=1")
        run.subscribe("/feed")
        await run.visit_due()
        assert run.lease().state == "active"
        run.step(minutes=5)
        yield run
