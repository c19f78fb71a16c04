"""Metrics and health of a feeder, served over HTTP."""

from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from newsdedup.adapters.files.paths import free_by_name
from newsdedup.config import Settings
from newsdedup.feeder.polling.clock import SystemClock
from newsdedup.feeder.scheduling.hub_lease import lease_condition
from newsdedup.feeder.state.feed_state import FeedState
from newsdedup.feeder.watching.feed_health import count_conditions, longest_wait
from newsdedup.ports.feeder_telemetry import FeederTelemetry


@asynccontextmanager
async def open_feeder_telemetry(
    settings: Settings, state: FeedState, *, release: str, files: Mapping[str, Path]
) -> AsyncIterator[FeederTelemetry]:
    """Yield the telemetry of a feeder, served over HTTP meanwhile; none if feeder.port is 0.

    `files` are those that the feeder writes to, by what they hold: their volumes are watched.
    """
    chosen = settings.feeder
    if chosen.port == 0:
        yield FeederTelemetry()
        return
    # Here and not above: they need what the extra `kafka` brings.
    from newsdedup.adapters.http.serving import serve_health  # noqa: PLC0415
    from newsdedup.adapters.metrics.catalogue import (  # noqa: PLC0415
        FEEDER_BUILD_INFO,
        FEEDER_METRICS,
    )
    from newsdedup.adapters.metrics.feeder_telemetry import (  # noqa: PLC0415
        FeedStats,
        PrometheusFeederTelemetry,
    )
    from newsdedup.adapters.metrics.prometheus import Metrics  # noqa: PLC0415

    clock = SystemClock()
    started_at = clock.now()

    def measure() -> FeedStats:
        """Return the figures of the list now."""
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
    async with serve_health(
        chosen.host,
        chosen.port,
        setting="feeder.port",
        scrape=telemetry.scrape,
        missing=telemetry.missing,
    ):
        yield telemetry
