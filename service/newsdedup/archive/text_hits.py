"""What a query of words finds in texts: phrases, passages with hits, how much of it a title has."""

from collections.abc import Sequence
from itertools import pairwise, repeat
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
"""How many characters count as a word in languages without spaces between words."""


class TextHits:
    """Looks for the words of one query in texts; what a form is, it finds out once."""

    def __init__(self, words: SearchWords, query: WordQuery) -> None:
        self._words = words
        self._query = query
        self._keys: dict[tuple[str, Language], frozenset[str]] = {}
        self._letters = frozenset(word.form[0] for word in query.words)
        self._sought = len(query.words) + bool(query.names)

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

    def passage(self, title: str, text: str, lang: Language) -> tuple[PassagePart, ...]:
        """Return the passage of a text with most words of the query; () for a text without any."""
        plain = " ".join(_plain(text).split())
        spans = self._spans(plain, lang)
        hits = self._hits(title, spans, lang)
        if not hits:
            return ()
        unit = _CHARS_OF_A_WORD if lang in PAIRED else 1
        begin, most, all_words = 0, 0, set().union(*hits.values())
        for at in hits:
            if (found := len(self._within(hits, at, unit))) > most:
                begin, most = at, found
            if most == len(all_words):
                break
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

        In languages without spaces between words these are those of the query, and characters.
        """
        if lang in PAIRED:
            words = spans_without_spaces(plain, {word.form for word in self._query.words})
        else:
            words = text_word_spans(plain, lang)
        names = list[tuple[str, int, int]]()
        if self._query.names:
            names = [one for one in short_name_spans(plain) if one[0] in self._query.names]
        if names:
            inside = {at for _, begin, end in names for at in range(begin, end)}
            words = sorted([*names, *(one for one in words if one[1] not in inside)], key=_begin)
        return words

    def _hits(
        self, title: str, spans: Sequence[tuple[str, int, int]], lang: Language
    ) -> dict[int, tuple[int, ...]]:
        """Return which words of the query are where in the text of an item.

        Most forms of a word begin with one letter, and only these are looked up, unless title and
        text then lack a word of the query, as `went` for `go`: then all are.
        """
        hits = {
            at: found
            for at, (form, _, _) in enumerate(spans)
            if self._may_hit(form) and (found := self._hit(form, lang))
        }
        seen = {one for found in hits.values() for one in found}
        if len(seen) < self._sought and len(seen | self._words_of(title, lang)) < self._sought:
            each = ((at, self._hit(form, lang)) for at, (form, _, _) in enumerate(spans))
            hits = {at: found for at, found in each if found}
        return hits

    def words_in(self, title: str, lang: Language) -> int:
        """Return how many different words of the query a title has, which is a rank.

        Forms with another first letter, as `went` of `go`, are not worth the time.
        """
        return len(self._words_of(title, lang))

    def _words_of(self, title: str, lang: Language) -> set[int]:
        """Return which words of the query a title has; see `words_in`."""
        found: set[int] = set()
        if self._query.names or lang in PAIRED:
            forms = [form for form, _, _ in self._spans(title, lang)]
        else:
            forms = text_words(title, lang)
        for form in forms:
            if self._may_hit(form):
                found.update(self._hit(form, lang))
        return found

    def _may_hit(self, form: str) -> bool:
        """Return whether a form begins as a word of the query does, or is one of its names."""
        return form[:1] in self._letters or form in self._query.names

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
        words = enumerate(self._query.words)
        return tuple([at for at, word in words if self._is_form(word, form, lang)])

    def _follow(self, phrase: Sequence[SearchedWord], forms: Sequence[str], lang: Language) -> bool:
        """Return whether the words of a phrase follow each other in a text.

        One of them must begin with the letter that it has in the query: others are not looked up.
        """
        initials = "".join([form[0] for form in forms])
        for shift, word in enumerate(phrase):
            at = initials.find(word.form[0], shift)
            while at >= 0:
                found = forms[at - shift : at - shift + len(phrase)]
                if len(found) == len(phrase) and all(
                    map(self._is_form, phrase, found, repeat(lang))
                ):
                    return True
                at = initials.find(word.form[0], at + 1)
        return False

    def _is_form(self, word: SearchedWord, form: str, lang: Language) -> bool:
        """Return whether a form of a text is one of a word of the query."""
        if form == word.form:
            return True
        if (form, lang) not in self._keys:
            self._keys[form, lang] = frozenset(self._words.keys(form, lang))
        return not word.keys.isdisjoint(self._keys[form, lang])


def _begin(span: tuple[str, int, int]) -> int:
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
