"""What a number counts, by the words around it: a quantity, a day, a time, an ordinal, a year."""

import re
from datetime import date
from typing import NamedTuple

from newsdedup.core.facts.context import Context, read_context
from newsdedup.core.facts.days import MONTHS, calendar_day
from newsdedup.core.facts.fact import MILLION, FactKind, Numeral
from newsdedup.core.facts.hours import (
    ABOUT_TIMES,
    HOUR_WORDS,
    is_hour,
    time_of_day,
    time_of_hours,
    time_of_ordinal,
)
from newsdedup.core.facts.subjects import (
    THOUSAND,
    THOUSAND_ROUBLES,
    choose_currency,
    currency_sign,
    is_name,
    subject_of,
)
from newsdedup.core.facts.units import (
    ATTACHED_SCALES,
    BEFORE_LENGTHS,
    CENT,
    CURRENCIES,
    CURRENCY_CODES,
    DOZENS,
    LENGTH_UNITS,
    MILLIONS_OF,
    MONEY_SCALES,
    PERCENT,
    POINTS,
    SCALES,
    YEARS,
    compound_unit,
    harm_of,
    measure_of,
    noun_stem,
    points_to_percent,
    rounding_step,
    unit_of,
)
from newsdedup.data.lang import affixes, words

_year = re.compile(r"\.?,? (?:of )?([12][0-9]{3})(?![0-9:%]|[.,][0-9])")
_first_day = re.compile(r"(?<!\w)([a-z]{3,9})\.? [0-3]?[0-9](?:st|nd|rd|th)? ?- ?\Z")
_SELDOM_SCALES = frozenset((*DOZENS, *MONEY_SCALES, *ATTACHED_SCALES, *THOUSAND))
"""Words that multiply a number only in some contexts."""
_FIRST_YEAR, _LAST_YEAR = 1_900 * MILLION, 2_050 * MILLION
_IN_YEARS = words("grammar.before_year")
_BEFORE_R = words("units.before_r")
_ukrainian = re.compile("[іїєґ]")
_IN = words("grammar.inside")
_LOCATIVES = words("grammar.inside_nouns")
"""Nouns in the singular behind "в" and "на": the number says which one, not how many."""
_ABOUT = words("grammar.about")
"""Words before what is counted, no year."""
_OF_MANY = affixes("grammar.many_endings")


class NumberReading(NamedTuple):
    """A number with its meaning."""

    kind: FactKind
    value: int
    step: int
    unit: str
    scale: int = 1
    """What the words behind the number multiplied it by."""
    end: int = 0
    """The index behind a day with its year; the year is no fact of its own."""


def read_number(lower: str, numeral: Numeral, published: date | None) -> NumberReading | None:
    """Return what the number counts, or None where it is part of a name: "Су-57", "ст. 15".

    `published` is the date of publication, from which a day without year takes its year.
    """
    context = read_context(lower, numeral)
    if context is None:
        return None
    if numeral.plain and numeral.value <= 31 * MILLION:
        day = _day(context, published)
        if day is not None:
            return day
    if lower.startswith("+)", context.end):  # "(16+)" says for whom it is
        return None
    if context.ordinal or (context.words[0] in _LOCATIVES and context.label in _IN):
        if _FIRST_YEAR <= numeral.value < _LAST_YEAR:
            return NumberReading(FactKind.YEAR, numeral.value, MILLION, "")
        return _ordinal(context)
    return _quantity(context)


def _time(context: Context, minutes: int) -> NumberReading | None:
    """Return minutes since midnight as a time of day; None for a vague one, "около 6 утра"."""
    return None if context.label in ABOUT_TIMES else NumberReading(FactKind.CLOCK, minutes, 1, "")


def _ordinal(context: Context) -> NumberReading | None:
    """Return an ordinal with its noun, or the time of day that it names: "о 9-й ранку".

    None if such a time is vague.
    """
    minutes = time_of_ordinal(context)
    if minutes is not None:
        return _time(context, minutes)
    word = context.words[0]
    return NumberReading(
        FactKind.ORDINAL, context.numeral.value, MILLION, measure_of(word) or noun_stem(word)
    )


def _day(context: Context, published: date | None) -> NumberReading | None:
    """Return the day of the number and a month before or behind it, with its year; else None."""
    word, behind, _ = context.words
    # Only English has the month before the day; "June 30-July 5" has both.
    label = MONTHS.get(context.label) if context.label.isascii() else None
    month = MONTHS.get(word)
    end = context.end + len(word) + 1
    if context.ordinal and word == "of":  # "the 14th of November"
        month = MONTHS.get(behind)
        end += len(behind) + 1
    if month is None or (label is not None and context.lower[context.end : context.end + 1] == "-"):
        dashed = context.before.rstrip(" ")[-1:] == "-"
        first = _first_day.search(context.before) if dashed else None  # "July 4-6"
        month = label or (None if first is None else MONTHS.get(first[1]))
        end = context.end
    if month is None:
        return None
    year = _year.match(context.lower, end)
    value = calendar_day(
        day=context.numeral.value // MILLION,
        month=month,
        year=None if year is None else int(year[1]),
        published=published,
    )
    if value is None:
        return None
    return NumberReading(FactKind.DAY, value, 1, "", end=end if year is None else year.end())


