"""The session of an editor: a cookie made from the token for writing, and checks of forms."""

import hmac
from hashlib import sha256
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


def _is_https(request: web.Request) -> bool:
    """Return whether the browser uses https, to this server or to the proxy in front of it."""
    if services_of(request).limits.proxies:
        # With several proxies the outermost is named first.
        passed = request.headers.get("X-Forwarded-Proto", "").partition(",")[0]
        return passed.strip().lower() == "https"
    return request.secure
