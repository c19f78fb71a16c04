"""What two texts are to each other: a copy, a part, an update, or contradictory, by ordered rules.

Texts that contradict each other state what cannot be one message: the model is overruled then.
"""

from collections.abc import Iterable, Mapping
from typing import Literal

from newsdedup.core.facts.comparison import (
    clock_codes,
    missing_days,
    ordinals_conflict,
    times_conflict,
)
from newsdedup.core.facts.fact import FactKind
from newsdedup.core.facts.moves import find_moves
from newsdedup.core.matching.verify.features import (
    ViewComparison,
    begin_with_other_ranks,
    signature_cover,
)
from newsdedup.core.matching.verify.view import (
    LEMMAS,
    WEIGHT_BITS,
    TextView,
    lemma_codes,
    resemblance,
)
from newsdedup.core.model import Relation
from newsdedup.core.words.background import term_key

SAME_PHRASES = 0.6
"""Share of the phrases of the smaller sample from which texts are the same but for a few words."""

SAME_WORDS = 0.6
"""Share of the words of either text from which two whole texts of two sources are the same."""

OTHER_NAMES = 0.45
"""Value of the feature `names` from which each of two such texts names others."""

ALERT_LEMMAS = 24
"""Content lemmas of the longest text that is taken for an alert: a report tells of its end, too."""

_BELOW = 0.01
"""How far below the threshold a score stays where the texts contradict each other."""

MANY_CONFLICTS = 3
"""Conflicts of quantities from which two texts of one form are two messages."""

Contradiction = Literal["figures", "values", "places", "over", "days", "counts", "names"]
"""What contradicts a copy, in the order in which it is looked for."""


def find_contradiction(
    comparison: ViewComparison,
    earlier: TextView,
    later: TextView,
    *,
    same_source: bool,
    translated: bool,
) -> Contradiction | None:
    """Return in what two texts contradict each other, however much they share, or None.

    - figures: each begins with a quantity that the other lacks, and two that count the same differ.
    - values: three quantities or more that count the same differ, and fewer agree: two bulletins.
    - places: each begins with another rank in one order (the 17th and the 18th package).
    - over: one is an alert, the other its all-clear.

    Of one source, or where two sources have the same short text in most words, also:

    - days: neither names the days with which the other begins.
    - counts, names: they share most phrases, but count something differently, or name others.
      Names in a translation are spelled in so many ways that they contradict nothing.

    A source says the same again only of something new. Two sources that publish one article at
    length differ in a day, a misprint or the names that they add: there these are only weighed
    (docs/decisions/0021).
    """
    features, quantities = comparison.features, comparison.quantities
    first: Contradiction | None = None
    if features.opening_both and features.conflicts:
        first = "figures"
    elif quantities.conflicts >= max(MANY_CONFLICTS, quantities.agreed + 1):
        first = "values"
    elif begin_with_other_ranks(earlier, later):
        first = "places"
    elif _is_called_off(earlier, later):
        first = "over"
    if first is not None:
        return first
    # What is taken over word for word names and counts nothing that the whole text does not.
    if is_excerpt(comparison, earlier, later):
        return None
    # Texts so short are stored whole.
    short = max(earlier.size, later.size) <= LEMMAS
    if same_source or (short and features.cover >= SAME_WORDS):
        return _find_moved_notice(comparison, earlier, later, translated)
    return None


def _find_moved_notice(
    comparison: ViewComparison, earlier: TextView, later: TextView, translated: bool
) -> Contradiction | None:
    """Return "days", "counts" or "names" if the texts contradict each other in these, or None."""
    features = comparison.features
    if features.dates == 1:
        return "days"
    smaller = min(len(earlier.phrases.hashes), len(later.phrases.hashes))
    if not comparison.phrases.shared >= SAME_PHRASES * smaller > 0:
        return None
    if comparison.quantities.conflicts > times_conflict(earlier.facts, later.facts):
        return "counts"
    return "names" if not translated and features.names >= OTHER_NAMES else None


def most_of_contradicted(threshold: float) -> float:
    """Return the highest score that texts which contradict each other get: threshold - 0.01."""
    return round(threshold - _BELOW, 4)


_DESCRIPTIONS: Mapping[Contradiction, str] = {
    "days": "they begin with different days",
    "names": "they say the same of other names",
    "values": "most of what both count is another number",
    "places": "they begin with other ranks in one order",
    "over": "one says that the alert is over",
    "counts": "they say the same, but {counts}",
    "figures": "each begins with {quantity} the other lacks, and they {counts}",
}


