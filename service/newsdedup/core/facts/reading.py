"""What a number counts, by the words around it: a quantity, a day, a time, an ordinal, a year."""

import re
from datetime import date
from typing import NamedTuple

from newsdedup.core.facts import hours, subjects, units
from newsdedup.core.facts.context import Context, read_context
from newsdedup.core.facts.days import MONTHS, calendar_day
from newsdedup.core.facts.fact import MILLION, FactKind, Numeral
from newsdedup.data.lang import words

_year = re.compile(r"\.?,? (?:of )?([12][0-9]{3})(?![0-9:%]|[.,][0-9])")
_first_day = re.compile(r"(?<!\w)([a-z]{3,9})\.? [0-3]?[0-9](?:st|nd|rd|th)? ?- ?\Z")
_SELDOM_SCALES = frozenset(
    (*units.DOZENS, *units.MONEY_SCALES, *units.ATTACHED_SCALES, *subjects.THOUSAND)
)
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
    vague = context.label in hours.ABOUT_TIMES
    return None if vague else NumberReading(FactKind.CLOCK, minutes, 1, "")


def _ordinal(context: Context) -> NumberReading | None:
    """Return an ordinal with its noun, or the time of day that it names: "о 9-й ранку".

    None if such a time is vague.
    """
    minutes = hours.time_of_ordinal(context)
    if minutes is not None:
        return _time(context, minutes)
    word = context.words[0]
    counted = units.measure_of(word) or units.noun_stem(word)
    return NumberReading(FactKind.ORDINAL, context.numeral.value, MILLION, counted)


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
    signed = subjects.currency_sign(context)
    scale, taken = units.SCALES.get(words[0]), 1
    if scale is not None and (further := units.SCALES.get(words[1], 0)) > scale:
        scale, taken = scale * further, 2  # "3 lakh crore"
    if scale is None and words[0] in _SELDOM_SCALES:
        scale, taken = _seldom_scale(context, signed)
    if scale is not None:
        literal = context.lower[context.numeral.start : context.numeral.end]
        # "1,389 миллиона": a comma before three digits is the decimal one in Slavic texts.
        if not words[0].isascii() and literal.count(",") == 1 and literal[-4:-3] == ",":
            value //= 1_000
        value, step = value * scale, units.rounding_step(value, scale=scale)
        words = (words[1], words[2], "") if taken == 1 else (words[2], "", "")
    unit = signed or subjects.choose_currency(context, units.unit_of(*words))
    # Behind a scale of two words only one more is known: "квадратных", but not its "метров".
    last = taken > 1 and unit not in units.CURRENCIES
    if unit in units.LENGTH_UNITS or words[0] in units.BEFORE_LENGTHS or last:
        end = context.end if scale is None else _end_with_scale(context, taken)
        unit = units.compound_unit(context.lower, end, unit)
    if words[0].startswith(units.POINTS):
        value, step, unit = units.points_to_percent(context.lower, context.end, value, step, unit)
    if unit == units.PERCENT:
        return NumberReading(FactKind.PERCENT, value, step, unit, scale or 1)
    if unit in units.CURRENCIES and not _ukrainian_year(context):
        # "35 cents" are 0.35 of some currency, as "$0.35" are.
        parts = 100 if unit == units.CENT else 1
        return NumberReading(
            FactKind.MONEY, value // parts, max(1, step // parts), unit, scale or 1
        )
    if scale is None:
        return _unscaled(context, unit)
    unit = subjects.subject_of(context, words[0], unit)
    return NumberReading(FactKind.NUMBER, value, step, unit, scale)


def _unscaled(context: Context, unit: str) -> NumberReading | None:
    """Return the time, year or count of a number without scale; None for a name or vague time.

    `unit` is that of the words behind the number, "" for none.
    """
    if subjects.is_name(context, unit):
        return None
    (_, _, value, step, plain), (first, second, _) = context.numeral, context.words
    minutes = None
    if not plain or first in hours.HOUR_WORDS or second in hours.HOUR_WORDS:
        minutes = hours.time_of_day(context)
    elif unit == "hour" or hours.is_hour(first):
        minutes = hours.time_of_hours(context)
    if minutes is not None:
        return _time(context, minutes)
    if _is_year(context):
        return NumberReading(FactKind.YEAR, value, step, "")
    return NumberReading(FactKind.NUMBER, value, step, subjects.subject_of(context, first, unit))


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
    money = signed or context.label in units.CURRENCY_CODES
    scale = units.MONEY_SCALES.get(word) if money else None
    if scale is None and numeral.value < 100 * MILLION and word in units.DOZENS:
        times = units.SCALES.get(second)  # "полсотни тысяч"
        return units.DOZENS[word] * (times or 1), 1 if times is None else 2
    if word in subjects.THOUSAND:
        return 1_000 if subjects.THOUSAND_ROUBLES.match(context.lower, context.end) else None, 1
    if scale is None and context.lower[numeral.end : numeral.end + 1] == word:
        millions = word == "m" and (
            second in units.MILLIONS_OF or units.measure_of(second) in units.CURRENCIES
        )
        scale = 10**6 if millions else units.ATTACHED_SCALES.get(word)
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
    if word in units.YEARS:
        return True
    if units.measure_of(word) or units.harm_of(label) or label in _ABOUT:
        return False
    return label in _IN_YEARS or not word.endswith(subjects.OF_MANY)
