"""The bodies of requests, read whole: one that comes too slowly or means nothing is refused."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from http import HTTPStatus

from aiohttp import web

from newsdedup.server.http_errors import RequestRefused
from newsdedup.server.operations import JSON
from newsdedup.server.services import services_of


async def read_json_body(request: web.Request) -> bytes:
    """Return the body of a request, unpacked; it may still be no JSON.

    Raise RequestRefused if it is not called JSON, too slow, or not packed as its headers say.
    """
    if request.content_type != JSON:
        raise RequestRefused(
            HTTPStatus.UNSUPPORTED_MEDIA_TYPE, f"the body must be {JSON}", code="no-json"
        )
    async with _arriving(request):
        return await request.read()


async def read_form(request: web.Request) -> Mapping[str, str]:
    """Return the texts of a form.

    Raise RequestRefused if they come too slowly, or are not written as the headers say.
    """
    async with _arriving(request):
        try:
            form = await request.post()
        except (ValueError, LookupError, RuntimeError) as error:
            # aiohttp lets out what its codecs raise: wrong bytes, unknown names, bad boundaries.
            raise RequestRefused(
                HTTPStatus.BAD_REQUEST, "the body is not the form that its headers say",
                code="bad-form",
            ) from error  # fmt: skip
    return {name: value for name, value in form.items() if isinstance(value, str)}


@asynccontextmanager
async def _arriving(request: web.Request) -> AsyncIterator[None]:
    """Raise RequestRefused if a block reads a body that comes too slowly or cannot be unpacked."""
    try:
        async with asyncio.timeout(services_of(request).limits.body_seconds):
            yield
    except TimeoutError:
        raise RequestRefused(
            HTTPStatus.REQUEST_TIMEOUT,
            "the body came too slowly",
            code="slow-body",
            headers={"Connection": "close"},
        ) from None
    except web.RequestPayloadError as error:
        raise RequestRefused(
            HTTPStatus.BAD_REQUEST, "the body cannot be unpacked as Content-Encoding says",
            code="bad-body",
        ) from error  # fmt: skip
