"""The words by which texts are searched: lemmas and numbers, as the index of words has them.

The index has a lemma by its key, in hexadecimal digits: a Ukrainian lemma and the Russian one of
its meaning have one key, so a search finds both, and the index shows no text. A form that may be of
several lemmas is indexed under each of them.
"""

from collections.abc import Iterator
from functools import lru_cache
from threading import Lock
from typing import Final, NamedTuple

from newsdedup.core.model import LANGUAGES, Language, NewsItem
from newsdedup.core.text.clean import clean
from newsdedup.core.text.tokens import find_numbers, tokens
from newsdedup.core.words.vocabulary import Vocabulary

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

    def query(self, text: str) -> WordQuery:
        """Return the query of some words; a minus sign before a word excludes it."""
        wanted: list[str] = []
        excluded: list[str] = []
        shown: list[str] = []
        for part in text[:_MOST_QUERY_CHARS].split()[:_MOST_QUERY_WORDS]:
            without = part.startswith("-") and len(part) > 1
            forms = tuple(self._alternatives(part[1:] if without else part))
            if forms:
                (excluded if without else wanted).extend(forms)
                shown.append(part)
        expression = " AND ".join(wanted)
        if expression and excluded:
            expression = f"({expression}) NOT ({' OR '.join(excluded)})"
        return WordQuery(tuple(shown), expression)

    def _alternatives(self, part: str) -> Iterator[str]:
        """Yield an expression for each word of a part of a query: its forms in the index.

        The language of one word is uncertain, so it is read as a word of each; what is a stop word
        in one of them is left out.
        """
        _, text = clean("", part)
        for form in tokens(text):
            words = [self._words_of_form(form, lang) for lang in LANGUAGES]
            if all(words):
                keys = sorted({word for each in words for word in each})
                yield f"({' OR '.join(map(_quoted, keys))})"
        yield from map(_quoted, map(_number_word, find_numbers(text)))

    def _find_words(self, form: str, lang: Language) -> tuple[str, ...]:
        """Return the words of a form in the index, none for a stop word."""
        with self._lock:
            return tuple(f"{term.key:x}" for term in self._vocabulary.readings(form, lang))


def language_word(lang: Language) -> str:
    """Return the word by which the items of a language are found."""
    return f"lang{lang}"


def source_word(source: int) -> str:
    """Return the word by which the items of a source are found, by its number."""
    return f"source{source}"


def _quoted(word: str) -> str:
    return f'"{word}"'


def _number_word(number: str) -> str:
    """Return a number, which may have a sign such as a comma, as letters and digits only."""
    return "n" + "".join(one if one.isdigit() else f"z{ord(one):x}z" for one in number)
