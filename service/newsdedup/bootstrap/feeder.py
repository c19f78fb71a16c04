"""Makes the feeder: it visits feeds, sends what is new to an output, and reports on itself."""

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import monotonic

from newsdedup.adapters.files.paths import free_by_name
from newsdedup.config import Settings
from newsdedup.feeder.fetching import fetcher as fetching
from newsdedup.feeder.fetching.address_guard import admits_all, is_public
from newsdedup.feeder.fetching.page_fetcher import PageFetcher
from newsdedup.feeder.parsing.parsed_feed import BOUNDS
from newsdedup.feeder.polling.feed_visitor import FeedVisitor, PageTexts, Visit
from newsdedup.feeder.polling.host_pace import Clock, HostPace
from newsdedup.feeder.polling.poller import Poller, PollingLimits, VisitFeed
from newsdedup.feeder.scheduling.hub_lease import lease_condition
from newsdedup.feeder.scheduling.stored_feed import IntervalBounds, StoredFeed
from newsdedup.feeder.state.feed_state import FeedState
from newsdedup.feeder.watching.feed_health import count_conditions, longest_wait
from newsdedup.feeder.websub.callbacks import HubCallbacks, serve_callbacks
from newsdedup.feeder.websub.subscriber import HubSubscriber
from newsdedup.ports.telemetry import FeederTelemetry
from newsdedup.ports.tracing import NO_TRACER, Tracer
from newsdedup.runners.intake.feed_records import complete_by_page, deliver_entries, record_parser
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

    `allow_private` lets all feeds lead to addresses of this machine and its network; else only
    feeds that were added so may. With `listens` hubs may push, if feeder.websub says where they
    reach this machine; raise SettingsInvalid if the port for them is taken.
    """
    chosen = settings.feeder
    limits = PollingLimits(
        visits=chosen.visits,
        visits_per_host=chosen.host_visits,
        requests_per_second=float(chosen.host_rate),
        horizon=chosen.horizon,
    )
    clock = Clock()
    pace = HostPace(clock, limits.gap)
    if allow_private:
        state.retry_refused()
    bounds = IntervalBounds(shortest=chosen.shortest, longest=chosen.longest)
    parse = record_parser(replace(BOUNDS, body_bytes=chosen.body_bytes))
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
                    deliver=partial(deliver_entries, output),
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
            began = monotonic()
            with tracer.span("visit feed") as span:
                done = await visitors[feed.allow_private].visit(feed)
                span.note("newsdedup.feed", feed.logged_address)
                span.note("newsdedup.outcome", done.outcome)
                span.note("newsdedup.entries", done.new_entries)
            telemetry.visited(done.outcome, monotonic() - began, done.new_entries)
            return done

        base = chosen.websub if listens else ""
        if listens:
            state.leases.keep_only(base)
        if not base:
            yield make_poller(visit_feed)
            return
        async with open_hub_pushes(
            settings,
            state,
            make_poller,
            visit_feed,
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
    pace: Callable[[str], Awaitable[None]] = fetching.no_pace,
    allow_private: bool,
    received: Callable[[int], None] = lambda _: None,
) -> AsyncIterator[fetching.Fetcher]:
    """Yield a fetcher with the configured limits; `allow_private` admits this machine's network.

    `pace` waits until a request to the given host may start; `received` gets the bytes of a body.
    """
    chosen = settings.feeder
    async with fetching.open_fetcher(
        fetching.FetchLimits(body=chosen.body_bytes, total=chosen.timeout),
        agent=fetching.user_agent(chosen.contact),
        now=Clock().now,
        pace=pace,
        admits=admits_all if allow_private else is_public,
        proxy=chosen.proxy,
        received=received,
    ) as fetcher:
        yield fetcher


@asynccontextmanager
async def open_hub_pushes(
    settings: Settings,
    state: FeedState,
    make_poller: Callable[[VisitFeed], Poller],
    visit: VisitFeed,
    *,
    fetcher: fetching.Fetcher,
    pace: Callable[[str], Awaitable[None]],
    bounds: IntervalBounds,
    clock: Clock,
    telemetry: FeederTelemetry,
) -> AsyncIterator[Poller]:
    """Yield a poller that visits feeds when hubs push, and serve the callbacks of hubs meanwhile.

    Raise SettingsInvalid if the port is taken, and at the end the error that stopped the
    subscriber, if any.
    """
    chosen = settings.feeder
    subscriber = HubSubscriber(
        state, fetcher, base=chosen.websub, bounds=bounds, clock=clock, pace=pace
    )

    poller = make_poller(lambda feed: subscriber.visit(feed, visit))
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


@asynccontextmanager
async def open_feeder_telemetry(
    settings: Settings, state: FeedState, *, release: str, files: Mapping[str, Path]
) -> AsyncIterator[FeederTelemetry]:
    """Yield the telemetry of a feeder and serve it over HTTP; it does nothing for feeder.port 0.

    `files` are those that the feeder writes, keyed by what they hold: their free space is measured.
    Raise SettingsInvalid if the port is taken.
    """
    chosen = settings.feeder
    if chosen.port == 0:
        yield FeederTelemetry()
        return
    # Here and not above: they need what the extra `kafka` brings.
    from newsdedup.adapters.http.serving import serve_health  # noqa: PLC0415
    from newsdedup.adapters.metrics.catalogue import FEEDER_BUILD_INFO, FEEDER_METRICS  # noqa: PLC0415
    from newsdedup.adapters.metrics.feeder_telemetry import FeedStats, PrometheusFeederTelemetry  # noqa: PLC0415
    from newsdedup.adapters.metrics.prometheus import Metrics  # noqa: PLC0415

    clock = Clock()
    started_at = clock.now()

    def measure() -> FeedStats:
        now, feeds = clock.now(), state.feeds()
        behind = longest_wait(feeds, at=now, started_at=started_at)
        leases = Counter(lease_condition(lease, at=now) for lease in state.leases.all())
        return FeedStats(
            conditions=count_conditions(feeds, at=now),
            behind_seconds=behind.total_seconds(),
            leases={str(condition): number for condition, number in leases.items()},
            free_bytes=free_by_name(files),
        )

    metrics = Metrics(FEEDER_METRICS)
    metrics.set(FEEDER_BUILD_INFO, 1, release)
    telemetry = PrometheusFeederTelemetry(metrics, measure)
    async with serve_health(chosen.host, chosen.port, telemetry, setting="feeder.port"):
        yield telemetry
