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
    WEEKDAY_UNIT,
    are_a_week_apart,
    is_day_after,
    may_be_same_day,
)
from newsdedup.core.facts.fact import FactKind

_FIRST_DAY = lowest_code(FactKind.DAY)
"""Codes from here on are days; they stand last."""
_WEEKDAY = unit_code(WEEKDAY_UNIT)
_PAST_MIDNIGHT = {
    unit_code(f"{LATE} {ago}"): unit_code(f"{EARLY} {ago}") for ago in DAYS_AGO.values()
}
"""The unit of "yesterday" in a text published past midnight, by its unit just before midnight."""


class DayComparison(NamedTuple):
    """The days of one text against those of another."""

    shared: int
    """Days that the other text names, too."""
    alone: int
    """Days that it lacks."""


def compare_days(ours: Codes, theirs: Codes) -> DayComparison | None:
    """Return how many days of the first text the second one names, or None if one names no day.

    Equal words on both sides of a midnight may mean one day although they resolve to two: "on
    Wednesday" to days a week apart, "yesterday" to neighbours. A weekday and a written day a week
    apart are two days: a forecast for Friday is not the report of it (2026-11-22: taking them for
    one would make a copy of one labelled update more).
    """
    if not ours or not theirs or ours[-1] < _FIRST_DAY or theirs[-1] < _FIRST_DAY:
        return None
    mine, others = _days(ours), _days(theirs)
    alone = 0 if mine.keys() <= others.keys() else len(_missing(mine, others))
    return DayComparison(len(mine) - alone, alone)


def missing_days(ours: Codes, theirs: Codes) -> list[int]:
    """Return codes, without unit, of our days that the other text lacks, ascending.

    The list is empty if the other text names no day at all.
    """
    if not theirs or theirs[-1] < _FIRST_DAY:
        return []
    return [_FIRST_DAY | day << VALUE_SHIFT for day in sorted(_missing(_days(ours), _days(theirs)))]


def _days(codes: Codes) -> dict[int, int]:
    """Return the day numbers among the codes, each with the code of its unit: how it is named."""
    units: dict[int, int] = {}
    for code in codes[bisect_left(codes, _FIRST_DAY) :]:
        # Of a day that is also written out, the code without unit stands first and counts.
        units.setdefault(decode_fact(code).value, code & UNIT_MASK)
    return units


def _missing(ours: dict[int, int], theirs: dict[int, int]) -> list[int]:
    """Return our days that can be none of theirs; both map day numbers to codes of units."""
    return [
        one
        for one, unit in ours.items()
        if not any(
            may_be_same_day(one, other)
            or (unit != 0 and _may_be_same_word(one, unit, other, theirs[other]))
            for other in theirs
        )
    ]


def _may_be_same_word(one: int, unit: int, other: int, its_unit: int) -> bool:
    """Return whether both days are named by one word that may mean one day in both texts."""
    if unit == its_unit == _WEEKDAY:
        return are_a_week_apart(one, other)
    if _PAST_MIDNIGHT.get(unit) == its_unit:
        return is_day_after(one, other)
    return _PAST_MIDNIGHT.get(its_unit) == unit and is_day_after(other, one)
