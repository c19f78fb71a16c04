"""The pages of lists: items, what a search matches, and totals."""

from typing import Final, get_args

from msgspec import Struct

from newsdedup.archive.reader import ArchiveReader
from newsdedup.archive.views import ArchiveStats, ItemPage, SearchPage, SearchSort
from newsdedup.server.moment_values import begin_of_future
from newsdedup.server.pages.page_query import ChosenFilter, PageQuery

_SEARCH_SORTS: Final[tuple[SearchSort, ...]] = get_args(SearchSort)
_ROWS_A_PAGE: Final = 40


class ItemsView(Struct, frozen=True, kw_only=True):
    """Items, the newest first."""

    chosen: ChosenFilter
    page: ItemPage
    categories: tuple[str, ...]
    later_pages: bool


class SearchView(Struct, frozen=True, kw_only=True):
    """Items that contain the words of a query; `page` is None without words."""

    chosen: ChosenFilter
    sort: SearchSort
    page: SearchPage | None
    later_pages: bool


class StatusView(Struct, frozen=True, kw_only=True):
    """The totals of the archive."""

    stats: ArchiveStats


def items_view(reader: ArchiveReader, query: PageQuery) -> ItemsView:
    """Return the items that the filter lets through, the newest first."""
    chosen, cursor = query.chosen(), query.text("cursor")
    page = reader.items(chosen.item_filter(), cursor=cursor, limit=query.rows(_ROWS_A_PAGE))
    categories = reader.categories()
    return ItemsView(chosen=chosen, page=page, categories=categories, later_pages=bool(cursor))


def search_view(reader: ArchiveReader, query: PageQuery) -> SearchView:
    """Return the items that contain all words, the newest first."""
    chosen, cursor = query.chosen(), query.text("cursor")
    sort = query.choice("sort", _SEARCH_SORTS) or "new"
    page = None
    if chosen.text:
        page = reader.search(
            chosen.item_filter(),
            cursor=cursor,
            limit=query.rows(_ROWS_A_PAGE),
            sort=sort,
            passages=not query.is_table,
        )
    return SearchView(chosen=chosen, sort=sort, page=page, later_pages=bool(cursor))


def status_view(reader: ArchiveReader, _: PageQuery) -> StatusView:
    """Return the totals of the archive."""
    return StatusView(stats=reader.stats(begin_of_future()))
