"""The HTTP server at which hubs call back, behind the public address that they are given."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Final

from aiohttp import web

from newsdedup.adapters.http.serving import serve_app
from newsdedup.feeder.websub.callbacks import HubCallbacks

_BODY_SECONDS: Final = 60.0
_CHUNK: Final = 64 * 2**10


@asynccontextmanager
async def serve_callbacks(host: str, port: int, callbacks: HubCallbacks) -> AsyncIterator[None]:
    """Serve the callbacks while a block runs; raise SettingsInvalid if the port is taken.

    The last part of a path is the token, whatever a proxy leaves before it.
    """

    async def verify(request: web.Request) -> web.Response:
        """Answer the question of a hub, as plain text that no browser takes for a page."""
        body = callbacks.verify(_token(request), request.query)
        if body is None:
            return web.Response(status=HTTPStatus.NOT_FOUND)
        return web.Response(text=body, headers={"X-Content-Type-Options": "nosniff"})

    async def push(request: web.Request) -> web.Response:
        """Answer a push as soon as its body is read."""
        signature = request.headers.get("X-Hub-Signature", "")
        body = request.content.iter_chunked(_CHUNK)
        try:
            async with asyncio.timeout(_BODY_SECONDS):
                return web.Response(status=await callbacks.push(_token(request), signature, body))
        except TimeoutError:
            return web.Response(status=HTTPStatus.REQUEST_TIMEOUT)

    app = web.Application()
    app.add_routes([web.get("/{path:.*}", verify), web.post("/{path:.*}", push)])

    def refusal(reason: str) -> str:
        return f"feeder.websub_port {port}: hubs cannot call back at {host}:{port} ({reason})"

    async with serve_app(app, host, port, refusal=refusal):
        yield


def _token(request: web.Request) -> str:
    """Return the last part of the path of a request."""
    return request.match_info["path"].rpartition("/")[2]
