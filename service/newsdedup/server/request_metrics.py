"""Counts requests where prometheus-client is installed (the extra `kafka`)."""

from collections import Counter
from collections.abc import Callable, Mapping

from newsdedup.adapters.metrics.catalogue import (
    REFUSED_TOKENS,
    REQUEST_SECONDS,
    REQUESTS,
    SERVER_BUILD_INFO,
    SERVER_DISK_FREE,
    SERVER_METRICS,
    WATCHES_BEHIND,
    WEBHOOK_ATTEMPTS,
    WEBHOOK_DEAD,
    WEBHOOK_LAG,
    WEBHOOK_WAITING,
)
from newsdedup.adapters.metrics.prometheus import Metric, Metrics
from newsdedup.server.client_limits import STREAM_PATH
from newsdedup.watches.watcher import Watcher


class RequestMetrics:
    """Counts requests and their time by path, as the routes write it, and by status."""

    def __init__(
        self,
        *,
        release: str,
        gauges: Mapping[Metric, Callable[[], int]],
        free_bytes: Callable[[], Mapping[str, float]] = dict,
        watcher: Watcher | None = None,
    ) -> None:
        """Start the counters; `release` is the version of newsdedup.

        Each gauge is read at each scrape, and so is the free space in bytes by volume.
        """
        self._metrics = Metrics(SERVER_METRICS)
        self._metrics.set(SERVER_BUILD_INFO, 1, release)
        self._gauges = gauges
        self._free_bytes = free_bytes
        self._watcher = watcher
        self._last_counts: Counter[str] = Counter()
        """What was counted of the attempts of webhooks so far."""

    def scrape(self) -> bytes:
        """Return all metrics in the text format of Prometheus."""
        for metric, value in self._gauges.items():
            self._metrics.set(metric, value())
        if self._watcher is not None:
            self._watch(self._watcher)
        for name, free in self._free_bytes().items():
            self._metrics.set(SERVER_DISK_FREE, free, name)
        return self._metrics.scrape()

    def _watch(self, watcher: Watcher) -> None:
        for outcome, number in watcher.counts.items():
            self._metrics.count(WEBHOOK_ATTEMPTS, outcome, by=number - self._last_counts[outcome])
            self._last_counts[outcome] = number
        self._metrics.set(WEBHOOK_WAITING, watcher.unsent.waiting)
        self._metrics.set(WEBHOOK_DEAD, watcher.unsent.dead)
        self._metrics.set(WEBHOOK_LAG, watcher.lag_seconds())
        self._metrics.set(WATCHES_BEHIND, watcher.behind)

    def count(self, path: str, method: str, status: str, seconds: float) -> None:
        """Count an answered request by its route; of a stream not how long it lasted."""
        self._metrics.count(REQUESTS, path, method, status)
        if path != STREAM_PATH:
            self._metrics.observe(REQUEST_SECONDS, (seconds,), path)

    def count_refused_token(self, reason: str) -> None:
        """Count a token that was refused: "wrong", or "too_soon" after wrong ones."""
        self._metrics.count(REFUSED_TOKENS, reason)
