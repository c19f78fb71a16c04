"""Makes the feeder: it visits the feeds of a state and sends what is new to an output."""

import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from time import monotonic

from newsdedup.bootstrap.hub_pushes import open_hub_pushes
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
from newsdedup.feeder.parsing.parsed_feed import BOUNDS
from newsdedup.feeder.polling.clock import SystemClock
from newsdedup.feeder.polling.feed_visitor import FeedVisitor, Visit
from newsdedup.feeder.polling.host_pace import HostPace
from newsdedup.feeder.polling.page_texts import PageTexts
from newsdedup.feeder.polling.poller import Poller, PollingLimits, VisitFeed
from newsdedup.feeder.scheduling.intervals import IntervalBounds
from newsdedup.feeder.scheduling.stored_feed import StoredFeed
from newsdedup.feeder.state.feed_state import FeedState
from newsdedup.ports.feeder_telemetry import FeederTelemetry
from newsdedup.ports.tracing import NO_TRACER, Tracer
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
    telemetry: FeederTelemetry,
    tracer: Tracer = NO_TRACER,
    listens: bool,
) -> AsyncIterator[Poller]:
    """Yield the poller of the feeds of a state; `observe` gets each visit.

    `allow_private` admits addresses of the own machine and network to all feeds, else those alone
    may lead there that the user allowed it. With `listens` hubs may push,
    if feeder.websub says where they reach this machine.
    """
    limits = _polling_limits(settings)
    clock = SystemClock()
    pace = HostPace(clock, limits.gap)
    if allow_private:
        state.retry_refused()
    bounds = IntervalBounds(shortest=settings.feeder.shortest, longest=settings.feeder.longest)
    parse = record_parser(replace(BOUNDS, body_bytes=settings.feeder.body_bytes))
    fetchers = partial(feed_fetcher, settings, pace=pace.wait, received=telemetry.received)
    # Two, since each keeps the connections that it has admitted.
    async with (
        fetchers(allow_private=allow_private) as fetcher,
        fetchers(allow_private=True) as inside,
    ):
        visitors, texts = [], []
        for one in (fetcher, inside):
            pages = PageFetcher(one, now=clock.now, pace=pace.wait)
            texts.append(PageTexts(pages, complete_by_page, pace))
            visitors.append(
                FeedVisitor(
                    state,
                    one,
                    pace,
                    parse=parse,
                    deliver=RecordDelivery(output),
                    texts=texts[-1],
                    bounds=bounds,
                    clock=clock,
                    draw=random.random,
                )
            )

        def stop_texts() -> None:
            for one in texts:
                one.stop()

        def make_poller(visit: VisitFeed) -> Poller:
            return Poller(
                state, visit, pace, limits, clock=clock, observe=observe, on_stop=stop_texts
            )

        async def visit_feed(feed: StoredFeed) -> Visit:
            return await visitors[feed.allow_private].visit(feed)

        visit = _watched(visit_feed, telemetry, tracer)
        base = settings.feeder.websub if listens else ""
        if listens:
            state.leases.keep_only(base)
        if not base:
            yield make_poller(visit)
            return
        async with open_hub_pushes(
            settings,
            state,
            make_poller,
            visit,
            fetcher=fetcher,
            pace=pace.wait,
            bounds=bounds,
            clock=clock,
            telemetry=telemetry,
        ) as poller:
            yield poller


@asynccontextmanager
async def feed_fetcher(
    settings: Settings,
    *,
    pace: Callable[[str], Awaitable[None]] = no_pace,
    allow_private: bool,
    received: Callable[[int], None] = lambda _: None,
) -> AsyncIterator[Fetcher]:
    """Yield a fetcher with the configured limits.

    `pace` returns when a host may get a request; `received` gets the size of each body.
    """
    chosen = settings.feeder
    async with open_fetcher(
        FetchLimits(body=chosen.body_bytes, total=chosen.timeout),
        agent=user_agent(chosen.contact),
        now=SystemClock().now,
        pace=pace,
        admits=admits_all if allow_private else is_public,
        proxy=chosen.proxy,
        received=received,
    ) as fetcher:
        yield fetcher


def _watched(visit: VisitFeed, telemetry: FeederTelemetry, tracer: Tracer) -> VisitFeed:
    """Return a function that visits a feed, counts the visit and its time, and traces it."""

    async def counted(feed: StoredFeed) -> Visit:
        began = monotonic()
        with tracer.span("visit feed") as span:
            done = await visit(feed)
            span.note("newsdedup.feed", feed.logged_address)
            span.note("newsdedup.outcome", done.outcome)
            span.note("newsdedup.entries", done.new_entries)
        telemetry.visited(done.outcome, monotonic() - began, done.new_entries)
        return done

    return counted


def _polling_limits(settings: Settings) -> PollingLimits:
    """Return how much happens at once."""
    chosen = settings.feeder
    return PollingLimits(
        visits=chosen.visits,
        visits_per_host=chosen.host_visits,
        requests_per_second=float(chosen.host_rate),
        horizon=chosen.horizon,
    )
