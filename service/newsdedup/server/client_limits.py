"""How much one client, and all together, may ask for."""

import math
import re
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Final

from aiohttp import web

from newsdedup.server.http_errors import RequestRefused
from newsdedup.server.services import services_of

_Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
_HEALTH: Final = ("/healthz", "/readyz", "/metrics")
_STREAM: Final = "/v1/events"
_WITH_PORT: Final = re.compile(r"\[([^]]+)\](?::[0-9]+)?|([^:]+):[0-9]+")
_IPV6_NETWORK: Final = 64
"""Bits of an address of version 6 that one client mostly has for itself are the rest."""


@web.middleware
async def limit_rate(request: web.Request, handler: _Handler) -> web.StreamResponse:
    """Refuse the request of a client that makes too many; health may always be asked for."""
    services = services_of(request)
    if request.path not in _HEALTH:
        wait = services.rate.wait_seconds(client_of(request, proxies=services.limits.proxies))
        if wait:
            raise RequestRefused(
                HTTPStatus.TOO_MANY_REQUESTS,
                "too many requests; wait as long as Retry-After says",
                code="too-many-requests",
                headers={"Retry-After": str(math.ceil(wait))},
            )
    return await handler(request)


@web.middleware
async def limit_concurrency(request: web.Request, handler: _Handler) -> web.StreamResponse:
    """Refuse a request while too many others are worked on; health may always be asked for.

    Those who follow changes are counted by themselves (change_feed.py).
    """
    opened = services_of(request).open_requests
    if request.path in (*_HEALTH, _STREAM):
        return await handler(request)
    if opened.number >= opened.most:
        raise RequestRefused(
            HTTPStatus.SERVICE_UNAVAILABLE,
            "this server is busy with other requests",
            code="busy",
            headers={"Retry-After": "1"},
        )
    opened.number += 1
    try:
        return await handler(request)
    finally:
        opened.number -= 1


def client_of(request: web.Request, *, proxies: int) -> str:
    """Return whom to count a request for, by the address that it comes from.

    Behind `proxies` of one's own it is the address that the outermost of them saw.
    """
    address = request.remote or ""
    if proxies:
        passed = [
            part.strip()
            for line in request.headers.getall("X-Forwarded-For", [])
            for part in line.split(",")
        ]
        if len(passed) >= proxies:
            address = passed[-proxies]
    return client_network(address)


def client_network(address: str) -> str:
    """Return whose an address is: itself in version 4, of version 6 the network of one client.

    A proxy may write a port behind it, and an address of version 4 as one of version 6; what is no
    address stands for itself.
    """
    written = _WITH_PORT.fullmatch(address)
    try:
        parsed = ip_address(address if written is None else written[1] or written[2])
    except ValueError:
        return address[:64]
    if isinstance(parsed, IPv6Address):
        mapped = parsed.ipv4_mapped
        return str(mapped or ip_network((parsed, _IPV6_NETWORK), strict=False))
    return str(parsed)
