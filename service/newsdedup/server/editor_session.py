"""Who is signed in: a cookie made from the token for writing, and forms of our own pages alone."""

import hmac
from hashlib import sha256
from http import HTTPStatus
from time import time
from typing import Final
from urllib.parse import urlsplit

from aiohttp import web

from newsdedup.server.http_errors import RequestRefused
from newsdedup.server.services import services_of

SESSION_COOKIE: Final = "newsdedup-session"
SESSION_SECONDS: Final = 12 * 3_600
_PURPOSE: Final = b"newsdedup session until "
_MOST_DIGITS: Final = 12


def make_session(token: str, now: float) -> str:
    """Return the value of the cookie of one who signs in now: when it ends, and an HMAC of that.

    It does not hold the token; with another token it is worth nothing.
    """
    until = str(int(now) + SESSION_SECONDS)
    return f"{until}.{_signature(token, until)}"


def session_holds(value: str, token: str, now: float) -> bool:
    """Return whether a cookie was made from this token and has not ended; never without a token."""
    until, _, signature = value.partition(".")
    if not token or not (until.isascii() and until.isdigit()) or len(until) > _MOST_DIGITS:
        return False
    right = hmac.compare_digest(
        signature.encode("utf-8", "surrogateescape"), _signature(token, until).encode()
    )
    return right and now < int(until) <= now + SESSION_SECONDS


def _signature(token: str, until: str) -> str:
    key = token.encode("utf-8", "surrogateescape")
    return hmac.new(key, _PURPOSE + until.encode(), sha256).hexdigest()


def is_signed_in(request: web.Request) -> bool:
    """Return whether a request comes from a browser whose user has given the token."""
    value = request.cookies.get(SESSION_COOKIE, "")
    return bool(value) and session_holds(value, services_of(request).token, time())


def require_session(request: web.Request) -> None:
    """Raise RequestRefused unless the user has signed in."""
    if not is_signed_in(request):
        raise RequestRefused(
            HTTPStatus.FORBIDDEN, "only who has signed in may do this", code="signed-out"
        )


def require_own_page(request: web.Request) -> None:
    """Raise RequestRefused unless a form was sent by a page of this server.

    Browsers say where a form stands: by Sec-Fetch-Site over https and at the loopback, by Origin
    everywhere. What says neither is no browser, and uses the API.
    """
    site = request.headers.get("Sec-Fetch-Site")
    origin = request.headers.get("Origin")
    if site is not None:
        own = site == "same-origin"
    else:
        own = origin is not None and _host_of(origin) == request.host.lower()
    if not own:
        raise RequestRefused(
            HTTPStatus.FORBIDDEN, "this form was not sent by a page of this server", code="foreign"
        )


def _host_of(origin: str) -> str:
    """Return host and port of an origin, "" for what is none, such as null."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return ""


def sign_in(request: web.Request, response: web.Response) -> None:
    """Set the cookie of one who has given the token."""
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


def _is_https(request: web.Request) -> bool:
    """Return whether the browser came by https, to this server or to the proxy before it."""
    if services_of(request).limits.proxies:
        # With several proxies the outermost stands first.
        passed = request.headers.get("X-Forwarded-Proto", "").partition(",")[0]
        return passed.strip().lower() == "https"
    return request.secure
