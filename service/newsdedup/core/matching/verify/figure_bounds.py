"""Upper bounds of how far the figures of one text and many others agree, and whether they moved.

Of values only their range is compared, so some count as agreeing that do not; whatever is left out
would lower a score or rule an update out.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from newsdedup.core.facts.codes import (
    BELOW_ZERO,
    FIRST_EXACT,
    KIND_AND_UNIT_MASK,
    KIND_SHIFT,
    UNIT_MASK,
    VALUE_SHIFT,
    Codes,
    lowest_code,
)
from newsdedup.core.facts.comparison import FIRST_UNCOUNTED, NEAR_VALUES, subject_code
from newsdedup.core.facts.fact import FactKind

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]
Flags = NDArray[np.bool_]

SLOTS = 1 << 16
"""Of a table that is read by 16 bits of a word or value."""
SLOT_MASK = SLOTS - 1
_FIRST_DAY = lowest_code(FactKind.DAY)


class FigureBounds(NamedTuple):
    """How far the figures of many texts agree with ours, an element for each text."""

    agreement: Floats
    """No less than `FactComparison.agreement`."""
    agreed: Counts
    """No less than the figures that agree."""
    moved: Flags
    """False only where no figure, day or place in an order is another one."""


class FigureTables:
    """The figures of one text, by which those of others are bounded."""

    def __init__(self, facts: Codes, opening: Codes) -> None:
        values = {code >> VALUE_SHIFT for code in facts if code < FIRST_UNCOUNTED}
        self._values = len(values)
        self._near = np.zeros(SLOTS, np.uint32)
        """For each range of values a bit for each of ours that may be one of them, rounded."""
        for place, value in enumerate(values):
            for near in range(value // NEAR_VALUES - 1, value // NEAR_VALUES + 2):
                self._near[near & SLOT_MASK] |= 1 << place
        self._facts = np.array(facts, np.int64)
        self._opening = np.array(opening, np.int64)
        self._subjects = np.array([subject for code in facts if (subject := subject_code(code))])
        self._values_unsigned = np.array([value % BELOW_ZERO for value in values], np.int64)

    def bound(self, codes: Counts, counts: Counts, openings: Counts) -> FigureBounds:
        """Return the bounds of texts, whose facts stand one text after another in ascending codes.

        `counts` says how many facts each text states, `openings` has a bit for each of them in its
        first sentences.
        """
        rows = np.repeat(np.arange(len(counts)), counts)
        agreement, agreed = self._agree(codes, rows, counts)
        return FigureBounds(agreement, agreed, self._may_move(codes, rows, counts, openings))

    def _agree(self, codes: Counts, rows: Counts, counts: Counts) -> tuple[Floats, Counts]:
        """Return the agreement with each text, and how many figures agree."""
        values, texts = codes >> VALUE_SHIFT, len(counts)
        # Codes ascend, so that equal values of a text stand together.
        first = codes < FIRST_UNCOUNTED
        first[1:] &= (values[1:] != values[:-1]) | (rows[1:] != rows[:-1])
        near = self._near.take(values // NEAR_VALUES & SLOT_MASK) * first
        theirs = np.bincount(rows[first], minlength=texts)
        their_hits = np.bincount(rows[near != 0], minlength=texts)
        our_hits = np.zeros(texts, np.int64)
        stating = counts > 0
        if len(codes):
            begins = (np.cumsum(counts) - counts)[stating]
            our_hits[stating] = np.bitwise_count(np.bitwise_or.reduceat(near, begins))
        agreed = np.minimum(our_hits, their_hits)
        apart = (self._values - our_hits) + (theirs - their_hits)
        return (agreed + 1) / (agreed + apart + 1), agreed

    def _may_move(self, codes: Counts, rows: Counts, counts: Counts, openings: Counts) -> Flags:
        """Return for which texts a figure, a day or a place in an order may be another one.

        It may where a figure or time of day that we lack counts what one of ours does, or has a
        value of ours; where both begin with days; where each begins with what the other lacks.
        """
        texts = len(counts)
        if not len(self._facts) or not len(codes):
            return np.zeros(texts, bool)
        columns = np.arange(len(codes)) - (np.cumsum(counts) - counts)[rows]
        begins = openings.astype(np.int64)[rows] >> columns & 1 > 0
        lacked = ~np.isin(codes, self._facts)
        alike = np.isin(_subjects(codes), self._subjects)
        alike |= np.isin((codes >> VALUE_SHIFT) % BELOW_ZERO, self._values_unsigned)
        conflict = lacked & alike & (codes < _FIRST_DAY)
        day = begins & (codes >= _FIRST_DAY) & bool((self._opening >= _FIRST_DAY).any())
        shared = np.bincount(rows[np.isin(codes, self._opening)], minlength=texts)
        ours_lacked = shared < len(self._opening)
        theirs_lacked = np.bincount(rows[begins & lacked], minlength=texts) > 0
        moved = np.bincount(rows[conflict | day], minlength=texts) > 0
        return moved | (ours_lacked & theirs_lacked)


def _subjects(codes: Counts) -> Counts:
    """Return the `subject_code` of each fact; 0 for a quantity without unit."""
    units = codes & UNIT_MASK
    exact = codes >> KIND_SHIFT << VALUE_SHIFT | units
    return np.where(codes >= FIRST_EXACT, exact, (codes & KIND_AND_UNIT_MASK) * (units > 0))
