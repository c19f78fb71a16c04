"""How items are found: the words of their index, filters as SQL over `items`, cursors of pages.

The index has a lemma by its key, in hexadecimal digits: a Ukrainian lemma and the Russian one of
its meaning have one key, so a search finds both, and the index shows no text. A form that may be of
several lemmas is indexed under each of them.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from threading import Lock
from typing import Final, Literal, NamedTuple, get_args

from newsdedup.archive.pending_rows import number_of_time
from newsdedup.core.model import LANGUAGES, Language, NewsItem, Relation, Verdict
from newsdedup.core.moments import to_micros
from newsdedup.core.text.clean import clean
from newsdedup.core.text.tokens import find_numbers, tokens
from newsdedup.core.words.vocabulary import Vocabulary
from newsdedup.data.languages import LANGUAGE_ROWS

_MOST_CHARS: Final = 100_000
"""Characters of a text that can be searched: longer ones are books, or attacks."""
_MOST_FORMS: Final = 2**17
"""Forms whose words are cached: those of some 20,000 items, and some 30 MB."""
_MOST_QUERY_CHARS: Final = 500
_MOST_QUERY_WORDS: Final = 16


class WordQuery(NamedTuple):
    """A query of words: what an item must contain, and what it must not contain."""

    shown: tuple[str, ...]
    """The words as they were written, without stop words."""
    expression: str
    """The query of the index; empty if there are only stop words."""


class SearchWords:
    """Turns texts and queries into words of the index; threads may share it."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._lock = Lock()
        self._words_of_form = lru_cache(_MOST_FORMS)(self._find_words)

    @property
    def version(self) -> str:
        """Return the version of the lemmas; an index of another version has to be rebuilt."""
        return f"2, {self._vocabulary.version}"

    def key(self, form: str, lang: Language) -> str:
        """Return under what a form is compared, the same in Russian and Ukrainian; "" for none."""
        return next(iter(self._words_of_form(form, lang)), "")

    def load(self) -> None:
        """Load the dictionaries of all languages now, so that no first query waits for them."""
        for form in ("словами", "словом", "words"):
            for lang in LANGUAGES:
                self._words_of_form(form, lang)

    def of_item(self, item: NewsItem, lang: Language, *, source: int) -> str:
        """Return the words of an item, its language and its source, each once, with spaces."""
        _, text = clean(item.title[:_MOST_CHARS], item.text[:_MOST_CHARS])
        words = {word for form in set(tokens(text)) for word in self._words_of_form(form, lang)}
        words.update(map(_number_word, find_numbers(text)))
        return " ".join([language_word(lang), source_word(source), *sorted(words)])

    def query(self, text: str, *, lang: str = "") -> WordQuery:
        """Return the query for items that have all words of a text, in any of their forms.

        A minus sign before a word excludes it. Only the first 500 characters count, and 16 words.
        With `lang` only the forms and stop words of that language count, else those of all.
        """
        languages = (lang,) if lang in LANGUAGES else LANGUAGES
        wanted: list[str] = []
        excluded: list[str] = []
        shown: list[str] = []
        for part in text[:_MOST_QUERY_CHARS].split()[:_MOST_QUERY_WORDS]:
            without = part.startswith("-") and len(part) > 1
            forms = tuple(self._alternatives(part[1:] if without else part, languages))
            if forms:
                (excluded if without else wanted).extend(forms)
                shown.append(part)
        expression = " AND ".join(wanted)
        if expression and excluded:
            expression = f"({expression}) NOT ({' OR '.join(excluded)})"
        return WordQuery(tuple(shown), expression)

    def _alternatives(self, part: str, languages: Sequence[Language]) -> Iterator[str]:
        """Yield an expression for each word of a part of a query: its forms in the index.

        The language of one word is uncertain, so it is read as a word of each of several; what is a
        stop word in one of those with word tables, or in the only one, is left out.
        """
        _, text = clean("", part)
        telling = [lang for lang in languages if lang not in LANGUAGE_ROWS] or languages
        for form in tokens(text):
            words = {lang: self._words_of_form(form, lang) for lang in languages}
            if all(words[lang] for lang in telling):
                keys = sorted({word for each in words.values() for word in each})
                yield f"({' OR '.join(map(_quoted, keys))})"
        yield from map(_quoted, map(_number_word, find_numbers(text)))

    def _find_words(self, form: str, lang: Language) -> tuple[str, ...]:
        """Return the words of the index under which a form is found; () for a stop word."""
        with self._lock:
            return tuple(f"{term.key:x}" for term in self._vocabulary.readings(form, lang))


def language_word(lang: Language) -> str:
    """Return the word by which the items of a language are found."""
    return f"lang{lang}"


def source_word(source: int) -> str:
    """Return the word by which the items of a source are found, by its number."""
    return f"source{source}"


def _quoted(word: str) -> str:
    """Return a word as a string of the query language of the index, in double quotes."""
    return f'"{word}"'


def _number_word(number: str) -> str:
    """Return a number, which may have a sign such as a comma, as letters and digits only."""
    return "n" + "".join(one if one.isdigit() else f"z{ord(one):x}z" for one in number)


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
    category: str = ""


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
    rank, dot, story = cursor.partition(".")
    numbers = decode_cursor(rank), decode_cursor(story)
    if not dot or None in numbers:
        raise CursorInvalid("no page gave this cursor")
    return numbers[0] or 0, numbers[1] or 0


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
        if expression is None:
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
        ]
        conditions = [one for one in conditions if one[1] is not None]
        # CROSS JOIN: the index of words comes first, in the order of time.
        words = "word_index w CROSS JOIN items i ON i.number = w.rowid"
        items = "items i NOT INDEXED"
        if chosen.category or chosen.relation:
            items = f"items i INDEXED BY items_by_{'category' if chosen.category else 'relation'}"
        plain = expression and not (chosen.relation or chosen.verdict or chosen.category)
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
