"""The web application: which middlewares each request passes, and which paths there are."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Final

import msgspec
from aiohttp import web

from newsdedup._version import __version__
from newsdedup.server.access import add_origin_headers, answer_preflights, check_host
from newsdedup.server.archive_api import ARCHIVE_QUERIES
from newsdedup.server.change_stream import EVENTS, answer_events
from newsdedup.server.client_limits import limit_concurrency, limit_rate
from newsdedup.server.feedback_api import FEEDBACK, answer_feedback
from newsdedup.server.feeds_out import OUTGOING_FEEDS
from newsdedup.server.health_api import answer_alive, answer_metrics, answer_ready
from newsdedup.server.http_errors import LOG, answer_errors
from newsdedup.server.judging_api import CHECK, KEEP, answer_check, answer_keep
from newsdedup.server.openapi import make_openapi
from newsdedup.server.operations import JSON, Handler, Operation
from newsdedup.server.pages.routes import add_pages
from newsdedup.server.request_log import log_request
from newsdedup.server.response_headers import add_security_headers
from newsdedup.server.services import SERVICES, ServerServices

ROUTES: Final[Sequence[tuple[Operation, Handler]]] = (
    *((one.operation, one.answer) for one in ARCHIVE_QUERIES),
    (EVENTS, answer_events),
    (CHECK, answer_check),
    (KEEP, answer_keep),
    (FEEDBACK, answer_feedback),
    *((one.operation, one.answer) for one in OUTGOING_FEEDS),
)
"""The operations of the API with their handlers."""


def make_app(services: ServerServices) -> web.Application:
    """Return the application: the API, the feeds and the pages."""
    # The first one is the outermost: it makes problems of what the others refuse.
    middlewares = [answer_errors, check_host, limit_rate, limit_concurrency, answer_preflights]
    if LOG.isEnabledFor(logging.DEBUG):
        middlewares.insert(0, log_request)
    if services.metrics is not None:
        middlewares.insert(0, services.metrics.measure)
    app = web.Application(
        middlewares=middlewares,
        client_max_size=services.limits.body_bytes,
    )
    app[SERVICES] = services
    for operation, handler in ROUTES:
        operation.add_to(app, handler)
    app.router.add_get("/openapi.json", _openapi_handler(services))
    app.router.add_get("/healthz", answer_alive)
    app.router.add_get("/readyz", answer_ready)
    app.router.add_get("/metrics", answer_metrics)
    add_pages(app)
    app.on_response_prepare.append(add_origin_headers)
    app.on_response_prepare.append(add_security_headers)
    app.on_shutdown.append(_end_streams)
    app.cleanup_ctx.append(_watch_changes)
    return app


def _openapi_handler(
    services: ServerServices,
) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
    """Return the handler of /openapi.json; the document is made once."""
    operations = [operation for operation, _ in ROUTES]
    document = make_openapi(operations, version=__version__, batch=services.limits.batch)
    body = msgspec.json.encode(document)

    async def answer_openapi(_: web.Request) -> web.StreamResponse:
        response = web.Response(body=body, content_type=JSON)
        response.headers["Cache-Control"] = "no-cache"
        return response

    return answer_openapi


async def _end_streams(app: web.Application) -> None:
    """Let the streams end, or the server would wait for their clients to go."""
    app[SERVICES].stopping.set()


async def _watch_changes(app: web.Application) -> AsyncIterator[None]:
    """Look for changes of the archive as long as the application runs."""
    watching = asyncio.create_task(app[SERVICES].changes.run())
    yield
    watching.cancel()
    with suppress(asyncio.CancelledError):
        await watching
