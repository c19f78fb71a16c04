"""Operations of the API, from which OpenAPI and routes are made: parameters, bodies, answers."""

import asyncio
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final, Literal, TypeVar

import msgspec
from aiohttp import ETag, web
from msgspec import Struct

from newsdedup.archive.reader import ArchiveReader
from newsdedup.server.cached_answers import CachedAnswer, Freshness, MakeBody
from newsdedup.server.compression import accepts_gzip, compressing
from newsdedup.server.http_errors import Handler, RequestRefused
from newsdedup.server.moment_values import read_moment
from newsdedup.server.services import services_of

JSON: Final = "application/json"
EVENT_STREAM: Final = "text/event-stream"
_WHOLE: Final = re.compile(r"-?[0-9]{1,18}")
_WHOLE_NUMBERS: Final = frozenset({"after", "least_sources", "limit", "most"})
"""Parameters that are numbers; all others are texts."""
_MOMENTS: Final = frozenset({"since", "until"})
_PATH_PART: Final = re.compile(r"\{(\w+)\}")
_Query = TypeVar("_Query", bound=Struct)


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One method of one path, with its parameters, body, answer and errors."""

    name: str
    method: Literal["GET", "POST"] = "GET"
    path: str
    about: str
    query: type[Struct]
    """Its parameters: those in the path and those after the question mark."""
    body: type[Struct] | Literal["item or list", "record or list"] | None = None
    """The type of its body; None for an operation without one."""
    result: type[Struct] | None = None
    media: str = JSON
    errors: tuple[HTTPStatus, ...] = ()
    """Those that its method, body and token do not bring with them (openapi.py)."""
    needs_token: bool = False

    def add_to(self, app: web.Application, handler: Handler) -> None:
        """Add the route to an application; a parameter in the path may be quoted, and be empty."""
        path = _PATH_PART.sub(r"{\1:[^/]*}", self.path)
        if self.method == "GET":
            app.router.add_get(path, handler)
        else:
            app.router.add_post(path, handler)


Route = tuple[Operation, Handler]


def archive_tag(request: web.Request, stamp: str, *parts: str) -> ETag:
    """Return the weak tag of an answer, from the stamp of the archive and all else that changes it.

    No other start of the server, and no other version of it, makes the same tag.
    """
    return ETag(value="-".join((services_of(request).start, stamp, *parts)), is_weak=True)


def _client_has(request: web.Request, tag: ETag) -> bool:
    """Return whether a client has the answer of this tag, by the If-None-Match of a GET or HEAD."""
    known = request.if_none_match
    return known is not None and any(one.value in ("*", tag.value) for one in known)


def tagged_answer(request: web.Request, tag: ETag, response: web.Response) -> web.Response:
    """Return a response with its tag, as 304 without its body for a client that has it.

    Clients may keep it, and have to ask each time whether it is still the newest.
    """
    if _client_has(request, tag):
        # With all headers of the answer: browsers apply those of a 304 to the page that they have.
        response.body = None
        response.set_status(HTTPStatus.NOT_MODIFIED)
    response.etag = tag
    response.headers.setdefault("Cache-Control", "no-cache")
    return response


async def answer_cached(
    request: web.Request, key: str, make: MakeBody, freshness: Freshness, media: str
) -> web.StreamResponse:
    """Return the answer that is cached under `key`, else the body that `make` makes.

    `freshness` is how long it may be sent, `media` its Content-Type. It has a tag; a client that
    has this answer gets 304. Raise Unavailable if too many queries wait.
    """
    stamp, body = await cached_body(request, key, make, freshness)
    tag = archive_tag(request, stamp, request.host)
    return tagged_answer(request, tag, _response(body, media))


async def cached_body(
    request: web.Request, key: str, make: MakeBody, freshness: Freshness
) -> CachedAnswer:
    """Return the answer that is cached under `key`, compressed for a client that accepts that."""
    answers = services_of(request).answers
    if accepts_gzip(request):
        return await answers.answer(f"gzip {key}", compressing(make), freshness)
    return await answers.answer(f"plain {key}", make, freshness)


async def answer_newest(request: web.Request, make: MakeBody) -> web.StreamResponse:
    """Return the JSON that `make` makes of the archive now, with its tag.

    A client that has this answer gets 304. `make` runs in a thread of the pool.
    """
    encode = compressing(make) if accepts_gzip(request) else make

    def work(reader: ArchiveReader) -> tuple[ETag, bytes]:
        """Return the tag, and the body for a client that does not have it yet."""
        # Before the query: an answer may be newer than its tag says, never older.
        tag = archive_tag(request, reader.stamp())
        return tag, b"" if _client_has(request, tag) else encode(reader)

    tag, body = await services_of(request).pool.run(work)
    return tagged_answer(request, tag, _response(body, JSON))


def _response(body: bytes, media: str) -> web.Response:
    return web.Response(body=body, headers={"Content-Type": media})


def read_query(request: web.Request, kind: type[_Query]) -> _Query:
    """Return the parameters of a request, from path and query, as a `kind`.

    Raise ValidationError for wrong, unknown or repeated ones, UnicodeEncodeError for no valid text.
    """
    values: dict[str, Any] = dict(request.match_info)
    for name, value in request.query.items():
        if name in values:
            raise msgspec.ValidationError(f"the parameter {name[:40]} is given twice")
        values[name] = value
    for name in _WHOLE_NUMBERS & values.keys():
        if _WHOLE.fullmatch(values[name]):
            values[name] = int(values[name])
    for value in values.values():
        str(value).encode()
    for name in _MOMENTS & values.keys():
        try:
            values[name] = read_moment(values[name])
        except ValueError as error:
            raise msgspec.ValidationError(f"{name} {error}") from error
    return msgspec.convert(values, kind)


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


def answer_json(value: Struct) -> web.Response:
    """Return a value as JSON that no cache keeps."""
    response = web.Response(body=msgspec.json.encode(value), content_type=JSON)
    response.headers["Cache-Control"] = "no-store"
    return response
