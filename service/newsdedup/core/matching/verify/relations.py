"""What two texts are to each other: a copy, a part, an update or similar, by ordered rules."""

from typing import Literal

from newsdedup.core.facts.comparison import missing_days, ordinals_conflict
from newsdedup.core.matching.verify.features import ViewComparison, signature_cover
from newsdedup.core.matching.verify.view import LEMMAS, TextView, resemblance
from newsdedup.core.model import Relation

Contradiction = Literal[
    "figures", "values", "places", "over", "edited", "days", "counts", "names", "news"
]
"""What contradicts a copy, in the order in which it is looked for."""

PLAIN_PHRASES = 10
"""Fresh phrases in a sample of 32 that a plain copy shares at least."""

PLAIN_RESEMBLANCE = 0.7
REPRINT_RESEMBLANCE = 0.45
"""Of the labelled pairs that are found, 95 % of the reprints reach it and 12 % of the rewrites."""

STALE = 0.3
"""Mean worth of the shared phrases below which two texts are alike by their template."""

PART_COVERED = 0.7
PART_RATIO = 2.0
"""How many times more content lemmas the whole has than its part."""

MOVED_OVERLAP = 0.4
"""Overlap of the first sentences from which other quantities make an update."""

MOVED_SIGNATURE = 0.3
"""Share of the signatures from which such texts are about one matter, whatever else they share."""

SIMILAR_TEXT = 0.03
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


EXCERPT_MISSING = 1
"""Phrases in a sample of an excerpt that the whole text may lack, such as one of a new title.

A copy of one source lacks none: a follow-up is a new sentence above the background of its report.
"""

EXCERPT_COVERED = 0.95
"""Share of an excerpt's lemmas, by weight, that the whole text has if it is stored whole."""

EXCERPT_SIZES = (0.4, 0.85)
"""Least and most content lemmas of an excerpt that is a copy, as a share of the whole text's."""

MANY_FACTS = 12
"""Facts of a text from which on others behind them may not be stored.

32 are read from its beginning, of which equal ones are stored once, and 24 at most.
"""

SURE = 0.9
"""Least score of a plain copy and of a long excerpt: so much suffices to join by a variant."""


def is_excerpt(
    comparison: ViewComparison, earlier: TextView, later: TextView, *, same_source: bool
) -> bool:
    """Return whether the later text is taken over from the earlier one, from any place in it.

    All phrases of its sample are in the earlier text, or all but one of another source; ten of them
    are phrases that their sources do not repeat. It states no quantity and begins with no day that
    the earlier text lacks. That is not asked of another source that lacks no phrase if the earlier
    text states so much that not all is stored. Of a text that is stored whole it has no other word
    either.
    """
    if not shares_enough_phrases(comparison) or later.size > EXCERPT_SIZES[1] * earlier.size:
        return False
    if earlier.size <= LEMMAS and comparison.cover_later < EXCERPT_COVERED:
        return False
    limit = min(earlier.phrases.limit, later.phrases.limit)
    known = sum([phrase <= limit for phrase in later.phrases.hashes])
    lacking = known - comparison.phrases.shared
    if lacking > (0 if same_source else EXCERPT_MISSING):
        return False
    if not lacking and not same_source and len(earlier.facts) >= MANY_FACTS:
        return True
    quantities = comparison.quantities
    return not (
        quantities.right
        or quantities.conflicts
        or missing_days(later.opening, earlier.facts)
        or ordinals_conflict(earlier.facts, later.facts)
    )


def is_long_excerpt(
    comparison: ViewComparison, earlier: TextView, later: TextView, *, same_source: bool
) -> bool:
    """Return whether the later text is a copy of much of the earlier one, and of nothing else."""
    is_long = later.size >= EXCERPT_SIZES[0] * earlier.size
    return is_long and is_excerpt(comparison, earlier, later, same_source=same_source)


def choose_relation(
    comparison: ViewComparison,
    earlier: TextView,
    later: TextView,
    *,
    same_source: bool,
    duplicate: bool,
    contradiction: Contradiction | None,
    text_probability: float,
) -> Relation:
    """Return the relation of two messages, by the first rule that applies.

    1. A duplicate is a reprint if its phrases resemble the other's or are taken over from it, else
       a rewrite.
    2. Part: the other text is at least twice as long, covers the shorter one and does not
       contradict it; or the later text is taken over from the earlier one.
    3. Update: the first sentences overlap and the texts have more in common than these words, but
       a quantity, the day or a rank is another one, or an alert is over.
    4. None: the texts are alike by phrases that a source repeats, or hardly alike.
    5. Else similar.

    `text_probability` leaves out how often such pairs are copies in the stream: that decides about
    a copy, not about what two texts are about.
    """
    if duplicate:
        resembling = resemblance(earlier.phrases, later.phrases) >= REPRINT_RESEMBLANCE
        excerpt = resembling or is_excerpt(comparison, earlier, later, same_source=same_source)
        return "reprint" if excerpt else "rewrite"
    covered = max(comparison.cover_earlier, comparison.cover_later)
    shorter, longer = sorted((earlier.size, later.size))
    is_part = covered >= PART_COVERED and longer >= PART_RATIO * max(1, shorter)
    is_part = is_part or is_excerpt(comparison, earlier, later, same_source=same_source)
    if contradiction is None and is_part:
        return "part"
    features = comparison.features
    moved = features.conflicts or features.opening_both or features.dates
    if moved or contradiction in ("places", "over", "edited", "news"):
        # A town has many news a day: a phrase, a count or part of the signature must be common.
        common = comparison.phrases.shared or features.conflicts
        common = common or signature_cover(earlier, later) >= MOVED_SIGNATURE
        if features.head >= MOVED_OVERLAP and common:
            return "update"
    template = comparison.phrases.shared and comparison.phrases.freshness < STALE
    return "none" if template or text_probability < SIMILAR_TEXT else "similar"
