"""Headers of every response: what a browser may do with it."""

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
    "Referrer-Policy": "no-referrer",
    "Server": "newsdedup",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


async def add_security_headers(_: web.Request, response: web.StreamResponse) -> None:
    """Set the headers that a handler has not set itself.

    Pages load nothing but our own files; what is no page loads nothing at all.
    """
    policy = _PAGE_POLICY if response.content_type == "text/html" else _DATA_POLICY
    for name, value in {"Content-Security-Policy": policy, **_HEADERS}.items():
        if name == "Server" or name not in response.headers:
            response.headers[name] = value
