"""Entity tags by the contents of the archive: a client that has the newest page gets 304."""

from collections.abc import Callable

from aiohttp import ETag, web

from newsdedup.server.services import services_of


def archive_tag(request: web.Request, stamp: str, *parts: str) -> ETag:
    """Return the weak tag of a page that depends on the contents of the archive and on `parts`.

    No other start of the server, and no other version of it, makes the same tag.
    """
    return ETag(value="-".join((services_of(request).start, stamp, *parts)), is_weak=True)


def client_has(request: web.Request, tag: ETag) -> bool:
    """Return whether the client has the answer of a tag (If-None-Match of a GET or HEAD)."""
    known = request.if_none_match
    return known is not None and any(one.value in ("*", tag.value) for one in known)


def tagged_answer(
    request: web.Request, tag: ETag, respond: Callable[[], web.Response]
) -> web.Response:
    """Return what `respond` returns with its tag, or 304 to a client that has it.

    Clients may keep it, and have to ask each time whether it is still the newest.
    """
    response = web.Response(status=304) if client_has(request, tag) else respond()
    response.etag = tag
    response.headers.setdefault("Cache-Control", "no-cache")
    return response
