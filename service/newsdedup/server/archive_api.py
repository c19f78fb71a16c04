"""The part of the API that reads the archive: one function for each path."""

from collections.abc import Callable, Sequence
from http import HTTPStatus
from typing import Final, TypeVar

import msgspec
from aiohttp import web
from msgspec import Struct

from newsdedup.archive.reader import ArchiveReader
from newsdedup.archive.views import (
    ArchiveStats,
    CopyMatrix,
    ItemDetail,
    ItemPage,
    SearchPage,
    SourceDetail,
    SourceStats,
    StoryDetail,
    StoryPage,
    VolumeSeries,
)
from newsdedup.core.model import ItemKey
from newsdedup.server.api_queries import (
    CopiesQuery,
    ItemQuery,
    ListQuery,
    NoQuery,
    SearchQuery,
    SourceQuery,
    SpanQuery,
    StoriesQuery,
    StoryQuery,
    VolumeQuery,
)
from newsdedup.server.cached_answers import LIST_FRESHNESS, SUMS_FRESHNESS, Freshness
from newsdedup.server.http_errors import RequestRefused
from newsdedup.server.moment_values import begin_of_future
from newsdedup.server.operations import (
    JSON,
    Operation,
    Route,
    answer_cached,
    answer_newest,
    read_query,
)

_Query = TypeVar("_Query", bound=Struct)


class SourceList(Struct, frozen=True):
    """The sources that published in a span of time, by name."""

    sources: tuple[SourceStats, ...]


def read_stories(reader: ArchiveReader, query: StoriesQuery) -> StoryPage:
    """Return stories with an item that the filter lets through, the latest first, or by `sort`."""
    return reader.stories(
        query.filter(),
        sort=query.sort,
        least_sources=query.least_sources,
        cursor=query.cursor,
        limit=query.limit,
    )


def read_story(reader: ArchiveReader, query: StoryQuery) -> StoryDetail | None:
    """Return a story with its items, what it follows and what follows it; None if unknown."""
    return reader.story(query.story, cursor=query.cursor, limit=query.limit)


def read_items(reader: ArchiveReader, query: ListQuery) -> ItemPage:
    """Return the items that the filter lets through, the newest first."""
    return reader.items(query.filter(), cursor=query.cursor, limit=query.limit)


def read_item(reader: ArchiveReader, query: ItemQuery) -> ItemDetail | None:
    """Return an item with its verdict, evidence and corrections.

    Return None if it is unknown; raise RequestRefused if its source withdrew it.
    """
    key = ItemKey(query.source, query.id)
    detail = reader.item(key)
    if detail is None and reader.is_retracted(key):
        raise RequestRefused("retracted", "its source withdrew this item")
    return detail


def read_search(reader: ArchiveReader, query: SearchQuery) -> SearchPage:
    """Return the items that contain all words of a query, in any form, the newest first."""
    return reader.search(query.filter(), cursor=query.cursor, limit=query.limit)


def read_sources(reader: ArchiveReader, query: SpanQuery) -> SourceList:
    """Return the sources that published in a span of time, with their numbers, by name."""
    return SourceList(reader.sources(since=query.since, until=query.until))


def read_source(reader: ArchiveReader, query: SourceQuery) -> SourceDetail | None:
    """Return a source with whom it copies and who copies it; None if it published nothing."""
    return reader.source(query.name, since=query.since, until=query.until)


def read_copies(reader: ArchiveReader, query: CopiesQuery) -> CopyMatrix:
    """Return who copies whom, of the sources with most copies."""
    return reader.copies(since=query.since, until=query.until, most=query.most)


def read_volumes(reader: ArchiveReader, query: VolumeQuery) -> VolumeSeries:
    """Return how much was published in each hour, day or week."""
    return reader.volumes(query.step, query.filter())


def read_stats(reader: ArchiveReader, _: NoQuery) -> ArchiveStats:
    """Return the totals of the archive."""
    return reader.stats(begin_of_future())


def _route(
    path: str,
    query: type[_Query],
    read: Callable[[ArchiveReader, _Query], Struct | None],
    result: type[Struct],
    *,
    missing: str = "",
    errors: tuple[HTTPStatus, ...] = (),
    freshness: Freshness | None = None,
) -> Route:
    """Return an operation with its handler, which answers what `read` returns.

    `missing` is the detail of 404 where `read` returns None; `freshness` is that of answers that
    are cached, None where each has to be the newest.
    """

    async def answer(request: web.Request) -> web.StreamResponse:
        parameters = read_query(request, query)

        def encode(reader: ArchiveReader) -> bytes:
            """Return what `read` returns as JSON; raise RequestRefused (404) for None."""
            value = read(reader, parameters)
            if value is None:
                raise RequestRefused("not-found", missing)
            return msgspec.json.encode(value)

        if freshness is None:
            return await answer_newest(request, encode)
        return await answer_cached(request, request.path_qs, encode, freshness, JSON)

    about = (read.__doc__ or "").partition("\n")[0].partition(";")[0].rstrip(".") + "."
    operation = Operation(
        name=read.__name__,
        path=path,
        about=about,
        query=query,
        result=result,
        errors=(*((HTTPStatus.NOT_FOUND,) if missing else ()), *errors),
    )
    return operation, answer


ARCHIVE_ROUTES: Final[Sequence[Route]] = (
    _route("/v1/stories", StoriesQuery, read_stories, StoryPage),
    _route(
        "/v1/stories/{story}",
        StoryQuery,
        read_story,
        StoryDetail,
        missing="the archive holds no such story",
    ),
    _route("/v1/items", ListQuery, read_items, ItemPage),
    _route(
        "/v1/items/{source}/{id}",
        ItemQuery,
        read_item,
        ItemDetail,
        missing="the archive holds no such item",
        errors=(HTTPStatus.GONE,),
    ),
    _route("/v1/search", SearchQuery, read_search, SearchPage),
    _route("/v1/sources", SpanQuery, read_sources, SourceList, freshness=SUMS_FRESHNESS),
    _route(
        "/v1/sources/{name}",
        SourceQuery,
        read_source,
        SourceDetail,
        missing="this source published nothing in that time",
        freshness=SUMS_FRESHNESS,
    ),
    _route("/v1/copies", CopiesQuery, read_copies, CopyMatrix, freshness=SUMS_FRESHNESS),
    _route("/v1/volumes", VolumeQuery, read_volumes, VolumeSeries, freshness=SUMS_FRESHNESS),
    _route("/v1/stats", NoQuery, read_stats, ArchiveStats, freshness=LIST_FRESHNESS),
)
