"""What stands for a noun in all its forms: "4 дома", "17 домов" and "17 домам" count the same.

So do "1 goal" and "3 goals".
"""

import re
from functools import lru_cache

STEM = 5
"""Letters that stand for a noun without its endings: "делегатов" and "делегаты" are "делег"."""

_LEAST = 3
"""Letters that endings leave of a word: "слов" is no "сл" with the ending of "домов"."""
_LONGEST = 24
"""Letters of the longest word whose endings are looked for: it takes longer, the more there are."""
_endings = re.compile(
    rf"([а-яіїєґ]{{{_LEAST},}}?)"
    r"(?:[аяоеиіїєыуюьй]|[оеіїє]в|[аяиіїы]х|[аяоиіїы]м|[аяиіїыь]ми|[оеє]го|[оеє]му)*"
)
_plural = re.compile(r"(?<=[a-z]{3})(?<![sui])s\Z")
"""The s of "goals", but not that of "class", "virus" and "crisis"."""
_fleeting = re.compile(r"(?<=[бвгґджзклмнпрстфхцчшщ])[оеі](?=[бвгґджзклмнпрстфхцчшщ]\Z)")
"""Vowels that come and go before the last consonant: "лодка" and "лодок", "село" and "сіл"."""


@lru_cache(maxsize=4_096)
def stem(word: str) -> str:
    """Return up to five letters that the forms of a lower-case noun have in common.

    No word by itself: Slavic nouns lose their endings, and a vowel that only some forms have;
    English ones the s of the plural.
    """
    if word.isascii():
        return (_plural.sub("", word) if word.endswith("s") else word)[:STEM]
    found = _endings.fullmatch(word.replace("ё", "е")) if len(word) <= _LONGEST else None
    bare = word if found is None else _fleeting.sub("", found[1].replace("ь", ""))
    return bare[:STEM]
