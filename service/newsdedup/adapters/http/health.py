"""Metrics and health over HTTP, at a port of their own.

/livez tells that the event loop turns and nothing else: a worker that waits for a server must not
be killed for that. /readyz is 503 with a line for each thing that is missing.
"""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final

from aiohttp import web

from newsdedup.ports.errors import SettingsInvalid

EXPOSITION: Final = "text/plain; version=0.0.4; charset=utf-8"
SHUTDOWN_SECONDS: Final = 1.0
"""How long a scrape that is under way at the end may take."""


@asynccontextmanager
async def serve_health(
    host: str, port: int, *, scrape: Callable[[], bytes], missing: Callable[[], list[str]]
) -> AsyncIterator[None]:
    """Answer beside a block; raise SettingsInvalid where the port is not to be had."""

    async def livez(_: web.Request) -> web.Response:
        return web.Response(text="alive\n")

    async def readyz(_: web.Request) -> web.Response:
        lacks = missing()
        return web.Response(status=503 if lacks else 200, text=_lines(lacks or ["ready"]))

    async def metrics(_: web.Request) -> web.Response:
        return web.Response(body=scrape(), headers={"Content-Type": EXPOSITION})

    app = web.Application()
    app.add_routes(
        [web.get("/livez", livez), web.get("/readyz", readyz), web.get("/metrics", metrics)]
    )
    runner = web.AppRunner(
        app, access_log=None, handle_signals=False, shutdown_timeout=SHUTDOWN_SECONDS
    )
    await runner.setup()
    try:
        try:
            await web.TCPSite(runner, host, port).start()
        except OSError as error:
            raise SettingsInvalid(_refused(host, port, error)) from error
        yield
    finally:
        await runner.cleanup()


def _lines(said: list[str]) -> str:
    return "".join(f"{line}\n" for line in said)


def _refused(host: str, port: int, error: OSError) -> str:
    return (
        f"worker.port {port}: metrics and health cannot be told at {host}:{port} "
        f"({error.strerror or error}); choose another port with --port, or --port 0 for none"
    )
