"""What a number counts, told by the words around it."""

import re
from datetime import date
from typing import NamedTuple

from newsdedup.core.facts.days import MONTHS, written
from newsdedup.core.facts.fact import MILLION, Kind, Numeral
from newsdedup.core.facts.units import (
    ATTACHED_SCALES,
    CURRENCIES,
    MONEY_SCALES,
    PERCENT,
    SCALES,
    SIGNS,
    STEM,
    YEARS,
    harm,
    known,
    noun,
    stated,
    unit_of,
)

_WORD = r"[^\W\d_]{1,24}"
# A sign that touches the number behind it belongs to that one: "в 2024 $5 млрд".
_SIGN = rf"(?:[{''.join(SIGNS)}](?![0-9]))"
_tail = re.compile(
    rf"[ -]?({_WORD}|%|{_SIGN})\.?(?:( ?{_SIGN}| {_WORD})\.?(?:( ?{_SIGN}| {_WORD}))?)?"
)
_ordinal = re.compile(
    r"-?(?:st|nd|rd|th)\b"
    r"|-(?:й|я|е|ю|м|го|му|ой|ый|ій|ей|ому|ого|ую|ая|ої|та|ту|те)(?![\w-])"
)
_cardinal = re.compile(r"-(?:х|ти|ми|ма|мя|ух|ох|ро|рых|єх|тьох)\b")
_year = re.compile(r"\.?,? (?:of )?([12][0-9]{3})(?![0-9:%]|[.,][0-9])")
_meridiem = re.compile(r" ?([ap])\.?m\b")
_AROUND = 28
"""Characters before a number in which its sign, its label or its month stand."""
_LABELS = frozenset(("n", "no", "nr", "ст", "ч", "п", "пп", "стр", "art", "article", "section"))
"""Words before a number that is a name: "ст. 15", "N 5"."""
_MOST_HOURS = 13 * MILLION
_MIDDAY = 12 * 60
_MOST_DAYS = 31 * MILLION
_HALF_DAYS = frozenset(("a", "p", "am", "pm"))
_FIRST_YEAR, _LAST_YEAR = 1_900 * MILLION, 2_050 * MILLION
_AT = frozenset(("в", "у", "о"))
_dotted = re.compile(r"(?:[01]?[0-9]|2[0-3])\.[0-5][0-9](?![0-9.,:%])")
"""A time with a dot: "в 17.00", "о 10.30"; decimals have a comma in those languages."""
_ZONES = frozenset(("gmt", "utc", "est", "edt", "cet"))
_HHMM = 4
"""Digits of a time of day without a colon: "0147 GMT"."""
_NO_WORDS = ("", "", "")


class Reading(NamedTuple):
    """A number with its meaning."""

    kind: Kind
    value: int
    step: int
    unit: str
    scale: int = 1
    """What the words behind the number multiplied it by."""
    end: int = 0
    """Where a day with its year ends; the year is no fact of its own."""


class Around(NamedTuple):
    """A number and its neighbours."""

    lower: str
    numeral: Numeral
    before: str
    """What stands before it, up to 28 characters."""
    words: tuple[str, str, str]
    """The words behind it, empty where there are none."""
    end: int
    """Where the number ends, with "-th" and the like."""
    label: str
    """The word before it, parted from it by no more than a dash or a colon."""


def _label(before: str) -> str:
    said = before.rstrip(" :-")
    word = said[max(said.rfind(" "), said.rfind("\n")) + 1 :].lstrip("(\"'")
    if word[-1:] == ".":
        word = word[:-1]
    return word if word.isalpha() else ""


def read(lower: str, numeral: Numeral, published: date | None) -> Reading | None:
    """Return what the number counts, or None where it is a name: "Су-57", "ст. 15"."""
    before = lower[max(0, numeral.start - _AROUND) : numeral.start]
    if before[-1:].isalpha() or (before[-1:] == "-" and before[-2:-1].isalpha()):
        return None
    end = numeral.end
    ordinal = None
    follows = lower[end : end + 1]
    if follows == "-" or follows.isalpha():
        ordinal = _ordinal.match(lower, end)
        suffix = ordinal or _cardinal.match(lower, end)
        end = end if suffix is None else suffix.end()
    tail = _tail.match(lower, end)
    words = _NO_WORDS if tail is None else (tail[1], _bare(tail[2]), _bare(tail[3]))
    around = Around(lower, numeral, before, words, end, _label(before))
    if numeral.plain and numeral.value <= _MOST_DAYS:
        day = _day(around, published)
        if day is not None:
            return day
    if lower.startswith("+)", end):  # "(16+)" says for whom it is
        return None
    if ordinal is not None:
        if _FIRST_YEAR <= numeral.value < _LAST_YEAR:
            return Reading(Kind.YEAR, numeral.value, MILLION, "")
        return Reading(Kind.ORDINAL, numeral.value, MILLION, known(words[0]) or noun(words[0]))
    return _quantity(around)


