"""Which days of one text another one names, too, from their codes."""

from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

from newsdedup.core.facts import days
from newsdedup.core.facts.codes import UNIT_MASK, VALUE_SHIFT, decode_fact, lowest_code, unit_code
from newsdedup.core.facts.days import DAYS_AGO, EARLY, LATE, WEEKDAY_UNIT
from newsdedup.core.facts.fact import FactKind

FIRST_DAY_CODE = lowest_code(FactKind.DAY)
"""Codes from here on are days; they stand last."""
_WEEKDAY = unit_code(WEEKDAY_UNIT)
_PAST_MIDNIGHT = {
    unit_code(f"{LATE} {ago}"): unit_code(f"{EARLY} {ago}") for ago in DAYS_AGO.values()
}
"""How a text that is published past midnight names the day that one before it names so."""


class DayComparison(NamedTuple):
    """How many of the days that one text names another one names, too, and how many it lacks."""

    shared: int
    alone: int


def compare_days(ours: Sequence[int], theirs: Sequence[int]) -> DayComparison | None:
    """Return how far a text names our days, or None where one of the two names no day.

    "On Wednesday" is the last one or the next: a copy that is published past midnight says the
    same of a Wednesday a week later. Of a weekday and a day that is known otherwise this is not
    taken to be so: a forecast for Friday is not the report of it (2026-11-22: one labelled update
    more would be taken for a copy). So it is with "yesterday" of both sides of one midnight.
    """
    if not ours or not theirs or ours[-1] < FIRST_DAY_CODE or theirs[-1] < FIRST_DAY_CODE:
        return None
    mine, others = _days(ours), _days(theirs)
    alone = 0 if mine.keys() <= others.keys() else len(_unmet(mine, others))
    return DayComparison(len(mine) - alone, alone)


def missing_days(ours: Sequence[int], theirs: Sequence[int]) -> list[int]:
    """Return our days, as codes without the word for them, that a text that names days lacks."""
    if not theirs or theirs[-1] < FIRST_DAY_CODE:
        return []
    return [
        FIRST_DAY_CODE | day << VALUE_SHIFT for day in sorted(_unmet(_days(ours), _days(theirs)))
    ]


def _days(codes: Sequence[int]) -> dict[int, int]:
    """Return the days of the codes, and the code of how each is named."""
    found: dict[int, int] = {}
    for code in codes[bisect_left(codes, FIRST_DAY_CODE) :]:
        # A day that is written out, too, has no unit, and so stands first.
        found.setdefault(decode_fact(code).value, code & UNIT_MASK)
    return found


def _unmet(ours: dict[int, int], theirs: dict[int, int]) -> list[int]:
    """Return the days of ours that can be no day of theirs."""
    return [
        one
        for one, unit in ours.items()
        if not any(
            days.may_be_same_day(one, other)
            or (unit != 0 and _as_spoken(one, unit, other, theirs[other]))
            for other in theirs
        )
    ]


def _as_spoken(one: int, unit: int, other: int, its_unit: int) -> bool:
    """Return whether two days may be one that both texts name by the same word."""
    if unit == its_unit == _WEEKDAY:
        return days.are_a_week_apart(one, other)
    if _PAST_MIDNIGHT.get(unit) == its_unit:
        return days.is_day_after(one, other)
    return _PAST_MIDNIGHT.get(its_unit) == unit and days.is_day_after(other, one)
