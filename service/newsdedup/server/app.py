"""The web application: its socket, middlewares and paths, health and metrics."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from http import HTTPStatus
from time import perf_counter
from typing import Any, Final

import msgspec
from aiohttp import web

from newsdedup._version import __version__
from newsdedup.adapters.http.serving import EXPOSITION, serve_app
from newsdedup.server.access import (
    add_origin_headers,
    add_security_headers,
    answer_preflights,
    check_host,
)
from newsdedup.server.archive_api import ARCHIVE_ROUTES
from newsdedup.server.change_stream import EVENTS, answer_events
from newsdedup.server.client_limits import limit_concurrency, limit_rate
from newsdedup.server.compression import compress_answers
from newsdedup.server.feeds_out import FEED_ROUTES
from newsdedup.server.http_errors import LOG, Handler, RequestRefused, answer_errors
from newsdedup.server.judging_api import JUDGING_ROUTES
from newsdedup.server.openapi import make_openapi
from newsdedup.server.operations import JSON, Route
from newsdedup.server.pages.routes import add_pages
from newsdedup.server.services import SERVICES, ServerServices, services_of
from newsdedup.server.watch_feeds import WATCH_FEED_ROUTES

_ROUTES: Final[Sequence[Route]] = (
    *ARCHIVE_ROUTES,
    (EVENTS, answer_events),
    *JUDGING_ROUTES,
    *FEED_ROUTES,
    *WATCH_FEED_ROUTES,
)
_METHODS: Final = ("GET", "HEAD", "OPTIONS", "POST")
_OTHER: Final = "other"
"""Stands for a path that does not exist, and for a method that no path takes."""
_OLDER_INDEX: Final = (
    "its words are indexed by an earlier version, and searches may find less: "
    "`newsdedup archive --to FILE` indexes them anew"
)
_PARTLY_DAMAGED: Final = (
    "some pages and answers fail: `newsdedup doctor --archive FILE` says what to do"
)
_END_SECONDS: Final = 5.0
"""How long open requests may take when the server ends."""
_LINE_BYTES: Final = 2**16
"""The longest address: source and id have 2,000 characters each, of 12 bytes where quoted."""


def make_app(services: ServerServices) -> web.Application:
    """Return the application: the API, the feeds and the pages."""
    # The first one is the outermost: answer_errors answers what those after it refuse.
    middlewares = [
        compress_answers,
        answer_errors,
        check_host,
        limit_rate,
        limit_concurrency,
        answer_preflights,
    ]
    if services.metrics is not None or LOG.isEnabledFor(logging.DEBUG):
        middlewares.insert(0, _measure_request)
    app = web.Application(middlewares=middlewares, client_max_size=services.limits.body_bytes)
    app[SERVICES] = services
    for operation, handler in _ROUTES:
        operation.add_to(app, handler)
    app.router.add_get("/openapi.json", _openapi_handler(services))
    app.router.add_get("/healthz", _answer_alive)
    app.router.add_get("/readyz", _answer_ready)
    app.router.add_get("/metrics", _answer_metrics)
    add_pages(app)
    app.on_response_prepare.append(add_origin_headers)
    app.on_response_prepare.append(add_security_headers)
    app.on_shutdown.append(_end_streams)
    app.cleanup_ctx.append(partial(_run_until_the_end, services.changes.run))
    if services.watcher is not None:
        app.cleanup_ctx.append(partial(_run_until_the_end, services.watcher.run))
    return app


@web.middleware
async def _measure_request(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Count a request, and log it at debug, when it is answered or its client has gone.

    The path is counted and logged as the route writes it, without values and query.
    """
    start, status = perf_counter(), "gone"
    resource = request.match_info.route.resource
    path = _OTHER if resource is None else resource.canonical
    try:
        response = await handler(request)
        status = str(response.status)
        return response
    finally:
        seconds = perf_counter() - start
        method = request.method if request.method in _METHODS else _OTHER
        message = "request method=%s path=%s status=%s ms=%.1f"
        LOG.debug(message, method, path, status, 1000 * seconds)
        metrics = services_of(request).metrics
        if metrics is not None:
            method = _OTHER if method == "OPTIONS" else method
            metrics.count(path, method, status, seconds)


