"""Reading an archive, also while it is written: lists, stories, items, sources, volumes, search."""

from typing import Final
from zlib import crc32

from newsdedup.adapters.files.paths import file_identity
from newsdedup.archive.event_lines import item_of_event, judgement_of_event, received_of_event
from newsdedup.archive.filters import EVERYTHING, ItemFilter, Selection, decode_cursor
from newsdedup.archive.source_queries import SourceQueries
from newsdedup.archive.story_queries import StoryQueries
from newsdedup.archive.summaries import STORY_OF_ITEM, SUMMARY_COLUMNS, in_snapshot
from newsdedup.archive.views import (
    ArchiveChange,
    ChangePage,
    ItemDetail,
    ItemPage,
    ItemSummary,
    SearchPage,
)
from newsdedup.archive.volume_queries import VolumeQueries
from newsdedup.core.events import ItemRef
from newsdedup.core.model import ItemKey

_MOST_MATCHES: Final = 10_000
"""Up to which number the matches of a search are counted."""


class ArchiveReader(StoryQueries, SourceQueries, VolumeQueries):
    """A read-only connection to an archive; each thread needs a reader of its own.

    Every call sees one committed state and raises StateUnusable where the file is damaged. Calls
    with a cursor raise CursorInvalid for one that no page gave.
    """

    def is_replaced(self) -> bool:
        """Return whether another file has the path of the archive now, or none has."""
        return file_identity(self.path) != self._file

    @in_snapshot
    def last_change(self) -> int:
        """Return the number of the last change of this file."""
        return int(self._meta("change"))

    def stamp(self) -> str:
        """Return a tag of the contents of the archive: equal tags mean equal pages."""
        return f"{crc32(repr(self._file).encode()):x}.{self.last_change()}"

    @in_snapshot
    def items(
        self, chosen: ItemFilter = EVERYTHING, *, cursor: str = "", limit: int = 50
    ) -> ItemPage:
        """Return a page of the items that the filter lets through, the newest first.

        `cursor` is `next` of the page before; raise CursorInvalid for any other.
        """
        selection = self._selector.select(chosen, below=decode_cursor(cursor))
        items, following = self._selected_page(selection, limit)
        return ItemPage(items=items, next=following)

    @in_snapshot
    def search(self, chosen: ItemFilter, *, cursor: str = "", limit: int = 50) -> SearchPage:
        """Return the items that contain the words of `chosen.text`, the newest first.

        None match where all words are stop words.
        """
        below, words = decode_cursor(cursor), self._selector.query(chosen)
        whole = self._selector.select(chosen) if words.expression else None
        selection = whole and self._selector.select(chosen, below=below)
        items, following = self._selected_page(selection, limit)
        matches = 0
        if whole is not None:
            (matches,) = self._connection.execute(
                f"SELECT count(*) FROM (SELECT 1 FROM {whole.narrow} WHERE {whole.where} LIMIT ?)",
                (*whole.parameters, _MOST_MATCHES),
            ).fetchone()
        return SearchPage(items=items, next=following, words=words.shown, matches=matches)

    @in_snapshot
    def item(self, key: ItemKey) -> ItemDetail | None:
        """Return all that is stored of an item; None if it never came, was erased or is too old."""
        row = self._connection.execute(
            f"{SUMMARY_COLUMNS}, c.event FROM items i{STORY_OF_ITEM}"
            " JOIN contents c ON c.number = i.number"
            " JOIN sources o ON o.source = i.source WHERE o.name = ? AND i.id = ?",
            key,
        ).fetchone()
        if row is None:
            return None
        line = self._codec.unpack(row[-1])
        item = item_of_event(line)
        return ItemDetail(
            summary=self._summary(row[:-1]),
            text=item.text,
            published_at=item.published_at,
            updated_at=item.updated_at,
            links=item.links,
            received=received_of_event(line),
            judgement=judgement_of_event(line),
            corrections=self._corrections_of_item(row[0]),
        )

    @in_snapshot
    def is_retracted(self, key: ItemKey) -> bool:
        """Return whether the newest event about an item is its retraction."""
        row = self._connection.execute(
            "SELECT i.number FROM tombstones t JOIN sources o ON o.source = t.source"
            " LEFT JOIN items i ON i.source = t.source AND i.id = t.id"
            " WHERE o.name = ? AND t.id = ?",
            key,
        ).fetchone()
        return row is not None and row[0] is None

    @in_snapshot
    def changes(self, *, after: int, limit: int = 500) -> ChangePage:
        """Return up to `limit` items changed after change `after`, each with its newest verdict."""
        rows = self._connection.execute(
            f"{SUMMARY_COLUMNS}, i.change FROM items i{STORY_OF_ITEM} WHERE i.change > ?"
            " ORDER BY i.change LIMIT ?",
            (after, limit),
        )
        changes = []
        for row in rows:
            summary = self._summary(row[:-1])
            item = ItemRef(summary.source, summary.id)
            changes.append(ArchiveChange(change=row[-1], item=item, summary=summary))
        erased = self._connection.execute(
            "SELECT t.change, t.source, t.id FROM tombstones t"
            " LEFT JOIN items i ON i.source = t.source AND i.id = t.id"
            " WHERE t.change > ? AND i.number IS NULL ORDER BY t.change LIMIT ?",
            (after, limit),
        )
        changes += [
            ArchiveChange(change=number, item=self._ref(source, item_id), summary=None)
            for number, source, item_id in erased
        ]
        changes.sort(key=lambda one: one.change)
        del changes[limit:]
        last = changes[-1].change if len(changes) == limit else int(self._meta("change"))
        return ChangePage(changes=tuple(changes), last=last)

    def _selected_page(
        self, selection: Selection | None, limit: int
    ) -> tuple[tuple[ItemSummary, ...], str | None]:
        """Return the first items of a selection, and the cursor of the items after them."""
        if selection is None:
            return (), None
        selected = f"{selection.tables}{STORY_OF_ITEM} WHERE {selection.where}"
        ordered = f"{selected} ORDER BY {selection.number} DESC"
        return self._page(ordered, selection.parameters, limit)
