"""How far two texts name the same days, from the codes of their facts."""

from bisect import bisect_left
from typing import NamedTuple

from newsdedup.core.facts.codes import (
    UNIT_MASK,
    VALUE_SHIFT,
    Codes,
    decode_fact,
    lowest_code,
    unit_code,
)
from newsdedup.core.facts.days import (
    DAYS_AGO,
    EARLY,
    LATE,
    RELATIVE_UNIT,
    WEEKDAY_UNIT,
    days_between,
    has_year,
    is_calendar_day,
    may_be_same_day,
)
from newsdedup.core.facts.fact import FactKind

_FIRST_DAY = lowest_code(FactKind.DAY)
"""Codes from here on are days, the last kind."""
_WEEKDAY = unit_code(WEEKDAY_UNIT)
_PAST_MIDNIGHT = {
    unit_code(f"{LATE} {ago}"): unit_code(f"{EARLY} {ago}") for ago in DAYS_AGO.values()
}
"""The unit of "yesterday" in a text published past midnight, by its unit just before midnight."""
_RELATIVE = frozenset((unit_code(RELATIVE_UNIT), *_PAST_MIDNIGHT.keys(), *_PAST_MIDNIGHT.values()))
_WEEK = 7


class DayComparison(NamedTuple):
    """The days of one text against those of another."""

    shared: int
    """Days that the other text names, too."""
    alone: int
    """Days that it lacks."""


def compare_days(ours: Codes, theirs: Codes, *, same_source: bool = True) -> DayComparison | None:
    """Return how many days of the first text the second one names, or None if one names no day.

    A day named by a word may also be a day before or after, most of all in another source.
    """
    if not ours or not theirs or ours[-1] < _FIRST_DAY or theirs[-1] < _FIRST_DAY:
        return None
    mine, others = _days(ours), _days(theirs)
    alone = len(_missing(mine, others, same_source=same_source))
    return DayComparison(len(mine) - alone, alone)


def missing_days(ours: Codes, theirs: Codes, *, same_source: bool = True) -> list[int]:
    """Return codes, without unit, of our days that the other text lacks, ascending.

    The list is empty if the other text names no day at all.
    """
    if not theirs or theirs[-1] < _FIRST_DAY:
        return []
    missing = _missing(_days(ours), _days(theirs), same_source=same_source)
    return [_FIRST_DAY | day << VALUE_SHIFT for day in sorted(missing)]


def drop_impossible_days(codes: tuple[int, ...]) -> tuple[int, ...]:
    """Return the codes without those of days that the calendar lacks.

    Facts hold none, but entries that were stored earlier do: "с 31 по 3 ноября" was read as 31
    November. Such a text is compared as if it did not name that day.
    """
    if not codes or codes[-1] < _FIRST_DAY:
        return codes
    first = bisect_left(codes, _FIRST_DAY)
    days = [code for code in codes[first:] if is_calendar_day(decode_fact(code).value)]
    return codes if len(days) == len(codes) - first else (*codes[:first], *days)


def _days(codes: Codes) -> dict[int, int]:
    """Return by day number among the codes the unit that says how the day is named.

    The unit is 0 for a written day, also if a word names the same day.
    """
    units: dict[int, int] = {}
    for code in codes[bisect_left(codes, _FIRST_DAY) :]:
        # Of a day that is also written out, the code without unit comes first and counts.
        units.setdefault(decode_fact(code).value, code & UNIT_MASK)
    return units


def _missing(ours: dict[int, int], theirs: dict[int, int], *, same_source: bool) -> list[int]:
    """Return our days that can be none of theirs; both map day numbers to codes of units."""
    may_be_named = _may_be_same_word if same_source else _may_be_same_day
    return [
        one
        for one, unit in ours.items()
        if not any(
            may_be_same_day(one, other) or may_be_named(one, unit, other, theirs[other])
            for other in theirs
        )
    ]


def _may_be_same_word(one: int, unit: int, other: int, its_unit: int) -> bool:
    """Return whether two days of one source are named by one word that may mean one day in both.

    Equal words on both sides of a midnight may mean one day although they resolve to two: "on
    Wednesday" to days a week apart, "yesterday" to neighbours. A weekday and a written day a week
    apart are two days: a forecast for Friday is not the report of it.
    """
    if unit == its_unit == _WEEKDAY:
        return abs(days_between(one, other)) == _WEEK
    if _PAST_MIDNIGHT.get(unit) == its_unit:
        return days_between(one, other) == 1
    return _PAST_MIDNIGHT.get(its_unit) == unit and days_between(other, one) == 1


def _may_be_same_day(one: int, unit: int, other: int, its_unit: int) -> bool:
    """Return whether two days that two sources name may be one, as intervals.

    A weekday is the last such day or the next one. "Yesterday" is certain to one day: the zones of
    the publishers are not known, and a date of publication without a time is a midnight somewhere.
    A written day is certain.
    """
    if not (has_year(one) and has_year(other)):
        return False
    apart = abs(days_between(one, other))
    if apart == _WEEK:
        return _WEEKDAY in (unit, its_unit)
    return apart == 1 and not _RELATIVE.isdisjoint((unit, its_unit))
