"""Agreement and conflict between the facts of two texts, from their codes."""

from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from newsdedup.core.facts.codes import (
    BELOW_ZERO,
    DECADE,
    FIRST_EXACT,
    KIND_AND_UNIT_MASK,
    KIND_SHIFT,
    PLACES_MASK,
    PLACES_SHIFT,
    ROUNDING_REACH,
    UNIT_MASK,
    VALUE_SHIFT,
    decode_quantity,
    differs_in_measure,
    lowest_code,
)
from newsdedup.core.facts.fact import FactKind
from newsdedup.core.facts.named_days import FIRST_DAY_CODE

ROUNDING_TOLERANCE = 20
"""Rounding moves a value by one part in 20 at most: 12 is not "about 10"."""
_NEAR = DECADE // 9 * 10 // ROUNDING_TOLERANCE
"""Values further apart in their order than this are no roundings of each other."""
_UNCOUNTED = lowest_code(FactKind.YEAR)
"""Codes from here on are no quantities: years, ordinals, times and days.

Years are mostly background: left out, agreement parts updates from reprints and rewrites better
(AUC .754 against .739 on 98 and 210 labelled pairs, 2026-11).
"""
_FIRST_TIME = lowest_code(FactKind.CLOCK)
_ORDINALS = range(_UNCOUNTED, _FIRST_TIME)
"""Codes of years, which are ordinals, too, and of ordinals."""
_EXACT_VALUES = FIRST_EXACT >> VALUE_SHIFT
_ANY_PLACE = ~(PLACES_MASK << PLACES_SHIFT)

Codes = Sequence[int]


class FactComparison(NamedTuple):
    """How far the quantities and scores of two texts agree; a value counts once."""

    agreed: int
    """Values that the other text has too, exactly or rounded: of the text that has fewer."""
    left: int
    """Values of the left text that the right one lacks."""
    right: int
    conflicts: int
    """Values lacking on both sides that count the same: 5 and 7 injured, 2:1 and 2:2.

    Or one value that counts what is known to be different, 5% and 5 roubles, or that is below zero
    in one text: the more of both.

    And one if each text names a time of day that the other lacks.
    """

    @property
    def agreement(self) -> float:
        """Return (agreed + 1) / (agreed + left + right + 1): 1 if nothing is lacking."""
        return (self.agreed + 1) / (self.agreed + self.left + self.right + 1)


NO_FACTS = FactComparison(0, 0, 0, 0)


def compare_facts(left: Codes, right: Codes) -> FactComparison:
    """Return how far two texts agree in quantities and scores.

    Laws, checked by tests/core/facts/test_comparison_laws.py: swapping the texts swaps left and
    right; a text agrees with itself; what is added to both never lowers the agreement.
    """
    if not left and not right:
        return NO_FACTS
    ours, theirs = _values(left), _values(right)
    our_rest, their_rest = _lacking(ours, theirs, left, right), _lacking(theirs, ours, right, left)
    agreed = min(len(ours) - len(our_rest), len(theirs) - len(their_rest))
    conflicts = _conflicts(our_rest, their_rest) if our_rest and their_rest else 0
    return FactComparison(
        agreed, len(our_rest), len(their_rest), conflicts + times_conflict(left, right)
    )


def count_shared(left: Codes, right: Codes) -> int:
    """Return how many quantities and scores both texts state of the same thing, known by its unit.

    A figure that agrees with what it counts says more than a bare one.
    """
    return len(_with_units(left) & _with_units(right))


def _with_units(codes: Codes) -> set[int]:
    """Return what is counted and how much, to whatever place it is stated."""
    return {code & _ANY_PLACE for code in codes if code < _UNCOUNTED and subject_code(code)}


def times_conflict(left: Codes, right: Codes) -> bool:
    """Return whether each text names a time of day that the other lacks."""
    ours = clock_codes(left)
    if not ours:
        return False
    theirs = clock_codes(right)
    return not (ours <= theirs or theirs <= ours)


def ordinals_conflict(left: Codes, right: Codes) -> bool:
    """Return whether each text gives a year, or the place of one thing, that the other lacks."""
    if left == right:
        return False
    ours, theirs = set(left), set(right)
    return not _ordinal(ours - theirs).isdisjoint(_ordinal(theirs - ours))


def _ordinal(codes: Collection[int]) -> set[int]:
    """Return what the years and ordinals among the codes count."""
    return {subject_code(code) for code in codes if code in _ORDINALS}


def clock_codes(codes: Codes) -> frozenset[int]:
    """Return the codes that are times of day."""
    if not codes or codes[-1] < _FIRST_TIME:
        return frozenset()
    return frozenset(codes[bisect_left(codes, _FIRST_TIME) : bisect_left(codes, FIRST_DAY_CODE)])


