"""Bounds of how far the quantities of one text and many others agree, and whether they moved.

Of values only their order is compared, so some count as agreeing that do not, and fewer conflict
than do; whatever is left out would lower a score or rule an update out.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from newsdedup.core.facts.comparison import FIRST_UNCOUNTED, NEAR_VALUES, subject_code
from newsdedup.core.facts.editions import EDITION_UNIT, edition_codes
from newsdedup.core.facts.fact import (
    BELOW_ZERO,
    DECADE,
    FIRST_DAY,
    FIRST_EXACT,
    FIRST_ORDINAL,
    FIRST_TIME,
    KIND_AND_UNIT_MASK,
    KIND_SHIFT,
    MOST_CODES,
    ROUNDING_REACH,
    STATED_MASK,
    STATED_SHIFT,
    UNIT_MASK,
    VALUE_SHIFT,
    Codes,
)
from newsdedup.core.matching.rows import Flags, Floats, Indexes, Rows

Counts = NDArray[np.int64]

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
    texts: int
    """How many texts there are."""

    def count_in_texts(self, chosen: Flags) -> Counts:
        """Return for each text how many of the chosen facts it states."""
        return np.bincount(self.rows[chosen], minlength=self.texts)


class QuantityTables:
    """What is computed once of the facts of one text, called ours, to bound others against it."""

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
        self._is_edited = bool(edition_codes(facts))
        self._unsigned = np.array([value % BELOW_ZERO for value in quantities], np.int64)
        self._times = self._facts[(self._facts >= FIRST_TIME) & (self._facts < FIRST_DAY)]

    def bound(self, rows: Rows) -> QuantityBounds:
        """Return the bounds in quantities, one for the text of each row."""
        if not len(self._facts):
            return _bound_without_facts(rows)
        stated = self._read(rows)
        texts, near = stated.rows, stated.near
        # Codes ascend, so equal values of a text are neighbours.
        values = stated.codes >> VALUE_SHIFT
        quantity = stated.codes < FIRST_UNCOUNTED
        last = quantity.copy()
        last[:-1] &= (values[1:] != values[:-1]) | (texts[1:] != texts[:-1])
        missing = last & (near == 0)
        their_hits, theirs = stated.count_in_texts(last & ~missing), stated.count_in_texts(last)
        hit = np.zeros(len(rows), np.uint32)
        stating = np.flatnonzero(rows["facts"])
        if len(stating):
            begins = np.flatnonzero(np.diff(texts, prepend=-1))
            hit[stating] = np.bitwise_or.reduceat(near, begins)
        our_hits = np.bitwise_count(hit).astype(np.int64)
        agreed = np.minimum(our_hits, their_hits)
        apart = (len(self._values) - our_hits) + (theirs - their_hits)
        subjects = _subjects(stated.codes)
        conflicts = self._count_conflicts(subjects[missing], texts[missing], hit)
        # A text begins with a quantity that we lack, and lacks one with which we begin.
        their_opening = stated.count_in_texts(quantity & (near == 0) & stated.opens) > 0
        return QuantityBounds(
            agreement=(agreed + 1) / (agreed + apart + 1),
            agreed=agreed,
            conflicts=conflicts + self._times_conflict(stated),
            counts_conflict=conflicts > 0,
            opening_both=their_opening & (~hit & np.uint32(self._opening_bits) > 0),
            moved=self._may_move(stated, subjects),
        )

    def _read(self, rows: Rows) -> _Stated:
        """Return the facts that the texts of rows state, each with the values of ours it may be."""
        stated = rows["facts"][:, None] > _COLUMNS
        texts, columns = np.nonzero(stated)
        codes = rows["codes"][stated]
        opens = rows["opening"][texts] >> columns.astype(np.uint32) & np.uint32(1) > 0
        near = np.zeros(len(codes), np.uint32)
        quantities = codes < FIRST_UNCOUNTED
        near[quantities] = self._near(codes[quantities])
        return _Stated(codes, texts, opens, near, len(rows))

    def _near(self, codes: Counts) -> NDArray[np.uint32]:
        """Return for each quantity a number whose bit i is 1 if our i-th value is near it."""
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

    def _times_conflict(self, stated: _Stated) -> Flags:
        """Return which texts name a time of day that ours lacks, and lack one of ours."""
        if not len(self._times):
            return np.zeros(stated.texts, bool)
        times = (stated.codes >= FIRST_TIME) & (stated.codes < FIRST_DAY)
        shared = _are_among(stated.codes, self._times)
        theirs_lacked = stated.count_in_texts(times & ~shared) > 0
        return theirs_lacked & (stated.count_in_texts(shared) < len(self._times))

    def _may_move(self, stated: _Stated, subjects: Counts) -> Flags:
        """Return for which texts a quantity, a day or a rank may be another one.

        It may where a quantity or time of day that we lack counts what one of ours does, or has a
        value of ours; where both begin with days; where each begins with what the other lacks;
        where either is marked as an edition.
        """
        codes = stated.codes
        lacked = ~_are_among(codes, self._facts)
        alike = _are_among(subjects, self._subjects)
        alike |= _are_among((codes >> VALUE_SHIFT) % BELOW_ZERO, self._unsigned)
        conflict = lacked & alike & (codes < FIRST_DAY)
        day = stated.opens & (codes >= FIRST_DAY) & bool((self._opening >= FIRST_DAY).any())
        ours_lacked = stated.count_in_texts(_are_among(codes, self._opening)) < len(self._opening)
        theirs_lacked = stated.count_in_texts(stated.opens & lacked) > 0
        moved = stated.count_in_texts(conflict | day | _is_edition(codes)) > 0
        return moved | (ours_lacked & theirs_lacked) | self._is_edited


def _bound_without_facts(rows: Rows) -> QuantityBounds:
    """Return the bounds of each row for a text of ours that states no facts."""
    quantities = (rows["codes"] < FIRST_UNCOUNTED) & (rows["facts"][:, None] > _COLUMNS)
    values = rows["codes"] >> VALUE_SHIFT
    quantities[:, 1:] &= values[:, 1:] != values[:, :-1]
    none, false = np.zeros(len(rows), np.int64), np.zeros(len(rows), bool)
    marked: Flags = np.any(_is_edition(rows["codes"]), axis=1)
    return QuantityBounds(1 / (quantities.sum(1) + 1), none, none, false, false, marked)


def _is_edition(codes: Counts) -> Flags:
    """Return which codes mark an edition; of rows, also those behind the facts of a text."""
    ordinal = (codes >= FIRST_ORDINAL) & (codes < FIRST_TIME)
    edition: Flags = ordinal & (codes & UNIT_MASK == EDITION_UNIT)
    return edition


def _are_among(codes: Counts, ours: Counts) -> Flags:
    """Return which of many codes are among the few of ours; faster than `numpy.isin`."""
    among: Flags = (codes[:, None] == ours).any(1)
    return among


def _reach(codes: Counts) -> NDArray[np.int32]:
    """Return how far the rounding of each quantity reaches in the order of values; 0 of a score."""
    reach = _REACH.take(codes >> STATED_SHIFT & STATED_MASK)
    return np.where(codes < FIRST_EXACT, reach, np.int32(0))


def _subjects(codes: Counts) -> Counts:
    """Return the `subject_code` of each fact; 0 for a quantity without unit."""
    units = codes & UNIT_MASK
    exact = codes >> KIND_SHIFT << VALUE_SHIFT | units
    return np.where(codes >= FIRST_EXACT, exact, (codes & KIND_AND_UNIT_MASK) * (units > 0))
