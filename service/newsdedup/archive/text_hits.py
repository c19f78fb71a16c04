"""What a query of words finds in texts: phrases, passages with hits, how much of it a title has."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from newsdedup.archive.query_words import (
    SearchedWord,
    WordQuery,
    short_name_spans,
    spans_without_spaces,
    text_word_spans,
    text_words,
)
from newsdedup.archive.search_words import SearchWords
from newsdedup.archive.views import PassagePart
from newsdedup.core.model import Language
from newsdedup.core.text.clean import strip_markup
from newsdedup.core.words.pairs import PAIRED

_MOST_CHARS: Final = 20_000
"""Characters of a text that are read."""
_BEFORE: Final = 8
_PASSAGE_WORDS: Final = 34
"""Words of a passage, and those before its first hit."""
_CHARS_OF_A_WORD: Final = 3
"""How many characters count as a word where none are parted."""


class TextHits:
    """Looks for the words of one query in texts; what a form is, it finds out once."""

    def __init__(self, words: SearchWords, query: WordQuery) -> None:
        self._words = words
        self._query = query
        self._keys: dict[tuple[str, Language], frozenset[str]] = {}

    def has_phrases(self, title: str, text: str, lang: Language) -> bool:
        """Return whether title or text has all phrases of the query, and none of the excluded."""
        forms = [text_words(_plain(one), lang) for one in (title, text)]

        def has(phrase: Sequence[SearchedWord]) -> bool:
            """Return whether the words of a phrase follow each other in one of both."""
            if lang in PAIRED:
                joined = "".join(word.form for word in phrase)
                return any(joined in "".join(one) for one in forms)
            return any(self._follow(phrase, one, lang) for one in forms)

        query = self._query
        return all(map(has, query.phrases)) and not any(map(has, query.excluded_phrases))

    def passage(self, text: str, lang: Language) -> tuple[PassagePart, ...]:
        """Return the passage of a text with most words of the query; () for a text without any."""
        plain = " ".join(_plain(text).split())
        spans = self._spans(plain, lang)
        hits = {
            at: found for at, (form, _, _) in enumerate(spans) if (found := self._hit(form, lang))
        }
        if not hits:
            return ()
        unit = _CHARS_OF_A_WORD if lang in PAIRED else 1
        begin = max(hits, key=lambda at: (len(self._within(hits, at, unit)), -at))
        first = max(0, begin - unit * _BEFORE)
        shown = spans[first : first + unit * _PASSAGE_WORDS]
        is_end = first + len(shown) == len(spans)
        last = len(plain) if is_end else shown[-1][2]
        parts = [PassagePart("…" if first else "", hit=False)]
        parts.append(PassagePart(plain[: shown[0][1]] if not first else "", hit=False))
        for at, (span, following) in enumerate(pairwise([*shown, ("", last, last)])):
            _, start, end = span
            parts.append(PassagePart(plain[start:end], hit=first + at in hits))
            parts.append(PassagePart(plain[end : following[1]], hit=False))
        parts.append(PassagePart("" if is_end else "…", hit=False))
        return _joined(parts)

    def _spans(self, plain: str, lang: Language) -> list[tuple[str, int, int]]:
        """Return the words of a text with where they are; a short name of the query is one word.

        In languages that part no words these are the words of the query, and characters.
        """
        names = [one for one in short_name_spans(plain) if one[0] in self._query.names]
        if lang in PAIRED:
            words = spans_without_spaces(plain, {word.form for word in self._query.words})
        else:
            words = text_word_spans(plain, lang)
        if names:
            inside = {at for _, begin, end in names for at in range(begin, end)}
            words = sorted([*names, *(one for one in words if one[1] not in inside)], key=_begin)
        return words

    def words_in(self, text: str, lang: Language) -> int:
        """Return how many different words of the query a text has."""
        found: set[int] = set()
        for form, _, _ in self._spans(text, lang):
            found.update(self._hit(form, lang))
        return len(found)

    def _within(self, hits: dict[int, tuple[int, ...]], begin: int, unit: int) -> set[int]:
        """Return which words of the query a passage has whose first hit is at `begin`.

        `unit` is how many spans a word has.
        """
        end = begin + unit * (_PASSAGE_WORDS - _BEFORE)
        return {one for at in range(begin, end) for one in hits.get(at, ())}

    def _hit(self, form: str, lang: Language) -> tuple[int, ...]:
        """Return which words of the query a form is one of."""
        if form in self._query.names:
            return (-1,)
        return tuple(
            at for at, word in enumerate(self._query.words) if self._is_form(word, form, lang)
        )

    def _follow(self, phrase: Sequence[SearchedWord], forms: Sequence[str], lang: Language) -> bool:
        """Return whether the words of a phrase follow each other in a text."""
        return any(
            all(
                self._is_form(word, form, lang)
                for word, form in zip(phrase, forms[at : at + len(phrase)], strict=True)
            )
            for at in range(len(forms) - len(phrase) + 1)
        )

    def _is_form(self, word: SearchedWord, form: str, lang: Language) -> bool:
        """Return whether a form of a text is one of a word of the query."""
        if form == word.form:
            return True
        if (form, lang) not in self._keys:
            self._keys[form, lang] = frozenset(self._words.keys(form, lang))
        return not word.keys.isdisjoint(self._keys[form, lang])


def _begin(span: tuple[str, int, int]) -> int:
    """Return where a word begins."""
    return span[1]


def _plain(text: str) -> str:
    """Return the beginning of a text without markup."""
    return strip_markup(text[:_MOST_CHARS])


def _joined(parts: Sequence[PassagePart]) -> tuple[PassagePart, ...]:
    """Return parts without empty ones, neighbours of one kind joined."""
    joined: list[PassagePart] = []
    for part in parts:
        if joined and joined[-1].hit == part.hit:
            joined[-1] = PassagePart(joined[-1].text + part.text, hit=part.hit)
        elif part.text:
            joined.append(part)
    return tuple(joined)
