"""Who may do what: the token for writing, the names of this server, other sites, browsers."""

import hmac
import re
from http import HTTPStatus
from ipaddress import IPv6Address
from typing import Final

from aiohttp import web

from newsdedup.server.http_errors import Handler, RequestRefused
from newsdedup.server.services import services_of

_SCHEME: Final = "bearer "
_HOST: Final = re.compile(
    r"((?P<name>[A-Za-z0-9._-]{1,253})|\[(?P<ipv6>[0-9A-Fa-f:.]{2,45})\])"
    r"(:(?P<port>[0-9]{0,5}))?"
)
_LAST_PORT: Final = 65_535
_PREFLIGHT_SECONDS: Final = "600"
_PAGE_POLICY: Final = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
_HEADERS: Final = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Server": "newsdedup",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
_PAGE_HEADERS: Final = {
    **_HEADERS,
    "Content-Security-Policy": _PAGE_POLICY,
    # With no-referrer a browser would send its own forms with `Origin: null`.
    "Referrer-Policy": "same-origin",
}
_DATA_HEADERS: Final = {
    **_HEADERS,
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
}


def require_token(request: web.Request) -> None:
    """Raise RequestRefused unless a request carries the token for writing."""
    header = request.headers.get("Authorization", "")
    given = header[len(_SCHEME) :].strip() if header.lower().startswith(_SCHEME) else ""
    if not token_matches(request, given):
        raise RequestRefused(
            "no-token",
            "this needs the token for writing: Authorization: Bearer TOKEN",
            WWW_Authenticate='Bearer realm="newsdedup"',
        )


def token_matches(request: web.Request, given: str) -> bool:
    """Return whether `given` is the token for writing; raise RequestRefused if the server has none.

    The time that it takes does not depend on how much of the token is right.
    """
    token = services_of(request).token
    if not token:
        detail = "this server takes no writes: set server.token or server.token_file"
        raise RequestRefused("read-only", detail)
    return hmac.compare_digest(
        given.encode("utf-8", "surrogateescape"), token.encode("utf-8", "surrogateescape")
    )


@web.middleware
async def check_host(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Refuse a request without a valid host, or for a host that is not this server.

    Otherwise a site could give its own name the address of this machine, and read what a server on
    the loopback shows (DNS rebinding). Handlers may write the host into tags and addresses.
    """
    name = _host_name(request.host)
    if name is None:
        raise RequestRefused("bad-request", "the Host header names no host")
    names = services_of(request).host_names
    if names and name not in names:
        raise RequestRefused(
            "other-host",
            "this server has another name; server.aliases lists those that it answers to",
        )
    return await handler(request)


def _host_name(host: str) -> str | None:
    """Return name or address in a Host header, in lower case, without port; None if invalid."""
    parts = _HOST.fullmatch(host)
    if parts is None or int(parts["port"] or 0) > _LAST_PORT:
        return None
    try:
        if parts["ipv6"] is not None:
            IPv6Address(parts["ipv6"])
    except ValueError:
        return None
    return (parts["name"] or parts["ipv6"]).lower()


@web.middleware
async def answer_preflights(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Answer OPTIONS of a browser that asks whether a page of another site may send a request.

    Only for paths of programs and if sites are allowed; all other requests go to the handler.
    """
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
    """Return whether other sites may read answers of a path: those for programs, never pages."""
    return request.path.startswith(("/v1/", "/feeds/", "/openapi.json"))


async def add_security_headers(_: web.Request, response: web.StreamResponse) -> None:
    """Set what a browser may do with a response, in the headers that a handler has not set itself.

    Pages load nothing but our own files; other responses load nothing at all. A 304 has no policy:
    browsers would apply it to the page that they have, which would lose its style and script.
    """
    own = _PAGE_HEADERS if response.content_type == "text/html" else _DATA_HEADERS
    if response.status == HTTPStatus.NOT_MODIFIED:
        own = _HEADERS
    for name, value in own.items():
        if name == "Server" or name not in response.headers:
            response.headers[name] = value
