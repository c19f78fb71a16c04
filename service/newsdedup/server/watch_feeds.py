"""Feeds of saved searches: the hits of one, and the daily digests of all."""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, Final
from urllib.parse import quote

from aiohttp import web
from msgspec import Struct

from newsdedup.archive.reader import ArchiveReader
from newsdedup.server.access import public_addresses
from newsdedup.server.api_queries import NoQuery, WatchFeedQuery
from newsdedup.server.cached_answers import LIST_FRESHNESS
from newsdedup.server.feeds_out import (
    FeedContent,
    FeedWriter,
    PublishedEntry,
    feed_operations,
    item_entries,
)
from newsdedup.server.http_errors import RequestRefused
from newsdedup.server.operations import Operation, Route, answer_cached, read_query
from newsdedup.server.pages.watches import digest_parts, shown_hits
from newsdedup.server.pages.wording import unmarked
from newsdedup.server.services import services_of
from newsdedup.watches.hits import StoredHit
from newsdedup.watches.watch_store import WatchStore
from newsdedup.watches.watcher import Watcher

_MOST_HITS: Final = 100
_DIGESTS: Final = 14
"""Days before today, of each of which the feed has a digest."""
_MOST_OF_DAY: Final = 500
_DAY: Final = timedelta(days=1)

_ReadContent = Callable[[ArchiveReader], FeedContent]
_Prepare = Callable[[Watcher, Any, str], Awaitable[_ReadContent]]
"""Reads the file of saved searches; returns what reads the archive, given the site's address."""


async def _prepare_hits(watcher: Watcher, query: WatchFeedQuery, site: str) -> _ReadContent:
    """Return the hits of a saved search, the newest first."""
    del site
    watches = await watcher.store.run(WatchStore.watches)
    if all(watch.name != query.name for watch in watches):
        raise RequestRefused("not-found", "there is no saved search of this name")
    hits = await watcher.store.run(partial(WatchStore.hits, watch=query.name, limit=_MOST_HITS))

    def read(reader: ArchiveReader) -> FeedContent:
        shown = shown_hits(reader, [hit for _, hit in hits])
        items = [one.item for one in shown if one.item is not None]
        name = quote(query.name, safe="")
        return FeedContent(f"watch:{name}", query.name, item_entries(reader, items))

    return read


async def _prepare_digests(watcher: Watcher, query: NoQuery, site: str) -> _ReadContent:
    """Return what all saved searches found on each of the last days, the newest first."""
    del query
    today = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    days: list[tuple[datetime, list[StoredHit]]] = []
    for number in range(1, _DIGESTS + 1):
        day = today - number * _DAY
        found = await watcher.store.run(
            partial(WatchStore.hits, since=day, until=day + _DAY, limit=_MOST_OF_DAY)
        )
        if found:
            days.append((day, [hit for _, hit in found]))

    def read(reader: ArchiveReader) -> FeedContent:
        entries = [digest_entry(reader, day, hits, site) for day, hits in days]
        return FeedContent("digest", "Digest", entries)

    return read


def digest_entry(
    reader: ArchiveReader, day: datetime, hits: Sequence[StoredHit], site: str
) -> PublishedEntry:
    """Return the entry of a day: a line for each hit, by search; dated at the end of the day."""
    lines: list[str] = []
    for part in digest_parts(reader, hits):
        items = [one.item for one in part.hits if one.item is not None]
        lines += [part.name, *(f"- {unmarked(one.title)} ({one.source})" for one in items)]
    return PublishedEntry(
        id=f"urn:newsdedup:digest:{day:%Y-%m-%d}",
        title=f"{day:%Y-%m-%d}: {len(hits)}",
        at=day + _DAY,
        url=f"{site}digest?day={day:%Y-%m-%d}",
        text="\n".join(lines),
        author="newsdedup",
    )


async def _answer(
    request: web.Request, operation: Operation, prepare: _Prepare, write: FeedWriter
) -> web.StreamResponse:
    """Answer a request for a feed of saved searches; 404 where the server has none."""
    query, watcher = read_query(request, operation.query), services_of(request).watcher
    if watcher is None:
        raise RequestRefused("not-found", "this server has no saved searches")
    address, site = public_addresses(request)
    # Before the hits, which may change meanwhile: newer hits under an older version do no harm.
    version = watcher.version
    read = await prepare(watcher, query, site)

    def make(reader: ArchiveReader) -> bytes:
        return write(read(reader), address, site)

    key = f"{version} {datetime.now(UTC):%j} {address}"
    media = f"{operation.media}; charset=utf-8"
    return await answer_cached(request, key, make, LIST_FRESHNESS, media)


def _routes(name: str, path: str, query: type[Struct], prepare: _Prepare) -> Iterator[Route]:
    """Yield a feed in both forms; `path` lacks its ending."""
    about = prepare.__doc__ or ""
    for operation, write in feed_operations(name, path, query, about, may_miss=True):
        yield operation, partial(_answer, operation=operation, prepare=prepare, write=write)


WATCH_FEED_ROUTES: Final[Sequence[Route]] = (
    *_routes("watch_feed", "/feeds/watch/{name}", WatchFeedQuery, _prepare_hits),
    *_routes("digest_feed", "/feeds/digest", NoQuery, _prepare_digests),
)
