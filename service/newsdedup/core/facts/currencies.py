"""The currency of a number, told by what stands before it: "$5", "USD 5", "Rs 500"."""

import re

from newsdedup.core.facts.around import Around
from newsdedup.core.facts.units import CODES, CURRENCIES, PERCENT, SCALES, SIGNS, known

_range_begun = re.compile(rf"([{''.join(SIGNS)}]) ?[0-9][0-9.,]*-\Z")
_thousand_roubles = re.compile(r" ?т\. ?р(?:уб)?(?!\w)")
_next = re.compile(r"[ .]*(?:[^\W\d_]{1,10}\.? ){0,2}?([^\W\d_]+)[ :-]{1,3}[0-9]")
"""A currency behind a number that stands before the next one: "USD 92 EUR 100"."""
_LISTED = CURRENCIES - {"rub", "uah"}
"""Currencies that have a price in another one: "92,50 рубля 3 мая" is one."""


def sign(around: Around) -> str:
    """Return the currency of a number told by a sign before it, or by "т.р." behind, or ""."""
    before = around.before
    if around.words[0] == "т" and thousand_roubles(around):
        return "rub"
    return _sign(before) or (_first_sign(before) if before[-1:] == "-" else "")


def thousand_roubles(around: Around) -> bool:
    """Return whether "т.р." stands behind a number."""
    return _thousand_roubles.match(around.lower, around.end) is not None


def _sign(before: str) -> str:
    """Return the currency whose sign stands before a number, unless it is that of another one.

    In "500₽ 700" and "5 млн ₽ 700" the sign belongs to what stands before it.
    """
    said = before.rstrip(" ")
    currency = SIGNS.get(said[-1:], "")
    if not currency or said[-2:-1].isdigit():
        return ""
    if said == before:
        return currency
    former = said[:-1].rstrip(" .")
    word = former[former.rfind(" ") + 1 :]
    return "" if word in SCALES or word[-1:].isdigit() else currency


def _first_sign(before: str) -> str:
    """Return the currency whose sign stands before the first end of a range: "$2-3 billion"."""
    ranged = _range_begun.search(before)
    return "" if ranged is None else SIGNS[ranged[1]]


def currency(around: Around, unit: str) -> str:
    """Return the unit of a number without a sign, or the currency named before it.

    The currency behind it is that of a price ("USD - 92.50 roubles"), unless it is of the next one.
    """
    code = CODES.get(around.label, "")
    if unit in CURRENCIES:
        listed = code or known(around.label) in CURRENCIES or around.words[0] in CODES
        return code if listed and _is_of_next(around) else unit
    return code if code and unit != PERCENT else unit


def _is_of_next(around: Around) -> bool:
    found = _next.match(around.lower, around.end)
    if found is None:
        return False
    return found[1] in CODES or known(found[1]) in _LISTED
