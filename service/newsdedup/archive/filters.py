"""Which items a list shows: filters, their SQL over the rows of `items`, and cursors of pages."""

import sqlite3
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal, NamedTuple, get_args

from newsdedup.archive.item_tables import number_of_time
from newsdedup.archive.search_words import SearchWords, WordQuery, language_word, source_word
from newsdedup.core.model import Relation, Verdict
from newsdedup.core.moments import to_micros

VolumeStep = Literal["hour", "day", "week"]
VOLUME_STEPS: Final[tuple[VolumeStep, ...]] = get_args(VolumeStep)
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
        """Return the query of the words in a filter, an empty one without words."""
        return self._words.query(chosen.text) if chosen.text.strip() else _NO_WORDS

    def select(self, chosen: ItemFilter, *, below: int | None = None) -> Selection | None:
        """Return the selection of a filter, None if nothing can fit it.

        `below` is a number that all items are to be below, None for all items.
        """
        expression = self._expression(chosen)
        if expression is None:
            return None
        number = "w.rowid" if expression else "i.number"
        conditions: list[tuple[str, object]] = [
            ("word_index MATCH ?", expression or None),
            (f"{number} >= ?", chosen.since and number_of_time(to_micros(chosen.since))),
            (f"{number} < ?", chosen.until and number_of_time(to_micros(chosen.until))),
            (f"{number} < ?", below),
            ("i.relation = ?", chosen.relation or None),
            ("i.verdict = ?", chosen.verdict or None),
        ]
        conditions = [one for one in conditions if one[1] is not None]
        # CROSS JOIN: the index of words comes first, in the order of time.
        words = "word_index w CROSS JOIN items i ON i.number = w.rowid"
        items = "items i INDEXED BY items_by_relation" if chosen.relation else "items i NOT INDEXED"
        plain = expression and not chosen.relation and not chosen.verdict
        tables = words if expression else items
        return Selection(
            tables,
            " AND ".join(condition for condition, _ in conditions) or "1",
            tuple(value for _, value in conditions),
            number,
            "word_index w" if plain else tables,
        )

    def _expression(self, chosen: ItemFilter) -> str | None:
        """Return the expression for the index of words, "" for no search, None if nothing fits."""
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
