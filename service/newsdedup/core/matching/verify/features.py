"""The features of two texts: what speaks for and against their being one message, as numbers.

To add one: a function of a ViewPair, a field of Features, and a line in FEATURES with its words. A
model that was fitted without it gives it the weight 0. docs/verifier.md works out an example of
each.
"""

from collections.abc import Callable, Iterable
from math import log1p
from typing import NamedTuple

from newsdedup.core.facts.comparison import FactComparison, compare_facts, count_shared
from newsdedup.core.matching.verify.opening import count_missing_quantities, other_days_share
from newsdedup.core.matching.verify.phrases import SharedPhrases, shared_phrases
from newsdedup.core.matching.verify.view import PER_NAT, WEIGHT_MASK, TextView, sum_weights

RARE_NAME = 10 * PER_NAT
"""The weight of one very rare name."""

MUCH_REUSED = 8
"""Shared phrases, of 32 at most, that are much if their sources had used them before."""


class Features(NamedTuple):
    """The values of the features, in the order of FEATURES."""

    numbers: float
    number_count: float
    conflicts: float
    opening_both: float
    dates: float
    names: float
    freshness: float
    reuse: float
    lead: float
    head: float
    cover: float
    mass: float


class ViewPair(NamedTuple):
    """Two views in the total order, and what several features read of them."""

    earlier: TextView
    later: TextView
    earlier_lemmas: frozenset[int]
    later_lemmas: frozenset[int]
    shared: frozenset[int]
    """The lemmas of both."""
    shared_weight: int
    cover_earlier: float
    """Share of the earlier text's lemmas, by weight, that the later one contains."""
    cover_later: float
    phrases: SharedPhrases
    quantities: FactComparison
    missing_later: int
    """Quantities with which the earlier text begins and that the later one lacks."""
    missing_earlier: int
    same_source: bool


def _number_count(pair: ViewPair) -> float:
    """Return ln(1 + m + k): of m quantities that agree k count the same thing, by their units."""
    agreed = pair.quantities.agreed
    if not agreed:
        return 0.0
    return log1p(agreed + min(agreed, count_shared(pair.earlier.facts, pair.later.facts)))


def _names(pair: ViewPair) -> float:
    """Return ln(1 + min(W(left only), W(right only)) / 10) of the names of both texts.

    W is a sum of weights in nats of idf. A copy that is cut short lacks names but has none of its
    own, so it does not conflict.
    """
    left = sum_weights([name for name in pair.earlier.names if name not in pair.later_lemmas])
    right = sum_weights([name for name in pair.later.names if name not in pair.earlier_lemmas])
    return log1p(min(left, right) / RARE_NAME)


def _reuse(pair: ViewPair) -> float:
    """Return ln(1 + n / 8): n shared phrases had been used before, by both sources twice or more.

    Within one source one use is enough, alongside the earlier text: a follow-up takes over the
    background of earlier reports, a notice of every day its form. Of two sources each may have
    reported the story once.
    """
    used = pair.phrases.used if pair.same_source else pair.phrases.reused
    return log1p(used / MUCH_REUSED)


def _lead(pair: ViewPair) -> float:
    """Return the share of the first sentence, by weight, that the other text contains.

    It is the mean of both texts. The names with which either begins are left out.
    """
    names = pair.earlier.names + pair.later.names
    return (
        _covered_lead(pair.earlier.lead, names, pair.later_lemmas)
        + _covered_lead(pair.later.lead, names, pair.earlier_lemmas)
    ) / 2


def _covered_lead(lead: Iterable[int], names: tuple[int, ...], others: frozenset[int]) -> float:
    """Return the share, by weight, of a lead without names that is among the others' lemmas, or 0.

    The arguments are codes of lemmas.
    """
    weight = covered = 0
    for lemma in lead:
        if lemma not in names:
            weight += lemma & WEIGHT_MASK
            if lemma in others:
                covered += lemma & WEIGHT_MASK
    return covered / weight if weight else 0.0


def _lead_overlap(pair: ViewPair) -> float:
    """Return the weight that the first sentences share, over that of the lighter one, or 0."""
    smaller = min(pair.earlier.masses.lead, pair.later.masses.lead)
    if not smaller:
        return 0.0
    return sum_weights(set(pair.earlier.lead).intersection(pair.later.lead)) / smaller


def _mass(pair: ViewPair) -> float:
    """Return ln(1 + weight of the shared lemmas in nats), without names the texts begin with."""
    names = pair.shared.intersection(pair.earlier.names + pair.later.names)
    return log1p((pair.shared_weight - sum_weights(names)) / PER_NAT)


