"""Which of many candidates may match an entry by rule `verified`, and how well at best."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from newsdedup.core.matching.rows import LANGUAGE_CODES, Flags, Floats, Prospects, Rows, hash_text
from newsdedup.core.matching.verify.bounds import Bounds, BoundTables, bound_probability
from newsdedup.core.matching.verify.contradictions import (
    ALERT_LEMMAS,
    may_be_called_off,
    most_of_contradicted,
)
from newsdedup.core.matching.verify.copy_rates import TRANSLATED, pair_kinds
from newsdedup.core.matching.verify.model import Model
from newsdedup.core.matching.verify.relations import (
    MOVED_OVERLAP,
    MOVED_SIGNATURE,
    PART_COVERED,
    PART_RATIO,
    PLAIN_PHRASES,
    SIMILAR_TEXT,
    STALE,
    SURE,
)
from newsdedup.core.matching.verify.sketches import (
    CENTS,
    ROW,
    make_text_rows,
    pack_text_row,
    read_shifts,
    read_text_rows,
)
from newsdedup.core.matching.verify.view import TextView
from newsdedup.core.model import Entry, Micros


class _EntryBounds(NamedTuple):
    """The bounds of many entries by one, an element for each."""

    shared: Bounds
    text_logits: Floats
    """The log-odds of a duplicate by the texts and languages alone."""
    shifts: Floats
    """How much copy rates move them: the mean of the shifts in both entries."""


class VerifiedFilter:
    """The filter of rule `verified`: upper bounds of what its model could say of each candidate."""

    row = ROW
    make_rows = staticmethod(make_text_rows)
    pack_row = staticmethod(pack_text_row)
    read_rows = staticmethod(read_text_rows)

    def __init__(
        self, model: Model, *, threshold: float, window: Micros, view: Callable[[Entry], TextView]
    ) -> None:
        """`view` returns the view of an entry; the model is one that `has_bounds`."""
        self._model = model
        self._threshold = threshold
        self._window = window
        self._view = view
        self._latest: tuple[Entry, Rows, _EntryBounds | None] | None = None

    def prospects(self, one: Entry, rows: Rows) -> Prospects | None:
        """Return which of the entries in these rows may match one, and how well at best.

        Equal texts and digests are prospects whatever their bounds. None for a digest, which is
        compared by its passages.
        """
        bounds = None if one.passages else self._bounds(one, rows)
        if bounds is None:
            return None
        shared, texts, shifts = bounds
        scores = bound_probability(texts + self._model.habit * shifts)
        # Without fresh phrases a text is neither a plain copy nor an excerpt.
        duplicates = (scores >= self._threshold) | (shared.fresh >= PLAIN_PHRASES)
        # What contradicts is no copy: of a thousand messages of one template, few are compared.
        duplicates &= ~shared.contradicts
        most = most_of_contradicted(self._threshold)
        scores[shared.contradicts] = np.minimum(scores[shared.contradicts], most)
        related = _may_be_related(shared, self._view(one), bound_probability(texts))
        least = np.where(shared.fresh >= PLAIN_PHRASES, max(SURE, self._threshold), self._threshold)
        scores[duplicates] = np.maximum(scores, least)[duplicates]
        unbounded = (rows["version"] == hash_text(one.version)) | rows["digest"]
        scores[unbounded] = 1.0
        duplicates |= unbounded
        near = np.abs(rows["effective_at"] - one.effective_at) <= self._window
        indexes = np.flatnonzero((duplicates | related) & near)
        return Prospects(indexes, scores[indexes], duplicates[indexes])

    def text_logits(self, one: Entry, rows: Rows) -> Floats | None:
        """Return upper bounds of each row's log-odds by the texts alone; None if not known."""
        bounds = self._bounds(one, rows)
        return None if bounds is None else bounds.text_logits

    def _bounds(self, one: Entry, rows: Rows) -> _EntryBounds | None:
        """Return `_make_bounds`, None included, cached for the last entry and rows."""
        if self._latest is None or self._latest[0] is not one or self._latest[1] is not rows:
            self._latest = (one, rows, self._make_bounds(one, rows))
        return self._latest[2]

    def _make_bounds(self, one: Entry, rows: Rows) -> _EntryBounds | None:
        """Return the bounds of each row compared with an entry.

        None if no table keeps the hashes of its lemmas and phrases apart.
        """
        try:
            tables = BoundTables(self._view(one), self._model)
        except ValueError:
            return None
        same = rows["source"] == hash_text(one.key.source)
        shared = tables.bound(rows, same)
        kinds = pair_kinds(same=same, apart=np.abs(rows["effective_at"] - one.effective_at))
        theirs = rows["shifts"][np.arange(len(rows)), kinds] / CENTS
        texts = shared.logit
        if one.lang in TRANSLATED:
            (other,) = TRANSLATED - {one.lang}
            texts = texts + self._model.translated * (rows["lang"] == LANGUAGE_CODES[other])
        return _EntryBounds(shared, texts, (np.array(read_shifts(one))[kinds] + theirs) / 2)


def _may_be_related(bounds: Bounds, view: TextView, scores: Floats) -> Flags:
    """Return of each bounded text whether it may be "part", "update" or "similar", if no copy.

    `scores` bound the probabilities by the texts alone. The conditions are those of
    `choose_relation`, without what bounds do not say.
    """
    shorter, longer = np.minimum(bounds.sizes, view.size), np.maximum(bounds.sizes, view.size)
    part = (bounds.cover >= PART_COVERED) & (longer >= PART_RATIO * np.maximum(1, shorter))
    moved = bounds.moved
    if may_be_called_off(view):
        moved = moved | (longer <= ALERT_LEMMAS)
    more = (bounds.phrases > 0) | bounds.moved | (bounds.signature >= MOVED_SIGNATURE)
    update = (bounds.lead_overlap >= MOVED_OVERLAP) & moved & more
    return part | update | ((scores >= SIMILAR_TEXT) & (bounds.freshness >= STALE))
