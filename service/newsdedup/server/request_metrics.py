"""Counts requests where prometheus-client is installed (the extra `kafka`)."""

from collections.abc import Awaitable, Callable, Mapping
from time import perf_counter
from typing import Final

from aiohttp import web

from newsdedup.adapters.metrics.catalogue import (
    REQUEST_SECONDS,
    REQUESTS,
    SERVER_BUILD_INFO,
    SERVER_DISK_FREE,
    SERVER_METRICS,
)
from newsdedup.adapters.metrics.metric import Metric
from newsdedup.adapters.metrics.prometheus import Metrics

_STREAM: Final = "/v1/events"
_OTHER: Final = "other"
"""The path of requests for addresses that there are not, and methods that no path takes."""


class RequestMetrics:
    """Counts requests and their time by path, as the routes write it, and by status."""

    def __init__(
        self,
        *,
        release: str,
        gauges: Mapping[Metric, Callable[[], int]],
        free_bytes: Callable[[], Mapping[str, float]] = dict,
    ) -> None:
        """Begin to count; each gauge is read at each scrape, and the free space of volumes."""
        self._metrics = Metrics(SERVER_METRICS)
        self._metrics.set(SERVER_BUILD_INFO, 1, release)
        self._gauges = gauges
        self._free_bytes = free_bytes

    def scrape(self) -> bytes:
        """Return all metrics in the text format of Prometheus."""
        for metric, value in self._gauges.items():
            self._metrics.set(metric, value())
        for name, free in self._free_bytes().items():
            self._metrics.set(SERVER_DISK_FREE, free, name)
        return self._metrics.scrape()

    @web.middleware
    async def measure(
        self,
        request: web.Request,
        handler: Callable[[web.Request], Awaitable[web.StreamResponse]],
    ) -> web.StreamResponse:
        """Count a request when it is answered, or its client has gone."""
        start, status = perf_counter(), "gone"
        resource = request.match_info.route.resource
        path = _OTHER if resource is None else resource.canonical
        try:
            response = await handler(request)
            status = str(response.status)
            return response
        finally:
            method = request.method if request.method in ("GET", "HEAD", "POST") else _OTHER
            self._metrics.count(REQUESTS, path, method, status)
            if path != _STREAM:
                self._metrics.observe(REQUEST_SECONDS, (perf_counter() - start,), path)
