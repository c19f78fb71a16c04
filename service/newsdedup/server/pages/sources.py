"""The pages of sources: who has news of their own, who copies whom first, and one source."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from msgspec import Struct

from newsdedup.archive.reader import ArchiveReader
from newsdedup.archive.search import ItemFilter
from newsdedup.archive.views import CopyMatrix, ItemSummary, SourceDetail, SourceStats
from newsdedup.core.moments import DAY, to_datetime, to_micros
from newsdedup.server.http_errors import RequestRefused
from newsdedup.server.pages.charts import LinkRankChart, link_rank_chart
from newsdedup.server.pages.page_query import ChosenFilter, PageQuery
from newsdedup.server.pages.source_graph import SourceGraph, source_graph

_SOURCES_A_PAGE: Final = 40
_MOST_DOTS: Final = 400
"""Sources in the chart of ranks: those with most items."""
_MATRIX_SOURCES: Final = 16
_LATEST_ITEMS: Final = 12
_ENOUGH_ITEMS: Final = 20
"""Default minimum of items of a source: the shares of fewer items have intervals of half the scale
and more."""

_ORDERS: Final[dict[str, Callable[[SourceStats], float]]] = {
    "originality": lambda one: -one.originality_low,
    "items": lambda one: -one.items,
    "copied": lambda one: -one.copied_by_others,
    "copies": lambda one: -one.copies_of_others,
    "delay": lambda one: (
        float("inf") if one.median_delay_seconds is None else one.median_delay_seconds
    ),
    "links": lambda one: -one.links,
}
"""By originality those come first whose share is surely high: by the low end of its interval."""
SOURCE_ORDERS: Final = (*_ORDERS, "name")


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
    first_day: datetime | None
    """The first moment of the days that the numbers are of, None for all."""
    next_day: datetime | None
    """The first moment after them."""
    graph: SourceGraph | None
    links: LinkRankChart | None


class SourceView(Struct, frozen=True, kw_only=True):
    """One source with its latest items."""

    detail: SourceDetail
    items: tuple[ItemSummary, ...]


def sources_view(reader: ArchiveReader, query: PageQuery) -> SourcesView:
    """Return the sources by originality, or in the order that the address names."""
    since, until = query.moment("since"), query.moment("until")
    order = query.choice("order", SOURCE_ORDERS) or "originality"
    least = query.number("least", default=_ENOUGH_ITEMS, most=10**9)
    # The tables of pairs have no sources: to count these takes most of the time.
    alone = query.is_table and query.text("table") in ("pairs", "matrix")
    everything = () if alone else reader.sources(since=since, until=until)
    known = [one for one in everything if one.items >= least]
    ranked = sorted(known, key=lambda one: one.source)
    if order != "name":
        ranked.sort(key=lambda one: (_ORDERS[order](one), -one.items))
    rows = query.rows(_SOURCES_A_PAGE)
    pages = max(1, -(-len(ranked) // rows))
    page = query.number("page", default=1, most=pages)
    begin = (page - 1) * rows
    matrix = reader.copies(since=since, until=until, most=_MATRIX_SOURCES)
    return SourcesView(
        chosen=ChosenFilter(since=since, until=until),
        order=order,
        least_items=least,
        sources=tuple(ranked[begin : begin + rows]),
        first_rank=begin + 1,
        pages=pages,
        page=page,
        of=len(ranked),
        all_sources=len(everything),
        matrix=matrix,
        first_day=None if since is None else _day_of(since),
        next_day=None if until is None else _day_of(until + _ALMOST_A_DAY),
        graph=source_graph(matrix),
        links=link_rank_chart(sorted(known, key=lambda one: -one.items)[:_MOST_DOTS]),
    )


_ALMOST_A_DAY: Final = timedelta(days=1, microseconds=-1)


def _day_of(moment: datetime) -> datetime:
    return to_datetime(to_micros(moment) // DAY * DAY)


def source_view(reader: ArchiveReader, query: PageQuery) -> SourceView:
    """Return the source `name`; raise RequestRefused for one that published nothing."""
    name = query.text("name", most=4_000)
    detail = reader.source(name)
    if detail is None:
        raise RequestRefused("unknown-source", "the archive holds nothing of this source")
    items = reader.items(ItemFilter(source=name), limit=_LATEST_ITEMS)
    return SourceView(detail=detail, items=items.items)
