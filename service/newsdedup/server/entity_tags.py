"""Entity tags by what the archive holds: who has the newest page gets 304."""

from dataclasses import dataclass

from aiohttp import ETag, web


@dataclass(frozen=True, slots=True)
class EntityTags:
    """Makes tags that no other start of the server, and no other version of it, makes."""

    start: str

    def of_archive(self, stamp: str, *parts: str) -> ETag:
        """Return the weak tag of a page that depends on what the archive holds and on `parts`."""
        return ETag(value="-".join((self.start, stamp, *parts)), is_weak=True)


def matches(request: web.Request, tag: ETag) -> bool:
    """Return whether the client has what a tag stands for (If-None-Match of a GET or HEAD)."""
    known = request.if_none_match
    return known is not None and any(one.value in ("*", tag.value) for one in known)


def not_modified(tag: ETag) -> web.Response:
    """Return the answer to a client that has the newest page."""
    response = web.Response(status=304)
    response.etag = tag
    response.headers["Cache-Control"] = "no-cache"
    return response


def add_tag(response: web.StreamResponse, tag: ETag) -> None:
    """Let clients keep a response, and ask each time whether it is still the newest."""
    response.etag = tag
    response.headers["Cache-Control"] = "no-cache"
