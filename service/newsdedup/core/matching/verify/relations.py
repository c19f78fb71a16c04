"""The relation of two messages, by ordered rules over their comparison."""

import numpy as np

from newsdedup.core.facts.comparison import ordinals_conflict
from newsdedup.core.matching.rows import Flags, Floats
from newsdedup.core.matching.verify.bounds import Bounds
from newsdedup.core.matching.verify.contradictions import ALERT_LEMMAS, Contradiction
from newsdedup.core.matching.verify.features import ViewComparison, signature_cover
from newsdedup.core.matching.verify.phrases import resemblance
from newsdedup.core.matching.verify.view import TextView
from newsdedup.core.model import Relation

PLAIN_PHRASES = 10
"""Fresh phrases in a sample of 32 that a plain copy shares at least."""

PLAIN_RESEMBLANCE = 0.7
REPRINT_RESEMBLANCE = 0.45
"""Of the labelled pairs that are found, 95 % of the reprints reach it and 12 % of the rewrites."""

_STALE = 0.3
"""Mean worth of the shared phrases below which two texts are alike by their template."""

_PART_COVERED = 0.7
_PART_RATIO = 2.0
"""How many times more content lemmas the whole has than its part."""

_MOVED_OVERLAP = 0.4
"""Overlap of the first sentences from which other quantities make an update."""

_MOVED_SIGNATURE = 0.3
"""Share of the signatures from which such texts are about one matter, whatever else they share."""

_SIMILAR_TEXT = 0.03
"""Probability by the texts alone from which two messages are about one thing."""


def shares_enough_phrases(comparison: ViewComparison) -> bool:
    """Return whether two texts share ten fresh phrases: if equal, such texts are one message."""
    return comparison.phrases.fresh >= PLAIN_PHRASES


def is_plain_copy(comparison: ViewComparison, earlier: TextView, later: TextView) -> bool:
    """Return whether the texts are the same on their face, whatever the statistics of the stream.

    Every quantity and time of day agrees, and no ordinal or year is another one (3rd and 5th
    round); the samples of phrases resemble each other by 0.7, and ten phrases that their sources do
    not repeat are shared, so no template passes.
    """
    quantities = comparison.quantities
    return (
        shares_enough_phrases(comparison)
        and not quantities.left
        and not quantities.right
        and not quantities.conflicts
        and not comparison.features.dates
        and resemblance(earlier.phrases, later.phrases) >= PLAIN_RESEMBLANCE
        and not ordinals_conflict(earlier.facts, later.facts)
    )


def choose_relation(
    comparison: ViewComparison,
    earlier: TextView,
    later: TextView,
    *,
    duplicate: bool,
    contradiction: Contradiction | None,
    text_probability: float,
) -> Relation:
    """Return the relation of two messages, by the first rule that applies.

    1. A duplicate is a reprint if its phrases resemble the other's, else a rewrite.
    2. Part: the other text is at least twice as long, covers the shorter one and does not
       contradict it.
    3. Update: the first sentences overlap and the texts have more in common than these words, but
       a quantity, the day or a rank is another one, or an alert is over.
    4. None: the texts are alike by phrases that a source repeats, or hardly alike.
    5. Else similar.

    `text_probability` leaves out how often such pairs are copies in the stream: that decides about
    a copy, not about what two texts are about.
    """
    if duplicate:
        resembling = resemblance(earlier.phrases, later.phrases) >= REPRINT_RESEMBLANCE
        return "reprint" if resembling else "rewrite"
    covered = max(comparison.cover_earlier, comparison.cover_later)
    shorter, longer = sorted((earlier.size, later.size))
    is_part = covered >= _PART_COVERED and longer >= _PART_RATIO * max(1, shorter)
    if contradiction is None and is_part:
        return "part"
    features = comparison.features
    moved = features.conflicts or features.opening_both or features.dates
    if moved or contradiction in ("places", "over"):
        # A town has many news a day: a phrase, a count or part of the signature must be common.
        common = comparison.phrases.shared or features.conflicts
        common = common or signature_cover(earlier, later) >= _MOVED_SIGNATURE
        if features.head >= _MOVED_OVERLAP and common:
            return "update"
    template = comparison.phrases.shared and comparison.phrases.freshness < _STALE
    return "none" if template or text_probability < _SIMILAR_TEXT else "similar"


def may_be_related(bounds: Bounds, view: TextView, scores: Floats) -> Flags:
    """Return which of the bounded texts may be more than nothing to one that they do not copy.

    `scores` bound the probabilities by the texts alone. The conditions are those of
    `choose_relation`, without what bounds do not say.
    """
    shorter, longer = np.minimum(bounds.sizes, view.size), np.maximum(bounds.sizes, view.size)
    part = (bounds.cover >= _PART_COVERED) & (longer >= _PART_RATIO * np.maximum(1, shorter))
    moved = bounds.moved | (longer <= ALERT_LEMMAS)
    more = (bounds.phrases > 0) | bounds.moved | (bounds.signature >= _MOVED_SIGNATURE)
    update = (bounds.lead_overlap >= _MOVED_OVERLAP) & moved & more
    return part | update | (scores >= _SIMILAR_TEXT)
