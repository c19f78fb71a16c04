"""How many requests one client, and all clients together, may make."""

import math
import re
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Final

from aiohttp import web

from newsdedup.server.http_errors import Handler, RequestRefused
from newsdedup.server.services import services_of

HEALTH_PATHS: Final = ("/healthz", "/readyz", "/metrics")
STREAM_PATH: Final = "/v1/events"
_WITH_PORT: Final = re.compile(r"\[([^]]+)\](?::[0-9]+)?|([^:]+):[0-9]+")
_IPV6_NETWORK: Final = 64
"""Bits of the network in an address of version 6: one client mostly has the rest for itself."""


@web.middleware
async def limit_rate(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Raise RequestRefused (429) if a client makes too many requests, health checks excepted."""
    services = services_of(request)
    if request.path not in HEALTH_PATHS:
        wait = services.rate.wait_seconds(client_of(request))
        if wait:
            detail = "too many requests; wait as long as Retry-After says"
            raise RequestRefused("too-many-requests", detail, Retry_After=str(math.ceil(wait)))
    return await handler(request)


@web.middleware
async def limit_concurrency(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Raise RequestRefused while too many requests are open, health checks excepted.

    Streams of changes are counted separately (change_feed.py).
    """
    opened = services_of(request).open_requests
    if request.path in (*HEALTH_PATHS, STREAM_PATH):
        return await handler(request)
    if opened.number >= opened.most:
        raise RequestRefused("busy", "this server is busy with other requests", Retry_After="1")
    opened.number += 1
    try:
        return await handler(request)
    finally:
        opened.number -= 1


def client_of(request: web.Request) -> str:
    """Return the client that a request is counted for, by the address that it comes from.

    Behind own proxies it is the address that the outermost of them saw.
    """
    address, proxies = request.remote or "", services_of(request).limits.proxies
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
    """Return the client of an IP address: of version 4 itself, of version 6 its network of /64.

    A proxy may add a port, and write an address of version 4 as one of version 6. A text that is no
    address is returned as it is, at most 64 characters of it.
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
