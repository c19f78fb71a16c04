"""An operation of the API: what it takes and returns, from which OpenAPI and routes are made."""

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final, Generic, Literal, TypeVar

import msgspec
from aiohttp import ETag, web
from msgspec import Struct

from newsdedup.archive.reader import ArchiveReader
from newsdedup.server.entity_tags import add_tag, matches, not_modified
from newsdedup.server.held_answers import Freshness, MakeBody
from newsdedup.server.http_errors import RequestRefused
from newsdedup.server.services import services_of

JSON: Final = "application/json"
EVENT_STREAM: Final = "text/event-stream"
_WHOLE: Final = re.compile(r"-?[0-9]{1,18}")
_WHOLE_NUMBERS: Final = frozenset({"after", "limit", "most"})
"""Parameters that are numbers; all others are texts."""
_MOMENTS: Final = frozenset({"since", "until"})
_PATH_PART: Final = re.compile(r"\{(\w+)\}")

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
_Query = TypeVar("_Query", bound=Struct)


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One method of one path."""

    name: str
    method: Literal["GET", "POST"] = "GET"
    path: str
    about: str
    query: type[Struct]
    """Its parameters: those in the path and those behind the question mark."""
    body: Literal["item or list", "record or list"] | None = None
    takes: type[Struct] | None = None
    """The type of its body, where that is not `body`."""
    result: type[Struct] | None = None
    media: str = JSON
    errors: tuple[HTTPStatus, ...] = ()
    """Those alongside 400, 429 and 503, which every operation may have."""
    needs_token: bool = False
    tagged: bool = True
    """Whether its answers have entity tags."""

    def add_to(self, app: web.Application, handler: Handler) -> None:
        """Add the route; the last part of a path may hold anything that is quoted."""
        path = _PATH_PART.sub(r"{\1:[^/]*}", self.path)
        if self.method == "GET":
            app.router.add_get(path, handler)
        else:
            app.router.add_post(path, handler)


@dataclass(frozen=True, slots=True)
class ArchiveQuery(Generic[_Query]):
    """An operation that returns what a query of the archive returns."""

    operation: Operation
    query: type[_Query]
    read: Callable[[ArchiveReader, _Query], Struct | None]
    missing: str = ""
    """The detail of the problem where nothing is returned."""
    freshness: Freshness | None = None
    """Of an answer that is held and sent to many; None where each has to be the newest."""

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """Return the answer as JSON, or 304 to a client that has it."""
        parameters = read_query(request, self.query)
        if self.freshness is not None:
            return await answer_held(
                request,
                request.path_qs,
                lambda reader: self._encode(reader, parameters),
                self.freshness,
                JSON,
            )
        return await answer_newest(request, lambda reader: self._encode(reader, parameters))

    def _encode(self, reader: ArchiveReader, parameters: _Query) -> bytes:
        result = self.read(reader, parameters)
        if result is None:
            raise RequestRefused(HTTPStatus.NOT_FOUND, self.missing, code="not-found")
        return msgspec.json.encode(result)


async def answer_held(
    request: web.Request, key: str, make: MakeBody, freshness: Freshness, media: str
) -> web.Response:
    """Return the answer that is held under a key, with its tag; 304 to a client that has it."""
    services = services_of(request)
    stamp, body = await services.held.answer(key, make, freshness)
    tag = services.tags.of_archive(stamp, request.host)
    return not_modified(tag) if matches(request, tag) else _tagged(body, media, tag)


async def answer_newest(
    request: web.Request, make: Callable[[ArchiveReader], bytes]
) -> web.Response:
    """Return the JSON that `make` makes of the archive, with its tag; 304 to a client that has it.

    `make` runs in a thread of the pool.
    """
    services = services_of(request)

    def work(reader: ArchiveReader) -> tuple[ETag, bytes | None]:
        # Before the query: an answer may be newer than its tag says, never older.
        tag = services.tags.of_archive(reader.stamp())
        return tag, None if matches(request, tag) else make(reader)

    tag, body = await services.pool.run(work)
    return not_modified(tag) if body is None else _tagged(body, JSON, tag)


def _tagged(body: bytes, media: str, tag: ETag) -> web.Response:
    response = web.Response(body=body, headers={"Content-Type": media})
    add_tag(response, tag)
    return response


def read_query(request: web.Request, kind: type[_Query]) -> _Query:
    """Return the parameters of a request; raise ValidationError for wrong or unknown ones."""
    values: dict[str, Any] = dict(request.match_info)
    for name, value in request.query.items():
        if name in values:
            raise msgspec.ValidationError(f"the parameter {name[:40]} is given twice")
        values[name] = value
    for name in _WHOLE_NUMBERS & values.keys():
        if _WHOLE.fullmatch(values[name]):
            values[name] = int(values[name])
    for name in _MOMENTS & values.keys():
        # The plus sign of an offset that was not quoted.
        values[name] = values[name].replace(" ", "+")
    for value in values.values():
        str(value).encode()
    return msgspec.convert(values, kind)


def answer_json(value: Struct) -> web.Response:
    """Return a value as JSON that no cache keeps."""
    response = web.Response(body=msgspec.json.encode(value), content_type=JSON)
    response.headers["Cache-Control"] = "no-store"
    return response
