"""Numbers that count nothing: of articles, houses and planes, page counters, telephone numbers."""

import re

from newsdedup.core.facts.context import Context
from newsdedup.core.facts.fact import MILLION
from newsdedup.core.facts.units import measure_of, noun_stem
from newsdedup.data.lang import affixes, pattern, words

_LABELS = words("labels.labels", "labels.planes")
_HOUSES = words("labels.houses")
_street = re.compile(rf"{pattern('labels.streets')}\.? [^,.;\n\d]{{2,32}}, \Z")
_OF_MANY = affixes("grammar.many_endings")
"""Endings of a noun after a number that counts it, which is no house: "на улице Мира, 10 домов"."""


def is_name(context: Context, unit: str) -> bool:
    """Return whether a number labels something and counts nothing: "ст. 15", "Boeing 737"."""
    label = context.label
    if label in _LABELS:
        return unit != "minute"  # "в 9 ч 30 мин"
    if label in _HOUSES:
        return not (measure_of(context.words[0]) or noun_stem(context.words[0]))
    if not context.before.endswith(", "):
        return False
    # "На улице Мира, 10, загорелся" has the number of a house.
    (start, _, value, _, plain), word = context.numeral, context.words[0]
    if not plain or value > 400 * MILLION or measure_of(word) or word.endswith(_OF_MANY):
        return False
    return _street.search(context.lower, max(0, start - 56), start) is not None


_LONGEST = 48
"""Characters of the longest line of page counters."""
_line = re.compile(rf"(?:[\W\d_]++|{pattern('labels.counters', 'labels.near_counters')}(?!\w))++")
_counters = re.compile(rf"(?<!\w){pattern('labels.counters')}")


def is_page_counter(lower: str, start: int) -> bool:
    """Return whether the number is in a line of page counters behind the headline: "Views: 125"."""
    first = lower.rfind("\n", max(0, start - _LONGEST), start) + 1
    if not first:
        return False
    last = lower.find("\n", start, first + _LONGEST)
    end = last if last >= 0 else len(lower)
    counters = end - first <= _LONGEST and _line.fullmatch(lower, first, end)
    return bool(counters and _counters.search(lower, first, end))


_number = re.compile(
    # +44 20 7946 0958, +380 (67) 123-45-67
    r"(?<=\+)[1-9][0-9]{0,3}(?:[ -]?\(?[0-9]{1,6}\)?){2,6}"
    # (555) 123-4567
    r"|(?<=\()[2-9][0-9]{2}\) ?[0-9]{3}-[0-9]{4}"
    # 8 800 555 35 35
    r"|8[ -]\(?[0-9]{3,4}\)?[ -][0-9]{2,3}[ -][0-9]{2}[ -][0-9]{2}"
    # 0 800 123 456, 0800 555 111, 020 7946 0958, (044) 123 45 67
    r"|0[ -]?[0-9]{2,4}\)?(?:[ -][0-9]{2,4}){2,4}"
)
_local = re.compile(r"[0-9]{2,3}-[0-9]{2}-[0-9]{2}\Z")
_code = re.compile(
    r"(?:(?:\+[0-9]{1,3}|\b8)[ -]?)?(?:\([0-9]{3,5}\)|(?<=[0-9][ -])[0-9]{3,5})[ -]?\Z"
)
"""The country and area codes before a local telephone number: "+7 (914) 544-55-32"."""


def telephone_end(lower: str, start: int) -> int:
    """Return the end index of the telephone number that begins at `start`, or 0 if none does."""
    if lower[start] not in "08" and lower[start - 1 : start] not in "+(":
        return 0
    number = _number.match(lower, start)
    if number is None or lower[number.end() : number.end() + 1].isdigit():
        return 0
    return number.end() if sum(map(str.isdigit, number[0])) >= 9 else 0


def local_telephone_start(lower: str, literal: str, start: int) -> int | None:
    """Return where "544-55-32" at `start` begins, its area code included; None for no telephone."""
    if not _local.match(literal):
        return None
    code = _code.search(lower, max(0, start - 14), start)
    return start if code is None else code.start()
