"""The numbers that a text writes in digits, in one spelling each."""

import re
from collections.abc import Iterable
from itertools import islice

from newsdedup.core.facts.context import has_minus_sign

_DIGITS = "1203456789"
"""The commonest first: most texts that hold a digit hold one of these."""
_LONGEST = 24
"""Longer runs of digits are account numbers and noise."""

# Groups of three after a space are one number (12 500), unless a year precedes (2024 100).
_NUMBER = r"[0-9]+(?:(?<![0-9]{4})(?: [0-9]{3}(?![0-9])){1,4})?(?:[.,:][0-9]+)*(?: ?%)?"
# What is no digit is passed over by a repetition, which the engine does in half the time of a
# search. The end of the text is a match too, or the rest of the text would be tried from each of
# its characters.
_number = re.compile(rf"[^0-9]*+(?:({_NUMBER})|\Z)")


def find_numbers(text: str) -> list[str]:
    """Return the canonical numbers of the text in its order, repeated ones, too."""
    if not any(map(text.__contains__, _DIGITS)):
        return []
    written = _number.findall(text)
    # The match at the end of the text is empty.
    return [canonical_number(n) for n in written if 0 < len(n) <= _LONGEST]


def find_signed_numbers(text: str) -> list[str]:
    """Return what `find_numbers` does, with "-" in front where a minus sign touches the number."""
    return [
        ("-" if has_minus_sign(text, match.start(1)) else "") + canonical_number(match[1])
        for match in _number.finditer(text)
        if match[1] and len(match[1]) <= _LONGEST
    ]


def distinct_numbers(numbers: Iterable[str]) -> tuple[str, ...]:
    """Return the first 64 distinct numbers, sorted as text."""
    return tuple(sorted(islice(dict.fromkeys(numbers), 64)))


def canonical_number(written: str) -> str:
    """Return one spelling for all spellings of a number.

    "1 200", "1,200" and "1200" are "1200"; "3,5" and "3.50" are "3.5"; "15 %" is "15%"; scores
    and times ("2:1"), dates and versions ("5.11.2024") stay as written.

    A comma before exactly three digits is taken for the English thousands sign, since Russian
    and Ukrainian news seldom gives three decimals; a dot is always decimal.
    """
    if written.isdigit():
        return written.lstrip("0") or "0"
    number = written.rstrip(" %")
    percent = "%" if number != written else ""
    whole, *rest = number.replace(" ", "").replace(",", ".").split(".")
    if ":" in number or (len(rest) > 1 and "," not in number):
        return number + percent
    if rest and "," in number and whole != "0":
        while rest and len(rest[0]) == 3:
            whole += rest.pop(0)
    whole = whole.lstrip("0") or "0"
    decimals = ".".join(rest).rstrip("0")
    return f"{whole}.{decimals}{percent}" if decimals else whole + percent
