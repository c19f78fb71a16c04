"""The sentences of an explanation in the languages of the interface.

The engine gives its reasons in English. A table names each form of sentence with its values in
braces, and how another language says it; a value that is words itself is looked up the same way.
"""

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

_FILES = files(__package__) / "texts"
_VALUE: Final = re.compile(r"\{(\w+)\}")
_DECIMAL: Final = re.compile(r"[+-]?[0-9]+\.[0-9]+")


class TranslatedSentence(NamedTuple):
    """A sentence, and the language in which it is."""

    text: str
    lang: str


def translate_sentence(sentence: str, lang: str) -> TranslatedSentence:
    """Return a sentence of the engine in a language; in English where the table lacks its form."""
    translated = None if lang == "en" else _translated(sentence, lang)
    return (
        TranslatedSentence(sentence, "en")
        if translated is None
        else TranslatedSentence(translated, lang)
    )


def _translated(sentence: str, lang: str) -> str | None:
    for form, translation in _forms(lang):
        match = form.fullmatch(sentence)
        if match is not None:
            values = {name: _value(text, lang) for name, text in match.groupdict().items()}
            return translation.format(**values)
    return None


def _value(text: str, lang: str) -> str:
    """Return a value in a language: words of the table, a number with a comma, or as it is."""
    translated = _translated(text, lang)
    if translated is not None:
        return translated
    return text.replace(".", ",") if _DECIMAL.fullmatch(text) else text


@cache
def _forms(lang: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return the forms of sentences with their translations, in the order of the table."""
    table = tomllib.loads((_FILES / f"sentences.{lang}.toml").read_text("utf-8"))
    return tuple([(_pattern(form), text) for form, text in table.items()])


def _pattern(form: str) -> re.Pattern[str]:
    parts = _VALUE.split(form)
    written = [
        re.escape(part) if at % 2 == 0 else f"(?P<{part}>.+?)" for at, part in enumerate(parts)
    ]
    return re.compile("".join(written))
