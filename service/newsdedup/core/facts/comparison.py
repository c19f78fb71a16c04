"""How far the facts of two texts agree and conflict, from their codes."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterator
from typing import NamedTuple

from newsdedup.core.facts import days
from newsdedup.core.facts.fact import (
    BELOW_ZERO,
    DECADE,
    FIRST_DAY,
    FIRST_EXACT,
    FIRST_TIME,
    KIND_AND_UNIT_MASK,
    KIND_SHIFT,
    MILLION,
    ROUNDING_REACH,
    STATED_MASK,
    STATED_SHIFT,
    UNIT_MASK,
    VALUE_SHIFT,
    Codes,
    DecodedFact,
    FactKind,
    decode_fact,
    decode_quantity,
    lowest_code,
    unit_code,
)
from newsdedup.core.facts.units import CENT, PERCENT, UNITS

ROUNDING_TOLERANCE = 20
"""Rounding moves a value by one part in 20 at most: 12 is not "about 10"."""
NEAR_VALUES = DECADE // 9 * 10 // ROUNDING_TOLERANCE
"""Values further apart in their order than this are no roundings of each other."""
FIRST_UNCOUNTED = lowest_code(FactKind.YEAR)
"""Codes from here on are no quantities: years, ordinals, times and days.

Years are mostly background: left out, agreement parts updates from reprints and rewrites better
(AUC .754 against .739 on 98 and 210 labelled pairs, 2026-11).
"""
_YEARS_AND_ORDINALS = range(FIRST_UNCOUNTED, FIRST_TIME)
_EXACT_VALUES = FIRST_EXACT >> VALUE_SHIFT
_BUT_STATED = ~(STATED_MASK << STATED_SHIFT)
"""The bits of a code but those for how many digits were stated."""


class FactComparison(NamedTuple):
    """How far the quantities and scores of two texts agree; a value counts once."""

    agreed: int
    """Values that the other text has too, exactly or rounded: of the text that has fewer."""
    left: int
    """Values of the left text that the right one lacks."""
    right: int
    conflicts: int
    """The larger of two counts, plus one if each text names a time of day that the other lacks.

    Pairs of missing values with one subject: 5 and 7 injured, 2:1 and 2:2. Equal values whose units
    are known to differ, 5% and 5 roubles, or of which one is below zero.
    """

    @property
    def agreement(self) -> float:
        """Return (agreed + 1) / (agreed + left + right + 1): 1 if nothing is lacking."""
        return (self.agreed + 1) / (self.agreed + self.left + self.right + 1)


def compare_facts(left: Codes, right: Codes) -> FactComparison:
    """Return how far two texts agree in quantities and scores.

    Laws, checked by tests/core/facts/test_comparison.py: swapping the texts swaps left and right; a
    text agrees with itself; what is added to both never lowers the agreement.
    """
    if not left and not right:
        return FactComparison(0, 0, 0, 0)
    ours, theirs = _values(left), _values(right)
    our_rest, their_rest = _missing(ours, theirs, left, right), _missing(theirs, ours, right, left)
    agreed = min(len(ours) - len(our_rest), len(theirs) - len(their_rest))
    conflicts = _conflicts(our_rest, their_rest) if our_rest and their_rest else 0
    return FactComparison(
        agreed, len(our_rest), len(their_rest), conflicts + times_conflict(left, right)
    )


def count_shared(left: Codes, right: Codes) -> int:
    """Return how many scores, and quantities with a unit, both texts state with the same value."""
    return len(_with_units(left) & _with_units(right))


def _with_units(codes: Codes) -> set[int]:
    """Return the codes of quantities and scores with a unit, their stated digits masked out."""
    return {code & _BUT_STATED for code in codes if code < FIRST_UNCOUNTED and subject_code(code)}


def telling_values(codes: Codes) -> set[int]:
    """Return the values of all facts except whole numbers below ten, as the bits that order them.

    "Two" and "3" stand in nearly any text, and tell none from another.
    """
    return {code >> VALUE_SHIFT for code in codes if not _is_small(decode_fact(code))}


def _is_small(fact: DecodedFact) -> bool:
    """Return whether a fact is a whole number below ten."""
    whole = fact.kind is FactKind.NUMBER and fact.value % MILLION == 0
    return whole and 0 <= fact.value < 10 * MILLION


def times_conflict(left: Codes, right: Codes) -> bool:
    """Return whether each text names a time of day that the other lacks."""
    ours = clock_codes(left)
    if not ours:
        return False
    theirs = clock_codes(right)
    return not (ours <= theirs or theirs <= ours)


def ordinals_conflict(left: Codes, right: Codes) -> bool:
    """Return whether each text has a year, or an ordinal of one unit, that the other one lacks."""
    if left == right:
        return False
    ours, theirs = set(left), set(right)
    here, there = (
        {subject_code(code) for code in alone if code in _YEARS_AND_ORDINALS}
        for alone in (ours - theirs, theirs - ours)
    )
    return not here.isdisjoint(there)


def clock_codes(codes: Codes) -> frozenset[int]:
    """Return the codes that are times of day."""
    if not codes or codes[-1] < FIRST_TIME:
        return frozenset()
    return frozenset(codes[bisect_left(codes, FIRST_TIME) : bisect_left(codes, FIRST_DAY)])


def missing_quantities(left: Codes, right: Codes) -> list[int]:
    """Return the codes of quantities and scores of the left text that the right one lacks."""
    return sorted(_missing(_values(left), _values(right), left, right))


def is_rounding(left: int, right: int) -> bool:
    """Return whether one of two quantities may be the other, rounded: 1.2 thousand and 1,234."""
    if left >= FIRST_EXACT or right >= FIRST_EXACT:
        return False
    ours, our_step = decode_quantity(left)
    theirs, their_step = decode_quantity(right)
    apart = abs(ours - theirs)
    return 2 * apart <= max(our_step, their_step) and ROUNDING_TOLERANCE * apart <= max(
        abs(ours), abs(theirs)
    )


def subject_code(code: int) -> int:
    """Return a number that codes of one kind and unit share; 0 for a quantity without a unit."""
    if code >= FIRST_EXACT:
        return code >> KIND_SHIFT << VALUE_SHIFT | code & UNIT_MASK
    return code & KIND_AND_UNIT_MASK if code & UNIT_MASK else 0


def _values(codes: Codes) -> dict[int, int]:
    """Return the codes of quantities and scores by their leading bits, which order the values."""
    if codes and codes[-1] >= FIRST_UNCOUNTED:
        codes = codes[: bisect_left(codes, FIRST_UNCOUNTED)]
    return {code >> VALUE_SHIFT: code for code in codes}


def _missing(ours: dict[int, int], theirs: dict[int, int], left: Codes, right: Codes) -> list[int]:
    """Return our codes whose value equals no value of theirs, nor is a rounding of one.

    Values whose units are known to differ do not agree. `left` and `right` are all codes of both
    texts: one value may count several things.
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
    """Return whether two values, as the bits that order them, may have one unit in both texts."""
    there = _of_value(near, right)
    return any(
        not differs_in_measure(code, other) for code in _of_value(value, left) for other in there
    )


