"""Comparing what the first sentences of two texts state: the quantities and days of a message."""

from bisect import bisect_left

from newsdedup.core.facts.comparison import (
    ROUNDING_TOLERANCE,
    clock_codes,
    compare_days,
    differs_in_measure,
    is_rounding,
    missing_days,
    subject_code,
)
from newsdedup.core.facts.fact import FIRST_EXACT, UNIT_MASK, VALUE_SHIFT, FactKind, lowest_code
from newsdedup.core.facts.moves import ORDINAL_CODES, Move, find_moves, pair_moves
from newsdedup.core.matching.verify.view import TextView

_UNCOUNTED = lowest_code(FactKind.ORDINAL)
"""Codes from here on are no quantities: ordinals, times and days."""

_NEAR = 10**7 // ROUNDING_TOLERANCE << VALUE_SHIFT
"""Codes further apart are no roundings of each other."""


def count_missing_quantities(opening: tuple[int, ...], facts: tuple[int, ...]) -> int:
    """Return how many quantities of the first sentences the other text lacks, rounding allowed.

    `opening` are the codes of one text's first sentences, `facts` all codes of the other text. A
    quantity that counts something else is no counterpart. A time of day is missing only where the
    other text names other ones.
    """
    if not opening:
        return 0
    same = set(facts)
    quantities = sum(
        [fact < _UNCOUNTED and fact not in same and not _is_stated(fact, facts) for fact in opening]
    )
    theirs = clock_codes(facts)
    return quantities + len(clock_codes(opening) - theirs) if theirs else quantities


def _is_stated(fact: int, facts: tuple[int, ...]) -> bool:
    """Return whether a quantity of one measure among the facts may be this one, rounded."""
    if fact >= FIRST_EXACT:
        return False
    near = facts[bisect_left(facts, fact - _NEAR) : bisect_left(facts, fact + _NEAR)]
    return any(is_rounding(fact, other) and not differs_in_measure(fact, other) for other in near)


def begin_with_other_ranks(left: TextView, right: TextView) -> bool:
    """Return whether each begins with an ordinal of one noun that the other never states.

    The 17th package of sanctions is not the 18th; a text that names both tells of the way there.
    """
    ours = _missing_ranks(left.opening, right.facts)
    return bool(ours) and not ours.isdisjoint(_missing_ranks(right.opening, left.facts))


def _missing_ranks(opening: tuple[int, ...], facts: tuple[int, ...]) -> set[int]:
    """Return the subjects of ordinals in one text's opening that the other text's facts lack."""
    if not opening or opening[-1] < _UNCOUNTED:
        return set()
    return {
        subject_code(code)
        for code in opening
        if code in ORDINAL_CODES and code & UNIT_MASK and code not in facts
    }


def other_days_share(left: TextView, right: TextView, *, same_source: bool = True) -> float:
    """Return the share of the days with which the texts begin that the other one does not name.

    The days that either text lacks over these and the days that both name, each counted once: the
    programme of a weekend is not that of its Sunday. `compare_days` defines when a day is named. A
    copy may begin with another day of the same report: "said on Thursday that on Saturday ..." has
    two. 0 where one begins with no day.
    """
    ours = compare_days(left.opening, right.facts, same_source=same_source)
    theirs = compare_days(right.opening, left.facts, same_source=same_source)
    if ours is None or theirs is None:
        return 0.0
    alone = ours.alone + theirs.alone
    return alone / (alone + (ours.shared + theirs.shared) / 2)


def find_view_moves(was: TextView, now: TextView, *, same_source: bool = True) -> tuple[Move, ...]:
    """Return the moves of quantities, scores, ordinals and times of day, then those of days.

    Of days those count with which each text begins and that the other does not name.
    """
    before = missing_days(was.opening, now.facts, same_source=same_source)
    after = missing_days(now.opening, was.facts, same_source=same_source)
    return (*find_moves(was.facts, now.facts), *pair_moves(before, after))
