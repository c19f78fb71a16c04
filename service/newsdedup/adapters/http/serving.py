"""Serving an application of aiohttp at a port, for as long as a block runs."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import web

from newsdedup.ports.errors import SettingsInvalid


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
    """Serve an application while a block runs; yield its port, that which 0 chose.

    Requests that are worked on at the end get `shutdown_seconds`. There is no access log: paths
    may hold tokens. Raise SettingsInvalid if the port is taken or the host is none of this
    machine, with the message that `refusal` makes of the reason.
    """
    runner = web.AppRunner(
        app, access_log=None, handle_signals=False, shutdown_timeout=shutdown_seconds, **options
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
