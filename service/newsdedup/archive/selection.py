"""Filters as SQL: which rows of `items` a filter lets through, the newest first."""

import sqlite3
from datetime import datetime
from typing import Final, NamedTuple

from newsdedup.archive.filters import ItemFilter
from newsdedup.archive.item_tables import number_of_time
from newsdedup.archive.search_words import SearchWords, WordQuery, language_word, source_word
from newsdedup.core.moments import to_micros

_NO_WORDS: Final = WordQuery((), "")


class Selection(NamedTuple):
    """Tables and conditions of a query; items are the table `i`, their number is `i.number`."""

    tables: str
    where: str
    parameters: tuple[object, ...]
    words: str
    """The expression for the index of words, empty where that is not needed."""
    number: str
    """The number of an item: `w.rowid` or `i.number`."""
    narrow: str
    """The tables without `items` where the conditions do not need its columns, for counting."""


class Selector:
    """Turns filters into queries of one archive."""

    def __init__(self, connection: sqlite3.Connection, words: SearchWords) -> None:
        self._connection = connection
        self._words = words

    def query(self, chosen: ItemFilter) -> WordQuery:
        """Return the words of a filter."""
        return self._words.query(chosen.text) if chosen.text.strip() else _NO_WORDS

    def select(self, chosen: ItemFilter, *, below: int | None = None) -> Selection | None:
        """Return the selection of a filter, None if nothing can fit it.

        `below` is the number under which items are wanted, None for all.
        """
        expression = self._expression(chosen)
        if expression is None:
            return None
        conditions: list[tuple[str, object]] = []
        number = "w.rowid" if expression else "i.number"
        if expression:
            conditions.append(("word_index MATCH ?", expression))
        if chosen.since is not None:
            conditions.append((f"{number} >= ?", _number(chosen.since)))
        if chosen.until is not None:
            conditions.append((f"{number} < ?", _number(chosen.until)))
        if below is not None:
            conditions.append((f"{number} < ?", below))
        for column, value in (("relation", chosen.relation), ("verdict", chosen.verdict)):
            if value:
                conditions.append((f"i.{column} = ?", value))
        # CROSS JOIN: the index of words comes first, in the order of time.
        words = "word_index w CROSS JOIN items i ON i.number = w.rowid"
        items = "items i INDEXED BY items_by_relation" if chosen.relation else "items i NOT INDEXED"
        plain = expression and not chosen.relation and not chosen.verdict
        tables = words if expression else items
        return Selection(
            tables,
            " AND ".join(condition for condition, _ in conditions) or "1",
            tuple(value for _, value in conditions),
            expression,
            number,
            "word_index w" if plain else tables,
        )

    def order(self, selection: Selection) -> str:
        """Return the ORDER BY of a selection, the newest first."""
        return "ORDER BY w.rowid DESC" if selection.words else "ORDER BY i.number DESC"

    def _expression(self, chosen: ItemFilter) -> str | None:
        """Return what the index of words is searched for, "" for nothing, None if nothing fits."""
        parts: list[str] = []
        if chosen.text.strip():
            words = self.query(chosen).expression
            if not words:
                return None
            parts.append(f"({words})")
        if chosen.source:
            row = self._connection.execute(
                "SELECT source FROM sources WHERE name = ?", (chosen.source,)
            ).fetchone()
            if row is None:
                return None
            parts.insert(0, source_word(row[0]))
        if chosen.lang:
            if not chosen.lang.isalnum():
                return None
            parts.insert(0, language_word(chosen.lang))
        return " AND ".join(parts)


def _number(moment: datetime) -> int:
    return number_of_time(to_micros(moment))