def _of_value(value: int, codes: Codes) -> Codes:
    """Return the codes, in whatever unit, of a value given as the bits that order it."""
    first = bisect_left(codes, value << VALUE_SHIFT)
    return codes[first : bisect_left(codes, value + 1 << VALUE_SHIFT, first)]


def _rounding(value: int, code: int, ascending: list[int], theirs: dict[int, int]) -> Iterator[int]:
    """Yield, ascending, those of their values that may be ours, rounded, or that ours may round.

    `value` and `code` are ours. Values are the bits of a code that order it; `theirs` has their
    codes by value, `ascending` its keys.
    """
    if value >= _EXACT_VALUES:
        return
    reach = ROUNDING_REACH[code >> STATED_SHIFT & STATED_MASK]
    index = bisect_left(ascending, value - NEAR_VALUES)
    while index < len(ascending) and ascending[index] <= value + NEAR_VALUES:
        near = ascending[index]
        other = theirs[near]
        far = abs(near - value)
        # Most neighbours are out of reach, which is known without decoding them.
        within = far <= reach or far <= ROUNDING_REACH[other >> STATED_SHIFT & STATED_MASK]
        if (within or near // DECADE != value // DECADE) and is_rounding(code, other):
            yield near
        index += 1


def _conflicts(ours: Collection[int], theirs: Collection[int]) -> int:
    """Return the number of conflicts between missing codes, which FactComparison defines."""
    there = {code >> VALUE_SHIFT: code for code in theirs}
    equal = sum([code >> VALUE_SHIFT in there or _has_opposite(there, code) for code in ours])
    pairs = Counter(map(subject_code, ours)) & Counter(filter(None, map(subject_code, theirs)))
    return max(pairs.total(), equal)


def _has_opposite(there: dict[int, int], code: int) -> bool:
    """Return whether `there`, codes by value, has the negated value; one must lack a unit."""
    value = code >> VALUE_SHIFT
    if value >= _EXACT_VALUES:
        return False
    opposite = there.get(value - BELOW_ZERO if value >= BELOW_ZERO else value + BELOW_ZERO)
    return opposite is not None and not (code & UNIT_MASK and opposite & UNIT_MASK)


_ALIKE = (
    *(("person", "killed"), ("person", "injured"), (PERCENT, "point")),
    *[(CENT, currency) for currency in ("usd", "eur", "rub", "uah")],
)
"""Units that may count the same: one text counts people, another says that they were injured."""
_MEASURES = {
    unit_code(unit): frozenset([unit, *[pair for pair in _ALIKE if unit in pair]])
    for unit in sorted(UNITS)
}
"""What each named unit measures, by `unit_code`; two that may count the same share an element."""


def differs_in_measure(left: int, right: int) -> bool:
    """Return whether the units of two codes are known to differ, as percents and roubles do.

    Nouns prove nothing: "5 workers" and "5 people" may be the same five.
    """
    ours = _MEASURES.get(left & UNIT_MASK)
    theirs = None if ours is None else _MEASURES.get(right & UNIT_MASK)
    return ours is not None and theirs is not None and ours.isdisjoint(theirs)


_WEEKDAY = unit_code(days.WEEKDAY_UNIT)
_PAST_MIDNIGHT = {
    unit_code(f"{days.LATE} {ago}"): unit_code(f"{days.EARLY} {ago}")
    for ago in days.DAYS_AGO.values()
}
"""The unit of "yesterday" in a text published past midnight, by its unit just before midnight."""
_RELATIVE = frozenset(
    (unit_code(days.RELATIVE_UNIT), *_PAST_MIDNIGHT.keys(), *_PAST_MIDNIGHT.values())
)
_WEEK = 7


class DayComparison(NamedTuple):
    """The days of one text against those of another."""

    shared: int
    """Days that the other text names, too."""
    alone: int
    """Days that it lacks."""


def compare_days(ours: Codes, theirs: Codes, *, same_source: bool = True) -> DayComparison | None:
    """Return how many days of the first text the second one names, or None if one names no day.

    A day named by a word may also be a day before or after, most of all unless both texts are of
    the `same_source`.
    """
    if not ours or not theirs or ours[-1] < FIRST_DAY or theirs[-1] < FIRST_DAY:
        return None
    mine, others = _days(ours), _days(theirs)
    alone = len(_unmatched(mine, others, same_source=same_source))
    return DayComparison(len(mine) - alone, alone)


def missing_days(ours: Codes, theirs: Codes, *, same_source: bool = True) -> list[int]:
    """Return codes, without unit, of our days that the other text lacks, ascending.

    The list is empty if the other text names no day at all. `same_source` is as in `compare_days`.
    """
    if not theirs or theirs[-1] < FIRST_DAY:
        return []
    missing = _unmatched(_days(ours), _days(theirs), same_source=same_source)
    return [FIRST_DAY | day << VALUE_SHIFT for day in sorted(missing)]


def drop_impossible_days(codes: tuple[int, ...]) -> tuple[int, ...]:
    """Return the codes without those of days that the calendar lacks.

    Facts hold none, but entries that were stored earlier do: "с 31 по 3 ноября" was read as 31
    November. Such a text is compared as if it did not name that day.
    """
    if not codes or codes[-1] < FIRST_DAY:
        return codes
    first = bisect_left(codes, FIRST_DAY)
    real = [code for code in codes[first:] if days.is_calendar_day(decode_fact(code).value)]
    return codes if len(real) == len(codes) - first else (*codes[:first], *real)


def _days(codes: Codes) -> dict[int, int]:
    """Return by day number among the codes the unit that says how the day is named.

    The unit is 0 for a written day, also if a word names the same day.
    """
    units: dict[int, int] = {}
    for code in codes[bisect_left(codes, FIRST_DAY) :]:
        # Of a day that is also written out, the code without unit comes first and counts.
        units.setdefault(decode_fact(code).value, code & UNIT_MASK)
    return units


def _unmatched(ours: dict[int, int], theirs: dict[int, int], *, same_source: bool) -> list[int]:
    """Return the numbers of our days that can be none of theirs; both map them to unit codes."""
    may_be_named = _may_be_same_word if same_source else _may_be_same_day
    return [
        one
        for one, unit in ours.items()
        if not any(
            days.may_be_same_day(one, other) or may_be_named(one, unit, other, theirs[other])
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
        return abs(days.days_between(one, other)) == _WEEK
    if _PAST_MIDNIGHT.get(unit) == its_unit:
        return days.days_between(one, other) == 1
    return _PAST_MIDNIGHT.get(its_unit) == unit and days.days_between(other, one) == 1


def _may_be_same_day(one: int, unit: int, other: int, its_unit: int) -> bool:
    """Return whether two days that two sources name may be one, as intervals.

    A weekday is the last such day or the next one. "Yesterday" is certain to one day: the zones of
    the publishers are not known, and a date of publication without a time is a midnight somewhere.
    A written day is certain.
    """
    if not (days.has_year(one) and days.has_year(other)):
        return False
    apart = abs(days.days_between(one, other))
    if apart == _WEEK:
        return _WEEKDAY in (unit, its_unit)
    return apart == 1 and not _RELATIVE.isdisjoint((unit, its_unit))