def _quantity(context: Context) -> NumberReading | None:
    """Return the number with its scale and unit, a time or a year; None where it is a name."""
    (_, _, value, step, _), words = context.numeral, context.words
    signed = currency_sign(context)
    scale, taken = SCALES.get(words[0]), 1
    if scale is None and words[0] in _SELDOM_SCALES:
        scale, taken = _seldom_scale(context, signed)
    if scale is not None:
        literal = context.lower[context.numeral.start : context.numeral.end]
        # "1,389 миллиона": a comma before three digits is the decimal one in Slavic texts.
        if not words[0].isascii() and literal.count(",") == 1 and literal[-4:-3] == ",":
            value //= 1_000
        value, step = value * scale, rounding_step(value, scale=scale)
        words = (words[1], words[2], "") if taken == 1 else (words[2], "", "")
    unit = signed or choose_currency(context, unit_of(*words))
    # Behind a scale of two words only one more is known: "квадратных", but not its "метров".
    last = taken > 1 and unit not in CURRENCIES
    if unit in LENGTH_UNITS or words[0] in BEFORE_LENGTHS or last:
        end = context.end if scale is None else _end_with_scale(context, taken)
        unit = compound_unit(context.lower, end, unit)
    if words[0].startswith(POINTS):
        value, step, unit = points_to_percent(context.lower, context.end, value, step, unit)
    if unit == PERCENT:
        return NumberReading(FactKind.PERCENT, value, step, unit, scale or 1)
    if unit in CURRENCIES and not _ukrainian_year(context):
        # "35 cents" are 0.35 of some currency, as "$0.35" are.
        parts = 100 if unit == CENT else 1
        return NumberReading(
            FactKind.MONEY, value // parts, max(1, step // parts), unit, scale or 1
        )
    if scale is None:
        return _unscaled(context, unit)
    return NumberReading(FactKind.NUMBER, value, step, subject_of(context, words[0], unit), scale)


def _unscaled(context: Context, unit: str) -> NumberReading | None:
    """Return the time, year or count of a number without scale; None for a name or vague time."""
    if is_name(context, unit):
        return None
    (_, _, value, step, plain), (first, second, _) = context.numeral, context.words
    minutes = None
    if not plain or first in HOUR_WORDS or second in HOUR_WORDS:
        minutes = time_of_day(context)
    elif unit == "hour" or is_hour(first):
        minutes = time_of_hours(context)
    if minutes is not None:
        return _time(context, minutes)
    if _is_year(context):
        return NumberReading(FactKind.YEAR, value, step, "")
    return NumberReading(FactKind.NUMBER, value, step, subject_of(context, first, unit))


def _end_with_scale(context: Context, taken: int) -> int:
    """Return the index in `context.lower` where the number ends with its scale of `taken` words."""
    end = context.end
    for word in context.words[:taken]:
        end = context.lower.index(word, end) + len(word)
    return end


def _seldom_scale(context: Context, signed: str) -> tuple[int | None, int]:
    """Return the factor of a word of _SELDOM_SCALES behind a number, and how many words it takes.

    The factor is None where the word does not multiply the number here. `signed` is the currency
    before the number, or "".
    """
    numeral, (word, second, _) = context.numeral, context.words
    scale = MONEY_SCALES.get(word) if signed or context.label in CURRENCY_CODES else None
    if scale is None and numeral.value < 100 * MILLION and word in DOZENS:
        times = SCALES.get(second)  # "полсотни тысяч"
        return DOZENS[word] * (times or 1), 1 if times is None else 2
    if word in THOUSAND:
        return 1_000 if THOUSAND_ROUBLES.match(context.lower, context.end) else None, 1
    if scale is None and context.lower[numeral.end : numeral.end + 1] == word:
        millions = word == "m" and (second in MILLIONS_OF or measure_of(second) in CURRENCIES)
        scale = 10**6 if millions else ATTACHED_SCALES.get(word)
    return scale, 1


def _may_be_year(numeral: Numeral) -> bool:
    """Return whether a number in digits alone lies from 1900 to 2049."""
    return numeral.plain and _FIRST_YEAR <= numeral.value < _LAST_YEAR


def _ukrainian_year(context: Context) -> bool:
    """Return whether "2023 р." is a year: "р." is short for roubles and for "року"."""
    if context.words[0] != "р" or not _may_be_year(context.numeral):
        return False
    return context.label in _BEFORE_R or _ukrainian.search(context.lower) is not None


def _is_year(context: Context) -> bool:
    """Return whether the number is a year: it may be one, and nothing is counted by it."""
    if not _may_be_year(context.numeral):
        return False
    word, label = context.words[0], context.label
    if word in YEARS:
        return True
    if measure_of(word) or harm_of(label) or label in _ABOUT:
        return False
    return label in _IN_YEARS or not word.endswith(_OF_MANY)
