"""Searching an archive: by time or relevance, phrases, passages, hints for misspelt words.

Each query reads a bounded number of items: the index tells which contain the words, the newest
first, and texts are read only of some of these.
"""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final

import msgspec

from newsdedup.archive.event_lines import item_of_event
from newsdedup.archive.query_words import WordQuery, text_words
from newsdedup.archive.search import ItemFilter, Selection, decode_cursor, encode_cursor
from newsdedup.archive.summaries import STORY_OF_ITEM, SUMMARY_COLUMNS, ArchiveQueries, in_snapshot
from newsdedup.archive.text_hits import TextHits
from newsdedup.archive.views import ItemSummary, PassagePart, SearchPage, SearchSort, SpellingHint
from newsdedup.core.model import Language

_MOST_MATCHES: Final = 10_000
"""Up to which number the matches of a search are counted."""
_MOST_READ: Final = 300
"""Items whose texts are read for one page."""
_MOST_RANKED: Final = 1_000
"""Items whose titles are read for one page."""
_MOST_HINTS: Final = 3
_LONGEST_HINT: Final = 20
_SHORTEST_HINT: Final = 4
_ALPHABETS: Final = ("abcdefghijklmnopqrstuvwxyz", "абвгдежзийклмнопрстуфхцчшщъыьэюя")
_UKRAINIAN: Final = "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя"
_ENOUGH: Final = 1_000
"""Up to which number the items of a spelling are counted."""
_UKRAINIAN_ONLY: Final = frozenset("іїєґ")
_TITLES_OF_HINTS: Final = 3_000
"""The newest titles, whose words are the first hints."""
_MOST_FREQUENT: Final = (
    "SELECT (SELECT count(*) FROM (SELECT 1 FROM word_index WHERE word_index MATCH"
    """ '"' || k.value || '"' LIMIT ?)) AS items, k.value FROM json_each(?) k"""
    " ORDER BY items DESC, k.value DESC LIMIT 1"
)
"""Of some words of the index the one in most items, and how many these are, in one query."""
_Row = tuple[Any, ...]
_TITLES: Final = msgspec.json.Decoder(list[tuple[int, str, Language, str]])


