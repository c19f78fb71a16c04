"""What moved between two texts: the same thing counted, with another value."""

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from newsdedup.core.facts.codes import VALUE_SHIFT, decoded, kind_from, unit_code
from newsdedup.core.facts.comparison import Codes, counted, lacking, times
from newsdedup.core.facts.fact import Fact, Kind

ORDINALS = range(kind_from(Kind.ORDINAL), kind_from(Kind.CLOCK))
"""Codes of places in an order; years are none."""
_TIMES = counted(kind_from(Kind.CLOCK))


class Moved(NamedTuple):
    """A value that one text states and another states otherwise."""

    kind: Kind
    was: int
    now: int
    """In millionths; of scores, times and days `Fact.value`. Seven digits are kept."""
    unit: int
    """The `unit_code` of what is counted; `unit_names` has its word."""


def moved(was: Codes, now: Codes) -> tuple[Moved, ...]:
    """Return what both texts count and neither counts as the other does, the smallest first.

    Where one text has more such values than the other, each of the fewer goes with the nearest.
    """
    before, after = _by_count(was, now), _by_count(now, was)
    found = [
        move
        for count in before.keys() & after.keys()
        for move in paired(before[count], after[count])
    ]
    return tuple(sorted(found))


def paired(before: list[int], after: list[int]) -> list[Moved]:
    """Return as many moves as there are of the fewer of two ascending lists of one kind."""
    return [_moved(earlier, later) for earlier, later in _paired(before, after)]


def unit_names(facts: Iterable[Fact]) -> dict[int, str]:
    """Return the words of the units that occur in the facts, by their codes."""
    return {unit_code(fact.unit): fact.unit for fact in facts if fact.unit}


def _by_count(ours: Codes, theirs: Codes) -> dict[int, list[int]]:
    """Return our codes that the other text lacks, ascending, by what they count."""
    known = set(theirs)
    ordinals = [code for code in ours if code in ORDINALS and code not in known]
    found: defaultdict[int, list[int]] = defaultdict(list)
    for code in lacking(ours, theirs) + ordinals:
        count = counted(code)
        if count:
            found[count].append(code)
    named = times(ours)
    if named:
        found[_TIMES] = sorted(named - times(theirs))
    return found


def _paired(before: list[int], after: list[int]) -> list[tuple[int, int]]:
    if len(before) == len(after):
        return list(zip(before, after, strict=True))
    if len(before) > len(after):
        return [(earlier, later) for later, earlier in _paired(after, before)]
    rest = list(after)
    pairs = []
    for earlier in before:
        nearest = min(rest, key=lambda later: (_distance(earlier, later), later))
        rest.remove(nearest)
        pairs.append((earlier, nearest))
    return pairs


def _distance(left: int, right: int) -> int:
    return abs((left >> VALUE_SHIFT) - (right >> VALUE_SHIFT))


def _moved(before: int, after: int) -> Moved:
    was, now = decoded(before), decoded(after)
    return Moved(was.kind, was.value, now.value, was.unit)
