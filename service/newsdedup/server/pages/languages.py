"""The languages of the interface: their texts, and which of them a request asks for.

The engine gives its reasons in English. The table sentences.LANGUAGE.toml has each form of sentence
with its values in braces, and its translation; a value that is words is translated the same way.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

from aiohttp import web
from markupsafe import Markup

INTERFACE_LANGUAGES: Final = ("en", "uk", "ru")
LANGUAGE_COOKIE: Final = "lang"
INTERFACE_FIELD: Final = "interface"
"""The value in an address that chooses the language of the page; `lang` is that of items."""
_FILES = files(__package__) / "texts"
_VALUE: Final = re.compile(r"\{(\w+)\}")
_DECIMAL: Final = re.compile(r"[+-]?[0-9]+\.[0-9]+")
_Texts = Mapping[str, str | tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class InterfaceTexts:
    """The texts of one language by their keys, those of a table and in it: "now.title"."""

    lang: str
    texts: _Texts

    def __call__(self, key: str, /, **values: object) -> Markup:
        """Return a text with values in it, which are escaped; raise KeyError for an unknown key."""
        text = self.texts[key]
        if not isinstance(text, str):
            raise KeyError(key)
        return Markup(text).format(**values) if values else Markup(text)  # noqa: S704 - our own

    def has(self, key: str) -> bool:
        """Return whether there is such a text."""
        return key in self.texts

    def forms(self, key: str) -> tuple[str, ...]:
        """Return the forms of a text by grammatical number, the singular first.

        A text that counts nothing has one form. Raise KeyError for an unknown key.
        """
        forms = self.texts[key]
        return (forms,) if isinstance(forms, str) else forms

    def count(self, key: str, number: int, /, **values: object) -> Markup:
        """Return the form of a text for a number, with values in it.

        `n` in `values` is how the number is written, by default in digits.
        """
        form = self.forms(key)[_plural(self.lang, number)]
        return Markup(form).format(**({"n": str(number)} | values))  # noqa: S704 - our own


def _plural(lang: str, number: int) -> int:
    """Return the index of the form for a whole number, by the plural rules of CLDR."""
    if lang == "en":
        return int(number != 1)
    if number % 10 == 1 and number % 100 != 11:
        return 0
    return 1 if number % 10 in (2, 3, 4) and number % 100 not in (12, 13, 14) else 2


@cache
def interface_texts(lang: str) -> InterfaceTexts:
    """Return the texts of one of INTERFACE_LANGUAGES."""
    tables = tomllib.loads((_FILES / f"{lang}.toml").read_text("utf-8"))
    texts = {
        f"{table}.{key}": text if isinstance(text, str) else tuple(text)
        for table, entries in tables.items()
        for key, text in entries.items()
    }
    return InterfaceTexts(lang, texts)


def chosen_language(request: web.Request) -> str:
    """Return the language of a page: by ?interface=, the cookie, or Accept-Language."""
    for lang in (request.query.get(INTERFACE_FIELD), request.cookies.get(LANGUAGE_COOKIE)):
        if lang in INTERFACE_LANGUAGES:
            return lang
    return accepted_language(request.headers.get("Accept-Language", ""))


def accepted_language(header: str) -> str:
    """Return the interface language that an Accept-Language header prefers, else English."""
    best, best_quality = INTERFACE_LANGUAGES[0], 0.0
    for part in header[:1_000].split(","):
        name, _, weight = part.strip().partition(";")
        lang = name.strip().lower().partition("-")[0]
        quality = _quality(weight)
        if lang in INTERFACE_LANGUAGES and quality > best_quality:
            best, best_quality = lang, quality
    return best


def _quality(weight: str) -> float:
    """Return the q of a weight such as "q=0.8": 1 for "", 0 for what is no number."""
    name, _, value = weight.strip().partition("=")
    if not name:
        return 1.0
    try:
        return float(value) if name.strip() == "q" else 0.0
    except ValueError:
        return 0.0


class TranslatedSentence(NamedTuple):
    """A sentence, and the language in which it is."""

    text: str
    lang: str


def translate_sentence(sentence: str, lang: str) -> TranslatedSentence:
    """Return a sentence of the engine in a language; in English where the table lacks its form."""
    translated = None if lang == "en" else _translated(sentence, lang)
    if translated is None:
        return TranslatedSentence(sentence, "en")
    return TranslatedSentence(translated, lang)


def _translated(sentence: str, lang: str) -> str | None:
    """Return the translation of a sentence or value, None if no form of the table matches it."""
    for form, translation in _forms(lang):
        match = form.fullmatch(sentence)
        if match is not None:
            values = {name: _value(text, lang) for name, text in match.groupdict().items()}
            return translation.format(**values)
    return None


def _value(text: str, lang: str) -> str:
    """Return a value of a sentence: translated if the table has it, a decimal with a comma."""
    translated = _translated(text, lang)
    if translated is not None:
        return translated
    return text.replace(".", ",") if _DECIMAL.fullmatch(text) else text


@cache
def _forms(lang: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return the patterns of sentences.LANG.toml with their translations, in their order."""
    table = tomllib.loads((_FILES / f"sentences.{lang}.toml").read_text("utf-8"))
    forms = []
    for form, translation in table.items():
        # A value in braces matches any text, as a group of its name.
        parts = enumerate(_VALUE.split(form))
        written = [f"(?P<{part}>.+?)" if at % 2 else re.escape(part) for at, part in parts]
        forms.append((re.compile("".join(written)), translation))
    return tuple(forms)