class Feature(NamedTuple):
    """One feature: how it is measured, and what it says in words."""

    name: str
    measure: Callable[[ViewPair], float]
    words_for: str
    """What it says where it speaks for a duplicate, alongside the mean pair."""
    words_against: str
    against: bool = False
    """Whether it may only speak against a duplicate; all others may only speak for one."""


FEATURES = (
    Feature(
        "numbers",
        lambda pair: pair.quantities.agreement,
        "their numbers agree",
        "many of their numbers have no counterpart",
    ),
    Feature(
        "number_count",
        _number_count,
        "they share several numbers",
        "they share hardly any numbers",
    ),
    # The logarithm of 1 + the conflicts, such as 5 and 7 injured.
    Feature(
        "conflicts",
        lambda pair: log1p(pair.quantities.conflicts),
        "no number contradicts another",
        "their numbers or times of day contradict each other",
        against=True,
    ),
    Feature(
        "opening_both",
        lambda pair: float(pair.missing_later > 0 and pair.missing_earlier > 0),
        "not both begin with a number the other lacks",
        "each begins with a number the other lacks",
        against=True,
    ),
    Feature(
        "dates",
        lambda pair: other_days_share(pair.earlier, pair.later, same_source=pair.same_source),
        "neither begins with another day",
        "they begin with different days",
        against=True,
    ),
    Feature(
        "names",
        _names,
        "neither names anybody of its own",
        "each names what the other does not",
        against=True,
    ),
    # The mean worth of the shared phrases: 1 if all are new to their sources.
    Feature(
        "freshness",
        lambda pair: pair.phrases.freshness,
        "what they share is new to their sources",
        "what they share is what their sources say again and again",
    ),
    Feature(
        "reuse",
        _reuse,
        "they share little that their sources had used before",
        "much of what they share their sources had used before",
        against=True,
    ),
    Feature(
        "lead",
        _lead,
        "each tells, names apart, what the other begins with",
        "they begin with what the other does not tell",
    ),
    Feature(
        "head",
        _lead_overlap,
        "their first sentences say the same",
        "their first sentences differ",
    ),
    # Of a long article the lemmas are those of its beginning, where it tells what is new.
    Feature(
        "cover",
        lambda pair: min(pair.cover_earlier, pair.cover_later),
        "each contains what the other begins with",
        "one begins with much that the other does not contain",
    ),
    Feature(
        "mass",
        _mass,
        "they share much besides names",
        "they share little besides names",
    ),
)
"""All features. Symmetric but for `freshness`, which looks at who came first."""

_MEASURES = tuple(feature.measure for feature in FEATURES)
AGAINST = frozenset(feature.name for feature in FEATURES if feature.against)


class ViewComparison(NamedTuple):
    """The features of a pair and what they were taken from."""

    features: Features
    phrases: SharedPhrases
    quantities: FactComparison
    cover_earlier: float
    """Share of the earlier text's lemmas, by weight, that the later one contains."""
    cover_later: float


def compare_views(
    earlier: TextView, later: TextView, *, same_source: bool = True, repeated: bool = False
) -> ViewComparison:
    """Return the features of two views, `earlier` first in the total order, and what they rest on.

    `repeated` says that the later one's counts of phrases include the earlier one.
    """
    here, there = frozenset(earlier.lemmas), frozenset(later.lemmas)
    shared = here & there
    weight = sum_weights(shared)
    phrases = shared_phrases(earlier.phrases, later.phrases, repeated=repeated)
    quantities = compare_facts(earlier.facts, later.facts)
    lacking_later = lacking_earlier = 0
    if quantities.left or quantities.conflicts:
        lacking_later = count_missing_quantities(earlier.opening, later.facts)
    if quantities.right or quantities.conflicts:
        lacking_earlier = count_missing_quantities(later.opening, earlier.facts)
    one, other = earlier.masses.lemmas, later.masses.lemmas
    cover_earlier, cover_later = weight / one if one else 0.0, weight / other if other else 0.0
    pair = ViewPair(
        earlier, later, here, there, shared, weight, cover_earlier, cover_later, phrases,
        quantities, lacking_later, lacking_earlier, same_source,
    )  # fmt: skip
    features = Features._make([measure(pair) for measure in _MEASURES])
    return ViewComparison(features, phrases, quantities, cover_earlier, cover_later)


def signature_cover(one: TextView, other: TextView) -> float:
    """Return the share of a signature's terms that the other text contains, the lesser of both.

    A signature without terms counts as 0.
    """
    if not one.terms or not other.terms:
        return 0.0
    ours = len(set(other.lemmas).intersection(one.terms)) / len(one.terms)
    return min(ours, len(set(one.lemmas).intersection(other.terms)) / len(other.terms))
