"""Words of scripts that part none: pairs of neighbouring characters, whole with their marks."""

import re
from itertools import pairwise

from newsdedup.data.languages import LANGUAGE_ROWS

_WITHOUT_SPACES = frozenset(("han", "kana", "hangul", "thai", "lao", "khmer", "myanmar"))
PAIRED = frozenset(code for code, row in LANGUAGE_ROWS.items() if row.script in _WITHOUT_SPACES)
"""Languages whose words are read as pairs of neighbouring characters.

Their scripts part no words, or as Korean only groups of words and particles.
"""


MARKS = (
    "\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670\u0900-\u0903\u093a-\u094f\u0951-\u0957\u0962\u0963"
    "\u0981-\u0983\u09bc-\u09cd\u09d7\u0a01-\u0a03\u0a3c-\u0a51\u0a70\u0a71\u0a81-\u0a83\u0abc-\u0acd"
    "\u0b82\u0bbe-\u0bcd\u0bd7\u0c00-\u0c04\u0c3c-\u0c56\u0c81-\u0c83\u0cbc-\u0cd6\u0d00-\u0d03"
    "\u0d3b-\u0d4d\u0d57\u0d81-\u0d83\u0dca-\u0ddf\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc"
    "\u0ec8-\u0ece\u102b-\u103e\u1056-\u1059\u17b6-\u17d3"
)
"""The marks that belong to the character before them: vowel signs, tones, joined consonants."""
_cluster = re.compile(f".[{MARKS}]*+", re.DOTALL)


def clusters(word: str) -> list[str]:
    """Return the characters of a word, each with its vowel signs and other combining marks."""
    return _cluster.findall(word)


def word_pairs(form: str) -> list[str]:
    """Return the pairs of neighbouring characters of a form, itself if it has no more than two.

    Combining marks stay with their character. Latin words and numbers are no pairs.
    """
    if form.isascii():
        return [form]
    parts = clusters(form)
    if len(parts) < 3:
        return [form]
    return [left + right for left, right in pairwise(parts)]
