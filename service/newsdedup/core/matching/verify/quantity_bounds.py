"""Bounds of how far the quantities of one text and many others agree, and whether they moved.

Of values only their order is compared, so some count as agreeing that do not, and fewer conflict
than do; whatever is left out would lower a score or rule an update out.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from newsdedup.core.facts.codes import (
    BELOW_ZERO,
    DECADE,
    FIRST_EXACT,
    KIND_AND_UNIT_MASK,
    KIND_SHIFT,
    MOST_CODES,
    PLACES_MASK,
    PLACES_SHIFT,
    ROUNDING_REACH,
    UNIT_MASK,
    VALUE_SHIFT,
    Codes,
    lowest_code,
)
from newsdedup.core.facts.comparison import FIRST_UNCOUNTED, NEAR_VALUES, subject_code
from newsdedup.core.facts.fact import FactKind
from newsdedup.core.matching.rows import Flags, Floats, Indexes, Rows

Counts = NDArray[np.int64]

_FIRST_TIME, _FIRST_DAY = lowest_code(FactKind.CLOCK), lowest_code(FactKind.DAY)
_COLUMNS = np.arange(MOST_CODES)
_REACH = np.array(ROUNDING_REACH, np.int32)


class QuantityBounds(NamedTuple):
    """How far the quantities of many texts agree with ours, an element for each text."""

    agreement: Floats
    """No less than `FactComparison.agreement`."""
    agreed: Counts
    """No less than the quantities that agree."""
    conflicts: Counts
    """No more than the conflicts, times of day included."""
    counts_conflict: Flags
    """True only where a quantity conflicts that is no time of day."""
    opening_both: Flags
    """True only where each text begins with a quantity that the other lacks."""
    moved: Flags
    """False only where no quantity, day or rank is another one."""


class _Stated(NamedTuple):
    """The facts of many texts, one text after the other, in ascending codes."""

    codes: Counts
    rows: Indexes
    """Whose each is."""
    opens: Flags
    """Whether the text begins with it."""
    near: NDArray[np.uint32]
    """For a quantity, a bit for each of our values that it may be, rounded."""


class QuantityTables:
    """The quantities of one text, by which those of others are bounded."""

    def __init__(self, facts: Codes, opening: Codes) -> None:
        # Of codes with one value, the last is the one that is missed or not (comparison.py).
        quantities = {code >> VALUE_SHIFT: code for code in facts if code < FIRST_UNCOUNTED}
        reach = _reach(np.array(list(quantities.values()), np.int64))
        self._values = list(zip(quantities, reach, strict=True))
        """Our values, and how far the rounding of each reaches."""
        self._subject_bits: dict[int, int] = {}
        """By subject a bit for each of our values that has it."""
        self._opening_bits = 0
        """A bit for each of our values with which we begin."""
        begun = {code >> VALUE_SHIFT for code in opening}
        for index, (value, code) in enumerate(quantities.items()):
            if subject := subject_code(code):
                self._subject_bits[subject] = self._subject_bits.get(subject, 0) | 1 << index
            if value in begun:
                self._opening_bits |= 1 << index
        self._facts = np.array(facts, np.int64)
        self._opening = np.array(opening, np.int64)
        self._subjects = np.array([subject for code in facts if (subject := subject_code(code))])
        self._unsigned = np.array([value % BELOW_ZERO for value in quantities], np.int64)
        self._times = self._facts[(self._facts >= _FIRST_TIME) & (self._facts < _FIRST_DAY)]

    def bound(self, rows: Rows) -> QuantityBounds:
        """Return the bounds of the texts of these rows."""
        count = len(rows)
        if not len(self._facts):
            return _bound_without_facts(rows)
        stated = self._read(rows)
        texts = stated.rows
        # Codes ascend, so that equal values of a text stand together.
        values = stated.codes >> VALUE_SHIFT
        quantity = stated.codes < FIRST_UNCOUNTED
        last = quantity.copy()
        last[:-1] &= (values[1:] != values[:-1]) | (texts[1:] != texts[:-1])
        near = stated.near
        their_hits = np.bincount(texts[last & (near != 0)], minlength=count)
        theirs = np.bincount(texts[last], minlength=count)
        hit = np.zeros(count, np.uint32)
        stating = np.flatnonzero(rows["facts"])
        if len(stating):
            begins = np.flatnonzero(np.diff(texts, prepend=-1))
            hit[stating] = np.bitwise_or.reduceat(near, begins)
        our_hits = np.bitwise_count(hit).astype(np.int64)
        agreed = np.minimum(our_hits, their_hits)
        apart = (len(self._values) - our_hits) + (theirs - their_hits)
        missing = last & (near == 0)
        subjects = _subjects(stated.codes)
        conflicts = self._count_conflicts(subjects[missing], texts[missing], hit)
        return QuantityBounds(
            agreement=(agreed + 1) / (agreed + apart + 1),
            agreed=agreed,
            conflicts=conflicts + self._times_conflict(stated, count),
            counts_conflict=conflicts > 0,
            opening_both=self._both_open(stated, quantity & (near == 0), hit),
            moved=self._may_move(stated, subjects, count),
        )

    def _read(self, rows: Rows) -> _Stated:
        stated = rows["facts"][:, None] > _COLUMNS
        texts, columns = np.nonzero(stated)
        codes = rows["codes"][stated]
        opens = rows["opening"][texts] >> columns.astype(np.uint32) & np.uint32(1) > 0
        near = np.zeros(len(codes), np.uint32)
        quantities = codes < FIRST_UNCOUNTED
        near[quantities] = self._near(codes[quantities])
        return _Stated(codes, texts, opens, near)

    def _near(self, codes: Counts) -> NDArray[np.uint32]:
        """Return `_Stated.near` of quantities."""
        values, reach = (codes >> VALUE_SHIFT).astype(np.int32), _reach(codes)
        decades = values // DECADE
        bits = np.zeros(len(codes), np.uint32)
        for index, (value, our_reach) in enumerate(self._values):
            apart = np.abs(values - np.int32(value))
            near = apart <= np.maximum(reach, our_reach)
            # Across a power of ten the order of values is no measure.
            near |= (apart <= NEAR_VALUES) & (decades != value // DECADE)
            bits |= near.astype(np.uint32) << np.uint32(index)
        return bits

    def _count_conflicts(self, subjects: Counts, texts: Indexes, hit: NDArray[np.uint32]) -> Counts:
        """Return for each text how many subjects have a value in it and one in ours that differ.

        `subjects` are those of quantities that we lack for certain, `hit` has a bit for each of
        our values that the text may have.
        """
        conflicts = np.zeros(len(hit), np.int64)
        for subject, bits in self._subject_bits.items():
            theirs = np.zeros(len(hit), bool)
            theirs[texts[subjects == subject]] = True
            conflicts += theirs & (~hit & np.uint32(bits) > 0)
        return conflicts

    def _times_conflict(self, stated: _Stated, count: int) -> Flags:
        """Return which texts name a time of day that ours lacks, and lack one of ours."""
        if not len(self._times):
            return np.zeros(count, bool)
        times = (stated.codes >= _FIRST_TIME) & (stated.codes < _FIRST_DAY)
        shared = np.isin(stated.codes, self._times)
        lacked = np.bincount(stated.rows[times & ~shared], minlength=count) > 0
        conflict: Flags = lacked & (
            np.bincount(stated.rows[shared], minlength=count) < len(self._times)
        )
        return conflict

    def _both_open(self, stated: _Stated, missing: Flags, hit: NDArray[np.uint32]) -> Flags:
        """Return which texts begin with a quantity that we lack, and lack one that we begin with.

        `missing` are the quantities that we lack for certain.
        """
        theirs = np.zeros(len(hit), bool)
        theirs[stated.rows[missing & stated.opens]] = True
        both: Flags = theirs & (~hit & np.uint32(self._opening_bits) > 0)
        return both

    def _may_move(self, stated: _Stated, subjects: Counts, count: int) -> Flags:
        """Return for which texts a quantity, a day or a rank may be another one.

        It may where a quantity or time of day that we lack counts what one of ours does, or has a
        value of ours; where both begin with days; where each begins with what the other lacks.
        """
        codes, texts, begins, _ = stated
        lacked = ~np.isin(codes, self._facts)
        alike = np.isin(subjects, self._subjects)
        alike |= np.isin((codes >> VALUE_SHIFT) % BELOW_ZERO, self._unsigned)
        conflict = lacked & alike & (codes < _FIRST_DAY)
        day = begins & (codes >= _FIRST_DAY) & bool((self._opening >= _FIRST_DAY).any())
        shared = np.bincount(texts[np.isin(codes, self._opening)], minlength=count)
        ours_lacked = shared < len(self._opening)
        theirs_lacked = np.bincount(texts[begins & lacked], minlength=count) > 0
        moved = np.bincount(texts[conflict | day], minlength=count) > 0
        return moved | (ours_lacked & theirs_lacked)


def _bound_without_facts(rows: Rows) -> QuantityBounds:
    """Return the bounds where our text states nothing."""
    quantities = (rows["codes"] < FIRST_UNCOUNTED) & (rows["facts"][:, None] > _COLUMNS)
    values = rows["codes"] >> VALUE_SHIFT
    quantities[:, 1:] &= values[:, 1:] != values[:, :-1]
    none, false = np.zeros(len(rows), np.int64), np.zeros(len(rows), bool)
    return QuantityBounds(1 / (quantities.sum(1) + 1), none, none, false, false, false)


def _reach(codes: Counts) -> NDArray[np.int32]:
    """Return how far the rounding of each quantity reaches in the order of values; 0 of a score."""
    reach = _REACH.take(codes >> PLACES_SHIFT & PLACES_MASK)
    return np.where(codes < FIRST_EXACT, reach, np.int32(0))


def _subjects(codes: Counts) -> Counts:
    """Return the `subject_code` of each fact; 0 for a quantity without unit."""
    units = codes & UNIT_MASK
    exact = codes >> KIND_SHIFT << VALUE_SHIFT | units
    return np.where(codes >= FIRST_EXACT, exact, (codes & KIND_AND_UNIT_MASK) * (units > 0))
