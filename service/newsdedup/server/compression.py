"""Answers are compressed with gzip for clients that accept it, cached ones once for all of them.

No answer contains a secret next to what an address or a form says, so its compressed length tells
nothing (BREACH): reading needs no token, no page has the token, the cookie or a key of its forms.
"""

import gzip
import re
from typing import Final

from aiohttp import web

from newsdedup.archive.reader import ArchiveReader
from newsdedup.server.cached_answers import MakeBody
from newsdedup.server.http_errors import Handler

_LEAST_BYTES: Final = 1_000
"""A shorter body fits into one packet as it is."""
_LEVEL: Final = 6
_MAGIC: Final = b"\x1f\x8b"
"""With which gzip begins, and no text of ours."""
_TEXTS: Final = re.compile(
    r"text/(?!event-stream).*|application/(.*[+/])?(json|xml)|image/svg\+xml"
)
_CODING: Final = re.compile(r"\s*(gzip|x-gzip|\*)\s*(?:;\s*q=([0-9.]+)\s*)?", re.IGNORECASE)


def accepts_gzip(request: web.Request) -> bool:
    """Return whether a client accepts gzip by its Accept-Encoding."""
    header = request.headers.get("Accept-Encoding", "")[:1_000]
    weights = dict[str, bool]()
    for part in header.split(","):
        if (coding := _CODING.fullmatch(part)) is not None:
            weights[coding[1].lower().removeprefix("x-")] = (coding[2] or "1").strip("0.") != ""
    return weights.get("gzip", weights.get("*", False))


def compressed(body: bytes) -> bytes:
    """Return a body with gzip, the same bytes at each call; a short one as it is."""
    return body if len(body) < _LEAST_BYTES else gzip.compress(body, _LEVEL, mtime=0)


def compressing(make: MakeBody) -> MakeBody:
    """Return what makes a body and compresses it in the same thread."""

    def make_compressed(reader: ArchiveReader) -> bytes:
        return compressed(make(reader))

    return make_compressed


@web.middleware
async def compress_answers(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Compress the answer of a handler, if it is text and not compressed yet; never a stream."""
    response = await handler(request)
    if isinstance(response, web.Response) and _TEXTS.fullmatch(response.content_type):
        add_vary(response, "Accept-Encoding")
        body = response.body
        if isinstance(body, bytes) and not body.startswith(_MAGIC) and accepts_gzip(request):
            response.body = body = compressed(body)
        if isinstance(body, bytes) and body.startswith(_MAGIC):
            response.headers["Content-Encoding"] = "gzip"
    return response


def add_vary(response: web.StreamResponse, *names: str) -> None:
    """Name headers of requests on which an answer depends, besides those named already."""
    named = [one.strip() for one in response.headers.get("Vary", "").split(",") if one.strip()]
    response.headers["Vary"] = ", ".join(dict.fromkeys([*named, *names]))
