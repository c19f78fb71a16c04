"""How items are found: filters as SQL over `items` and the index of words, cursors of pages."""

import sqlite3
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal, NamedTuple

from newsdedup.archive.pending_rows import number_of_time
from newsdedup.archive.query_words import WordQuery
from newsdedup.archive.search_words import SearchWords, language_word, source_word
from newsdedup.core.model import Relation, Verdict
from newsdedup.core.moments import to_micros

_NO_WORDS: Final = WordQuery((), "")


class CursorInvalid(ValueError):
    """A cursor that no page of a list gave."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemFilter:
    """Lets an item through that fits all fields; an empty one fits every item."""

    source: str = ""
    lang: str = ""
    verdict: Verdict | Literal[""] = ""
    relation: Relation | Literal[""] = ""
    since: datetime | None = None
    until: datetime | None = None
    """The first moment after those that fit."""
    text: str = ""
    """Words that the item must contain, in any form; after a minus sign, those it must not."""
    category: str = ""
    copies_of: str = ""
    """The source of the original: duplicates of its originals fit."""


EVERYTHING: Final = ItemFilter()


def encode_cursor(number: int) -> str:
    """Return the cursor of the page that begins after the item of this number."""
    return f"{number:x}"


def decode_cursor(cursor: str) -> int | None:
    """Return the number in a cursor, None for ""; raise CursorInvalid for what no page gave."""
    if not cursor:
        return None
    with suppress(ValueError):
        number = int(cursor, 16)
        if -(2**63) <= number < 2**63 and encode_cursor(number) == cursor:
            return number
    raise CursorInvalid("no page gave this cursor")


def encode_rank(rank: int, story: int) -> str:
    """Return the cursor of the page that begins after a story, by its rank and its number."""
    return f"{rank:x}.{story:x}"


def decode_rank(cursor: str) -> tuple[int, int] | None:
    """Return rank and story in a cursor, None for ""; raise CursorInvalid for what no page gave."""
    if not cursor:
        return None
    rank, story = map(decode_cursor, cursor.partition(".")[::2])
    if rank is None or story is None:
        raise CursorInvalid("no page gave this cursor")
    return rank, story


def source_number(connection: sqlite3.Connection, name: str) -> int | None:
    """Return the number of a source, None for one that the archive does not know."""
    row = connection.execute("SELECT source FROM sources WHERE name = ?", (name,)).fetchone()
    return None if row is None else int(row[0])


class Selection(NamedTuple):
    """Tables and conditions of a query; items are the table `i`, their number is `i.number`."""

    tables: str
    where: str
    parameters: tuple[object, ...]
    number: str
    """The number of an item: `w.rowid` where the index of words is searched, else `i.number`."""
    narrow: str
    """The tables without `items` where the conditions do not need its columns, for counting."""


class Selector:
    """Turns filters into queries of one archive."""

    def __init__(self, connection: sqlite3.Connection, words: SearchWords) -> None:
        self._connection = connection
        self._words = words

    def query(self, chosen: ItemFilter) -> WordQuery:
        """Return the query of the text of a filter; one with an empty expression if it has none."""
        if not chosen.text.strip():
            return _NO_WORDS
        return self._words.query(chosen.text, lang=chosen.lang)

    def select(self, chosen: ItemFilter, *, below: int | None = None) -> Selection | None:
        """Return the selection of a filter, None if nothing can fit it.

        `below` is a number that all items are to be below, None for all items.
        """
        expression = self._expression(chosen)
        original = source_number(self._connection, chosen.copies_of) if chosen.copies_of else 0
        if expression is None or original is None:
            return None
        number = "w.rowid" if expression else "i.number"
        conditions: list[tuple[str, object]] = [
            ("word_index MATCH ?", expression or None),
            (f"{number} >= ?", chosen.since and number_of_time(to_micros(chosen.since))),
            (f"{number} < ?", chosen.until and number_of_time(to_micros(chosen.until))),
            (f"{number} < ?", below),
            ("i.relation = ?", chosen.relation or None),
            ("i.category <> '' AND i.category = ?", chosen.category or None),
            ("i.verdict = ?", chosen.verdict or None),
            ("i.verdict = 'duplicate' AND i.original_source = ?", original or None),
        ]
        if chosen.copies_of and not expression:
            # One index has the copies of a pair, another one all duplicates, in the order of time.
            source = source_number(self._connection, chosen.source) if chosen.source else None
            conditions += [("i.source = ?", source), ("i.lang = ?", chosen.lang or None)]
        conditions = [one for one in conditions if one[1] is not None]
        # CROSS JOIN: the index of words comes first, in the order of time.
        words = "word_index w CROSS JOIN items i ON i.number = w.rowid"
        tables = words if expression else _items_table(chosen)
        plain = expression and not (
            chosen.relation or chosen.verdict or chosen.category or chosen.copies_of
        )
        return Selection(
            tables=tables,
            where=" AND ".join(condition for condition, _ in conditions) or "1",
            parameters=tuple(value for _, value in conditions),
            number=number,
            narrow="word_index w" if plain else tables,
        )

    def _expression(self, chosen: ItemFilter) -> str | None:
        """Return the expression for the index of words, "" for no search, None if nothing fits."""
        parts: list[str] = []
        if chosen.text.strip():
            words = self.query(chosen).expression
            if not words:
                return None
            parts.append(f"({words})")
        by_pair = bool(chosen.copies_of) and not parts
        if chosen.source:
            source = source_number(self._connection, chosen.source)
            if source is None:
                return None
            if not by_pair:
                parts.insert(0, source_word(source))
        if chosen.lang and not by_pair:
            if not chosen.lang.isalnum():
                return None
            parts.insert(0, language_word(chosen.lang))
        return " AND ".join(parts)


def _items_table(chosen: ItemFilter) -> str:
    """Return the table `i` of items in SQL, with the index by which a filter finds them."""
    if chosen.copies_of:
        return f"items i INDEXED BY items_{'by_pair' if chosen.source else 'duplicate'}"
    if chosen.category or chosen.relation:
        return f"items i INDEXED BY items_by_{'category' if chosen.category else 'relation'}"
    return "items i NOT INDEXED"
