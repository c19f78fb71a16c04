"""The pages of lists: items, what a search matches, volumes over time, and sources."""

from collections.abc import Callable
from typing import Final

from msgspec import Struct

from newsdedup.archive.reader import ArchiveReader
from newsdedup.archive.search import VOLUME_STEPS, ItemFilter
from newsdedup.archive.views import (
    ArchiveStats,
    CopyMatrix,
    ItemPage,
    ItemSummary,
    SearchPage,
    SourceDetail,
    SourceStats,
    VolumeSeries,
)
from newsdedup.server.http_errors import RequestRefused
from newsdedup.server.pages.charts import LinkRankChart, link_rank_chart
from newsdedup.server.pages.page_query import ChosenFilter, PageQuery

_ROWS_A_PAGE: Final = 40
_MOST_CATEGORIES: Final = 40
_MOST_COLUMNS: Final = 24 * 31
"""Columns of a chart of volumes: the latest are shown."""
_SOURCES_A_PAGE: Final = 40
_MOST_DOTS: Final = 400
"""Sources in the chart of ranks: those with most items."""
_MATRIX_SOURCES: Final = 16
_LATEST_ITEMS: Final = 12
_FEW_ITEMS: Final = 5
"""Default minimum of items of a source: shares of fewer items are not meaningful."""

_ORDERS: Final[dict[str, Callable[[SourceStats], float]]] = {
    "originality": lambda one: -one.originality,
    "items": lambda one: -one.items,
    "copied": lambda one: -one.copied_by_others,
    "copies": lambda one: -one.copies_of_others,
    "delay": lambda one: (
        float("inf") if one.median_delay_seconds is None else one.median_delay_seconds
    ),
    "links": lambda one: -one.links,
}
SOURCE_ORDERS: Final = (*_ORDERS, "name")


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


class SourcesView(Struct, frozen=True, kw_only=True):
    """Sources in an order, who copies whom, and duplicates by the rank of links."""

    chosen: ChosenFilter
    order: str
    least_items: int
    sources: tuple[SourceStats, ...]
    first_rank: int
    pages: int
    page: int
    of: int
    """How many sources have at least `least_items`."""
    all_sources: int
    matrix: CopyMatrix
    links: LinkRankChart | None


class SourceView(Struct, frozen=True, kw_only=True):
    """One source with its latest items."""

    detail: SourceDetail
    items: tuple[ItemSummary, ...]


def items_view(reader: ArchiveReader, query: PageQuery) -> ItemsView:
    """Return the items that the filter lets through, the newest first."""
    chosen, cursor = query.chosen(), query.text("cursor")
    page = reader.items(chosen.item_filter(), cursor=cursor, limit=_ROWS_A_PAGE)
    categories = reader.categories(limit=_MOST_CATEGORIES)
    return ItemsView(chosen=chosen, page=page, categories=categories, later_pages=bool(cursor))


def search_view(reader: ArchiveReader, query: PageQuery) -> SearchView:
    """Return the items that contain all words, the newest first."""
    chosen, cursor = query.chosen(), query.text("cursor")
    page = None
    if chosen.text:
        page = reader.search(chosen.item_filter(), cursor=cursor, limit=_ROWS_A_PAGE)
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


def sources_view(reader: ArchiveReader, query: PageQuery) -> SourcesView:
    """Return the sources by originality, or in the order that the address names."""
    since, until = query.moment("since"), query.moment("until")
    order = query.choice("order", SOURCE_ORDERS) or "originality"
    least = query.number("least", default=_FEW_ITEMS, most=10**9)
    everything = reader.sources(since=since, until=until)
    known = [one for one in everything if one.items >= least]
    ranked = sorted(known, key=lambda one: one.source)
    if order != "name":
        ranked.sort(key=lambda one: (_ORDERS[order](one), -one.items))
    pages = max(1, -(-len(ranked) // _SOURCES_A_PAGE))
    page = query.number("page", default=1, most=pages)
    begin = (page - 1) * _SOURCES_A_PAGE
    return SourcesView(
        chosen=ChosenFilter(since=since, until=until),
        order=order,
        least_items=least,
        sources=tuple(ranked[begin : begin + _SOURCES_A_PAGE]),
        first_rank=begin + 1,
        pages=pages,
        page=page,
        of=len(ranked),
        all_sources=len(everything),
        matrix=reader.copies(since=since, until=until, most=_MATRIX_SOURCES),
        links=link_rank_chart(sorted(known, key=lambda one: -one.items)[:_MOST_DOTS]),
    )


def source_view(reader: ArchiveReader, query: PageQuery) -> SourceView:
    """Return the source `name`; raise RequestRefused for one that published nothing."""
    name = query.text("name", most=4_000)
    detail = reader.source(name)
    if detail is None:
        raise RequestRefused("unknown-source", "the archive holds nothing of this source")
    items = reader.items(ItemFilter(source=name), limit=_LATEST_ITEMS)
    return SourceView(detail=detail, items=items.items)
