"""A line of the log for each request, at debug: its path as the routes write it, no query."""

from collections.abc import Awaitable, Callable
from time import perf_counter
from typing import Final

from aiohttp import web

from newsdedup.server.http_errors import LOG

_METHODS: Final = ("GET", "HEAD", "OPTIONS", "POST")


@web.middleware
async def log_request(
    request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
) -> web.StreamResponse:
    """Log a request when it is answered, or its client has gone."""
    start, status = perf_counter(), "gone"
    resource = request.match_info.route.resource
    try:
        response = await handler(request)
        status = str(response.status)
        return response
    finally:
        LOG.debug(
            "request method=%s path=%s status=%s ms=%.1f",
            request.method if request.method in _METHODS else "other",
            "other" if resource is None else resource.canonical,
            status,
            1000 * (perf_counter() - start),
        )
