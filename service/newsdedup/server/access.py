"""Who may do what: the token for writing, names of this server, other sites, browsers, editors.

The session of an editor is a cookie that is made from the token.
"""

import hmac
import math
import re
from hashlib import sha256
from http import HTTPStatus
from ipaddress import IPv6Address, ip_address
from time import time
from typing import Final
from urllib.parse import urlsplit

from aiohttp import web

from newsdedup.server.client_limits import HEALTH_PATHS, client_of
from newsdedup.server.compression import add_vary
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
SESSION_COOKIE: Final = "newsdedup-session"
SESSION_SECONDS: Final = 12 * 3_600
_PURPOSE: Final = b"newsdedup session until "
_MOST_DIGITS: Final = 12


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
    """Return whether `given` is the token for writing; a wrong one is counted, "" is not.

    Raise RequestRefused if the server has no token, or if the client gave too many wrong ones. The
    time that it takes does not depend on how much of the token is right.
    """
    services = services_of(request)
    if not services.token:
        detail = "this server takes no writes: set server.token or server.token_file"
        raise RequestRefused("read-only", detail)
    if not given:
        return False
    client, metrics = client_of(request), services.metrics
    if wait := services.guard.wait_seconds(client):
        if metrics is not None:
            metrics.count_refused_token("too_soon")
        detail = "too many wrong tokens came from your address; wait as long as Retry-After says"
        raise RequestRefused("too-many-requests", detail, Retry_After=str(math.ceil(wait)))
    matches = hmac.compare_digest(
        given.encode("utf-8", "surrogateescape"), services.token.encode("utf-8", "surrogateescape")
    )
    if not matches:
        services.guard.count_wrong(client, request.path)
        if metrics is not None:
            metrics.count_refused_token("wrong")
    return matches


@web.middleware
async def check_host(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Raise RequestRefused for a request without a valid host, or for one that is not this server.

    Otherwise a site could give its own name the address of this machine, and read what a server on
    the loopback shows (DNS rebinding). Probes and scrapes may use any address, which is no name: a
    kubelet uses that of the pod. Handlers may write the host into tags and addresses.
    """
    name = _host_name(request.host)
    if name is None:
        raise RequestRefused("bad-request", "the Host header names no host")
    names = services_of(request).host_names
    is_probe = request.path in HEALTH_PATHS and _is_address(name)
    if names and name not in names and not is_probe:
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


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


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
    add_vary(response, "Origin")
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

    Pages load nothing but our own files; other responses load nothing at all. A 304 has the type
    and so the policy of what it stands for.
    """
    own = _PAGE_HEADERS if response.content_type == "text/html" else _DATA_HEADERS
    for name, value in own.items():
        if name == "Server" or name not in response.headers:
            response.headers[name] = value


def make_session(token: str, now: float) -> str:
    """Return the cookie of a session that begins at `now` (seconds since 1970).

    It has the end of the session and an HMAC of that, not the token; another token makes it
    invalid.
    """
    until = str(int(now) + SESSION_SECONDS)
    return f"{until}.{_signature(token, until)}"


def is_valid_session(value: str, token: str, now: float) -> bool:
    """Return whether a cookie is of this token, which is not "", and has not expired at `now`."""
    until, _, signature = value.partition(".")
    if not token or not (until.isascii() and until.isdigit()) or len(until) > _MOST_DIGITS:
        return False
    right = hmac.compare_digest(
        signature.encode("utf-8", "surrogateescape"), _signature(token, until).encode()
    )
    return right and now < int(until) <= now + SESSION_SECONDS


def _signature(token: str, until: str) -> str:
    """Return the HMAC of the end of a session, in hexadecimal digits; its key is the token."""
    key = token.encode("utf-8", "surrogateescape")
    return hmac.new(key, _PURPOSE + until.encode(), sha256).hexdigest()


def is_signed_in(request: web.Request) -> bool:
    """Return whether a request comes from a browser whose user has given the token."""
    value = request.cookies.get(SESSION_COOKIE, "")
    return bool(value) and is_valid_session(value, services_of(request).token, time())


def require_session(request: web.Request) -> None:
    """Raise RequestRefused unless the user has signed in."""
    if not is_signed_in(request):
        raise RequestRefused("signed-out", "only who has signed in may do this")


def require_own_page(request: web.Request) -> None:
    """Raise RequestRefused unless a form was sent by a page of this server.

    Browsers send the site of a form: in Sec-Fetch-Site over https and at the loopback, in Origin
    everywhere. A client that sends neither is no browser, and has to use the API.
    """
    site = request.headers.get("Sec-Fetch-Site")
    origin = request.headers.get("Origin")
    if site is not None:
        own = site == "same-origin"
    else:
        own = origin is not None and _host_of(origin) == request.host.lower()
    if not own:
        raise RequestRefused("foreign", "this form was not sent by a page of this server")


def _host_of(origin: str) -> str:
    """Return host and port of an origin, "" for an invalid one, such as null."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return ""


def sign_in(request: web.Request, response: web.Response) -> None:
    """Set the cookie of a session that begins now."""
    response.set_cookie(
        SESSION_COOKIE,
        make_session(services_of(request).token, time()),
        max_age=SESSION_SECONDS,
        httponly=True,
        samesite="Strict",
        secure=_is_https(request),
    )


def sign_out(request: web.Request, response: web.Response) -> None:
    """Remove the cookie."""
    response.del_cookie(SESSION_COOKIE, httponly=True, samesite="Strict", secure=_is_https(request))


def public_addresses(request: web.Request) -> tuple[str, str]:
    """Return the address of a request and that of the whole site, as its client writes them."""
    url = request.url.with_scheme("https") if _is_https(request) else request.url
    return str(url), f"{url.origin()}/"


def _is_https(request: web.Request) -> bool:
    """Return whether the browser uses https, to this server or to the proxy in front of it."""
    if services_of(request).limits.proxies:
        # With several proxies the outermost is named first.
        passed = request.headers.get("X-Forwarded-Proto", "").partition(",")[0]
        return passed.strip().lower() == "https"
    return request.secure
