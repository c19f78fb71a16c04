"""What speaks for and against two texts being one message, as a handful of numbers."""

from math import log1p
from typing import NamedTuple

from newsdedup.core.facts import comparison
from newsdedup.core.matching.verify.codes import mass
from newsdedup.core.matching.verify.coverage import held, overlap, shared_mass, told
from newsdedup.core.matching.verify.naming import name_conflict, other_subject, strange
from newsdedup.core.matching.verify.opening import Stated, missing, other_days
from newsdedup.core.matching.verify.phrases import SharedPhrases, shared_phrases
from newsdedup.core.matching.verify.view import View


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


class Comparison(NamedTuple):
    """The features of a pair and what they were taken from."""

    features: Features
    phrases: SharedPhrases
    figures: comparison.FactComparison
    cover_earlier: float
    """Share of the earlier text's lemmas, by weight, that the later one holds."""
    cover_later: float


def compare(earlier: View, later: View, *, repeated: bool = False) -> Comparison:
    """Return the comparison of two views, in the total order.

    `repeated` tells that the later one's counts of phrases hold the earlier one.
    """
    here, there = set(earlier.lemmas), set(later.lemmas)
    shared = here & there
    weight = mass(shared)
    phrases = shared_phrases(earlier.phrases, later.phrases, repeated=repeated)
    figures = comparison.compare_facts(earlier.facts, later.facts)
    begun = missing(earlier.opening, later.facts) if figures.left or figures.conflicts else 0
    begun_later = missing(later.opening, earlier.facts) if figures.right or figures.conflicts else 0
    one, other = earlier.masses, later.masses
    names = earlier.names + later.names
    features = Features(
        numbers=figures.agreement,
        number_count=_number_count(figures.agreed, earlier, later),
        conflicts=log1p(figures.conflicts),
        opening=log1p(begun + begun_later),
        opening_both=float(begun > 0 and begun_later > 0),
        dates=other_days(
            Stated(earlier.facts, earlier.opening), Stated(later.facts, later.opening)
        ),
        names=name_conflict(strange(earlier.names, there), strange(later.names, here)),
        subject=other_subject(
            strange(earlier.head, there),
            strange(later.head, here),
            shared=phrases.fresh,
            phrases=min(len(earlier.phrases.hashes), len(later.phrases.hashes)),
        ),
        freshness=phrases.freshness,
        lead=(told(earlier.head, names, there) + told(later.head, names, here)) / 2,
        signature=min(held(earlier.terms, there), held(later.terms, here)),
        head=overlap(earlier.head, later.head, min(one.head, other.head)),
        mass=shared_mass(weight - mass(shared.intersection(names))),
    )
    return Comparison(
        features,
        phrases,
        figures,
        weight / one.lemmas if one.lemmas else 0.0,
        weight / other.lemmas if other.lemmas else 0.0,
    )


def _number_count(agreed: int, earlier: View, later: View) -> float:
    if not agreed:
        return 0.0
    return log1p(agreed + min(agreed, comparison.count_shared(earlier.facts, later.facts)))