def _bare(word: str | None) -> str:
    """Return a word without the space before it."""
    return "" if word is None else word.lstrip(" ")


def _day(around: Around, published: date | None) -> Reading | None:
    """Return the day if a month stands behind or before the number, whose year may follow."""
    word = around.words[0]
    month = MONTHS.get(word)
    end = around.end + len(word) + 1
    if month is None:
        label = around.label
        # Only English has the month before the day.
        month = MONTHS.get(label) if label.isascii() else None
        end = around.end
    if month is None:
        return None
    year = _year.match(around.lower, end)
    value = written(
        day=around.numeral.value // MILLION,
        month=month,
        year=None if year is None else int(year[1]),
        published=published,
    )
    if value is None:
        return None
    return Reading(Kind.DAY, value, 1, "", end=end if year is None else year.end())


def _quantity(around: Around) -> Reading | None:
    """Return the number with its scale and unit."""
    _, numeral, before, words, _, _ = around
    value, step = numeral.value, numeral.step
    sign = _sign(before)
    scale = SCALES.get(words[0]) or (MONEY_SCALES.get(words[0]) if sign else None)
    if scale is None and around.lower[numeral.end : numeral.end + 1] == words[0]:
        scale = ATTACHED_SCALES.get(words[0])
    if scale is not None:
        if not words[0].isascii() and _slavic_decimals(around):
            value //= 1_000
        value, step = value * scale, stated(value, scale=scale)
        words = words[1], words[2], ""
    unit = sign or unit_of(*words)
    if unit == PERCENT:
        return Reading(Kind.PERCENT, value, step, unit, scale or 1)
    if unit in CURRENCIES:
        return Reading(Kind.MONEY, value, step, unit, scale or 1)
    if scale is None:
        named = _named(around)
        if named is not None:
            return named[0]
    if unit in ("person", ""):
        unit = _role(around) or unit or _row(around)
    return Reading(Kind.NUMBER, value, step, unit, scale or 1)


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


def _named(around: Around) -> tuple[Reading | None] | None:
    """Return what a number without unit names: a time of day, a year, or nothing that counts.

    None means that it counts.
    """
    start, end, value, step, plain = around.numeral
    if value < _MOST_HOURS and around.words[0] in _HALF_DAYS:
        meridiem = _meridiem.match(around.lower, end)
        if meridiem is not None:
            return (_time_of_day(value, afternoon=meridiem[1] == "p"),)
    if around.label in _LABELS:
        return (None,)
    word = around.words[0]
    if around.label in _AT and not word.startswith("раз") and _dotted.match(around.lower, start):
        return (_time_of_day(value, afternoon=False, hours=24),)
    if plain and word in _ZONES and end - start == _HHMM:
        hours, minutes = divmod(value // MILLION, 100)
        return (Reading(Kind.CLOCK, hours * 60 + minutes, 1, ""),)
    if plain and _FIRST_YEAR <= value < _LAST_YEAR and (word in YEARS or not known(word)):
        return (Reading(Kind.YEAR, value, step, ""),)
    return None


def _time_of_day(value: int, *, afternoon: bool, hours: int = 12) -> Reading:
    """Return the minutes since midnight of "9 p.m." or of "12.50 pm", where they look decimal."""
    hour, hundredths = divmod(value // (MILLION // 100), 100)
    minutes = hour % hours * 60 + hundredths % 60 + _MIDDAY * afternoon
    return Reading(Kind.CLOCK, minutes, 1, "")


def _role(around: Around) -> str:
    """Return whether the words around say that the people counted are killed or injured."""
    for word in (*reversed(around.before.split()[-3:]), *around.words[1:]):
        role = harm(word)
        if role:
            return role
    return ""


def _row(around: Around) -> str:
    """Return what the word before the number says is counted, as in "Brent - 73", or ""."""
    word = around.label
    # The first word of a line is the label of a row: "Net 1,234,567".
    said = around.before.rstrip(" :-.")
    before = said[: len(said) - len(word)]
    first = before.endswith("\n") or (not before and around.numeral.start == len(around.before))
    return word[:STEM] if first else noun(word)


def _slavic_decimals(around: Around) -> bool:
    """Return whether a comma before three digits is the decimal one: "1,389 миллиона"."""
    literal = around.lower[around.numeral.start : around.numeral.end]
    return literal.count(",") == 1 and literal[-4:-3] == ","
