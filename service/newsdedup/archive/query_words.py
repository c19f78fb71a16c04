"""A query of words: how it is read, which words of the index it asks for, what it ignores."""

import re
from collections.abc import Iterable
from typing import Final, Literal, NamedTuple

from msgspec import Struct

from newsdedup.core.text.scripts import spell_alike
from newsdedup.core.words.pairs import MARKS

_MOST_QUERY_CHARS: Final = 500
_MOST_QUERY_WORDS: Final = 16
IgnoredReason = Literal["common", "empty", "long"]
_QUOTES: Final = str.maketrans(dict.fromkeys("«»„“”‟", '"'))
_PART: Final = re.compile(r'-?"[^"]*"|[^\s"]+')
_AROUND: Final = ",;:!?()[]…"
_LETTER: Final = r"[^\W\d_]"
_SHORT_NAME: Final = re.compile(
    rf"(?<![\w.])(?:(?:{_LETTER}\.){{2,5}}(?:{_LETTER}(?!\w))?"  # U.S.
    rf"|{_LETTER}{{1,4}}(?:\+\+|#)(?!\w)"  # C++, C#
    rf"|{_LETTER}{{1,2}}&{_LETTER}{{1,2}}(?!\w)"  # AT&T
    rf"|{_LETTER}{{1,5}}-?\d{{1,4}}(?!\w)"  # F-16, COVID-19
    r"|[A-ZА-ЯІЇЄҐ]{2,3}(?![\w&+#-]))"  # US, ЕС
)
_LETTERS: Final = rf"(?:{_LETTER}[{MARKS}]*)+"
_TEXT_WORD: Final = re.compile(rf"{_LETTERS}(?:['’]{_LETTERS})?|\d+")
_FIRST_WITHOUT_SPACES: Final = "\u0e00"
"""Scripts without spaces between words are above this character."""


class QueryPart(NamedTuple):
    """A part of a query as it was written."""

    text: str
    is_phrase: bool
    is_excluded: bool


class IgnoredPart(Struct, frozen=True):
    """A part of a query that was not searched for."""

    text: str
    reason: IgnoredReason
    """It is in every text, has neither letters nor digits, or is beyond what a query may have."""


class SearchedWord(NamedTuple):
    """A word of a query: the words of the index under which it is found."""

    form: str
    keys: frozenset[str]


class WordQuery(NamedTuple):
    """A query of words: what an item must contain, and what it must not contain."""

    shown: tuple[str, ...]
    """The parts as they were written, without stop words."""
    expression: str
    """The query of the index; empty if there are only stop words."""
    words: tuple[SearchedWord, ...] = ()
    """The wanted words, by which hits are marked."""
    phrases: tuple[tuple[SearchedWord, ...], ...] = ()
    """Words that an item must have one after another, in any form."""
    excluded_phrases: tuple[tuple[SearchedWord, ...], ...] = ()
    ignored: tuple[IgnoredPart, ...] = ()
    names: frozenset[str] = frozenset()
    """The words of the index for short names."""

    @property
    def needs_texts(self) -> bool:
        """Return whether there are phrases, for which texts are read: the index has no order."""
        return bool(self.phrases or self.excluded_phrases)


def query_parts(text: str) -> tuple[list[QueryPart], list[IgnoredPart]]:
    """Return the words and quoted phrases of a query, and what is beyond its bounds.

    A minus sign before a part excludes it. Only the first 500 characters count, and 16 parts.
    """
    parts: list[QueryPart] = []
    for match in _PART.finditer(text[:_MOST_QUERY_CHARS].translate(_QUOTES)):
        written = match[0]
        excluded = written.startswith("-") and len(written) > 1
        content = written[1:] if excluded else written
        phrase = content.startswith('"')
        content = content.strip('"').strip(_AROUND).strip()
        if content:
            is_long = " " in content or may_lack_spaces(content)
            parts.append(QueryPart(content, phrase and is_long, excluded))
    beyond = [IgnoredPart(one.text, "long") for one in parts[_MOST_QUERY_WORDS:]]
    if len(text) > _MOST_QUERY_CHARS:
        beyond.append(IgnoredPart(text[_MOST_QUERY_CHARS:][:60], "long"))
    return parts[:_MOST_QUERY_WORDS], beyond


def short_name_words(text: str) -> set[str]:
    """Return the words of the index for short names such as "C++", "U.S." and "F-16".

    "U.S." and "US" are one name, and so are "F-16" and "F16".
    """
    return {word for word, _, _ in short_name_spans(text)}


def short_name_spans(text: str) -> list[tuple[str, int, int]]:
    """Return the words of the index for short names, each with where its name begins and ends."""
    return [(short_name_word(match[0]), *match.span()) for match in _SHORT_NAME.finditer(text)]


def is_short_name(part: str) -> bool:
    """Return whether a part of a query is a short name as a whole."""
    return _SHORT_NAME.fullmatch(part) is not None


def short_name_word(name: str) -> str:
    """Return the word of the index for a short name: letters and digits only."""
    return "s" + name.lower().replace(".", "").replace("-", "").encode("utf-8", "replace").hex()


def may_lack_spaces(text: str) -> bool:
    """Return whether a text may be of a language without spaces between words."""
    return any(character >= _FIRST_WITHOUT_SPACES for character in text)


def text_words(text: str, lang: str = "") -> list[str]:
    """Return the words and numbers of a text in lower case, in order; of joined ones each part.

    A vowel sign belongs to its letter. With `lang` they are in the one spelling of that language.
    """
    return _TEXT_WORD.findall(spell_alike(text, lang).lower())


def text_word_spans(text: str, lang: str) -> list[tuple[str, int, int]]:
    """Return the words and numbers of a text, as `text_words` does, each with where it is."""
    return [
        (spell_alike(match[0], lang).lower(), *match.span()) for match in _TEXT_WORD.finditer(text)
    ]


def spans_without_spaces(text: str, forms: Iterable[str]) -> list[tuple[str, int, int]]:
    """Return where forms are in a text without spaces between words, and all other characters.

    Words of ASCII and numbers stay whole.
    """
    longest_first = sorted(map(re.escape, forms), key=lambda form: (-len(form), form))
    parts = [*longest_first, "[a-z]+", r"\d+", rf"{_LETTER}[{MARKS}]*"]
    found = re.compile("|".join(parts), re.IGNORECASE).finditer(text)
    return [(match[0].lower(), *match.span()) for match in found]
