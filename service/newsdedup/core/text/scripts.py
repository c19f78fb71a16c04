"""Scripts: which one a text is in, and one spelling of their letters."""

import re
from bisect import bisect_right
from collections import Counter

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
_any_letter = re.compile(f"[{''.join(_LETTERS.values())}]")
_RANGES = sorted(
    (ord(letters[0]), ord(letters[-1]), script)
    for script, listed in _LETTERS.items()
    for letters in re.findall("[^-](?:-[^-])?", listed)
)
_BEGINS = [begin for begin, _, _ in _RANGES]
_LEAST_KANA = 10
"""One in so many characters of a Japanese text is kana: names alone may be Chinese."""

WITHOUT_CASE = frozenset(_LETTERS) - {"greek", "armenian"}
"""Scripts without capitals."""


def script_of(sample: str) -> str:
    """Return the script that most letters of a text have, "" if that is Latin or Cyrillic."""
    if not has_known_letters(sample):
        return ""
    counts = dict.fromkeys(_LETTERS, 0)
    letters = 0
    # A text repeats its characters, and has many.
    for character, times in Counter(sample).items():
        letters += times * character.isalpha()
        script = _script_of_letter(character)
        if script:
            counts[script] += times
    if counts["kana"] * _LEAST_KANA > counts["kana"] + counts["han"]:
        counts["kana"] += counts["han"]
    script = max(counts, key=counts.__getitem__)
    return script if letters and 2 * counts[script] >= letters else ""


def _script_of_letter(character: str) -> str:
    """Return the script of a character, "" if it has none or that of Latin or Cyrillic."""
    code = ord(character)
    if code < _BEGINS[0]:
        return ""
    _, end, script = _RANGES[bisect_right(_BEGINS, code) - 1]
    return script if code <= end else ""


def has_known_letters(sample: str) -> bool:
    """Return whether a text has a letter of a script that a known language has to itself."""
    return _any_letter.search(sample) is not None


# Digits of other scripts, and the Arabic signs between and behind them, are read as those of ASCII.
_ZEROS = (
    "\u0660\u06f0\u0966\u09e6\u0a66\u0ae6\u0b66\u0be6"
    "\u0c66\u0ce6\u0d66\u0de6\u0e50\u0ed0\u1040\u17e0"
)
_DIGITS = {ord(zero) + digit: str(digit) for zero in _ZEROS for digit in range(10)}
_DIGITS |= {0x066A: "%", 0x066B: ".", 0x066C: ","}
_POINTS = dict.fromkeys([*range(0x064B, 0x0660), 0x0670, 0x0640, *range(0x0591, 0x05C8)])
"""Vowel points, which most texts leave out, and the stroke that lengthens Arabic words."""
_PLAIN = {chr(code): plain or "" for code, plain in (_DIGITS | _POINTS).items()}
_unusual = re.compile(f"[{''.join(_PLAIN)}]")
# By language, what is written for which letter.
_ALEFS = tuple(zip("أإآٱ", "اااا", strict=True))
_AS_ARABIC = (*_ALEFS, *zip("کیىې", "كييي", strict=True))
_AS_PERSIAN = (*_ALEFS, *zip("كيىۀة", "کییهه", strict=True))
_DOTTED = tuple(zip("Iİ", "ıi", strict=True))
_UNACCENTED = tuple(zip("άέήίόύώΐΰΆΈΉΊΌΎΏ", "αεηιουωϊϋΑΕΗΙΟΥΩ", strict=True))
_WITH_COMMAS = tuple(zip("şţŞŢ", "șțȘȚ", strict=True))

_SPELLINGS = {
    "ar": _AS_ARABIC,
    "fa": _AS_PERSIAN,
    "ur": _AS_PERSIAN,
    "tr": _DOTTED,
    "az": _DOTTED,
    "el": _UNACCENTED,
    "ro": _WITH_COMMAS,
}


def spell_alike(text: str, lang: str) -> str:
    """Return a text with one spelling of what its language spells in several ways.

    Russian, Ukrainian, English and unknown languages stay as they are. For others digits become
    ASCII and vowel points of Arabic and Hebrew are removed.
    """
    if lang not in LANGUAGE_ROWS:
        return text
    text = without_points(text)
    # Some replacements of letters take less time than a translation of the text.
    for letter, plain in _SPELLINGS.get(lang, ()):
        text = text.replace(letter, plain)
    return text


def without_points(text: str) -> str:
    """Return a text with digits of ASCII, without the vowel points of Arabic and Hebrew."""
    return text if text.isascii() else _unusual.sub(lambda match: _PLAIN[match[0]], text)
