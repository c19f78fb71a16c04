"""Which days of one text another one names, too, from their codes."""

from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

from newsdedup.core.facts import days
from newsdedup.core.facts.codes import UNIT, VALUE_SHIFT, decoded, kind_from, unit_code
from newsdedup.core.facts.days import AGO
from newsdedup.core.facts.fact import Kind
from newsdedup.core.facts.spoken_days import EARLY, LATE, WEEKDAY

FIRST_DAY = kind_from(Kind.DAY)
"""Codes from here on are days; they stand last."""
_WEEKDAY = unit_code(WEEKDAY)
_PAST_MIDNIGHT = {unit_code(f"{LATE} {ago}"): unit_code(f"{EARLY} {ago}") for ago in AGO.values()}
"""How a text that is published past midnight names the day that one before it names so."""


class NamedDays(NamedTuple):
    """How many of the days that one text names another one names, too, and how many it lacks."""

    shared: int
    alone: int


def named_days(ours: Sequence[int], theirs: Sequence[int]) -> NamedDays | None:
    """Return how far a text names our days, or None where one of the two names no day.

    "On Wednesday" is the last one or the next: a copy that is published past midnight says the
    same of a Wednesday a week later. Of a weekday and a day that is known otherwise this is not
    taken to be so: a forecast for Friday is not the report of it (2026-11-22: one labelled update
    more would be taken for a copy). So it is with "yesterday" of both sides of one midnight.
    """
    if not ours or not theirs or ours[-1] < FIRST_DAY or theirs[-1] < FIRST_DAY:
        return None
    mine, others = _days(ours), _days(theirs)
    alone = 0 if mine.keys() <= others.keys() else len(_unmet(mine, others))
    return NamedDays(len(mine) - alone, alone)


def lacking_days(ours: Sequence[int], theirs: Sequence[int]) -> list[int]:
    """Return our days, as codes without the word for them, that a text that names days lacks."""
    if not theirs or theirs[-1] < FIRST_DAY:
        return []
    return [FIRST_DAY | day << VALUE_SHIFT for day in sorted(_unmet(_days(ours), _days(theirs)))]


def _days(codes: Sequence[int]) -> dict[int, int]:
    """Return the days of the codes, and the code of how each is named."""
    found: dict[int, int] = {}
    for code in codes[bisect_left(codes, FIRST_DAY) :]:
        # A day that is written out, too, has no unit, and so stands first.
        found.setdefault(decoded(code).value, code & UNIT)
    return found


def _unmet(ours: dict[int, int], theirs: dict[int, int]) -> list[int]:
    """Return the days of ours that can be no day of theirs."""
    return [
        one
        for one, unit in ours.items()
        if not any(
            days.same(one, other) or (unit != 0 and _as_spoken(one, unit, other, theirs[other]))
            for other in theirs
        )
    ]


def _as_spoken(one: int, unit: int, other: int, its_unit: int) -> bool:
    """Return whether two days may be one that both texts name by the same word."""
    if unit == its_unit == _WEEKDAY:
        return days.a_week_apart(one, other)
    if _PAST_MIDNIGHT.get(unit) == its_unit:
        return days.the_day_after(one, other)
    return _PAST_MIDNIGHT.get(its_unit) == unit and days.the_day_after(other, one)
