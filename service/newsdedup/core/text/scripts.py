"""Scripts: which one a text is in, and one spelling of their letters."""

import re
from collections.abc import Callable

from newsdedup.data.languages import LANGUAGE_ROWS

# Without those of Latin and Cyrillic, which `language.py` counts.
_LETTERS = {
    "greek": "\u0370-\u03ff\u1f00-\u1fff",
    "armenian": "\u0531-\u0587",
    "hebrew": "\u05d0-\u05ea",
    "arabic": "\u0620-\u064a\u066e-\u06d3\u0750-\u077f",
    "devanagari": "\u0900-\u097f",
    "bengali": "\u0980-\u09ff",
    "gurmukhi": "\u0a00-\u0a7f",
    "gujarati": "\u0a80-\u0aff",
    "tamil": "\u0b80-\u0bff",
    "telugu": "\u0c00-\u0c7f",
    "kannada": "\u0c80-\u0cff",
    "malayalam": "\u0d00-\u0d7f",
    "sinhala": "\u0d80-\u0dff",
    "thai": "\u0e00-\u0e7f",
    "lao": "\u0e80-\u0eff",
    "myanmar": "\u1000-\u109f",
    "georgian": "\u10a0-\u10ff",
    "ethiopic": "\u1200-\u137f",
    "khmer": "\u1780-\u17d3",
    "hangul": "\u1100-\u11ff\uac00-\ud7a3",
    "kana": "\u3041-\u30ff",
    "han": "\u3400-\u9fff",
}
_letters = {script: re.compile(f"[{letters}]") for script, letters in _LETTERS.items()}
_LEAST_KANA = 10
"""One in so many characters of a Japanese text is kana: names alone may be Chinese."""

WITHOUT_CASE = frozenset(_LETTERS) - {"greek", "armenian"}
"""Scripts without capitals."""


def script_of(sample: str) -> str:
    """Return the script that most letters of a text have, "" if that is Latin or Cyrillic."""
    counts = {script: len(letters.findall(sample)) for script, letters in _letters.items()}
    if counts["kana"] * _LEAST_KANA > counts["kana"] + counts["han"]:
        counts["kana"] += counts["han"]
    script = max(counts, key=counts.__getitem__)
    letters = sum(map(str.isalpha, sample))
    return script if letters and 2 * counts[script] >= letters else ""


def has_known_letters(sample: str) -> bool:
    """Return whether a text has a letter of a script that a known language has to itself."""
    return any(letters.search(sample) for letters in _letters.values())


# Digits of other scripts, and the Arabic signs between and behind them, are read as those of ASCII.
_ZEROS = (
    "\u0660\u06f0\u0966\u09e6\u0a66\u0ae6\u0b66\u0be6"
    "\u0c66\u0ce6\u0d66\u0de6\u0e50\u0ed0\u1040\u17e0"
)
_DIGITS = {ord(zero) + digit: str(digit) for zero in _ZEROS for digit in range(10)}
_DIGITS |= {0x066A: "%", 0x066B: ".", 0x066C: ","}
_POINTS = dict.fromkeys([*range(0x064B, 0x0660), 0x0670, 0x0640, *range(0x0591, 0x05C8)])
"""Vowel points, which most texts leave out, and the stroke that lengthens Arabic words."""
_ALEF = str.maketrans("أإآٱ", "اااا")
_AS_ARABIC = str.maketrans("کیىې", "كييي")
_AS_PERSIAN = str.maketrans("كيىۀة", "کییهه")
_DOTTED = str.maketrans("İI", "iı")


def _arabic(text: str) -> str:
    """Return Arabic text with plain alefs, one yeh and one kaf."""
    return text.translate(_ALEF).translate(_AS_ARABIC)


def _persian(text: str) -> str:
    """Return Persian or Urdu text with plain alefs and the Persian yeh, kaf and heh."""
    return text.translate(_ALEF).translate(_AS_PERSIAN)


def _turkic(text: str) -> str:
    """Return Turkish or Azeri text with its two kinds of i in lower case, which no other has."""
    return text.translate(_DOTTED)


_SPELLERS: dict[str, Callable[[str], str]] = {
    "ar": _arabic,
    "fa": _persian,
    "ur": _persian,
    "tr": _turkic,
    "az": _turkic,
}


def spell_alike(text: str, lang: str) -> str:
    """Return a text with one spelling of what its language spells in several ways.

    Russian, Ukrainian, English and unknown languages stay as they are. For others digits become
    ASCII and vowel points of Arabic and Hebrew are removed.
    """
    if lang not in LANGUAGE_ROWS:
        return text
    speller = _SPELLERS.get(lang)
    text = without_points(text)
    return speller(text) if speller else text


def without_points(text: str) -> str:
    """Return a text with digits of ASCII, without the vowel points of Arabic and Hebrew."""
    return text if text.isascii() else text.translate(_DIGITS).translate(_POINTS)
