"""The pages of lists: items, what a search matches, and volumes over time."""

from typing import Final

from msgspec import Struct

from newsdedup.archive.reader import ArchiveReader
from newsdedup.archive.search import VOLUME_STEPS
from newsdedup.archive.views import (
    ArchiveStats,
    ItemPage,
    SearchPage,
    VolumeSeries,
)
from newsdedup.server.pages.page_query import ChosenFilter, PageQuery

_ROWS_A_PAGE: Final = 40
_MOST_CATEGORIES: Final = 40
_MOST_COLUMNS: Final = 24 * 31
"""Columns of a chart of volumes: the latest are shown."""


class ItemsView(Struct, frozen=True, kw_only=True):
    """Items, the newest first."""

    chosen: ChosenFilter
    page: ItemPage
    categories: tuple[str, ...]
    later_pages: bool


class SearchView(Struct, frozen=True, kw_only=True):
    """Items that contain the words of a query; `page` is None without words."""

    chosen: ChosenFilter
    page: SearchPage | None
    later_pages: bool


class VolumesView(Struct, frozen=True, kw_only=True):
    """How much was published over time, of all or of a query."""

    chosen: ChosenFilter
    series: VolumeSeries
    total: int
    originals: int
    duplicates: int
    shortened: bool


class StatusView(Struct, frozen=True, kw_only=True):
    """The totals of the archive."""

    stats: ArchiveStats


def items_view(reader: ArchiveReader, query: PageQuery) -> ItemsView:
    """Return the items that the filter lets through, the newest first."""
    chosen, cursor = query.chosen(), query.text("cursor")
    page = reader.items(chosen.item_filter(), cursor=cursor, limit=query.rows(_ROWS_A_PAGE))
    categories = reader.categories(limit=_MOST_CATEGORIES)
    return ItemsView(chosen=chosen, page=page, categories=categories, later_pages=bool(cursor))


def search_view(reader: ArchiveReader, query: PageQuery) -> SearchView:
    """Return the items that contain all words, the newest first."""
    chosen, cursor = query.chosen(), query.text("cursor")
    page = None
    if chosen.text:
        page = reader.search(chosen.item_filter(), cursor=cursor, limit=query.rows(_ROWS_A_PAGE))
    return SearchView(chosen=chosen, page=page, later_pages=bool(cursor))


def volumes_view(reader: ArchiveReader, query: PageQuery) -> VolumesView:
    """Return volumes by hour, day or week, by default by hour."""
    chosen = query.chosen()
    step = query.choice("step", VOLUME_STEPS) or "hour"
    series = reader.volumes(step, chosen.item_filter())
    points = series.points
    return VolumesView(
        chosen=chosen,
        series=VolumeSeries(step=step, points=tuple(points[-_MOST_COLUMNS:])),
        total=sum(point.total for point in series.points),
        originals=sum(point.originals for point in series.points),
        duplicates=sum(point.duplicates for point in series.points),
        shortened=len(points) > _MOST_COLUMNS,
    )


def status_view(reader: ArchiveReader, _: PageQuery) -> StatusView:
    """Return the totals of the archive."""
    return StatusView(stats=reader.stats())
