"""The socket of the server: where it listens, how long it waits for clients, how it ends."""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from aiohttp import web

from newsdedup.adapters.http.serving import serve_app

_IDLE_SECONDS: Final = 30.0
"""How long a connection may take to send the headers of a request, the first or the next one."""
_END_SECONDS: Final = 5.0
"""How long requests that are worked on may take when the server ends."""
_UNREAD_SECONDS: Final = 2.0
"""How long the rest of a body is read that a refused request brings."""

_LINE_BYTES: Final = 2**16
"""The longest address: source and id have 2,000 characters each, of 12 bytes where quoted."""


@asynccontextmanager
async def listen(app: web.Application, host: str, port: int) -> AsyncIterator[str]:
    """Serve an application during a block; yield its address, with the port that 0 chose.

    Raise SettingsInvalid if the port is taken or the host is none of this machine.
    """

    def refusal(reason: str) -> str:
        return (
            f"server.port {port}: nothing can be served at {host}:{port} ({reason}); "
            "choose another port with --port"
        )

    async with serve_app(
        app,
        host,
        port,
        refusal=refusal,
        shutdown_seconds=_END_SECONDS,
        handler_cancellation=True,
        keepalive_timeout=_IDLE_SECONDS,
        lingering_time=_UNREAD_SECONDS,
        max_line_size=_LINE_BYTES,
        logger=_protocol_logger(),
    ) as bound:
        name = f"[{host}]" if ":" in host else host
        yield f"http://{name}:{bound}"


def _protocol_logger() -> logging.Logger:
    """Return a logger that stays silent where a client sends what is no HTTP."""
    logger = logging.getLogger("newsdedup.http")
    logger.setLevel(logging.CRITICAL)
    return logger
