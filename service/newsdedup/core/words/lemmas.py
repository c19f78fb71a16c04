"""Which lemmatizer a word form takes, the lemma that it gets, and the words that are left out."""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Protocol

import xxhash

from newsdedup.core.model import Language
from newsdedup.core.words.pairs import PAIRED
from newsdedup.data import lang as tables
from newsdedup.data.languages import LANGUAGE_ROWS


class Lemmatizer(Protocol):
    """Finds the lemmas of word forms of one language.

    Laws, checked for every lemmatizer by tests/adapters/test_lemmatizers.py: the same form gives
    the same lemma in every process, the lemma is lower case, not empty, and free of ё.
    """

    @property
    def version(self) -> str:
        """Name of the library and of its dictionary: changes when lemmas may change."""

    def lemma(self, form: str) -> str:
        """Return the lemma of a lower-case form."""

    def lemmas(self, form: str) -> frozenset[str]:
        """Return every lemma that a dictionary has for a lower-case form, none if it lacks it."""


Overrides = Mapping[Language, Mapping[str, str]]
"""By language the right lemmas of forms for which the dictionaries have wrong ones."""


@dataclass(frozen=True, slots=True)
class Lemmas:
    """The lemmatizers of all languages; a language without one keeps its forms as written.

    `stemmers` are those of LANGUAGE_ROWS. Their versions are not part of `version`: a state keeps
    its entries when a stemmer changes, and texts of that language meet older ones less until these
    have left the window.
    """

    lemmatizers: Mapping[Language, Lemmatizer]
    overrides: Overrides = field(default_factory=dict)
    stemmers: Mapping[Language, Lemmatizer] = field(default_factory=dict)

    def lemma(self, form: str, language: Language | None) -> str:
        """Return the lemma of a lower-case form of this `spelling`; the form itself without one."""
        if language is None:
            return form
        known = self.overrides.get(language, {}).get(form)
        if known is not None:
            return known
        lemmatizer = self.lemmatizers.get(language) or self.stemmers.get(language)
        return form if lemmatizer is None else lemmatizer.lemma(form)

    def lemmas(self, form: str, language: Language | None) -> frozenset[str]:
        """Return all lemmas that the dictionary has for a form: "міст" is a bridge, and of cities.

        The set is empty for an overridden form, and for one without a language or lemmatizer.
        """
        if language is None or form in self.overrides.get(language, {}):
            return frozenset()
        lemmatizer = self.lemmatizers.get(language)
        return frozenset() if lemmatizer is None else lemmatizer.lemmas(form)

    @property
    def version(self) -> str:
        """Return a hash of the versions of all lemmatizers and of the overrides."""
        parts = [f"{lang} {self.lemmatizers[lang].version}" for lang in sorted(self.lemmatizers)]
        for lang in sorted(self.overrides):
            parts += [f"{lang} {form} {to}" for form, to in sorted(self.overrides[lang].items())]
        return xxhash.xxh3_64_hexdigest("\n".join(parts).encode())


_ALPHABETS = {
    lang: frozenset("".join(tables.words("language.alphabet", folders=[lang])))
    for lang in tables.LANGUAGE_FOLDERS
}
_CYRILLIC_ALPHABETS = {lang: alphabet for lang, alphabet in _ALPHABETS.items() if "а" in alphabet}
_RUSSIAN_FIRST = ("ru", *_CYRILLIC_ALPHABETS)
_CYRILLIC = frozenset().union(*_CYRILLIC_ALPHABETS.values())
_OTHER_CYRILLIC = frozenset(code for code, row in LANGUAGE_ROWS.items() if row.script == "cyrillic")
_TELLING = _CYRILLIC.difference(frozenset.intersection(*_CYRILLIC_ALPHABETS.values()))
"""Cyrillic letters that some of these languages do not have."""


def spelling(form: str, lang: Language) -> Language | None:
    """Return the language whose lemmatizer a form takes; None leaves it as written.

    `lang` is the language of the document. The letters of the form decide first: a Russian word
    quoted in a Ukrainian text is lemmatized as Russian where its letters show it. Words in another
    script than the document's are names and brands there; only Cyrillic ones in Latin texts are
    taken for Russian. In texts of other Cyrillic languages every word is of the text's language.
    """
    if lang in _OTHER_CYRILLIC:
        return lang
    telling = _TELLING.intersection(form)
    if telling and not telling <= _CYRILLIC_ALPHABETS.get(lang, frozenset()):
        with_all = [one for one in _RUSSIAN_FIRST if telling <= _CYRILLIC_ALPHABETS[one]]
        return with_all[0] if with_all else "uk"  # a word that mixes the letters of several
    if not _CYRILLIC.isdisjoint(form):
        return lang if lang in _CYRILLIC_ALPHABETS or lang == "other" else "ru"
    return None if lang in _CYRILLIC_ALPHABETS else lang


MINIMUM_LENGTH = 3
"""Shorter words are left out: abbreviations of two letters (ЕС, UK) are in every text of their
topic, and single letters are initials. Paper 000 leaves out words of three letters too; measured
in docs/decisions/0003-background-and-weights.md."""

ELIDING = frozenset(("ca", "fr", "it"))
"""Languages that write an article before a vowel with an apostrophe: "dell'anno"."""
_PAIR = 2
"""Characters of the shortest word in the languages of _BRIEF."""
_BRIEF = PAIRED | {"vi"}
_ENDINGS = {"ja": re.compile("[\u3041-\u309f]+"), "zh": re.compile(".*[的了].*")}
"""Pairs of characters of which these languages make their grammar."""


def _no_words(_lang: Language) -> Collection[str]:
    """Return no stop words."""
    return ()


@dataclass(frozen=True, slots=True)
class StopWords:
    """The words of each language that occur in any text, whatever it is about."""

    lists: Mapping[Language, Collection[str]] = field(default_factory=dict)
    load: Callable[[Language], Collection[str]] = _no_words
    """Returns the list of a language of LANGUAGE_ROWS; not part of `version`, as Lemmas says."""

    @property
    def version(self) -> str:
        """Return a hash of the lists of all languages."""
        lines = [f"{lang} {' '.join(sorted(self.lists[lang]))}" for lang in sorted(self.lists)]
        return xxhash.xxh3_64_hexdigest("\n".join(lines).encode())

    def stops(self, form: str, lemma: str, lang: Language) -> bool:
        """Return whether a word is left out: too short, without letters, or a listed stop word.

        A word is listed by its form or its lemma; `lang` is the language of the document, which
        chooses the lists (LISTS_FOR). In languages of LANGUAGE_ROWS it is listed by its form alone,
        also without an article before an apostrophe: a few letters of a word may be another word.
        """
        least = _PAIR if lang in _BRIEF else MINIMUM_LENGTH
        if len(form) < least or not (form.isalpha() or any(map(str.isalpha, form))):
            return True
        if lang in _ENDINGS and _ENDINGS[lang].fullmatch(form):
            return True
        if lang in LANGUAGE_ROWS:
            listed, bare = self.load(lang), form.rpartition("'")[2]
            return form in listed or bare in listed or (lang in ELIDING and len(bare) < least)
        lists = [self.lists.get(one, ()) for one in LISTS_FOR[lang]]
        return any(form in listed or lemma in listed for listed in lists)


LISTS_FOR: Mapping[Language, tuple[Language, ...]] = {
    lang: (lang, *sorted(tables.words("language.quoted", folders=[lang])))
    for lang in tables.LANGUAGE_FOLDERS
} | {"other": tables.LANGUAGE_FOLDERS}
"""By language of a document, whose lists count: its own and of the languages that it quotes."""
