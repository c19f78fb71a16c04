"""Which of many candidates may match an entry by rule `verified`, and how well at best."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from newsdedup.core.matching.rules import Prospect
from newsdedup.core.matching.verify.bounds import Bounds, BoundTables, bound_probability
from newsdedup.core.matching.verify.copy_rates import TRANSLATED, is_translated, pair_kinds
from newsdedup.core.matching.verify.figure_bounds import Floats
from newsdedup.core.matching.verify.marks import CENTS, read_shifts
from newsdedup.core.matching.verify.model import Model
from newsdedup.core.matching.verify.relations import may_be_plain_copy, may_be_related
from newsdedup.core.matching.verify.view import TextView
from newsdedup.core.model import Entry


class EntryBounds(NamedTuple):
    """The bounds of many entries by one, an element for each."""

    shared: Bounds
    text_logits: Floats
    """The log-odds of a duplicate by the texts and languages alone."""
    shifts: Floats
    """How much copy rates move them: the mean of what both entries froze."""


def bound_entries(
    tables: BoundTables, one: Entry, others: Sequence[Entry], model: Model
) -> EntryBounds:
    """Return the bounds of other entries by the tables of one."""
    source, at = one.key.source, one.effective_at
    same = np.array([other.key.source == source for other in others])
    apart = np.abs(np.array([other.effective_at for other in others]) - at)
    shared = tables.bound([other.marks[-1].body for other in others], same)
    kinds = pair_kinds(same=same, apart=apart)
    theirs = shared.shifts[np.arange(len(others)), kinds] / CENTS
    texts = shared.logit + _translation(one, others, model)
    return EntryBounds(shared, texts, (np.array(read_shifts(one))[kinds] + theirs) / 2)


def find_prospects(
    one: Entry,
    others: Sequence[Entry],
    bounds: EntryBounds,
    *,
    view: TextView,
    model: Model,
    threshold: float,
) -> list[Prospect]:
    """Return those of the other entries that may match one, in their order.

    `view` is that of the one entry. Equal texts and digests are prospects whatever their bounds.
    """
    shared, texts, shifts = bounds
    scores = bound_probability(texts + model.habit * shifts)
    duplicates = (scores >= threshold) | may_be_plain_copy(shared)
    related = may_be_related(shared, view, bound_probability(texts))
    scores[duplicates] = np.maximum(scores[duplicates], threshold)
    unbounded = [other.version == one.version or bool(other.passages) for other in others]
    scores[unbounded] = 1.0
    duplicates[unbounded] = True
    places = np.flatnonzero(duplicates | related)
    columns = (places, scores[places], duplicates[places])
    return list(map(Prospect, *[column.tolist() for column in columns]))


def _translation(one: Entry, others: Sequence[Entry], model: Model) -> float | Floats:
    """Return what the model adds to the log-odds of pairs in Russian and Ukrainian."""
    if one.lang not in TRANSLATED:
        return 0.0
    return model.translated * np.array([is_translated(one, other) for other in others])
