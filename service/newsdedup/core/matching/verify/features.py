"""The features of two texts: what speaks for and against their being one message, as numbers.

To add one: a function of a ViewPair, a field of Features, and a line in FEATURES with its words. A
model that was fitted without it gives it the weight 0.
"""

from collections.abc import Callable, Iterable
from math import log1p
from typing import NamedTuple

from newsdedup.core.facts import comparison
from newsdedup.core.matching.verify.opening import (
    Stated,
    count_missing_quantities,
    other_days_share,
)
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
    """Share of the earlier text's lemmas, by weight, that the later one holds."""
    cover_later: float
    phrases: SharedPhrases
    quantities: comparison.FactComparison
    missing_later: int
    """Figures with which the earlier text begins and that the later one lacks."""
    missing_earlier: int
    same_source: bool


def _numbers(pair: ViewPair) -> float:
    """Return the agreement of figures, (m + 1) / (m + u + v + 1).

    m figures agree; u figures of the one text and v of the other have no counterpart.
    """
    return pair.quantities.agreement


def _number_count(pair: ViewPair) -> float:
    """Return ln(1 + m + k): of m figures that agree k count the same thing, by their units."""
    agreed = pair.quantities.agreed
    if not agreed:
        return 0.0
    alike = comparison.count_shared(pair.earlier.facts, pair.later.facts)
    return log1p(agreed + min(agreed, alike))


def _conflicts(pair: ViewPair) -> float:
    """Return ln(1 + conflicts of figures, such as 5 and 7 injured, and of times of day)."""
    return log1p(pair.quantities.conflicts)


def _opening_both(pair: ViewPair) -> float:
    """Return 1 if each text begins with a figure that the other lacks, else 0."""
    return float(pair.missing_later > 0 and pair.missing_earlier > 0)


def _dates(pair: ViewPair) -> float:
    """Return the share of the days with which the texts begin that the other does not name."""
    earlier, later = pair.earlier, pair.later
    return other_days_share(
        Stated(earlier.facts, earlier.opening),
        Stated(later.facts, later.opening),
        same_source=pair.same_source,
    )


def _names(pair: ViewPair) -> float:
    """Return ln(1 + min(W(left only), W(right only)) / 10) of the names of both texts.

    W is a sum of weights in nats of idf. A copy that is cut short lacks names but has none of its
    own, so it does not conflict.
    """
    left = _missing_weight(pair.earlier.names, pair.later_lemmas)
    right = _missing_weight(pair.later.names, pair.earlier_lemmas)
    return log1p(min(left, right) / RARE_NAME)


def _freshness(pair: ViewPair) -> float:
    """Return the mean worth of the shared phrases: 1 if all are new to their sources."""
    return pair.phrases.freshness


def _reuse(pair: ViewPair) -> float:
    """Return ln(1 + n / 8): n shared phrases had been used before, by both sources twice or more.

    Within one source one use is enough, alongside the earlier text: a follow-up takes over the
    background of earlier reports, a notice of every day its form. Of two sources each may have
    reported the story once.
    """
    used = pair.phrases.used if pair.same_source else pair.phrases.reused
    return log1p(used / MUCH_REUSED)


def _lead(pair: ViewPair) -> float:
    """Return the share of the first sentence, by weight, that the other text holds.

    It is the mean of both texts. The names with which either begins are left out.
    """
    names = pair.earlier.names + pair.later.names
    return (
        _held_lead(pair.earlier.head, names, pair.later_lemmas)
        + _held_lead(pair.later.head, names, pair.earlier_lemmas)
    ) / 2


def _head(pair: ViewPair) -> float:
    """Return the weight that the first sentences share, over that of the lighter one, or 0."""
    smaller = min(pair.earlier.masses.head, pair.later.masses.head)
    if not smaller:
        return 0.0
    return sum_weights(set(pair.earlier.head).intersection(pair.later.head)) / smaller


def _cover(pair: ViewPair) -> float:
    """Return the share of a text's kept lemmas, by weight, that the other holds, the lesser.

    Of a long article the kept lemmas are those of its beginning: where it tells what is new.
    """
    return min(pair.cover_earlier, pair.cover_later)


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
        _numbers,
        "their figures agree",
        "many of their figures have no counterpart",
    ),
    Feature(
        "number_count",
        _number_count,
        "they share several figures",
        "they share hardly any figures",
    ),
    Feature(
        "conflicts",
        _conflicts,
        "no figure contradicts another",
        "their figures or times of day contradict each other",
        against=True,
    ),
    Feature(
        "opening_both",
        _opening_both,
        "not both begin with a figure the other lacks",
        "each begins with a figure the other lacks",
        against=True,
    ),
    Feature(
        "dates",
        _dates,
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
    Feature(
        "freshness",
        _freshness,
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
        _head,
        "their first sentences say the same",
        "their first sentences differ",
    ),
    Feature(
        "cover",
        _cover,
        "each holds what the other begins with",
        "one begins with much that the other does not hold",
    ),
    Feature(
        "mass",
        _mass,
        "they share much beside names",
        "they share little beside names",
    ),
)
"""All features. Symmetric but for `freshness`, which looks at who came first."""

AGAINST = frozenset(feature.name for feature in FEATURES if feature.against)


class ViewComparison(NamedTuple):
    """The features of a pair and what they were taken from."""

    features: Features
    phrases: SharedPhrases
    quantities: comparison.FactComparison
    cover_earlier: float
    """Share of the earlier text's lemmas, by weight, that the later one holds."""
    cover_later: float


def compare_views(
    earlier: TextView, later: TextView, *, same_source: bool = True, repeated: bool = False
) -> ViewComparison:
    """Return the features of two views, `earlier` first in the total order, and what they rest on.

    `repeated` says that the later one's counts of phrases hold the earlier one.
    """
    here, there = frozenset(earlier.lemmas), frozenset(later.lemmas)
    shared = here & there
    weight = sum_weights(shared)
    phrases = shared_phrases(earlier.phrases, later.phrases, repeated=repeated)
    quantities = comparison.compare_facts(earlier.facts, later.facts)
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
    return ViewComparison(
        Features._make([measure(pair) for measure in _MEASURES]),
        phrases,
        quantities,
        cover_earlier,
        cover_later,
    )


_MEASURES = tuple(feature.measure for feature in FEATURES)


def _missing_weight(lemmas: Iterable[int], whole: frozenset[int]) -> int:
    """Return the weight of the lemma codes that are not among `whole`, those of the other text."""
    return sum([lemma & WEIGHT_MASK for lemma in lemmas if lemma not in whole])


def _held_lead(head: Iterable[int], names: tuple[int, ...], whole: frozenset[int]) -> float:
    """Return the share, by weight, of the lemmas of a head, names left out, that `whole` holds.

    0 if there is no such lemma; `whole` are the lemmas of the other text.
    """
    weight = held = 0
    for lemma in head:
        if lemma not in names:
            weight += lemma & WEIGHT_MASK
            if lemma in whole:
                held += lemma & WEIGHT_MASK
    return held / weight if weight else 0.0


def held_signature(one: TextView, other: TextView) -> float:
    """Return the share of a signature's terms that the other text holds, the lesser of both."""
    return min(_held_terms(one.terms, other.lemmas), _held_terms(other.terms, one.lemmas))


def _held_terms(terms: tuple[int, ...], lemmas: tuple[int, ...]) -> float:
    """Return the share of the term codes that are among `lemmas`; 0 without terms."""
    return len(set(lemmas).intersection(terms)) / len(terms) if terms else 0.0
