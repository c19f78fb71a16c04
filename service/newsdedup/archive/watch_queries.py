"""What saved searches ask of an archive: which of the latest changes fit each of them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from newsdedup.archive.event_lines import item_of_event
from newsdedup.archive.pending_rows import number_of_time
from newsdedup.archive.search import ItemFilter, source_number
from newsdedup.archive.summaries import STORY_OF_ITEM, SUMMARY_COLUMNS, ArchiveQueries, in_snapshot
from newsdedup.archive.text_hits import TextHits
from newsdedup.archive.views import ItemSummary
from newsdedup.core.model import ItemKey
from newsdedup.core.moments import HOUR

_CHANGED: Final = (
    "SELECT i.change, i.number, i.source, i.lang, i.verdict, i.original_source, s.sources,"
    " f.number, f.source, f.lang FROM items i JOIN stories s ON s.story = i.story"
    " JOIN items f ON f.number = s.first WHERE i.change > ? ORDER BY i.change LIMIT ?"
)
_ERASED: Final = (
    "SELECT t.change, o.name, t.id FROM tombstones t JOIN sources o ON o.source = t.source"
    " LEFT JOIN items i ON i.source = t.source AND i.id = t.id"
    " WHERE t.change > ? AND i.number IS NULL ORDER BY t.change LIMIT ?"
)
_WITH_WORDS: Final = (
    "SELECT rowid FROM word_index WHERE word_index MATCH ? AND rowid BETWEEN ? AND ?"
)
_TEXT: Final = (
    "SELECT c.event, i.lang FROM items i JOIN contents c ON c.number = i.number WHERE i.number = ?"
)
_GAP: Final = number_of_time(HOUR // 60)
"""Items further apart in time are looked up in the index of words by queries of their own."""
_UNKNOWN: Final = -1
"""The number of a source without items."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchFilter:
    """What a saved search lets through; an empty field lets everything through."""

    text: str = ""
    """Words that the item must contain, in any form, and phrases in quotes; after a minus sign,
    those it must not."""
    source: str = ""
    lang: str = ""
    least_sources: int = 1
    """From 2 on stories are found: words, source and language are those of the item that changed,
    or of the first item of its story."""
    copies_of: str = ""
    """A source: only copies of its items by others."""


class WatchMatch(NamedTuple):
    """A change that fits a filter."""

    chosen: int
    """The index of the filter among those that were asked for."""
    summary: ItemSummary
    sources: int
    """Of its story, now."""


class WatchedChanges(NamedTuple):
    """What fits some filters among the changes up to number `last`."""

    matches: tuple[WatchMatch, ...]
    erased: tuple[ItemKey, ...]
    """Items that their sources withdrew."""
    last: int


class _Changed(NamedTuple):
    """An item that changed, and the first item of its story."""

    change: int
    number: int
    source: int
    lang: str
    verdict: str
    original_source: int
    sources: int
    first: int
    first_source: int
    first_lang: str

    def texts(self, *, of_story: bool) -> Iterator[tuple[int, int, str]]:
        """Yield number, source and language of the items that a filter may fit."""
        yield self.number, self.source, self.lang
        if of_story:
            yield self.first, self.first_source, self.first_lang


class WatchQueries(ArchiveQueries):
    """Queries by the position in the changes: their cost does not depend on the archive's size."""

    @in_snapshot
    def watched(
        self, filters: Sequence[WatchFilter], *, after: int, limit: int = 500
    ) -> WatchedChanges:
        """Return what fits each filter among up to `limit` changes after number `after`.

        A `last` below `after` says that the archive was made anew.
        """
        rows = [_Changed(*row) for row in self._connection.execute(_CHANGED, (after, limit))]
        erased = self._connection.execute(_ERASED, (after, limit)).fetchall()
        full = [found[-1][0] for found in (rows, erased) if len(found) == limit]
        last = min(full) if full else self._change()
        rows = [row for row in rows if row.change <= last]
        matches = []
        for index, chosen in enumerate(filters):
            for row in self._fitting(chosen, rows):
                found = self._connection.execute(
                    f"{SUMMARY_COLUMNS} FROM items i{STORY_OF_ITEM} WHERE i.number = ?",
                    (row.number,),
                ).fetchone()
                matches.append(WatchMatch(index, self._summary(found), row.sources))
        keys = [ItemKey(source, item_id) for change, source, item_id in erased if change <= last]
        return WatchedChanges(tuple(matches), tuple(keys), last)

    @in_snapshot
    def asks_for_nothing(self, chosen: WatchFilter) -> bool:
        """Return whether a filter has words, and none of them can be searched for."""
        query = self._selector.query(ItemFilter(text=chosen.text, lang=chosen.lang))
        return bool(chosen.text.strip()) and not query.expression

    def _fitting(self, chosen: WatchFilter, rows: Sequence[_Changed]) -> list[_Changed]:
        """Return the changes that fit a filter, in their order."""
        source, copies_of = self._number_of(chosen.source), self._number_of(chosen.copies_of)
        of_story = chosen.least_sources > 1
        texts = {
            row: {
                number
                for number, of_source, lang in row.texts(of_story=of_story)
                if (not chosen.source or of_source == source) and chosen.lang in ("", lang)
            }
            for row in rows
            if row.sources >= chosen.least_sources
            and (not chosen.copies_of or _copies(row, copies_of))
        }
        if chosen.text.strip():
            numbers = {number for each in texts.values() for number in each}
            with_words = self._with_words(chosen, numbers)
            texts = {row: each & with_words for row, each in texts.items()}
        return [row for row, each in texts.items() if each]

    def _number_of(self, source: str) -> int:
        """Return the number of a source by its name, _UNKNOWN if it has none."""
        number = source_number(self._connection, source)
        return _UNKNOWN if number is None else number

    def _with_words(self, chosen: WatchFilter, numbers: Iterable[int]) -> set[int]:
        """Return which items, by number, contain the words and phrases of a filter.

        Only that part of the index is read which is about times of these items; texts are read
        only for phrases, and only of items that have their words.
        """
        query = self._selector.query(ItemFilter(text=chosen.text, lang=chosen.lang))
        if not query.expression:
            return set()
        found: set[int] = set()
        wanted = sorted(numbers)
        for first, last in _runs(wanted):
            rows = self._connection.execute(_WITH_WORDS, (query.expression, first, last))
            found.update(number for (number,) in rows)
        found.intersection_update(wanted)
        if not query.needs_texts:
            return found
        hits = TextHits(self._words, query)
        return {number for number in found if self._item_has_phrases(hits, number)}

    def _item_has_phrases(self, hits: TextHits, number: int) -> bool:
        event, lang = self._connection.execute(_TEXT, (number,)).fetchone()
        item = item_of_event(self._codec.unpack(event))
        return hits.has_phrases(item.title, item.text, lang)


def _copies(row: _Changed, source: int) -> bool:
    """Return whether an item copies one of a source, by number, and is of another source."""
    return row.verdict == "duplicate" and row.original_source == source != row.source


def _runs(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield first and last of each run of ascending numbers without a gap of a minute."""
    first = last = None
    for number in numbers:
        if first is None or last is None:
            first = number
        elif number - last > _GAP:
            yield first, last
            first = number
        last = number
    if first is not None and last is not None:
        yield first, last
