"""Headers of every response: what a browser may do with it."""

from http import HTTPStatus
from typing import Final

from aiohttp import web

_PAGE_POLICY: Final = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
_DATA_POLICY: Final = "default-src 'none'; frame-ancestors 'none'"
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
    "Content-Security-Policy": _DATA_POLICY,
    "Referrer-Policy": "no-referrer",
}


async def add_security_headers(_: web.Request, response: web.StreamResponse) -> None:
    """Set the headers that a handler has not set itself.

    Pages load nothing but our own files; what is no page loads nothing at all. A 304 says neither:
    browsers put its headers into the page that they have, which would lose its style and script.
    """
    if response.status == HTTPStatus.NOT_MODIFIED:
        own = _HEADERS
    else:
        own = _PAGE_HEADERS if response.content_type == "text/html" else _DATA_HEADERS
    for name, value in own.items():
        if name == "Server" or name not in response.headers:
            response.headers[name] = value
