"""Lemmatizers by pymorphy3 and Snowball, and the vocabulary that the package ships."""

import json
from collections.abc import Callable
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Literal

import Stemmer

from newsdedup.adapters.words.package_data import (
    shipped_counterparts,
    shipped_overrides,
    shipped_stop_words,
)
from newsdedup.core.words.background import Background
from newsdedup.core.words.lemmas import ELIDING, Lemmas
from newsdedup.core.words.pairs import clusters
from newsdedup.core.words.vocabulary import BOUND, Vocabulary
from newsdedup.data.languages import LANGUAGE_ROWS, LanguageRow


@cache
def _morphology(language: Literal["ru", "uk"]) -> Any:
    """Return pymorphy3's MorphAnalyzer; raise ValueError if its dictionary is missing.

    One serves all threads of a process, which only read it: a server analyzes items in one and
    searches in others.
    """
    # Imported here, too: commands that read no text start 50 ms sooner.
    from pymorphy3 import MorphAnalyzer  # noqa: PLC0415

    return MorphAnalyzer(lang=language, result_type=None)


@cache
def _dictionary_version(language: Literal["ru", "uk"]) -> str:
    """Return the revision of an unloaded dictionary, found once: asking for it takes 10 ms."""
    from pymorphy3.analyzer import MorphAnalyzer  # noqa: PLC0415

    folder = Path(MorphAnalyzer.choose_dictionary_path(lang=language))
    meta = dict(json.loads((folder / "meta.json").read_bytes()))
    return f"pymorphy3 {meta['language_code']} {meta['source_revision']} {meta['compiled_at']}"


class PymorphyLemmatizer:
    """Russian or Ukrainian lemmas by the OpenCorpora and LanguageTool dictionaries of pymorphy3.

    The dictionary is loaded by the first word (about 0.05 s and 20 MB), so a stream without
    Ukrainian never pays for it. One parse takes 10 to 100 microseconds: ask through a Vocabulary.
    """

    def __init__(self, language: Literal["ru", "uk"]) -> None:
        self._language = language

    @property
    def version(self) -> str:
        """Return the revision of the unloaded dictionary; raise ValueError if it is missing."""
        return _dictionary_version(self._language)

    def lemma(self, form: str) -> str:
        """Return the normal form of the best parse, ё written as е; unknown words are guessed."""
        normals = self.lemmas(form)
        if len(normals) == 1:
            # Which parse is the best need not be known: that takes most of the time of a parse.
            return next(iter(normals))
        parses = _morphology(self._language).parse(form)
        # With result_type=None a parse is a tuple (word, tag, normal form, score, methods); the
        # best is first, and equal scores keep the order of the dictionary: no set is walked.
        normal: str = parses[0][2] if parses else form
        return normal.replace("ё", "е")

    def lemmas(self, form: str) -> frozenset[str]:
        """Return the normal forms of all parses of a dictionary word, none for other words."""
        if len(form) == 1:
            # It may be an initial.
            return frozenset()
        analyzer = _morphology(self._language)
        dictionary = analyzer.dictionary
        similar = dictionary.words.similar_items(form, analyzer.char_substitutes)
        return frozenset(
            dictionary.build_normal_form(paradigm, index, word).replace("ё", "е")
            for word, parses in similar
            for paradigm, index in parses
        )


class SnowballStemmer:
    """Stems by Snowball (PyStemmer), for English and for any other language it knows."""

    def __init__(self, algorithm: str) -> None:
        self._algorithm = algorithm
        # Its own cache is off: the vocabulary above it is the bounded one.
        self._stemmer = Stemmer.Stemmer(algorithm, 0)

    @property
    def version(self) -> str:
        """Return the algorithm and the version of the library."""
        return f"snowball {self._algorithm} {Stemmer.version()}"

    def lemma(self, form: str) -> str:
        """Return the stem of a lower-case form; a stem is never empty."""
        stem: str = self._stemmer.stemWord(form)
        return stem or form

    def lemmas(self, _form: str) -> frozenset[str]:
        """Return nothing: there is no dictionary."""
        return frozenset()


_HEBREW_AND = "ו"
_HEBREW_PREFIXES = "בלכש"
_HEBREW_ARTICLE = "ה"


class RowStemmer:
    """The stems of a language of LANGUAGE_ROWS: by Snowball, by their beginning, or by both."""

    def __init__(self, row: LanguageRow) -> None:
        self._row = row

    @cached_property
    def _stem(self) -> Callable[[str], str]:
        """Return the algorithm of Snowball, if there is one."""
        name = self._row.stemmer
        return SnowballStemmer(name).lemma if name else str

    @property
    def version(self) -> str:
        """Return what the row says, and the version of the library."""
        return f"snowball {Stemmer.version()} {self._row}"

    def lemma(self, form: str) -> str:
        """Return the stem of a lower-case form; a stem is never empty."""
        code, beginning = self._row.code, self._row.beginning
        if code in ELIDING and "'" in form:
            form = form.rpartition("'")[2] or form
        elif code == "he":
            form = _without_particles(form)
        stem = self._stem(form)
        return "".join(clusters(stem)[:beginning]) if 0 < beginning < len(stem) else stem

    def lemmas(self, _form: str) -> frozenset[str]:
        """Return nothing: there is no dictionary."""
        return frozenset()


def _without_particles(form: str) -> str:
    """Return a Hebrew word without "and", preposition and article, where enough remains of it."""
    if form.startswith(_HEBREW_AND) and len(form) > 4:
        form = form[1:]
    if form[0] in _HEBREW_PREFIXES and len(form) > 4:
        form = form[1:]
    return form[1:] if form.startswith(_HEBREW_ARTICLE) and len(form) > 3 else form


def shipped_lemmas() -> Lemmas:
    """Return the lemmatizers of all known languages; dictionaries load when used."""
    return Lemmas(
        {
            "ru": PymorphyLemmatizer("ru"),
            "uk": PymorphyLemmatizer("uk"),
            "en": SnowballStemmer("english"),
        },
        shipped_overrides(),
        {code: RowStemmer(row) for code, row in LANGUAGE_ROWS.items()},
    )


def shipped_vocabulary(background: Background, *, bound: int = BOUND) -> Vocabulary:
    """Return the vocabulary of the shipped languages over this background, its memory empty.

    It remembers at most `bound` forms, of all languages together.
    """
    return Vocabulary(
        shipped_lemmas(),
        shipped_stop_words(),
        background,
        counterparts=shipped_counterparts(),
        bound=bound,
    )
