"""Server-sent events: each item that is added, judged anew or retracted, as it is archived."""

import asyncio
from typing import Final

import msgspec
from aiohttp import web

from newsdedup.archive.views import ArchiveChange, ChangePage
from newsdedup.server.api_queries import ChangesQuery
from newsdedup.server.client_limits import STREAM_PATH, client_of
from newsdedup.server.http_errors import LOG, RequestRefused
from newsdedup.server.operations import EVENT_STREAM, Operation, read_query
from newsdedup.server.services import services_of

EVENTS: Final = Operation(
    name="follow_changes",
    path=STREAM_PATH,
    about="Follow the archive: an event for each change, by number; Last-Event-ID resumes there.",
    query=ChangesQuery,
    result=ArchiveChange,
    media=EVENT_STREAM,
)
_WRITE_SECONDS: Final = 20.0
"""After how long a client that reads nothing is disconnected; it may resume where it was."""
_MOST_CHANGES: Final = 200
"""Changes of one read."""
_RESET: Final = b'id: 0\nevent: reset\ndata: {"change":0}\n\n'
"""The archive was rebuilt: numbers of changes that a client has are of no use any more."""
_CHANGE_DIGITS: Final = 15
"""Most digits of the number of a change: JavaScript would round more."""


async def answer_events(request: web.Request) -> web.StreamResponse:
    """Answer GET /v1/events until client or server ends; raise RequestRefused for a bad id."""
    services = services_of(request)
    change = _first_change(request)
    async with services.changes.following(client_of(request)):
        if change is None:
            change = await services.changes.update()
        response = web.StreamResponse(
            headers={
                "Content-Type": f"{EVENT_STREAM}; charset=utf-8",
                "Cache-Control": "no-store",
                # Proxies such as nginx would buffer the events.
                "X-Accel-Buffering": "no",
            }
        )
        await response.prepare(request)
        if request.method == "HEAD":
            return response
        stream = asyncio.ensure_future(_stream(request, response, change))
        stopping = asyncio.ensure_future(services.stopping.wait())
        try:
            await asyncio.wait({stream, stopping}, return_when=asyncio.FIRST_COMPLETED)
            error = stream.exception() if stream.done() else None
            if error is not None and not isinstance(error, ConnectionError | TimeoutError):
                LOG.warning("stream_ended reason=%s", error)
        finally:
            for task in (stream, stopping):
                task.cancel()
            await asyncio.gather(stream, stopping, return_exceptions=True)
    return response


async def _stream(request: web.Request, response: web.StreamResponse, change: int) -> None:
    """Write the changes after one, and new ones as they come, until the client goes away.

    A client that is ahead of the archive gets a reset, and all changes from the first on.
    """
    services = services_of(request)
    await _write(response, b"retry: 5000\n\n")
    while True:
        after = change
        page: ChangePage = await services.pool.run(
            lambda reader, after=after: reader.changes(after=after, limit=_MOST_CHANGES)  # type: ignore[misc]
        )
        if page.last < after:
            await _write(response, _RESET)
            change = 0
            continue
        if page.changes:
            await _write(response, b"".join(map(_encode_change, page.changes)))
        if page.last > change:
            change = page.last
        elif not await services.changes.wait_after(change):
            await _write(response, b": alive\n\n")


def _encode_change(change: ArchiveChange) -> bytes:
    """Return a change as one server-sent event, named `item` or `retracted`."""
    kind = "retracted" if change.summary is None else "item"
    prefix = f"id: {change.change}\nevent: {kind}\ndata: ".encode()
    return prefix + msgspec.json.encode(change) + b"\n\n"


async def _write(response: web.StreamResponse, data: bytes) -> None:
    """Write to a client; raise TimeoutError if it takes nothing for 20 s."""
    async with asyncio.timeout(_WRITE_SECONDS):
        await response.write(data)


def _first_change(request: web.Request) -> int | None:
    """Return the number of the change after which the stream begins, None for the newest.

    A Last-Event-ID takes precedence over the parameter `after`, as a browser repeats the address
    unchanged. Raise RequestRefused for one that is no number of a change.
    """
    after = read_query(request, ChangesQuery).after
    last = request.headers.get("Last-Event-ID", "")
    if not last:
        return after
    if not (last.isascii() and last.isdigit() and len(last) <= _CHANGE_DIGITS):
        raise RequestRefused("bad-request", "Last-Event-ID is no number of a change")
    return int(last)
