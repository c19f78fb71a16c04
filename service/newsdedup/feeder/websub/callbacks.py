"""The callbacks that hubs know by their public addresses, and what hubs are answered there."""

import asyncio
import hmac
import re
from collections.abc import AsyncIterable, AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final, Literal

from aiohttp import web

from newsdedup.adapters.http.serving import serve_app
from newsdedup.feeder.polling.host_pace import Clock
from newsdedup.feeder.scheduling.hub_lease import (
    REQUESTED_LEASE,
    HubLease,
    after_denial,
    after_verification,
)
from newsdedup.feeder.state.feeds_file import HubLeases

PushResult = Literal["accepted", "bad_signature", "too_large", "unknown"]

_SECONDS: Final = re.compile(r"[0-9]{1,12}")
_LONGEST_CHALLENGE: Final = 4_096
_BODY_SECONDS: Final = 60.0
_CHUNK: Final = 64 * 2**10
_ALGORITHMS: Final = frozenset({"sha1", "sha256", "sha384", "sha512"})
"""Those that WebSub names; most hubs use sha1, which is not broken as an HMAC."""


@dataclass(frozen=True, slots=True)
class HubCallbacks:
    """Answers hubs; `pushed` gets the lease of each push with a right signature.

    The body of a push is only read for its signature, and never as a feed
    (docs/decisions/0026-pushes-trigger-visits.md).
    """

    leases: HubLeases
    clock: Clock
    body_bytes: int
    pushed: Callable[[HubLease], None]
    count: Callable[[PushResult], None]

    def verify(self, token: str, query: Mapping[str, str]) -> str | None:
        """Return the body with which a hub's question is answered 200; None for 404.

        A subscription is confirmed only if this feeder asked for its topic and was not denied it.
        """
        lease = self.leases.of_token(token)
        if lease is None or query.get("hub.topic") != lease.topic:
            return None
        now = self.clock.now()
        if query.get("hub.mode") == "denied":
            self.leases.store(after_denial(lease, query.get("hub.reason", ""), at=now))
            return ""
        challenge = query.get("hub.challenge", "")
        # Hubs older than WebSub leave it out.
        stated = query.get("hub.lease_seconds", str(int(REQUESTED_LEASE.total_seconds())))
        seconds = int(stated) if _SECONDS.fullmatch(stated) else 0
        if query.get("hub.mode") != "subscribe" or lease.state == "denied" or not seconds:
            return None
        if not 0 < len(challenge) <= _LONGEST_CHALLENGE:
            return None
        self.leases.store(after_verification(lease, seconds, at=now))
        return challenge

    async def push(self, token: str, signature: str, body: AsyncIterable[bytes]) -> HTTPStatus:
        """Return the status that a push is answered with.

        That is 410 for an unknown token, 413 for a long body, else 202, also for a wrong signature:
        such a push is dropped, and the answer shall not help to guess signatures.
        """
        lease = self.leases.of_token(token)
        if lease is None:
            self.count("unknown")
            return HTTPStatus.GONE
        check = PushSignature(signature, lease.secret)
        size = 0
        async for part in body:
            size += len(part)
            if size > self.body_bytes:
                self.count("too_large")
                return HTTPStatus.REQUEST_ENTITY_TOO_LARGE
            check.add(part)
        if check.matches():
            self.count("accepted")
            self.pushed(lease)
        else:
            self.count("bad_signature")
        return HTTPStatus.ACCEPTED


class PushSignature:
    """Checks X-Hub-Signature (method=hex) over a body that comes in parts."""

    def __init__(self, header: str, secret: str) -> None:
        method, _, digest = header.strip().partition("=")
        self._digest = digest.strip().lower()
        known = method.strip().lower() in _ALGORITHMS
        self._mac = hmac.new(secret.encode(), digestmod=method.strip().lower()) if known else None

    def add(self, part: bytes) -> None:
        """Take the next part of the body."""
        if self._mac is not None:
            self._mac.update(part)

    def matches(self) -> bool:
        """Return whether the header is right for the body; False without one or for another method.

        The comparison takes as long for any wrong signature.
        """
        if self._mac is None:
            return False
        expected = self._mac.hexdigest().encode()
        return hmac.compare_digest(expected, self._digest.encode("utf-8", "replace"))


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
        """Return the message for callbacks that hubs cannot reach, with the reason."""
        return f"feeder.websub_port {port}: hubs cannot call back at {host}:{port} ({reason})"

    async with serve_app(app, host, port, refusal=refusal):
        yield


def _token(request: web.Request) -> str:
    """Return the token of a callback: the last part of the path of a request."""
    return request.match_info["path"].rpartition("/")[2]