def _openapi_handler(services: ServerServices) -> Handler:
    """Return the handler of /openapi.json; the document is made once."""
    operations = [operation for operation, _ in _ROUTES]
    document = make_openapi(operations, version=__version__, batch=services.limits.batch)
    body = msgspec.json.encode(document)

    async def answer_openapi(_: web.Request) -> web.StreamResponse:
        return web.Response(body=body, content_type=JSON, headers={"Cache-Control": "no-cache"})

    return answer_openapi


async def _answer_alive(_: web.Request) -> web.StreamResponse:
    """Answer GET /healthz: 200 as long as the event loop runs."""
    return _lines(["alive"], HTTPStatus.OK)


async def _answer_ready(request: web.Request) -> web.StreamResponse:
    """Answer GET /readyz: 503 with a line for each reason why the server is not ready."""
    services = services_of(request)
    missing, notes = services.missing(), list[str]()
    try:
        if await services.pool.run(lambda reader: reader.index_progress()) and not missing:
            notes = [f"archive: {_OLDER_INDEX}"]
        if services.pool.damage:
            notes.append(f"archive: {services.pool.damage}; {_PARTLY_DAMAGED}")
    except Exception as error:  # noqa: BLE001 - whatever it is, the archive cannot be read
        missing = [*missing, f"archive: {error}"]
    if services.watcher is not None:
        if services.watcher.ended is not None:
            missing = [*missing, f"saved searches: {services.watcher.ended}"]
        else:
            notes += await services.watcher.problems()
    status = HTTPStatus.SERVICE_UNAVAILABLE if missing else HTTPStatus.OK
    # A failing webhook, an older index and a damaged page of the file are named; the rest is ready.
    return _lines([*(missing or ["ready"]), *notes], status)


async def _answer_metrics(request: web.Request) -> web.StreamResponse:
    """Answer GET /metrics; raise RequestRefused (404) where prometheus-client is not installed."""
    metrics = services_of(request).metrics
    if metrics is None:
        detail = "metrics need prometheus-client: install the extra kafka"
        raise RequestRefused("", detail, status=HTTPStatus.NOT_FOUND)
    headers = {"Content-Type": EXPOSITION, "Cache-Control": "no-store"}
    return web.Response(body=metrics.scrape(), headers=headers)


def _lines(lines: list[str], status: HTTPStatus) -> web.Response:
    """Return a plain text with a line for each of `lines`, which no cache keeps."""
    text = "".join(f"{line}\n" for line in lines)
    return web.Response(status=status, text=text, headers={"Cache-Control": "no-store"})


async def _end_streams(app: web.Application) -> None:
    """Set `stopping`, which ends the streams: else the server would wait for their clients."""
    app[SERVICES].stopping.set()


async def _run_until_the_end(
    work: Callable[[], Coroutine[Any, Any, None]], _: web.Application
) -> AsyncIterator[None]:
    """Run a task until the application ends."""
    task = asyncio.create_task(work())
    yield
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


@asynccontextmanager
async def listen(app: web.Application, host: str, port: int) -> AsyncIterator[str]:
    """Serve an application during a block; yield its URL, with the port that 0 chose.

    Raise SettingsInvalid if the port is taken or the host is not this machine.
    """

    def refusal(reason: str) -> str:
        """Return the message of SettingsInvalid; `reason` is that of the operating system."""
        problem = f"server.port {port}: nothing can be served at {host}:{port} ({reason})"
        return f"{problem}; choose another port with --port"

    # aiohttp would log an error for each client that sends no valid HTTP.
    logger = logging.getLogger("newsdedup.http")
    logger.setLevel(logging.CRITICAL)
    async with serve_app(
        app,
        host,
        port,
        refusal=refusal,
        shutdown_seconds=_END_SECONDS,
        handler_cancellation=True,
        max_line_size=_LINE_BYTES,
        logger=logger,
    ) as bound:
        name = f"[{host}]" if ":" in host else host
        yield f"http://{name}:{bound}"
