"""Which ordinals share keys that are worth enough together, by reading few postings.

An ordinal that is in none of the shorter lists lacks nothing but what is to spare in the longer
ones. So lists that are long and worth little need not be read (MaxScore, Turtle and Flood 1995),
and of a long list that has to be read only those ordinals count that are also in every longer list
that is worth more than what is to spare: bitmaps are intersected in C, and few ordinals are left.
The lists that were not read are then asked which of the ordinals found they have
(docs/decisions/0044).
"""

from __future__ import annotations  # array[int] exists for the type checker only

from array import array
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from pyroaring import BitMap

Slots: TypeAlias = NDArray[np.int64]
Ordinals: TypeAlias = "array[int] | BitMap"

_FEW_READ = 64
"""Up to so many ordinals are added up faster one by one than as arrays."""
_LONG = 4_096
"""A list of more ordinals is worth intersecting."""


class PostingList(NamedTuple):
    """A list of the keys that are looked up."""

    size: int
    worth: int
    """Of its key, in the entry that is looked up."""
    ordinals: Ordinals


class Plan(NamedTuple):
    """What a look-up reads."""

    read: list[PostingList]
    """Lists that are read, and parts of lists, whose worth is 0 here."""
    probed: list[PostingList]
    """Lists that are only asked for ordinals that were found, the longest first."""

    @property
    def size(self) -> int:
        """Return how many postings are read."""
        return sum([each.size for each in self.read])


def plan_reading(lists: Iterable[PostingList], *, least: int) -> Plan:
    """Return what to read so that no ordinal is missed whose lists are worth `least` together.

    Lists that have few postings together are all read.
    """
    ordered = sorted(lists, key=lambda each: (-each.size, each.worth))
    if sum([each.size for each in ordered]) <= _FEW_READ:
        return Plan(ordered, [])
    plan = Plan([], [])
    longer = 0
    for index, each in enumerate(ordered):
        # In this list and only in longer ones an ordinal may miss so much of these.
        spare = longer + each.worth - least
        longer += each.worth
        if spare < 0:
            plan.probed.append(each)
            continue
        part = _part(each, ordered[:index], spare)
        if part is None:
            plan.read.append(each)
        else:
            plan.probed.append(each)
            if part:
                plan.read.append(PostingList(len(part), 0, part))
    return plan


def _part(each: PostingList, longer: Sequence[PostingList], spare: int) -> BitMap | None:
    """Return the ordinals of a list that are in all longer ones worth more than what is to spare.

    None if there are no such lists, or the list is short.
    """
    if isinstance(each.ordinals, array) or each.size <= _LONG:
        return None
    part: BitMap | None = None
    for other in reversed(longer):
        if other.worth > spare and isinstance(other.ordinals, BitMap):
            part = (each.ordinals if part is None else part) & other.ordinals
            if not part:
                break
    return part


def add_up(plan: Plan, *, least: int) -> Slots:
    """Return the ordinals whose lists may be worth `least` together, ascending.

    Of many ordinals it is asked which of the other lists they are in, until few are left.
    """
    rest = sum([each.worth for each in plan.probed])
    if plan.size <= _FEW_READ:
        return _add_few(plan.read, least=least - rest)
    ordinals, sums = _merge(plan.read)
    kept = sums + rest >= least
    for each in reversed(plan.probed):
        ordinals, sums = ordinals[kept], sums[kept]
        if len(ordinals) <= _FEW_READ:
            return ordinals.astype(np.int64)
        sums[_indexes_in(each.ordinals, ordinals)] += each.worth
        rest -= each.worth
        kept = sums + rest >= least
    return ordinals[kept].astype(np.int64)


def _add_few(lists: Iterable[PostingList], *, least: int) -> Slots:
    """Return the ordinals whose keys in these lists are worth `least` together, ascending."""
    sums: dict[int, int] = {}
    for _, worth, ordinals in lists:
        for ordinal in ordinals:
            sums[ordinal] = sums.get(ordinal, 0) + worth
    return np.array(sorted([each for each, worth in sums.items() if worth >= least]), np.int64)


def _merge(lists: Sequence[PostingList]) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    """Return the ordinals of lists, ascending, each once, and what its lists are worth together."""
    parts = [_as_array(each.ordinals) for each in lists]
    ordinals = np.concatenate(parts)
    order = ordinals.argsort(kind="stable")
    ordinals = ordinals[order]
    is_first = np.ones(len(ordinals), bool)
    is_first[1:] = ordinals[1:] != ordinals[:-1]
    begins = np.flatnonzero(is_first)
    worths = np.repeat([each.worth for each in lists], [each.size for each in lists])
    return ordinals[begins], np.add.reduceat(worths[order], begins)


def _as_array(ordinals: Ordinals) -> NDArray[np.uint32]:
    """Return the ordinals of a list as an array of numpy."""
    return np.frombuffer(
        ordinals if isinstance(ordinals, array) else ordinals.to_array(), np.uint32
    )


def _indexes_in(theirs: Ordinals, ordinals: NDArray[np.uint32]) -> NDArray[np.intp]:
    """Return the indexes of those ordinals, which ascend, that are in a list."""
    if isinstance(theirs, BitMap):
        theirs = theirs & BitMap(array("I", ordinals.tobytes()))
    found = _as_array(theirs)
    if not len(found):
        return np.zeros(0, np.intp)
    at = np.searchsorted(ordinals, found)
    at[at == len(ordinals)] = 0
    found_at: NDArray[np.intp] = at[ordinals[at] == found]
    return found_at
