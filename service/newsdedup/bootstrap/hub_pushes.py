"""Lets hubs push: the subscriber, its callbacks over HTTP, and the poller whose visits it moves."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

from newsdedup.config import Settings
from newsdedup.feeder.fetching.fetcher import Fetcher
from newsdedup.feeder.polling.clock import Clock
from newsdedup.feeder.polling.feed_visitor import Visit
from newsdedup.feeder.polling.poller import Poller, VisitFeed
from newsdedup.feeder.scheduling.intervals import IntervalBounds
from newsdedup.feeder.scheduling.stored_feed import StoredFeed
from newsdedup.feeder.state.feed_state import FeedState
from newsdedup.feeder.websub.callbacks import HubCallbacks, serve_callbacks
from newsdedup.feeder.websub.subscriber import HubSubscriber
from newsdedup.ports.feeder_telemetry import FeederTelemetry


@asynccontextmanager
async def open_hub_pushes(
    settings: Settings,
    state: FeedState,
    make_poller: Callable[[VisitFeed], Poller],
    visit: VisitFeed,
    *,
    fetcher: Fetcher,
    pace: Callable[[str], Awaitable[None]],
    bounds: IntervalBounds,
    clock: Clock,
    telemetry: FeederTelemetry,
) -> AsyncIterator[Poller]:
    """Yield a poller whose feeds are visited when hubs push, which are served meanwhile.

    Raise SettingsInvalid if the port is taken, and at the end what ended the subscriber.
    """
    chosen = settings.feeder
    subscriber = HubSubscriber(
        state, fetcher, base=chosen.websub, bounds=bounds, clock=clock, pace=pace
    )

    async def visit_subscribed(feed: StoredFeed) -> Visit:
        return await subscriber.visit(feed, visit)

    poller = make_poller(visit_subscribed)
    subscriber.wake = poller.wake
    callbacks = HubCallbacks(
        state.leases,
        clock=clock,
        body_bytes=chosen.body_bytes,
        pushed=subscriber.pushed,
        count=telemetry.pushed,
    )
    async with serve_callbacks(chosen.websub_host, chosen.websub_port, callbacks):
        requests = asyncio.create_task(subscriber.run())
        requests.add_done_callback(lambda _: poller.stop())
        try:
            yield poller
        finally:
            requests.cancel()
            with suppress(asyncio.CancelledError):
                await requests
