"""Makes the feeder: it visits the feeds of a state and sends what is new to an output."""

import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from newsdedup.config import Settings
from newsdedup.feeder.fetching.address_guard import admits_all, is_public
from newsdedup.feeder.fetching.fetcher import (
    Fetcher,
    FetchLimits,
    no_pace,
    open_fetcher,
    user_agent,
)
from newsdedup.feeder.fetching.page_fetcher import PageFetcher
from newsdedup.feeder.polling.clock import SystemClock
from newsdedup.feeder.polling.feed_visitor import FeedVisitor, Visit
from newsdedup.feeder.polling.host_pace import HostPace
from newsdedup.feeder.polling.page_texts import PageTexts
from newsdedup.feeder.polling.poller import Poller, PollingLimits
from newsdedup.feeder.scheduling.intervals import IntervalBounds
from newsdedup.feeder.state.feed_state import FeedState
from newsdedup.runners.intake.feed_records import RecordDelivery, complete_by_page, record_parser
from newsdedup.runners.intake.record_output import RecordOutput


@asynccontextmanager
async def open_feeder(
    settings: Settings,
    state: FeedState,
    output: RecordOutput,
    *,
    allow_private: bool,
    observe: Callable[[Visit], None],
) -> AsyncIterator[Poller]:
    """Yield the poller of the feeds of a state; `observe` gets each visit.

    `allow_private` admits addresses of the own machine and network.
    """
    limits = _polling_limits(settings)
    clock = SystemClock()
    pace = HostPace(clock, limits.gap)
    async with feed_fetcher(settings, pace=pace.wait, allow_private=allow_private) as fetcher:
        visitor = FeedVisitor(
            state,
            fetcher,
            pace,
            parse=record_parser(),
            deliver=RecordDelivery(output),
            texts=PageTexts(
                PageFetcher(fetcher, now=clock.now, pace=pace.wait), complete_by_page, pace
            ),
            bounds=IntervalBounds(
                shortest=settings.feeder.shortest, longest=settings.feeder.longest
            ),
            clock=clock,
            draw=random.random,
        )
        yield Poller(state, visitor.visit, pace, limits, clock=clock, observe=observe)


@asynccontextmanager
async def feed_fetcher(
    settings: Settings,
    *,
    pace: Callable[[str], Awaitable[None]] = no_pace,
    allow_private: bool,
) -> AsyncIterator[Fetcher]:
    """Yield a fetcher with the configured limits; `pace` returns when a host may get a request."""
    chosen = settings.feeder
    async with open_fetcher(
        FetchLimits(body=chosen.body_bytes, total=chosen.timeout),
        agent=user_agent(chosen.contact),
        now=SystemClock().now,
        pace=pace,
        admits=admits_all if allow_private else is_public,
        proxy=chosen.proxy,
    ) as fetcher:
        yield fetcher


def _polling_limits(settings: Settings) -> PollingLimits:
    """Return how much happens at once."""
    chosen = settings.feeder
    return PollingLimits(
        visits=chosen.visits,
        visits_per_host=chosen.host_visits,
        requests_per_second=float(chosen.host_rate),
        horizon=chosen.horizon,
    )
