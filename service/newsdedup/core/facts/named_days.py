"""Which days of one text another one names, too, from their codes."""

from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

from newsdedup.core.facts import days
from newsdedup.core.facts.codes import UNIT, decoded, kind_from, unit_code
from newsdedup.core.facts.fact import Kind
from newsdedup.core.facts.spoken_days import WEEKDAY

FIRST_DAY = kind_from(Kind.DAY)
"""Codes from here on are days; they stand last."""
_WEEKDAY = unit_code(WEEKDAY)


class NamedDays(NamedTuple):
    """How many of the days that one text names another one names, too, and how many it lacks."""

    shared: int
    alone: int


def named_days(ours: Sequence[int], theirs: Sequence[int]) -> NamedDays | None:
    """Return how far a text names our days, or None where one of the two names no day.

    "On Wednesday" is the last one or the next: a copy that is published past midnight says the
    same of a Wednesday a week later. Of a weekday and a day that is known otherwise this is not
    taken to be so: a forecast for Friday is not the report of it (2026-11-22: one labelled update
    more would be taken for a copy).
    """
    if not ours or not theirs or ours[-1] < FIRST_DAY or theirs[-1] < FIRST_DAY:
        return None
    mine, others = _days(ours), _days(theirs)
    met = len(mine) if mine.keys() <= others.keys() else _met(mine, others)
    return NamedDays(met, len(mine) - met)


def _days(codes: Sequence[int]) -> dict[int, bool]:
    """Return the days of the codes, and whether only a weekday names each."""
    found: dict[int, bool] = {}
    for code in codes[bisect_left(codes, FIRST_DAY) :]:
        # A day that is written out, too, has no unit, and so stands first.
        found.setdefault(decoded(code).value, code & UNIT == _WEEKDAY)
    return found


def _met(ours: dict[int, bool], theirs: dict[int, bool]) -> int:
    """Return how many days of ours may be days of theirs."""
    return sum(
        [
            any(
                days.same(one, other)
                or (weekday and theirs[other] and days.a_week_apart(one, other))
                for other in theirs
            )
            for one, weekday in ours.items()
        ]
    )
