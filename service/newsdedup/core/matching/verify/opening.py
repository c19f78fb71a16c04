"""Comparing what the first sentences of two texts state: the figures and days of a message."""

from bisect import bisect_left
from typing import NamedTuple

from newsdedup.core.facts.codes import EXACT, UNIT, VALUE_SHIFT, kind_from
from newsdedup.core.facts.comparison import TOLERANCE, counted, rounds, times
from newsdedup.core.facts.fact import Kind
from newsdedup.core.facts.measures import other_measure
from newsdedup.core.facts.moves import ORDINALS, Moved, moved, paired
from newsdedup.core.facts.named_days import lacking_days, named_days
from newsdedup.core.matching.verify.view import TextView

_UNCOUNTED = kind_from(Kind.ORDINAL)
"""Codes from here on are no quantities: ordinals, times and days."""

_NEAR = 10**7 // TOLERANCE << VALUE_SHIFT
"""Codes further apart are no roundings of each other."""


class Stated(NamedTuple):
    """The codes of what a text states, and those of them that its first sentences do."""

    facts: tuple[int, ...]
    opening: tuple[int, ...]


def count_missing_figures(opening: tuple[int, ...], facts: tuple[int, ...]) -> int:
    """Return how many figures of the first sentences the other text lacks, rounding allowed.

    A figure that counts something else is no counterpart. A time of day is missing only where the
    other text names other ones.
    """
    if not opening:
        return 0
    same = set(facts)
    figures = sum(
        [fact < _UNCOUNTED and fact not in same and not _stated(fact, facts) for fact in opening]
    )
    theirs = times(facts)
    return figures + len(times(opening) - theirs) if theirs else figures


def begin_with_other_places(left: Stated, right: Stated) -> bool:
    """Return whether each begins with a place in one order that the other text never names.

    The 17th package of sanctions is not the 18th. A text that names both tells of a way from one
    place to the other.
    """
    ours, theirs = _places(left.opening, right.facts), _places(right.opening, left.facts)
    return not ours.isdisjoint(theirs)


def _places(opening: tuple[int, ...], facts: tuple[int, ...]) -> set[int]:
    """Return in which orders the first sentences name a place that the other text lacks."""
    if not opening or opening[-1] < _UNCOUNTED:
        return set()
    named = [code for code in opening if code in ORDINALS and code & UNIT and code not in facts]
    return set(map(counted, named))


def _stated(fact: int, facts: tuple[int, ...]) -> bool:
    """Return whether the other text states the same figure, perhaps to another place."""
    if fact >= EXACT:
        return False
    near = facts[bisect_left(facts, fact - _NEAR) : bisect_left(facts, fact + _NEAR)]
    return any(rounds(fact, other) and not other_measure(fact, other) for other in near)


def other_days_share(left: Stated, right: Stated) -> float:
    """Return the share of the days with which the texts begin that the other one does not name.

    D(left only) + D(right only) over that and the days that both name, each counted once: the
    programme of a weekend is not that of its Sunday. `named_days` tells when a day is named. A
    copy may begin with another day of the same report: "said on Thursday that on Saturday ..." has
    two. 0 where one begins with no day.
    """
    ours, theirs = named_days(left.opening, right.facts), named_days(right.opening, left.facts)
    if ours is None or theirs is None:
        return 0.0
    alone = ours.alone + theirs.alone
    return alone / (alone + (ours.shared + theirs.shared) / 2)


def moved_days(was: Stated, now: Stated) -> tuple[Moved, ...]:
    """Return the days with which each text begins where the other one does not name them."""
    return tuple(paired(lacking_days(was.opening, now.facts), lacking_days(now.opening, was.facts)))


def find_moves(was: TextView, now: TextView) -> tuple[Moved, ...]:
    """Return the moves of figures, scores and times of day, then those of days."""
    days = moved_days(Stated(was.facts, was.opening), Stated(now.facts, now.opening))
    return moved(was.facts, now.facts) + days
