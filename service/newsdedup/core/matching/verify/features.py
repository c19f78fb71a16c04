"""What speaks for and against two texts being one message, as a handful of numbers."""

from collections.abc import Iterable
from math import log1p
from typing import NamedTuple

from newsdedup.core.facts import comparison
from newsdedup.core.matching.verify.opening import Stated, count_missing_figures, other_days_share
from newsdedup.core.matching.verify.phrases import SharedPhrases, shared_phrases
from newsdedup.core.matching.verify.view import PER_NAT, WEIGHT_MASK, TextView, sum_weights


def retold_share(head: Iterable[int], names: tuple[int, ...], whole: set[int]) -> float:
    """Return W(head without names and whole) / W(head without names); 0 if nothing is left.

    `names` are those with which either text begins: what is left is what is told of them.
    """
    weight = held = 0
    for lemma in head:
        if lemma not in names:
            weight += lemma & WEIGHT_MASK
            if lemma in whole:
                held += lemma & WEIGHT_MASK
    return held / weight if weight else 0.0


def weight_overlap(left: Iterable[int], right: Iterable[int], smaller: int) -> float:
    """Return W(left and right) / min(W(left), W(right)); 0 if either is empty."""
    return sum_weights(set(left).intersection(right)) / smaller if smaller else 0.0


def held_share(terms: tuple[int, ...], whole: set[int]) -> float:
    """Return the share of the terms that the other text holds; without terms 0."""
    return len(whole.intersection(terms)) / len(terms) if terms else 0.0


def shared_mass(weight: int) -> float:
    """Return ln(1 + W), W in nats: a long text shares more than a headline can."""
    return log1p(weight / PER_NAT)


_SCALE = 10 * PER_NAT
"""The weight of one very rare name."""


def strange_weight(lemmas: Iterable[int], whole: set[int]) -> int:
    """Return the weight of the lemmas that the other text does not hold."""
    return sum([lemma & WEIGHT_MASK for lemma in lemmas if lemma not in whole])


def other_subject(left: int, right: int, *, shared: float, phrases: int) -> float:
    """Return ln(1 + min(W(left only), W(right only)) / 10) * shared / phrases.

    The weights are those of what the first sentence of each says and the other text does not; the
    share is that of the phrases in common, of the smaller sample. Another firm pays the same
    dividend, another street is closed in the same words: much of the one and of the other. A
    rewrite has words of its own, too, but not in the same phrases.
    """
    return log1p(min(left, right) / _SCALE) * shared / phrases if phrases else 0.0


def name_conflict(left: int, right: int) -> float:
    """Return ln(1 + min(W(left only), W(right only)) / 10): both name what the other does not.

    A copy that is cut short lacks names but has none of its own, so it does not conflict.
    """
    return log1p(min(left, right) / _SCALE)


class Features(NamedTuple):
    """Symmetric but for `freshness`, which looks at who came first; the model weighs them."""

    numbers: float
    """Share of figures that agree: (m + 1) / (m + u + v + 1), u and v without a counterpart."""
    number_count: float
    """ln(1 + figures that agree + those of them that count the same thing, as their units say)."""
    conflicts: float
    """ln(1 + figures on either side that count the same and differ: 5 and 7 injured)."""
    opening: float
    """ln(1 + figures of the first two sentences, of either text, that the other lacks)."""
    opening_both: float
    """1 if each text begins with a figure that the other lacks."""
    dates: float
    """Share of the days with which they begin that the other text does not name."""
    names: float
    """How much both name what the other does not."""
    subject: float
    """How much each begins with what the other lacks, in the phrases that they share."""
    freshness: float
    """How new the shared phrases are to their sources."""
    lead: float
    """Share of the first sentence, names apart, that the other text holds: the mean of both."""
    signature: float
    """Share of the signature that the other text holds, of the worse covered text."""
    head: float
    """Overlap of the first sentences by weight."""
    mass: float
    """ln(1 + weight of the shared lemmas, but for the names with which the texts begin)."""


class ViewComparison(NamedTuple):
    """The features of a pair and what they were taken from."""

    features: Features
    phrases: SharedPhrases
    figures: comparison.Comparison
    cover_earlier: float
    """Share of the earlier text's lemmas, by weight, that the later one holds."""
    cover_later: float


def compare_views(earlier: TextView, later: TextView, *, repeated: bool = False) -> ViewComparison:
    """Return the comparison of two views, in the total order.

    `repeated` tells that the later one's counts of phrases hold the earlier one.
    """
    here, there = set(earlier.lemmas), set(later.lemmas)
    shared = here & there
    weight = sum_weights(shared)
    phrases = shared_phrases(earlier.phrases, later.phrases, repeated=repeated)
    figures = comparison.compare(earlier.facts, later.facts)
    begun = (
        count_missing_figures(earlier.opening, later.facts)
        if figures.left or figures.conflicts
        else 0
    )
    begun_later = (
        count_missing_figures(later.opening, earlier.facts)
        if figures.right or figures.conflicts
        else 0
    )
    one, other = earlier.masses, later.masses
    names = earlier.names + later.names
    features = Features(
        numbers=figures.agreement,
        number_count=_number_count(figures.agreed, earlier, later),
        conflicts=log1p(figures.conflicts),
        opening=log1p(begun + begun_later),
        opening_both=float(begun > 0 and begun_later > 0),
        dates=other_days_share(
            Stated(earlier.facts, earlier.opening), Stated(later.facts, later.opening)
        ),
        names=name_conflict(
            strange_weight(earlier.names, there), strange_weight(later.names, here)
        ),
        subject=other_subject(
            strange_weight(earlier.head, there),
            strange_weight(later.head, here),
            shared=phrases.fresh,
            phrases=min(len(earlier.phrases.hashes), len(later.phrases.hashes)),
        ),
        freshness=phrases.freshness,
        lead=(retold_share(earlier.head, names, there) + retold_share(later.head, names, here)) / 2,
        signature=min(held_share(earlier.terms, there), held_share(later.terms, here)),
        head=weight_overlap(earlier.head, later.head, min(one.head, other.head)),
        mass=shared_mass(weight - sum_weights(shared.intersection(names))),
    )
    return ViewComparison(
        features,
        phrases,
        figures,
        weight / one.lemmas if one.lemmas else 0.0,
        weight / other.lemmas if other.lemmas else 0.0,
    )


def _number_count(agreed: int, earlier: TextView, later: TextView) -> float:
    if not agreed:
        return 0.0
    return log1p(agreed + min(agreed, comparison.counted_alike(earlier.facts, later.facts)))
