"""Reading an archive, also while it is written: lists, stories, items, sources, volumes, search."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, Final, Self
from zlib import crc32

from newsdedup.adapters.files.paths import file_identity
from newsdedup.archive.archive_file import ARCHIVE_SCHEMA, open_archive_for_reading
from newsdedup.archive.event_lines import (
    ContentCodec,
    item_of_event,
    judgement_of_event,
    received_of_event,
)
from newsdedup.archive.filters import EVERYTHING, ItemFilter, VolumeStep, decode_cursor
from newsdedup.archive.search_words import SearchWords
from newsdedup.archive.selection import Selection, Selector
from newsdedup.archive.source_queries import copy_matrix, source_detail, source_stats
from newsdedup.archive.story_queries import StoryQueries
from newsdedup.archive.summaries import STORY_OF_ITEM, SUMMARY_COLUMNS, ItemSummaries
from newsdedup.archive.views import (
    ArchiveChange,
    ArchiveStats,
    ChangePage,
    CopyMatrix,
    ItemDetail,
    ItemPage,
    ItemSummary,
    SearchPage,
    SourceDetail,
    SourceStats,
    StoryDetail,
    StoryPage,
    VolumeSeries,
)
from newsdedup.archive.volume_queries import archive_stats, volume_series
from newsdedup.core.events import ItemRef
from newsdedup.core.model import ItemKey

MOST_MATCHES: Final = 10_000
"""Up to which number the matches of a search are counted."""


class ArchiveReader:
    """A read-only connection to an archive; each thread needs a reader of its own.

    Every call sees one committed state and raises StateUnusable where the file is damaged. Calls
    with a cursor raise CursorInvalid for one that no page gave.
    """

    def __init__(self, path: Path, words: SearchWords) -> None:
        self.path = path
        # Before it is opened: one that is replaced meanwhile is opened once more, never kept.
        self._file = file_identity(path)
        self._connection = open_archive_for_reading(path)
        try:
            with ARCHIVE_SCHEMA.errors(path, "reading"):
                self._codec = ContentCodec(self._meta("dictionary"))
        except BaseException:
            self._connection.close()
            raise
        self._summaries = ItemSummaries(self._connection)
        self._selector = Selector(self._connection, words)
        self._stories = StoryQueries(self._summaries, self._selector)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def is_replaced(self) -> bool:
        """Return whether another file has the path of the archive now, or none has."""
        return file_identity(self.path) != self._file

    def last_change(self) -> int:
        """Return the number of the last change of this file."""
        with self._snapshot():
            return self._last_change()

    def stamp(self) -> str:
        """Return a tag of the contents of the archive: equal tags mean equal pages."""
        return f"{crc32(repr(self._file).encode()):x}.{self.last_change()}"

    def stories(
        self, chosen: ItemFilter = EVERYTHING, *, cursor: str = "", limit: int = 50
    ) -> StoryPage:
        """Return stories by their last item that the filter lets through, the latest first.

        A page may hold fewer than `limit` where many items had to be passed over.
        """
        with self._snapshot():
            return self._stories.page(chosen, below=decode_cursor(cursor), limit=limit)

    def story(self, story_id: str, *, cursor: str = "", limit: int = 200) -> StoryDetail | None:
        """Return a story with `limit` of its items, None if there is no such story."""
        with self._snapshot():
            return self._stories.detail(story_id, above=decode_cursor(cursor), limit=limit)

    def newest_of_story(self, story_id: str, *, limit: int) -> tuple[ItemSummary, ...]:
        """Return items of a story, the newest first; none if there is no such story."""
        with self._snapshot():
            return self._stories.newest(story_id, limit=limit)

    def items(
        self, chosen: ItemFilter = EVERYTHING, *, cursor: str = "", limit: int = 50
    ) -> ItemPage:
        """Return the items that the filter lets through, the newest first."""
        with self._snapshot():
            selection = self._selector.select(chosen, below=decode_cursor(cursor))
            items, following = self._page(selection, limit)
            return ItemPage(items=items, next=following)

    def search(self, chosen: ItemFilter, *, cursor: str = "", limit: int = 50) -> SearchPage:
        """Return the items that contain the words of `chosen.text`, the newest first.

        None match where all words are stop words.
        """
        with self._snapshot():
            below, words = decode_cursor(cursor), self._selector.query(chosen)
            whole = self._selector.select(chosen) if words.expression else None
            selection = whole and self._selector.select(chosen, below=below)
            items, following = self._page(selection, limit)
            return SearchPage(
                items=items, next=following, words=words.shown, matches=self._matches(whole)
            )

    def item(self, key: ItemKey) -> ItemDetail | None:
        """Return all that is stored of an item; None if it never came, was erased or is too old."""
        with self._snapshot():
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
                summary=self._summaries.summary(row[:-1]),
                text=item.text,
                published_at=item.published_at,
                updated_at=item.updated_at,
                links=item.links,
                received=received_of_event(line),
                judgement=judgement_of_event(line),
                corrections=self._stories.corrections_of_item(row[0]),
            )

    def is_retracted(self, key: ItemKey) -> bool:
        """Return whether the newest event about an item is its retraction."""
        with self._snapshot():
            row = self._connection.execute(
                "SELECT i.number FROM tombstones t JOIN sources o ON o.source = t.source"
                " LEFT JOIN items i ON i.source = t.source AND i.id = t.id"
                " WHERE o.name = ? AND t.id = ?",
                key,
            ).fetchone()
            return row is not None and row[0] is None

    def sources(
        self, *, since: datetime | None = None, until: datetime | None = None
    ) -> tuple[SourceStats, ...]:
        """Return the sources that published between two moments, by name; days of UTC are whole."""
        with self._snapshot():
            return source_stats(self._summaries, (since, until))

    def source(
        self, name: str, *, since: datetime | None = None, until: datetime | None = None
    ) -> SourceDetail | None:
        """Return a source with whom it copies and who copies it, None if it published nothing."""
        with self._snapshot():
            return source_detail(self._summaries, name, (since, until))

    def copies(
        self, *, since: datetime | None = None, until: datetime | None = None, most: int = 30
    ) -> CopyMatrix:
        """Return who copies whom, of the `most` sources with most copies; days of UTC are whole."""
        with self._snapshot():
            return copy_matrix(self._summaries, (since, until), most=most)

    def volumes(self, step: VolumeStep, chosen: ItemFilter = EVERYTHING) -> VolumeSeries:
        """Return how much was published in each hour, day or week, of all or of a query.

        Spans are whole hours of UTC unless the filter names words or a relation.
        """
        with self._snapshot():
            return volume_series(self._connection, self._selector, step, chosen)

    def changes(self, *, after: int, limit: int = 500) -> ChangePage:
        """Return the items that changed after a change, each with its newest verdict."""
        with self._snapshot():
            last = self._last_change()
            rows = self._connection.execute(
                f"{SUMMARY_COLUMNS}, i.change FROM items i{STORY_OF_ITEM} WHERE i.change > ?"
                " ORDER BY i.change LIMIT ?",
                (after, limit),
            )
            changes = []
            for row in rows:
                summary = self._summaries.summary(row[:-1])
                item = ItemRef(summary.source, summary.id)
                changes.append(ArchiveChange(change=row[-1], item=item, summary=summary))
            erased = self._connection.execute(
                "SELECT t.change, t.source, t.id FROM tombstones t"
                " LEFT JOIN items i ON i.source = t.source AND i.id = t.id"
                " WHERE t.change > ? AND i.number IS NULL ORDER BY t.change LIMIT ?",
                (after, limit),
            )
            for number, source, item_id in erased:
                item = self._summaries.ref(source, item_id)
                changes.append(ArchiveChange(change=number, item=item, summary=None))
            changes.sort(key=lambda one: one.change)
            if len(changes) > limit:
                del changes[limit:]
            if len(changes) == limit:
                last = changes[-1].change
            return ChangePage(changes=tuple(changes), last=last)

    def stats(self) -> ArchiveStats:
        """Return the totals of the archive."""
        with self._snapshot():
            return archive_stats(self._connection, change=self._last_change())

    @contextmanager
    def _snapshot(self) -> Iterator[None]:
        """Let all queries of a block see the same committed state."""
        with ARCHIVE_SCHEMA.errors(self.path, "reading"):
            self._connection.execute("BEGIN")
            try:
                yield
            finally:
                self._connection.execute("ROLLBACK")

    def _page(
        self, selection: Selection | None, limit: int
    ) -> tuple[tuple[ItemSummary, ...], str | None]:
        """Return the first items of a selection, and the cursor of those behind them."""
        if selection is None:
            return (), None
        return self._summaries.page(
            f"{selection.tables}{STORY_OF_ITEM} WHERE {selection.where}"
            f" ORDER BY {selection.number} DESC",
            selection.parameters,
            limit,
        )

    def _matches(self, selection: Selection | None) -> int:
        """Return how many items a selection has, at most MOST_MATCHES."""
        if selection is None:
            return 0
        row = self._connection.execute(
            f"SELECT count(*) FROM (SELECT 1 FROM {selection.narrow} WHERE {selection.where}"
            " LIMIT ?)",
            (*selection.parameters, MOST_MATCHES),
        ).fetchone()
        return int(row[0])

    def _last_change(self) -> int:
        return int(self._meta("change"))

    def _meta(self, name: str) -> Any:
        row = self._connection.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
        return row[0]