def missing_quantities(left: Codes, right: Codes) -> list[int]:
    """Return the codes of quantities and scores of the left text that the right one lacks."""
    return sorted(_lacking(_values(left), _values(right), left, right))


def is_rounding(left: int, right: int) -> bool:
    """Return whether two codes of quantities state one value, each to its own place."""
    if left >= FIRST_EXACT or right >= FIRST_EXACT:
        return False
    ours, our_step = decode_quantity(left)
    theirs, their_step = decode_quantity(right)
    apart = abs(ours - theirs)
    return 2 * apart <= max(our_step, their_step) and ROUNDING_TOLERANCE * apart <= max(
        abs(ours), abs(theirs)
    )


def subject_code(code: int) -> int:
    """Return what a code counts: its kind and its unit; 0 if nothing is known of that."""
    if code >= FIRST_EXACT:
        return code >> KIND_SHIFT << VALUE_SHIFT | code & UNIT_MASK
    return code & KIND_AND_UNIT_MASK if code & UNIT_MASK else 0


def _values(codes: Codes) -> dict[int, int]:
    """Return the codes that count, ascending, by what orders their values."""
    if codes and codes[-1] >= _UNCOUNTED:
        codes = codes[: bisect_left(codes, _UNCOUNTED)]
    return {code >> VALUE_SHIFT: code for code in codes}


def _lacking(ours: dict[int, int], theirs: dict[int, int], left: Codes, right: Codes) -> list[int]:
    """Return those of our codes whose value no value of theirs equals, rounds or is rounded by.

    A value that counts something known to be different is not the same. `left` and `right` hold
    what else the same values count.
    """
    rest = ours.keys() - theirs.keys()
    for value in ours.keys() & theirs.keys():
        if differs_in_measure(ours[value], theirs[value]) and not _may_count(
            value, left, value, right
        ):
            rest.add(value)
    if not rest:
        return []
    if not theirs:
        return list(ours.values())
    ascending = list(theirs)
    return [
        ours[value]
        for value in rest
        if not any(
            _may_count(value, left, near, right)
            for near in _rounding(value, ours[value], ascending, theirs)
        )
    ]


def _may_count(value: int, left: Codes, near: int, right: Codes) -> bool:
    """Return whether the left text may count by the one value what the right does by the other."""
    there = _of_value(near, right)
    return any(
        not differs_in_measure(code, other) for code in _of_value(value, left) for other in there
    )


def _of_value(value: int, codes: Codes) -> Codes:
    first = bisect_left(codes, value << VALUE_SHIFT)
    return codes[first : bisect_left(codes, value + 1 << VALUE_SHIFT, first)]


def _rounding(value: int, code: int, ascending: list[int], theirs: dict[int, int]) -> Iterator[int]:
    """Yield the values of theirs that round ours or are rounded by it."""
    if value >= _EXACT_VALUES:
        return
    reach = ROUNDING_REACH[code >> PLACES_SHIFT & PLACES_MASK]
    place = bisect_left(ascending, value - _NEAR)
    while place < len(ascending) and ascending[place] <= value + _NEAR:
        near = ascending[place]
        other = theirs[near]
        far = abs(near - value)
        # Most neighbours are out of reach, which is known without decoding them.
        within = far <= reach or far <= ROUNDING_REACH[other >> PLACES_SHIFT & PLACES_MASK]
        if (within or near // DECADE != value // DECADE) and is_rounding(code, other):
            yield near
        place += 1


def _conflicts(ours: Collection[int], theirs: Collection[int]) -> int:
    """Return how many lacking values both count otherwise, or how many count other things.

    5 below zero is another thing than 5, where it is not said what is counted.
    """
    there = {code >> VALUE_SHIFT: code for code in theirs}
    of_other_things = sum(
        [code >> VALUE_SHIFT in there or _below_zero_in(there, code) for code in ours]
    )
    return max(_counted_otherwise(ours, theirs), of_other_things)


def _below_zero_in(there: dict[int, int], code: int) -> bool:
    """Return whether the other text has the value with the other sign, and one has no unit."""
    value = code >> VALUE_SHIFT
    if value >= _EXACT_VALUES:
        return False
    opposite = there.get(value - BELOW_ZERO if value >= BELOW_ZERO else value + BELOW_ZERO)
    return opposite is not None and not (code & UNIT_MASK and opposite & UNIT_MASK)


def _counted_otherwise(ours: Collection[int], theirs: Collection[int]) -> int:
    """Return how many pairs of lacking values count the same."""
    open_counts = [count for count in map(subject_code, theirs) if count]
    conflicts = 0
    for code in ours:
        count = subject_code(code)
        if count in open_counts:
            open_counts.remove(count)
            conflicts += 1
    return conflicts
