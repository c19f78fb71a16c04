"""Whether the server runs, whether it is ready, and its metrics."""

from http import HTTPStatus
from typing import Final

from aiohttp import web

from newsdedup.server.http_errors import RequestRefused
from newsdedup.server.services import services_of

_EXPOSITION: Final = "text/plain; version=0.0.4; charset=utf-8"


async def answer_alive(_: web.Request) -> web.StreamResponse:
    """Answer GET /healthz as long as the event loop runs."""
    return _lines(["alive"], HTTPStatus.OK)


async def answer_ready(request: web.Request) -> web.StreamResponse:
    """Answer GET /readyz: 503 with a line for each reason why the server is not ready."""
    services = services_of(request)
    missing = services.missing()
    try:
        await services.pool.run(lambda reader: reader.last_change())
    except Exception as error:  # noqa: BLE001 - whatever it is, the archive cannot be read
        missing = [*missing, f"archive: {error}"]
    status = HTTPStatus.SERVICE_UNAVAILABLE if missing else HTTPStatus.OK
    return _lines(missing or ["ready"], status)


async def answer_metrics(request: web.Request) -> web.StreamResponse:
    """Answer GET /metrics in the text format of Prometheus."""
    metrics = services_of(request).metrics
    if metrics is None:
        raise RequestRefused(
            HTTPStatus.NOT_FOUND, "metrics need prometheus-client: install the extra kafka"
        )
    response = web.Response(body=metrics.scrape(), headers={"Content-Type": _EXPOSITION})
    response.headers["Cache-Control"] = "no-store"
    return response


def _lines(lines: list[str], status: HTTPStatus) -> web.Response:
    response = web.Response(status=status, text="".join(f"{line}\n" for line in lines))
    response.headers["Cache-Control"] = "no-store"
    return response
