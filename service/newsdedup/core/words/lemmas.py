"""Which lemmatizer a word form takes, and the lemma that it gets."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

import xxhash

from newsdedup.core.model import Language


class Lemmatizer(Protocol):
    """One language's way from a form to its lemma.

    Laws, checked for every lemmatizer by tests/adapters/test_lemmatizers.py: the same form gives
    the same lemma in every process, the lemma is lower case, not empty, and free of ё.
    """

    @property
    def version(self) -> str:
        """Name of the library and of its dictionary: changes when lemmas may change."""
        ...

    def lemma(self, form: str) -> str:
        """Return the lemma of a lower-case form."""
        ...


Overrides = Mapping[Language, Mapping[str, str]]
"""Language to form to lemma: what dictionaries get wrong."""


@dataclass(frozen=True, slots=True)
class Lemmas:
    """The lemmatizers of all languages; a language without one keeps its forms as written.

    To add a language, pass its Lemmatizer under its name. Documents of languages that the
    detector does not tell apart are "other": a German stream takes
    {"ru": ..., "uk": ..., "en": ..., "other": SnowballStemmer("german")}.
    """

    lemmatizers: Mapping[Language, Lemmatizer]
    overrides: Overrides = field(default_factory=dict)

    def lemma(self, form: str, language: Language | None) -> str:
        """Return the lemma of a lower-case form, from the overrides or by the lemmatizer.

        `language` is the form's `spelling`. If it is None or has no lemmatizer, return the form
        itself.
        """
        if language is None:
            return form
        known = self.overrides.get(language, {}).get(form)
        if known is not None:
            return known
        lemmatizer = self.lemmatizers.get(language)
        return form if lemmatizer is None else lemmatizer.lemma(form)

    @property
    def version(self) -> str:
        """Return a hash of the versions of all lemmatizers and of the overrides."""
        parts = [f"{lang} {self.lemmatizers[lang].version}" for lang in sorted(self.lemmatizers)]
        for lang in sorted(self.overrides):
            parts += [f"{lang} {form} {to}" for form, to in sorted(self.overrides[lang].items())]
        return xxhash.xxh3_64_hexdigest("\n".join(parts).encode())


UKRAINIAN = frozenset("іїєґ")
RUSSIAN = frozenset("ыэъё")
CYRILLIC = frozenset("абвгдежзийклмнопрстуфхцчшщьюя") | UKRAINIAN | RUSSIAN


def spelling(form: str, lang: Language) -> Language | None:
    """Return the language whose lemmatizer a form takes; None leaves it as written.

    `lang` is the language of the document. The letters of the form decide first: a Russian word
    quoted in a Ukrainian text is lemmatized as Russian where its letters show it. Words in another
    script than the document's are names and brands there; only Cyrillic ones in English texts are
    taken for Russian.
    """
    if not UKRAINIAN.isdisjoint(form):
        return "uk"
    if not RUSSIAN.isdisjoint(form):
        return "ru"
    if not CYRILLIC.isdisjoint(form):
        return "ru" if lang == "en" else lang
    return lang if lang in ("en", "other") else None


def language_named(name: str) -> Language:
    """Return the language of this name; raise ValueError if there is none."""
    for known in LANGUAGES:
        if known == name:
            return known
    raise ValueError(f"unknown language: {name!r}")


LANGUAGES: tuple[Language, ...] = ("ru", "uk", "en", "other")
