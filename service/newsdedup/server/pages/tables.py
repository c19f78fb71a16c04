"""The tables of the pages as CSV, for spreadsheets: the same values, more rows, harmless cells."""

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter
from typing import Any, Final

from msgspec import Struct

from newsdedup.adapters.tables.table_files import harmless_cell
from newsdedup.server.http_errors import RequestRefused
from newsdedup.server.pages.wording import plain_line

MOST_ROWS: Final = 1_000
"""Rows of a table: what follows them, another filter shows."""
_MOST_CELL_CHARS: Final = 2_000
_BYTE_ORDER_MARK: Final = "\ufeff"
"""Without it spreadsheets take the text for one of a single-byte encoding."""


@dataclass(frozen=True, slots=True)
class CsvTable:
    """A table of a page: the names of its columns, and its rows by the values of the page."""

    name: str
    columns: str
    """Names of fields between spaces, with a dot between those of values in values."""
    rows: Callable[[Any], Iterable[object]]

    def csv_of(self, view: Struct, give_way: Callable[[], object] = lambda: None) -> bytes:
        """Return the table of a page as CSV in UTF-8, with a header and at most MOST_ROWS rows.

        `give_way` is called between them: other threads may go first.
        """
        text = io.StringIO(newline="")
        writer = csv.writer(text, lineterminator="\r\n")
        writer.writerow(self.columns.replace(".", "_").split())
        read = attrgetter(*self.columns.split())
        for row, _ in zip(self.rows(view), range(MOST_ROWS), strict=False):
            values = row if isinstance(row, tuple) else read(row)
            writer.writerow([_cell(value) for value in values])
            give_way()
        return (_BYTE_ORDER_MARK + text.getvalue()).encode("utf-8", "replace")


def _cell(value: object) -> object:
    """Return a value as a cell: times in ISO 8601, flags as words, a text as a harmless line."""
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case datetime():
            return value.isoformat()
        case str():
            # Before controls are removed: a tab that begins a cell counts, too.
            return harmless_cell(value[:1] + plain_line(value[1:], _MOST_CELL_CHARS))
        case _:
            return value


_ITEM: Final = (
    "at source id title url lang verdict relation score delay_seconds late decided_by story "
    "original.source original.id"
)
_STORY: Final = (
    "id title url lang original.source original.id first_source first_at last_at items "
    "duplicates sources"
)
_SOURCE: Final = (
    "source items originals duplicates originality originality_low originality_high "
    "own_repeats copies_of_others copied_by_others copied_sources copying_sources "
    "median_delay_seconds links"
)
_PAIR: Final = "source original_source items median_delay_seconds mean_delay_seconds"
_FEED: Final = (
    "title address source category condition problem failures interval_seconds last_success "
    "last_news next_visit entries"
)
_REPUBLISHED: Final = (
    "original.id original.title original.url original.at copies sources reprints last_at"
)


def _evidence(view: Any) -> Any:
    """Return the evidence of an item's verdict, None where it matched nothing."""
    matched = view.detail.judgement.matched
    return None if matched is None else matched.evidence


PAGE_TABLES: Final[Mapping[str, Sequence[CsvTable]]] = {
    "/": (CsvTable("stories", _STORY, lambda view: view.page.stories),),
    "/items": (CsvTable("items", _ITEM, lambda view: view.page.items),),
    "/search": (CsvTable("items", _ITEM, lambda view: view.page.items if view.page else ()),),
    "/story": (CsvTable("items", _ITEM, lambda view: view.detail.items),),
    "/item": (
        CsvTable(
            "reasons",
            "feature value logit",
            lambda view: _evidence(view).reasons if _evidence(view) else (),
        ),
        CsvTable(
            "terms",
            "term weight",
            lambda view: _evidence(view).shared if _evidence(view) else view.detail.judgement.terms,
        ),
    ),
    "/sources": (
        CsvTable("sources", _SOURCE, lambda view: view.sources),
        CsvTable("pairs", _PAIR, lambda view: view.matrix.strongest),
        CsvTable("matrix", _PAIR, lambda view: view.matrix.cells),
    ),
    "/source": (
        CsvTable("copies", _PAIR, lambda view: view.detail.copies),
        CsvTable("copied_by", _PAIR, lambda view: view.detail.copied_by),
        CsvTable("delays", "from_seconds to_seconds items", lambda view: view.detail.delays),
        CsvTable("republished", _REPUBLISHED, lambda view: view.detail.republished),
        CsvTable("items", _ITEM, lambda view: view.items),
    ),
    "/volumes": (
        CsvTable(
            "volumes",
            "start total originals duplicates",
            lambda view: view.series.points[-MOST_ROWS:],
        ),
    ),
    "/feeds": (CsvTable("feeds", _FEED, lambda view: view.feeds),),
    "/status": (
        CsvTable("languages", "lang items", lambda view: view.stats.languages.items()),
        CsvTable("relations", "relation items", lambda view: view.stats.relations.items()),
    ),
}
"""The tables of each page by its path, the main one first."""


def chosen_table(path: str, name: str) -> CsvTable:
    """Return the table of a page, by default its first; raise RequestRefused for no such one."""
    tables = PAGE_TABLES[path]
    for table in tables:
        if name in ("", table.name):
            return table
    names = ", ".join(table.name for table in tables)
    raise RequestRefused("bad-query", f"table is none of {names}")