class SearchQueries(ArchiveQueries):
    """Queries for the items that contain words."""

    @in_snapshot
    def search(
        self,
        chosen: ItemFilter,
        *,
        cursor: str = "",
        limit: int = 50,
        sort: SearchSort = "new",
        passages: bool = False,
    ) -> SearchPage:
        """Return the items that contain the words of `chosen.text`, the newest first.

        For `relevance` the titles of the newest 1,000 items with the words are read; of phrases the
        texts of the newest 300: a page may have fewer items than `limit`, and `next` goes on after
        the last one that was read. With `passages` each item has its passage, and words that no
        item has get hints. None match where all words are stop words. Raise CursorInvalid if
        `cursor` is of no page.
        """
        below, query = decode_cursor(cursor), self._selector.query(chosen)
        hits, by_relevance = TextHits(self._words, query), sort == "relevance"
        rows: list[_Row] = []
        following, read, matches = None, 0, 0
        whole = self._selector.select(chosen) if query.expression else None
        selection = self._selector.select(chosen, below=None if by_relevance else below)
        if whole is not None and selection is not None:
            matches = self._matches(whole)
            if query.needs_texts:
                rows, following, read = self._read(selection, hits, limit, by_relevance)
            elif by_relevance:
                rows, read = self._best(selection, hits, limit)
            else:
                rows = list(self._rows(selection, limit + 1))
                following = encode_cursor(rows[limit - 1][0]) if len(rows) > limit else None
                rows = rows[:limit]
        items = tuple([self._summary(row[:-1]) for row in rows])
        progress = self._index_progress()
        return SearchPage(
            items=items,
            next=following,
            words=query.shown,
            matches=matches,
            ignored=query.ignored,
            read=read,
            hints=() if matches or not passages else self._hints(query),
            passages=(
                tuple([self._passage(hits, row, one) for row, one in zip(rows, items, strict=True)])
                if passages
                else ()
            ),
            index_share=1.0 if progress is None else round(progress.share, 3),
        )

    def _matches(self, whole: Selection) -> int:
        """Return how many items a selection has, at most 10,000."""
        found = f"SELECT 1 FROM {whole.narrow} WHERE {whole.where} LIMIT ?"
        return self._count(f"SELECT count(*) FROM ({found})", *whole.parameters, _MOST_MATCHES)

    def _rows(self, selection: Selection, limit: int) -> Iterator[_Row]:
        """Yield the rows of the newest items of a selection, each with its event."""
        selected = f"{selection.tables}{STORY_OF_ITEM} JOIN contents c ON c.number = i.number"
        for row in self._connection.execute(
            f"{SUMMARY_COLUMNS}, c.event FROM {selected} WHERE {selection.where}"
            f" ORDER BY {selection.number} DESC LIMIT ?",
            (*selection.parameters, limit),
        ):
            self.give_way()
            yield row

    def _read(
        self, selection: Selection, hits: TextHits, limit: int, by_relevance: bool
    ) -> tuple[list[_Row], str | None, int]:
        """Return rows that have the phrases of a query, the next cursor, and how many were read.

        By relevance there is no next page: the best are chosen among those that were read.
        """
        found: list[_Row] = []
        read, last = 0, None
        for row in self._rows(selection, _MOST_READ):
            read, last = read + 1, row[0]
            if self._has_phrases(hits, row):
                found.append(row)
                if len(found) == limit and not by_relevance:
                    break
        if by_relevance:
            found.sort(key=lambda row: _rank(hits, row[0], row[6], row[9], row[18]), reverse=True)
            return found[:limit], None, read
        more = len(found) == limit or read == _MOST_READ
        return found, encode_cursor(last) if more and last is not None else None, read

    def _best(self, selection: Selection, hits: TextHits, limit: int) -> tuple[list[_Row], int]:
        """Return the rows of a selection that rank highest, and how many titles were read."""
        joined = self._joined_rows(
            "i.number, i.verdict, i.lang, i.title",
            f"{selection.tables} WHERE {selection.where} ORDER BY {selection.number} DESC LIMIT ?",
            (*selection.parameters, _MOST_RANKED),
        )
        titles = _TITLES.decode(joined)
        ranked = sorted(titles, key=lambda row: _rank(hits, *row), reverse=True)
        best = [number for number, *_ in ranked[:limit]]
        rows = self._connection.execute(
            f"{SUMMARY_COLUMNS}, c.event FROM items i{STORY_OF_ITEM}"
            " JOIN contents c ON c.number = i.number"
            " WHERE i.number IN (SELECT value FROM json_each(?))",
            (json.dumps(best),),
        ).fetchall()
        rows.sort(key=lambda row: best.index(row[0]))
        return rows, len(titles)

    def _has_phrases(self, hits: TextHits, row: _Row) -> bool:
        """Return whether the item of a row has all phrases of the query, and no excluded one."""
        item = item_of_event(self._codec.unpack(row[-1]))
        return hits.has_phrases(item.title, item.text, row[9])

    def _passage(self, hits: TextHits, row: _Row, summary: ItemSummary) -> tuple[PassagePart, ...]:
        """Return the passage of an item with most words of the query."""
        self.give_way()
        item = item_of_event(self._codec.unpack(row[-1]))
        return hits.passage(item.title, item.text, summary.lang)

    def _hints(self, query: WordQuery) -> tuple[SpellingHint, ...]:
        """Return for words that no item has the most frequent words that differ by one letter."""
        unknown = [
            word.form for word in query.words if word.form.isalpha() and not self._items(word.keys)
        ]
        if not unknown:
            return ()
        titles = self._title_words()
        hints = [
            (form, self._nearest(form, titles)) for form in dict.fromkeys(unknown[:_MOST_HINTS])
        ]
        return tuple([SpellingHint(word=form, instead=near) for form, near in hints if near])

    def _nearest(self, form: str, titles: Counter[str]) -> str:
        """Return the word of the archive that differs from a form by one letter, "" for none.

        Of several it is that in most of the newest titles, whose words `titles` has; if these have
        none, the one in most items: then the index has to be asked for the lemma of each. Where a
        dictionary has some of them, only these count: the lemmas of others are guesses, which take
        ten times as long.
        """
        if not _SHORTEST_HINT <= len(form) <= _LONGEST_HINT:
            return ""
        near = _neighbours(form)
        if titled := near & titles.keys():
            return max(titled, key=lambda word: (titles[word], word))
        lang: Language = "en" if form.isascii() else "uk" if set(form) & _UKRAINIAN_ONLY else "ru"
        known = {one for one in near if self._words.in_dictionary(one, lang)}
        return self._most_frequent(known or near, lang)

    def _most_frequent(self, forms: set[str], lang: Language) -> str:
        """Return which of some forms most items have, in any form of its word; "" for none."""
        by_key: dict[str, set[str]] = {}
        for one in forms:
            for key in self._words.keys(one, lang):
                by_key.setdefault(key, set()).add(one)
        found = self._connection.execute(_MOST_FREQUENT, (_ENOUGH, json.dumps(sorted(by_key))))
        items, key = found.fetchone() or (0, "")
        return self._written(key, by_key[key]) if items else ""

    def _title_words(self) -> Counter[str]:
        """Return how often each word, in lower case, occurs in the newest titles."""
        (titles,) = self._connection.execute(
            "SELECT coalesce(group_concat(title, ' '), '') FROM"
            " (SELECT title FROM items ORDER BY number DESC LIMIT ?)",
            (_TITLES_OF_HINTS,),
        ).fetchone()
        return Counter(text_words(titles))

    def _items(self, keys: Sequence[str] | frozenset[str]) -> int:
        """Return how many items have one of some words of the index, at most 1,000."""
        if not keys:
            return 0
        expression = " OR ".join(f'"{key}"' for key in sorted(keys))
        found = "SELECT 1 FROM word_index WHERE word_index MATCH ? LIMIT ?"
        return self._count(f"SELECT count(*) FROM ({found})", expression, _ENOUGH)

    def _written(self, key: str, spellings: set[str]) -> str:
        """Return which of some spellings the newest items with a word of the index have."""
        rows = self._connection.execute(
            "SELECT c.event FROM word_index w CROSS JOIN contents c ON c.number = w.rowid"
            " WHERE word_index MATCH ? ORDER BY w.rowid DESC LIMIT 5",
            (f'"{key}"',),
        )
        for (event,) in rows:
            item = item_of_event(self._codec.unpack(event))
            for form in text_words(f"{item.title} {item.text[:20_000]}"):
                if form in spellings:
                    return form
        return ""


def _rank(
    hits: TextHits, number: int, verdict: str, lang: Language, title: str
) -> tuple[int, bool, int]:
    """Return the rank of an item: words in the title, originals before duplicates, the time."""
    return hits.words_in(title, lang), verdict == "original", number


def _neighbours(form: str) -> set[str]:
    """Return what differs from a word by one letter: missing, further, another, or two swapped."""
    alphabet = _ALPHABETS[0] if form.isascii() else _ALPHABETS[1]
    if set(form) & _UKRAINIAN_ONLY:
        alphabet = _UKRAINIAN
    cuts = [(form[:at], form[at:]) for at in range(len(form) + 1)]
    near = {begin + end[1:] for begin, end in cuts if end}
    near |= {begin + end[1] + end[0] + end[2:] for begin, end in cuts if len(end) > 1}
    near |= {begin + letter + end[1:] for begin, end in cuts if end for letter in alphabet}
    near |= {begin + letter + end for begin, end in cuts for letter in alphabet}
    return near - {form}
