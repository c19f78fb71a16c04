"""Reads the bodies of requests; one that arrives too slowly or is malformed is refused."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from aiohttp import web

from newsdedup.server.http_errors import RequestRefused
from newsdedup.server.operations import JSON
from newsdedup.server.services import services_of


async def read_json_body(request: web.Request) -> bytes:
    """Return the body of a request, decompressed but not parsed.

    Raise RequestRefused if its type is not JSON, it is too slow, or not compressed as headers say.
    """
    if request.content_type != JSON:
        raise RequestRefused("no-json", f"the body must be {JSON}")
    async with _arriving(request):
        return await request.read()


async def read_form(request: web.Request) -> Mapping[str, str]:
    """Return the values of a form by the names of their fields, without files.

    Raise RequestRefused if they arrive too slowly, or are not encoded as the headers say.
    """
    async with _arriving(request):
        try:
            form = await request.post()
        except (ValueError, LookupError, RuntimeError) as error:
            # aiohttp lets out what its codecs raise: wrong bytes, unknown names, bad boundaries.
            detail = "the body is not the form that its headers say"
            raise RequestRefused("bad-form", detail) from error
    return {name: value for name, value in form.items() if isinstance(value, str)}


@asynccontextmanager
async def _arriving(request: web.Request) -> AsyncIterator[None]:
    """Raise RequestRefused if a block reads a body too slowly or cannot decompress it."""
    try:
        async with asyncio.timeout(services_of(request).limits.body_seconds):
            yield
    except TimeoutError:
        detail = "the body came too slowly"
        raise RequestRefused("slow-body", detail, Connection="close") from None
    except web.RequestPayloadError as error:
        detail = "the body cannot be unpacked as Content-Encoding says"
        raise RequestRefused("bad-body", detail) from error
