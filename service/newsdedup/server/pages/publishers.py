"""The pages of sources: originality, who copies whom, and how soon."""

from collections.abc import Callable
from typing import Final

from msgspec import Struct

from newsdedup.archive.reader import ArchiveReader
from newsdedup.archive.search import ItemFilter
from newsdedup.archive.views import CopyMatrix, ItemSummary, SourceDetail, SourceStats
from newsdedup.server.http_errors import RequestRefused
from newsdedup.server.pages.charts import LinkRankChart, link_rank_chart
from newsdedup.server.pages.page_query import ChosenFilter, PageQuery

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
