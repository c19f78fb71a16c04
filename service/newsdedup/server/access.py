"""Who may do what: the token for writing, the names of this server, other sites in a browser."""

import hmac
import re
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from ipaddress import IPv6Address
from typing import Final

from aiohttp import web

from newsdedup.server.http_errors import RequestRefused
from newsdedup.server.services import services_of

_Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
_SCHEME: Final = "bearer "
_HOST: Final = re.compile(
    r"([A-Za-z0-9._-]{1,253}|\[(?P<ipv6>[0-9A-Fa-f:.]{2,45})\])(:(?P<port>[0-9]{0,5}))?"
)
_LAST_PORT: Final = 65_535
_PREFLIGHT_SECONDS: Final = "600"


def require_token(request: web.Request) -> None:
    """Raise RequestRefused unless a request carries the token for writing."""
    token = services_of(request).token
    if not token:
        raise RequestRefused(
            HTTPStatus.FORBIDDEN,
            "this server takes no writes: set server.token or server.token_file",
            code="read-only",
        )
    header = request.headers.get("Authorization", "")
    given = header[len(_SCHEME) :].strip() if header.lower().startswith(_SCHEME) else ""
    if not token_matches(given, token):
        raise RequestRefused(
            HTTPStatus.UNAUTHORIZED,
            "this needs the token for writing: Authorization: Bearer TOKEN",
            code="no-token",
            headers={"WWW-Authenticate": 'Bearer realm="newsdedup"'},
        )


def token_matches(given: str, token: str) -> bool:
    """Return whether a token is the right one, in a time that says nothing of it."""
    return hmac.compare_digest(
        given.encode("utf-8", "surrogateescape"), token.encode("utf-8", "surrogateescape")
    )


@web.middleware
async def check_host(request: web.Request, handler: _Handler) -> web.StreamResponse:
    """Refuse a request for no host, or for another name than those of this server where known.

    Otherwise a site could give its own name the address of this machine, and read what a server of
    the loopback shows (DNS rebinding). Handlers may write the host into tags and addresses.
    """
    if not _is_host(request.host):
        raise RequestRefused(
            HTTPStatus.BAD_REQUEST, "the Host header names no host", code="bad-request"
        )
    names = services_of(request).host_names
    if names and _host_name(request.host) not in names:
        raise RequestRefused(
            HTTPStatus.MISDIRECTED_REQUEST,
            "this server has another name; server.aliases lists those that it answers to",
            code="other-host",
        )
    return await handler(request)


def _is_host(host: str) -> bool:
    """Return whether a Host header names a host: a name or an address, and perhaps a port."""
    parts = _HOST.fullmatch(host)
    if parts is None or int(parts["port"] or 0) > _LAST_PORT:
        return False
    try:
        if parts["ipv6"] is not None:
            IPv6Address(parts["ipv6"])
    except ValueError:
        return False
    return True


def _host_name(host: str) -> str:
    """Return the name in a Host header, without the port."""
    if host.startswith("["):
        return host.partition("]")[0].lstrip("[").lower()
    return host.partition(":")[0].lower()


@web.middleware
async def answer_preflights(request: web.Request, handler: _Handler) -> web.StreamResponse:
    """Answer a browser that asks whether another site may send a request, where any may."""
    asks = request.method == "OPTIONS" and "Access-Control-Request-Method" in request.headers
    if not asks or not services_of(request).origins or not _is_open_to_sites(request):
        return await handler(request)
    response = web.Response(status=HTTPStatus.NO_CONTENT)
    response.headers["Access-Control-Allow-Methods"] = "GET, POST"
    response.headers["Access-Control-Allow-Headers"] = "Content-Type, If-None-Match, Last-Event-ID"
    response.headers["Access-Control-Max-Age"] = _PREFLIGHT_SECONDS
    return response


async def add_origin_headers(request: web.Request, response: web.StreamResponse) -> None:
    """Let the configured sites read answers in their visitors' browsers; none by default."""
    allowed = services_of(request).origins
    if not allowed or not _is_open_to_sites(request):
        return
    response.headers["Vary"] = "Origin"
    origin = request.headers.get("Origin", "")
    if origin in allowed:
        response.headers["Access-Control-Allow-Origin"] = origin
        response.headers["Access-Control-Expose-Headers"] = "ETag, Retry-After"
        response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"


def _is_open_to_sites(request: web.Request) -> bool:
    """Return whether a path is for programs: pages are never read by other sites."""
    return request.path.startswith(("/v1/", "/feeds/", "/openapi.json"))
