"""The days that two texts both name, from their codes."""

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


class SharedDays(NamedTuple):
    """How many days two texts share, and how many only one of them names."""

    shared: int
    alone: int


def shared_days(left: Sequence[int], right: Sequence[int]) -> SharedDays | None:
    """Return how far two texts name the same days, or None where one of them names no day.

    "On Wednesday" is the last one or the next: a copy that is published past midnight says the
    same of a Wednesday a week later. Of a weekday and a day that is known otherwise this is not
    taken to be so: a forecast for Friday is not the report of it (2026-11-22: one labelled update
    more would be taken for a copy).
    """
    if not left or not right or left[-1] < FIRST_DAY or right[-1] < FIRST_DAY:
        return None
    ours, theirs = _days(left), _days(right)
    shared = ours.keys() & theirs.keys()
    if len(shared) == len(ours) == len(theirs):
        return SharedDays(len(shared), 0)
    met = [_met(ours, theirs), _met(theirs, ours)]
    return SharedDays(min(met), len(ours) + len(theirs) - sum(met))


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
