"""The words of the index: those under which an item is found, and those that a query asks for.

The index has a lemma by its key, in hexadecimal digits: a Ukrainian lemma and the Russian one of
its meaning have one key, so a search finds both, and the index shows no text. A form that may be of
several lemmas is indexed under each of them.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property, lru_cache
from threading import Lock
from typing import Final

from newsdedup.archive.query_words import (
    IgnoredPart,
    QueryPart,
    SearchedWord,
    WordQuery,
    is_short_name,
    may_lack_spaces,
    query_parts,
    short_name_word,
    short_name_words,
    text_words,
)
from newsdedup.core.model import LANGUAGES, Language, NewsItem
from newsdedup.core.text.clean import clean
from newsdedup.core.text.scripts import spell_alike, without_points
from newsdedup.core.text.tokens import find_numbers, tokens
from newsdedup.core.words.pairs import PAIRED
from newsdedup.core.words.vocabulary import Vocabulary
from newsdedup.data.languages import LANGUAGE_ROWS

_MOST_CHARS: Final = 100_000
"""Characters of a text that can be searched: longer ones are books, or attacks."""
_MOST_FORMS: Final = 2**17
"""Forms whose words are cached: those of some 20,000 items, and some 30 MB."""


class SearchWords:
    """Turns texts and queries into words of the index; threads may share it."""

    def __init__(
        self,
        vocabulary: Vocabulary,
        *,
        cached: int = _MOST_FORMS,
        in_dictionary: Callable[[str, Language], bool] = lambda _form, _lang: False,
    ) -> None:
        """Read words by a vocabulary, and keep those of `cached` forms.

        `in_dictionary` returns whether a dictionary of a language has a form; threads share it.
        """
        self._vocabulary = vocabulary
        self.in_dictionary = in_dictionary
        self._lock = Lock()
        self._words_of_form = lru_cache(cached)(self._find_words)

    @cached_property
    def version(self) -> str:
        """Return the version of the lemmas; an index of another version has to be rebuilt.

        It is made once, of all tables: that takes some 50 ms.
        """
        return f"4, {self._vocabulary.version}"

    def key(self, form: str, lang: Language) -> str:
        """Return what the forms of a word share, in Russian and Ukrainian alike; "" if ignored."""
        return next(iter(self._words_of_form(form, lang)), "")

    def load(self) -> None:
        """Load the dictionaries of all languages now, so that no first query waits for them."""
        for form in ("словами", "словом", "words"):
            for lang in LANGUAGES:
                self._words_of_form(form, lang)

    def of_item(self, item: NewsItem, lang: Language, *, source: int) -> str:
        """Return the words of an item, its language and its source, each once, with spaces."""
        _, text = clean(item.title[:_MOST_CHARS], item.text[:_MOST_CHARS])
        text = spell_alike(text, lang)
        words = {word for form in set(tokens(text)) for word in self._words_of_form(form, lang)}
        words.update(map(_number_word, find_numbers(text)))
        words.update(short_name_words(text))
        return " ".join([language_word(lang), source_word(source), *sorted(words)])

    def written(self, title: str, text: str, lang: Language) -> dict[str, str]:
        """Return for each stem of a text the first word that has it (Vocabulary.written)."""
        _, text = clean(title[:_MOST_CHARS], text[:_MOST_CHARS])
        return self._vocabulary.written(tokens(spell_alike(text, lang)), lang)

    def query(self, text: str, *, lang: str = "") -> WordQuery:
        """Return the query for items that have all words of a text, in any of their forms.

        A minus sign before a word excludes it, words in quotes follow each other; if all parts are
        excluded, all other items are found. "Sri-Lanka" and "sri lanka" are one. With `lang` only
        the forms and stop words of that language count, else those of all.
        """
        parts, ignored = query_parts(text)
        wanted: list[tuple[QueryPart, str]] = []
        excluded: list[str] = []
        phrases: list[tuple[SearchedWord, ...]] = []
        without: list[tuple[SearchedWord, ...]] = []
        shown: list[str] = []
        for part in parts:
            expression = (
                self._phrase_expression(part, lang)
                if part.is_phrase
                else self._expression(part.text, lang)
            )
            if not expression:
                has_words = any(map(str.isalnum, part.text))
                ignored.append(IgnoredPart(part.text, "common" if has_words else "empty"))
                continue
            written = f'"{part.text}"' if part.is_phrase else part.text
            shown.append(f"-{written}" if part.is_excluded else written)
            if part.is_phrase:
                (without if part.is_excluded else phrases).append(self._sequence(part.text, lang))
            if not part.is_excluded:
                wanted.append((part, expression))
            elif not part.is_phrase:
                excluded.append(expression)
        whole = " AND ".join(self._with_neighbours(wanted, lang))
        if not whole and (excluded or without):  # of all items, each of which has its language
            whole = _any_of(map(language_word, LANGUAGES))
        if whole and excluded:
            whole = f"({whole}) NOT ({' OR '.join(excluded)})"
        named = {part.text for part, _ in wanted if is_short_name(part.text)}
        marked = [
            one
            for part, _ in wanted
            if part.text not in named
            for one in self._sequence(part.text, lang)
        ]
        return WordQuery(
            shown=tuple(shown),
            expression=whole,
            words=tuple(dict.fromkeys(marked)),
            phrases=tuple(phrases),
            excluded_phrases=tuple(without),
            ignored=tuple(ignored),
            names=frozenset(map(short_name_word, named)),
        )

    def _phrase_expression(self, phrase: QueryPart, lang: str) -> str:
        """Return the expression for the words of a phrase, whatever their order."""
        parts = [QueryPart(one, False, False) for one in phrase.text.split()]
        words = [(one, self._expression(one.text, lang)) for one in parts]
        return " AND ".join(self._with_neighbours([one for one in words if one[1]], lang))

    def _with_neighbours(self, wanted: list[tuple[QueryPart, str]], lang: str) -> list[str]:
        """Return the expressions of parts; two that follow each other may be one joined word."""
        joined = [""] * (len(wanted) + 1)
        for at in range(1, len(wanted)):
            pair = [wanted[at - 1][0].text, wanted[at][0].text]
            if all(one.isalpha() for one in pair):
                joined[at] = self._joined_expression("-".join(pair).lower(), lang)
        return [
            f"({' OR '.join([own, *filter(None, joined[at : at + 2])])})"
            for at, (_, own) in enumerate(wanted)
        ]

    def _expression(self, part: str, lang: str) -> str:
        """Return the expression for a part of a query, "" if the index has no word for it.

        `lang` is the language that the query names, "" for any.
        """
        text = _spelled(clean("", part)[1], lang)
        forms = [self._word_expression(form, lang) for form in tokens(text)]
        numbers = [_quoted(_number_word(one)) for one in find_numbers(text)]
        words = " AND ".join(filter(None, [*forms, *numbers]))
        if is_short_name(part):
            name = _quoted(short_name_word(part))
            return f"({name} OR ({words}))" if any(forms) else name
        return f"({words})" if words else ""

    def _word_expression(self, form: str, lang: str) -> str:
        """Return the expression for a word: itself, or of a joined one also its parts.

        It is "" for a stop word. Without `lang` the language of a word is uncertain, so it is read
        as a word of each; what is a stop word in one of those with word tables is left out, unless
        none of them has its letters.
        """
        words = {one: self._words_of_form(form, one) for one in _languages(form, lang)}
        telling = [one for one in words if one not in LANGUAGE_ROWS and not may_lack_spaces(form)]
        if not all(words[one] for one in telling) or not any(words.values()):
            return ""
        if "-" not in form:
            return _any_reading(words)
        apart = " AND ".join(
            filter(None, [self._word_expression(part, lang) for part in form.split("-")])
        )
        joined = self._joined_expression(form, lang)
        return f"({joined} OR ({apart}))" if joined and apart else joined or f"({apart})"

    def _joined_expression(self, form: str, lang: str) -> str:
        """Return the expression for a joined word, "" if it has no keys but those of its parts.

        Some languages read its parts, and either of these alone is another word.
        """
        parts = {key for part in form.split("-") for key in self._all_keys(part, lang)}
        return _any_of(self._all_keys(form, lang) - parts)

    def _all_keys(self, form: str, lang: str) -> frozenset[str]:
        """Return the words of the index for a form, as a word of a language, or of any for ""."""
        return frozenset(
            [key for one in _languages(form, lang) for key in self._words_of_form(form, one)]
        )

    def _sequence(self, part: str, lang: str) -> tuple[SearchedWord, ...]:
        """Return the words of a part in order, also those that are stop words."""
        forms = text_words(_spelled(part, lang))
        return tuple([SearchedWord(form, self._all_keys(form, lang)) for form in forms])

    def keys(self, form: str, lang: Language) -> tuple[str, ...]:
        """Return the words of the index under which a form is found; () for a stop word."""
        return self._words_of_form(form, lang)

    def _find_words(self, form: str, lang: Language) -> tuple[str, ...]:
        """Return the words of the index under which a form is found; () for a stop word."""
        with self._lock:
            terms = self._vocabulary.readings(spell_alike(form, lang), lang)
        return tuple(f"{term.key:x}" for term in terms)


def _languages(form: str, lang: str) -> tuple[Language, ...]:
    """Return the languages of which a form may be a word: `lang` if it is one, else all.

    Those that are written without spaces are indexed by pairs of characters, which letters of other
    scripts would match by chance.
    """
    if lang in LANGUAGES:
        return (lang,)
    if may_lack_spaces(form):
        return LANGUAGES
    return tuple([lang for lang in LANGUAGES if lang not in PAIRED])


def _spelled(text: str, lang: str) -> str:
    """Return a query in the spelling of its language; of an unknown one in that of most."""
    return spell_alike(text, lang) if lang else without_points(text).replace("İ", "i")


def language_word(lang: Language) -> str:
    """Return the word by which the items of a language are found."""
    return f"lang{lang}"


def source_word(source: int) -> str:
    """Return the word by which the items of a source are found, by its number."""
    return f"source{source}"


def _any_reading(words: Mapping[Language, tuple[str, ...]]) -> str:
    """Return the expression for a form, by its words in each language; "" if there are none.

    Of several words any is meant, but where words are pairs of characters, all of them.
    """
    single = {word for lang, each in words.items() if lang not in PAIRED for word in each}
    paired = {each for lang, each in words.items() if lang in PAIRED and each}
    whole = [" AND ".join(map(_quoted, dict.fromkeys(each))) for each in sorted(paired)]
    readings = filter(None, [_any_of(single), *(f"({one})" for one in whole)])
    expression = " OR ".join(readings)
    return f"({expression})" if len(whole) + bool(single) > 1 else expression


def _any_of(words: Iterable[str]) -> str:
    """Return the expression for one of some words of the index, "" for none."""
    quoted = " OR ".join(map(_quoted, sorted(words)))
    return f"({quoted})" if quoted else ""


def _quoted(word: str) -> str:
    """Return a word as a string of the query language of the index, in double quotes."""
    return f'"{word}"'


def _number_word(number: str) -> str:
    """Return a number, which may have a sign such as a comma, as letters and digits only."""
    return "n" + "".join(one if one.isdigit() else f"z{ord(one):x}z" for one in number)
