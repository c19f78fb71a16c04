"""From a comparison and its probability to a relation: ordered rules, each with its reason."""

from typing import Literal

from newsdedup.core.facts.comparison import ordinals_conflict, times_conflict
from newsdedup.core.matching.verify.called_off import called_off
from newsdedup.core.matching.verify.features import Comparison
from newsdedup.core.matching.verify.opening import Stated, other_places
from newsdedup.core.matching.verify.phrases import resemblance
from newsdedup.core.matching.verify.view import View
from newsdedup.core.model import Relation

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

MOVED_HEAD = 0.4
"""Overlap of the first sentences from which other figures make an update."""

MOVED_SIGNATURE = 0.3
"""Share of the signatures from which such texts are about one matter, whatever else they share."""

SAME_PHRASES = 0.6
"""Share of the phrases of the smaller sample from which texts are the same but for a few words."""

OTHER_NAMES = 0.45
"""Of the feature `names`, from which each of two such texts names somebody or some place else."""

SIMILAR_TEXT = 0.03
"""Probability by the texts alone from which two messages are about one thing."""

Contradiction = Literal["days", "figures", "places", "counts", "over", "names"]
"""What contradicts a copy: the first of these that does."""


def says_enough(comparison: Comparison) -> bool:
    """Return whether two texts share so many phrases that equal ones are one message, always."""
    return comparison.phrases.fresh >= PLAIN_PHRASES


def plain_copy(comparison: Comparison, earlier: View, later: View) -> bool:
    """Return whether the texts are the same on their face, whatever the stream has taught.

    Every figure and time of day agrees, and no ordinal or year is another one (3rd and 5th
    place); the samples of phrases resemble each other by 0.7, and ten phrases that their sources do
    not repeat are shared, so no template passes.
    """
    figures = comparison.figures
    return (
        says_enough(comparison)
        and not figures.left
        and not figures.right
        and not figures.conflicts
        and not comparison.features.dates
        and resemblance(earlier.phrases, later.phrases) >= PLAIN_RESEMBLANCE
        and not ordinals_conflict(earlier.facts, later.facts)
    )


def contradiction(
    comparison: Comparison, earlier: View, later: View, *, translated: bool
) -> Contradiction | None:
    """Return in what the texts state what cannot be one message, however much they share, or None.

    They begin with days that the other one does not name; or each begins with a figure that the
    other lacks and some figure counts the same and differs, or with another place in one order; or
    they say the same phrases, but count something otherwise, wherever it stands, or say them of
    other names; or one of two alerts is over. Names in a translation are spelled in so many ways
    that they contradict nothing.
    """
    features = comparison.features
    if features.dates == 1:
        return "days"
    if features.opening_both and features.conflicts:
        return "figures"
    if other_places(Stated(earlier.facts, earlier.opening), Stated(later.facts, later.opening)):
        return "places"
    smaller = min(len(earlier.phrases.hashes), len(later.phrases.hashes))
    same = comparison.phrases.shared >= SAME_PHRASES * smaller > 0
    if same and comparison.figures.conflicts > times_conflict(earlier.facts, later.facts):
        return "counts"
    if called_off(earlier, later):
        return "over"
    return "names" if same and not translated and features.names >= OTHER_NAMES else None


def relation(
    comparison: Comparison,
    earlier: View,
    later: View,
    *,
    duplicate: bool,
    apart: Contradiction | None,
    by_text: float,
) -> Relation:
    """Return how two messages stand to each other: the first rule that holds.

    1. A duplicate is a reprint if its phrases resemble the other's, else a rewrite.
    2. The shorter lies in the other one, which is twice as long and more and contradicts it in
       nothing: part.
    3. The first sentences overlap and the texts have more in common than these words, but a figure
       or the day is another one, or the place in an order, or an alert is over: update.
    4. Alike by phrases that a source repeats, or hardly alike: none.
    5. Else similar.

    `by_text` is the probability without the habits of the sources: what a source uses to do
    decides about a copy, not about what two texts are about.
    """
    if duplicate:
        resembling = resemblance(earlier.phrases, later.phrases) >= REPRINT_RESEMBLANCE
        return "reprint" if resembling else "rewrite"
    if apart is None and _is_part(comparison, earlier.size, later.size):
        return "part"
    moved = apart in ("places", "over") or _facts_moved(comparison)
    if moved and _of_one_matter(comparison):
        return "update"
    template = comparison.phrases.shared and comparison.phrases.freshness < STALE
    return "none" if template or by_text < SIMILAR_TEXT else "similar"


def _facts_moved(comparison: Comparison) -> bool:
    """Return whether a figure or the day is another one, not only told by one of them."""
    features = comparison.features
    return bool(features.conflicts or features.opening_both or features.dates)


def _of_one_matter(comparison: Comparison) -> bool:
    """Return whether more than the words of a headline is common: a town has many news a day."""
    features = comparison.features
    more = comparison.phrases.shared or features.conflicts or features.signature >= MOVED_SIGNATURE
    return features.head >= MOVED_HEAD and bool(more)


def _is_part(comparison: Comparison, earlier: int, later: int) -> bool:
    covered = max(comparison.cover_earlier, comparison.cover_later)
    return covered >= PART_COVERED and max(earlier, later) >= PART_RATIO * max(
        1, min(earlier, later)
    )
