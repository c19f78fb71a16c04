"""Which numbers are below zero: a sign touches them, or a word stands right before."""

import re

from newsdedup.core.facts.units import SIGNS

_WORDS = frozenset(("минус ", "мінус ", "minus "))
_WORD = 6
_NEAR = 24
"""Characters before a number in which its sign stands, and the range that it ends."""
# A dash behind a number and a space is that of a range: "5 -7"; dots go before the second of two.
_SIGN = r"(?:\A|(?<=[\s(])(?<![0-9]\s)|(?<=\.\.))-"
# The second number of a range has the sign of the first: "-5-7", "-5 -7".
_minus = re.compile(rf"{_SIGN}(?:[{''.join(SIGNS)}]?|[0-9]+(?:[.,][0-9]+)? ?-)\Z")
_word = re.compile(r"(?:\A|[\s(])(?<!\bor )(?<!\bили )(?<!\bабо )(?<!\bчи )\w+ \Z")


def negative(text: str, start: int) -> bool:
    """Return whether a number that begins there in a lower-case text is below zero.

    "COVID-19", "5-7" and "- 5" of a list are not.
    """
    if text[start - 1 : start] != " ":
        return signed(text, start)
    near = text[max(0, start - _WORD) : start]
    return near in _WORDS and _word.search(text, max(0, start - _NEAR), start) is not None


def signed(text: str, start: int) -> bool:
    """Return whether a minus sign makes the number that begins there one below zero."""
    last = text[start - 1 : start]
    if last != "-" and last not in SIGNS:
        return False
    return _minus.search(text, max(0, start - _NEAR), start) is not None
