"""The part of the API that reads the archive: one function for each path."""

from collections.abc import Callable, Sequence
from http import HTTPStatus
from typing import Any, Final, TypeVar

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
    StoryQuery,
    VolumeQuery,
)
from newsdedup.server.held_answers import LIST_FRESHNESS, SUMS_FRESHNESS, Freshness
from newsdedup.server.http_errors import RequestRefused
from newsdedup.server.operations import ArchiveQuery, Operation

_Query = TypeVar("_Query", bound=Struct)


class SourceList(Struct, frozen=True):
    """The sources that published in a span of time, by name."""

    sources: tuple[SourceStats, ...]


def read_stories(reader: ArchiveReader, query: ListQuery) -> StoryPage:
    """Return stories by their last item that the filter lets through, the latest first."""
    return reader.stories(query.filter(), cursor=query.cursor, limit=query.limit)


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
        raise RequestRefused(HTTPStatus.GONE, "its source withdrew this item", code="retracted")
    return detail


def read_search(reader: ArchiveReader, query: SearchQuery) -> SearchPage:
    """Return the items that hold all words of a query, in any form, the newest first."""
    return reader.search(query.filter(), cursor=query.cursor, limit=query.limit)


def read_sources(reader: ArchiveReader, query: SpanQuery) -> SourceList:
    """Return the sources that published in a span, with their figures, by name."""
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
    """Return what the archive holds."""
    return reader.stats()


def _operation(
    path: str,
    query: type[_Query],
    read: Callable[[ArchiveReader, _Query], Struct | None],
    result: type[Struct],
    *,
    missing: str = "",
    errors: tuple[HTTPStatus, ...] = (),
    freshness: Freshness | None = None,
) -> ArchiveQuery[Any]:
    about = (read.__doc__ or "").partition("\n")[0].partition(";")[0].rstrip(".") + "."
    operation = Operation(
        name=read.__name__,
        path=path,
        about=about,
        query=query,
        result=result,
        errors=(*((HTTPStatus.NOT_FOUND,) if missing else ()), *errors),
    )
    return ArchiveQuery(operation, query, read, missing, freshness)


ARCHIVE_QUERIES: Final[Sequence[ArchiveQuery[Any]]] = (
    _operation("/v1/stories", ListQuery, read_stories, StoryPage),
    _operation(
        "/v1/stories/{story}",
        StoryQuery,
        read_story,
        StoryDetail,
        missing="the archive holds no such story",
    ),
    _operation("/v1/items", ListQuery, read_items, ItemPage),
    _operation(
        "/v1/items/{source}/{id}",
        ItemQuery,
        read_item,
        ItemDetail,
        missing="the archive holds no such item",
        errors=(HTTPStatus.GONE,),
    ),
    _operation("/v1/search", SearchQuery, read_search, SearchPage),
    _operation("/v1/sources", SpanQuery, read_sources, SourceList, freshness=SUMS_FRESHNESS),
    _operation(
        "/v1/sources/{name}",
        SourceQuery,
        read_source,
        SourceDetail,
        missing="this source published nothing in that time",
        freshness=SUMS_FRESHNESS,
    ),
    _operation("/v1/copies", CopiesQuery, read_copies, CopyMatrix, freshness=SUMS_FRESHNESS),
    _operation("/v1/volumes", VolumeQuery, read_volumes, VolumeSeries, freshness=SUMS_FRESHNESS),
    _operation("/v1/stats", NoQuery, read_stats, ArchiveStats, freshness=LIST_FRESHNESS),
)
"""The paths under which the archive is read."""