def describe_contradiction(contradiction: Contradiction, a: TextView, b: TextView) -> str:
    """Return the contradiction of two texts as a clause in English, for a reader of the verdict."""
    counts = any(move.kind < FactKind.ORDINAL for move in find_moves(a.facts, b.facts))
    differences = ["count one thing differently"] if counts else []
    if times_conflict(a.facts, b.facts):
        differences.append("name other times of day")
    # The remaining kind of conflict: one value of two measures.
    differences = differences or ["count different things with one number"]
    timed = clock_codes(a.opening) or clock_codes(b.opening)
    quantity = "a number or a time of day" if timed else "a number"
    return _DESCRIPTIONS[contradiction].format(quantity=quantity, counts=" and ".join(differences))


def _lemma_hashes(lemmas: str) -> frozenset[int]:
    """Return the hashes of lemmas that spaces divide: their codes without the weights."""
    return _without_weights(lemma_codes([term_key(lemma, None) for lemma in lemmas.split()]))


def _without_weights(codes: Iterable[int]) -> frozenset[int]:
    """Return the hashes in codes of lemmas, which have the weight in their lowest 6 bits."""
    return frozenset([code >> WEIGHT_BITS for code in codes])


_ALERTS = _lemma_hashes("тревога опасность угроза небезпека загроза")
_ALL_CLEAR = _lemma_hashes("отбой")
_OVER = _ALL_CLEAR | _lemma_hashes(
    "отмена отменить снять снятой снятый прекратить прекратиться окончание окончить закончить"
    " закончиться завершить завершиться миновать минуть"
)
"""What says that an alert is over. Ukrainian lemmas have Russian names (docs/decisions/0011)."""


def _is_called_off(one: TextView, other: TextView) -> bool:
    """Return whether two short texts are about an alert, and exactly one is its all-clear."""
    if max(one.size, other.size) > ALERT_LEMMAS:
        return False
    ours, theirs = _without_weights(one.lemmas), _without_weights(other.lemmas)
    first, second = not _OVER.isdisjoint(ours), not _OVER.isdisjoint(theirs)
    if first is second or _ALL_CLEAR.isdisjoint(ours if first else theirs):
        return False
    return not _ALERTS.isdisjoint(ours & theirs)


PLAIN_PHRASES = 10
"""Fresh phrases in a sample of 32 that a plain copy shares at least."""

PLAIN_RESEMBLANCE = 0.7
REPRINT_RESEMBLANCE = 0.45
"""Of the labelled pairs that are found, 95 % of the reprints reach it and 12 % of the rewrites."""

_STALE = 0.3
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


def is_excerpt(
    comparison: ViewComparison,
    earlier: TextView,
    later: TextView,
    *,
    missing: int = EXCERPT_MISSING,
) -> bool:
    """Return whether the later text is taken over from the earlier one, from any place in it.

    All phrases of its sample but `missing` are in the earlier text, ten of which their sources do
    not repeat, and it states no quantity and begins with no day that the earlier text lacks. Of a
    text that is stored whole it has no other word either.
    """
    if not shares_enough_phrases(comparison) or later.size > EXCERPT_SIZES[1] * earlier.size:
        return False
    if earlier.size <= LEMMAS and comparison.cover_later < EXCERPT_COVERED:
        return False
    limit = min(earlier.phrases.limit, later.phrases.limit)
    known = sum([phrase <= limit for phrase in later.phrases.hashes])
    contained = comparison.phrases.shared >= known - missing
    quantities = comparison.quantities
    return contained and not (
        quantities.right
        or quantities.conflicts
        or missing_days(later.opening, earlier.facts)
        or ordinals_conflict(earlier.facts, later.facts)
    )


def is_long_excerpt(
    comparison: ViewComparison, earlier: TextView, later: TextView, *, same_source: bool
) -> bool:
    """Return whether the later text is a copy of much of the earlier one, and of nothing else."""
    missing = 0 if same_source else EXCERPT_MISSING
    is_long = later.size >= EXCERPT_SIZES[0] * earlier.size
    return is_long and is_excerpt(comparison, earlier, later, missing=missing)


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
        excerpt = resembling or is_excerpt(comparison, earlier, later)
        return "reprint" if excerpt else "rewrite"
    covered = max(comparison.cover_earlier, comparison.cover_later)
    shorter, longer = sorted((earlier.size, later.size))
    is_part = covered >= PART_COVERED and longer >= PART_RATIO * max(1, shorter)
    is_part = is_part or is_excerpt(comparison, earlier, later)
    if contradiction is None and is_part:
        return "part"
    features = comparison.features
    moved = features.conflicts or features.opening_both or features.dates
    if moved or contradiction in ("places", "over"):
        # A town has many news a day: a phrase, a count or part of the signature must be common.
        common = comparison.phrases.shared or features.conflicts
        common = common or signature_cover(earlier, later) >= MOVED_SIGNATURE
        if features.head >= MOVED_OVERLAP and common:
            return "update"
    template = comparison.phrases.shared and comparison.phrases.freshness < _STALE
    return "none" if template or text_probability < SIMILAR_TEXT else "similar"
