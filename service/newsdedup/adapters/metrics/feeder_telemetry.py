"""Telemetry of a feeder as Prometheus metrics, and its readiness probe."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from newsdedup.adapters.metrics import catalogue
from newsdedup.adapters.metrics.prometheus import Metrics
from newsdedup.ports.telemetry import FeederTelemetry

MEASURED_AFTER: Final = 30.0
"""Seconds after which a scrape measures the list again: 20,000 feeds take 0.6 s (2026-11-23)."""


@dataclass(frozen=True, slots=True)
class FeedStats:
    """The list of feeds as it is at a moment."""

    conditions: Mapping[str, int]
    """Numbers of feeds by condition."""
    behind_seconds: float
    leases: Mapping[str, int]
    """Numbers of subscriptions at hubs by condition."""
    free_bytes: Mapping[str, float] = field(default_factory=dict)
    """Free space of the volumes of its files, by what the files hold."""


class PrometheusFeederTelemetry(FeederTelemetry):
    """A FeederTelemetry that counts in metrics; `measure` reads the list of feeds."""

    def __init__(
        self,
        metrics: Metrics,
        measure: Callable[[], FeedStats],
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._metrics = metrics
        self._measure = measure
        self._clock = clock
        self._measured_at = float("-inf")
        self._running = False
        self._stopping = False
        self._output_away = False
        self._output_silent = False

    def visited(self, outcome: str, seconds: float, items: int) -> None:
        """Count a visit; the seconds of one that was only put off ("paused") are left out."""
        self._metrics.count(catalogue.VISITS, outcome)
        self._metrics.count(catalogue.WRITTEN_ITEMS, by=items)
        if outcome != "paused":
            self._metrics.observe(catalogue.VISIT_SECONDS, [seconds])

    def received(self, size: int) -> None:
        """Count the bytes of a fetched body."""
        self._metrics.count(catalogue.RECEIVED_BYTES, by=size)

    def output_failed(self) -> None:
        """Count a write that the output did not acknowledge; the feeder is not ready now."""
        self._metrics.count(catalogue.OUTPUT_RETRIES)
        self._output_away = True

    def output_answers(self) -> None:
        """Note that no task waits for the output any more."""
        self._output_away = False

    def output_reached(self, *, answers: bool) -> None:
        """Note whether the server of the output answered a probe."""
        self._output_silent = not answers

    def pushed(self, result: str) -> None:
        """Count a push of a hub: "accepted", "bad_signature", "too_large" or "unknown"."""
        self._metrics.count(catalogue.PUSHES, result)

    def running(self) -> None:
        """Note that feeds are visited from now on."""
        self._running = True

    def stopping(self) -> None:
        """Note that no other visit begins."""
        self._stopping = True

    def missing(self) -> list[str]:
        """Return the reasons why the feeder is not ready; an empty list if it is."""
        away = self._output_away or self._output_silent
        reasons = ["waiting for the output"] if away else []
        if self._stopping:
            return ["draining", *reasons]
        return reasons if self._running else ["starting", *reasons]

    def scrape(self) -> bytes:
        """Return all metrics in the text format of Prometheus, those of the list not too old."""
        if self._clock() - self._measured_at >= MEASURED_AFTER:
            stats = self._measure()
            for condition in catalogue.FEED_CONDITIONS:
                self._metrics.set(catalogue.FEEDS, stats.conditions.get(condition, 0), condition)
            for condition in catalogue.LEASE_CONDITIONS:
                self._metrics.set(catalogue.HUB_LEASES, stats.leases.get(condition, 0), condition)
            self._metrics.set(catalogue.BEHIND_SECONDS, stats.behind_seconds)
            for name, free in stats.free_bytes.items():
                self._metrics.set(catalogue.FEEDER_DISK_FREE, free, name)
            self._measured_at = self._clock()
        self._metrics.set(catalogue.FEEDER_READY, not self.missing())
        return self._metrics.scrape()
