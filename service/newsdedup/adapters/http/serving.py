"""Applications of aiohttp at a port, for as long as a block runs; one with metrics and health.

/livez answers as long as the event loop runs: a process that waits for a server must not be killed
for that. /readyz answers 503, with a line for each reason, while the process is not ready.
"""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, Final, Protocol

from aiohttp import web

from newsdedup.ports.errors import SettingsInvalid

EXPOSITION: Final = "text/plain; version=0.0.4; charset=utf-8"
"""The media type of metrics."""
IDLE_SECONDS: Final = 30.0
"""How long a connection may take to send the headers of its first or next request."""
UNREAD_SECONDS: Final = 2.0
"""How long the rest of the body of a refused request is read."""


class ScrapedTelemetry(Protocol):
    """What a process reports of itself when it is asked."""

    def scrape(self) -> bytes:
        """Return its metrics in the text format of Prometheus."""

    def missing(self) -> list[str]:
        """Return the reasons why it is not ready, none if it is."""


@asynccontextmanager
async def serve_app(
    app: web.Application,
    host: str,
    port: int,
    *,
    refusal: Callable[[str], str],
    shutdown_seconds: float = 1.0,
    **options: Any,
) -> AsyncIterator[int]:
    """Serve an application while a block runs; yield its port, a free one if `port` is 0.

    Connections on which no whole request comes are closed: each takes an open file. Requests that
    are worked on at the end get `shutdown_seconds`. There is no access log: paths may hold tokens.
    Raise SettingsInvalid if the port is taken or the host is none of this machine, with the message
    that `refusal` makes of the reason.
    """
    runner = web.AppRunner(
        app,
        access_log=None,
        handle_signals=False,
        shutdown_timeout=shutdown_seconds,
        keepalive_timeout=IDLE_SECONDS,
        lingering_time=UNREAD_SECONDS,
        **options,
    )
    await runner.setup()
    try:
        try:
            await web.TCPSite(runner, host, port).start()
        except OSError as error:
            raise SettingsInvalid(refusal(error.strerror or str(error))) from error
        yield runner.addresses[0][1]
    finally:
        await runner.cleanup()


@asynccontextmanager
async def serve_health(
    host: str, port: int, telemetry: ScrapedTelemetry, *, setting: str
) -> AsyncIterator[None]:
    """Serve /metrics, /livez and /readyz while a block runs.

    Raise SettingsInvalid, which names the `setting` of the port, if the port is taken.
    """

    async def livez(_: web.Request) -> web.Response:
        return web.Response(text="alive\n")

    async def readyz(_: web.Request) -> web.Response:
        reasons = telemetry.missing()
        lines = "".join(f"{line}\n" for line in reasons or ["ready"])
        return web.Response(status=503 if reasons else 200, text=lines)

    async def metrics(_: web.Request) -> web.Response:
        return web.Response(body=telemetry.scrape(), headers={"Content-Type": EXPOSITION})

    where = f"{setting} {port}: metrics and health cannot be served at {host}:{port}"
    advice = "choose another port with --port, or --port 0 for none"
    app = web.Application()
    app.add_routes(
        [web.get("/livez", livez), web.get("/readyz", readyz), web.get("/metrics", metrics)]
    )
    async with serve_app(app, host, port, refusal=lambda reason: f"{where} ({reason}); {advice}"):
        yield
