"""The features of two texts: what speaks for and against their being one message, as numbers.

To add one: a field of Features, its formula in `compare_views`, and a line in FEATURES with its
words. A model that was fitted without it gives it the weight 0. docs/verifier.md works out an
example of each.
"""

from bisect import bisect_left
from collections.abc import Iterable
from math import log1p
from typing import NamedTuple

from newsdedup.core.facts.comparison import (
    ROUNDING_TOLERANCE,
    FactComparison,
    clock_codes,
    compare_days,
    compare_facts,
    count_shared,
    differs_in_measure,
    is_rounding,
    missing_days,
    subject_code,
)
from newsdedup.core.facts.fact import (
    FIRST_EXACT,
    FIRST_ORDINAL,
    ORDINAL_CODES,
    UNIT_MASK,
    VALUE_SHIFT,
)
from newsdedup.core.facts.moves import Move, find_moves, pair_moves
from newsdedup.core.matching.verify.view import (
    PER_NAT,
    WEIGHT_MASK,
    SharedPhrases,
    TextView,
    shared_phrases,
    sum_weights,
)

_NEAR = 10**7 // ROUNDING_TOLERANCE << VALUE_SHIFT
"""Codes further apart are no roundings of each other."""


def count_missing_quantities(opening: tuple[int, ...], facts: tuple[int, ...]) -> int:
    """Return how many quantities of the first sentences the other text lacks, rounding allowed.

    `opening` are the codes of one text's first sentences, `facts` all codes of the other text. A
    quantity that counts something else is no counterpart. A time of day is missing only where the
    other text names other ones.
    """
    if not opening:
        return 0
    missing = [fact for fact in opening if fact < FIRST_ORDINAL and fact not in facts]
    quantities = sum([not _is_stated(fact, facts) for fact in missing])
    theirs = clock_codes(facts)
    return quantities + len(clock_codes(opening) - theirs) if theirs else quantities


def _is_stated(fact: int, facts: tuple[int, ...]) -> bool:
    """Return whether a quantity of one measure among the facts may be this one, rounded."""
    if fact >= FIRST_EXACT:
        return False
    near = facts[bisect_left(facts, fact - _NEAR) : bisect_left(facts, fact + _NEAR)]
    return any(is_rounding(fact, other) and not differs_in_measure(fact, other) for other in near)


def begin_with_other_ranks(left: TextView, right: TextView) -> bool:
    """Return whether each begins with an ordinal of one noun that the other never states.

    The 17th package of sanctions is not the 18th; a text that names both tells of the way there.
    """
    ours = _missing_ranks(left.opening, right.facts)
    return bool(ours) and not ours.isdisjoint(_missing_ranks(right.opening, left.facts))


def _missing_ranks(opening: tuple[int, ...], facts: tuple[int, ...]) -> set[int]:
    """Return the subjects of ordinals in one text's opening that the other text's facts lack."""
    if not opening or opening[-1] < FIRST_ORDINAL:
        return set()
    return {
        subject_code(code)
        for code in opening
        if code in ORDINAL_CODES and code & UNIT_MASK and code not in facts
    }


def other_days_share(left: TextView, right: TextView, *, same_source: bool = True) -> float:
    """Return the share of the days with which the texts begin that the other one does not name.

    The days that either text lacks over these and the days that both name, each counted once: the
    programme of a weekend is not that of its Sunday. `compare_days` defines when a day is named. A
    copy may begin with another day of the same report: "said on Thursday that on Saturday ..." has
    two. 0 where one begins with no day.
    """
    ours = compare_days(left.opening, right.facts, same_source=same_source)
    theirs = compare_days(right.opening, left.facts, same_source=same_source)
    if ours is None or theirs is None:
        return 0.0
    alone = ours.alone + theirs.alone
    return alone / (alone + (ours.shared + theirs.shared) / 2)


def find_view_moves(was: TextView, now: TextView, *, same_source: bool = True) -> tuple[Move, ...]:
    """Return the moves of quantities, scores, ordinals and times of day, then those of days.

    Of days those count with which each text begins and that the other does not name, as
    `compare_days` says with `same_source`.
    """
    before = missing_days(was.opening, now.facts, same_source=same_source)
    after = missing_days(now.opening, was.facts, same_source=same_source)
    return (*find_moves(was.facts, now.facts), *pair_moves(before, after))


RARE_NAME = 10 * PER_NAT
"""The weight of one very rare name."""

MUCH_REUSED = 8
"""Shared phrases, of 32 at most, that are much if their sources had used them before."""


class Features(NamedTuple):
    """The values of the features. Symmetric but for `freshness`, which looks at who came first."""

    numbers: float
    """(m + 1) / (m + u + v + 1): m quantities agree, u and v have no counterpart."""
    number_count: float
    """ln(1 + m + k): of m quantities that agree k count the same thing, by their units."""
    conflicts: float
    """ln(1 + conflicts of quantities, such as 5 and 7 injured, and of times of day)."""
    opening_both: float
    """1 if each text begins with a quantity that the other lacks, else 0."""
    dates: float
    """The share of the days with which the texts begin that the other does not name."""
    names: float
    """ln(1 + min(W(left only), W(right only)) / 10) of names, W a sum of weights in nats of idf.

    A copy that is cut short lacks names but has none of its own, so it does not conflict.
    """
    freshness: float
    """The mean worth of the shared phrases: 1 if all are new to their sources."""
    reuse: float
    """ln(1 + n / 8): n shared phrases had been used before, by both sources twice or more.

    Within one source one use is enough, alongside the earlier text: a follow-up takes over the
    background of earlier reports, a notice of every day its form. Of two sources each may have
    reported the story once.
    """
    lead: float
    """The share of the first sentence, by weight and without names, that the other text contains.

    It is the mean of both texts.
    """
    head: float
    """The weight that the first sentences share, over that of the lighter one."""
    cover: float
    """The share of a text's stored lemmas, by weight, that the other contains, the lesser of both.

    Of a long article these are the lemmas of its beginning, where it tells what is new.
    """
    mass: float
    """ln(1 + weight of the shared lemmas in nats), without names the texts begin with."""


class Feature(NamedTuple):
    """What a feature says in words where it speaks for a duplicate, and where against one."""

    name: str
    words_for: str
    words_against: str
    against: bool = False
    """Whether it may only speak against a duplicate; all others may only speak for one."""


FEATURES = (
    Feature("numbers", "their numbers agree", "many of their numbers have no counterpart"),
    Feature("number_count", "they share several numbers", "they share hardly any numbers"),
    Feature(
        "conflicts",
        "no number contradicts another",
        "their numbers or times of day contradict each other",
        against=True,
    ),
    Feature(
        "opening_both",
        "not both begin with a number the other lacks",
        "each begins with a number the other lacks",
        against=True,
    ),
    Feature(
        "dates", "neither begins with another day", "they begin with different days", against=True
    ),
    Feature(
        "names",
        "neither names anybody of its own",
        "each names what the other does not",
        against=True,
    ),
    Feature(
        "freshness",
        "what they share is new to their sources",
        "what they share is what their sources say again and again",
    ),
    Feature(
        "reuse",
        "they share little that their sources had used before",
        "much of what they share their sources had used before",
        against=True,
    ),
    Feature(
        "lead",
        "each tells, names apart, what the other begins with",
        "they begin with what the other does not tell",
    ),
    Feature("head", "their first sentences say the same", "their first sentences differ"),
    Feature(
        "cover",
        "each contains what the other begins with",
        "one begins with much that the other does not contain",
    ),
    Feature("mass", "they share much besides names", "they share little besides names"),
)
"""The words of all features, in the order of Features."""

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

    `repeated` says that the later one's counts of phrases include the earlier one, `same_source`
    that one source wrote both.
    """
    here, there = frozenset(earlier.lemmas), frozenset(later.lemmas)
    shared = here & there
    weight = sum_weights(shared)
    one, other = earlier.weight, later.weight
    cover_earlier, cover_later = weight / one if one else 0.0, weight / other if other else 0.0
    names = earlier.names + later.names
    mass = weight - sum_weights(shared.intersection(names))
    names_earlier = sum_weights([name for name in earlier.names if name not in there])
    names_later = sum_weights([name for name in later.names if name not in here])
    lead = _covered_lead(earlier.lead, names, there) + _covered_lead(later.lead, names, here)
    leads = min(earlier.lead_weight, later.lead_weight)
    overlap = sum_weights(set(earlier.lead).intersection(later.lead)) / leads if leads else 0.0
    phrases = shared_phrases(earlier.phrases, later.phrases, repeated=repeated)
    quantities = compare_facts(earlier.facts, later.facts)
    agreed = quantities.agreed
    alike = min(agreed, count_shared(earlier.facts, later.facts)) if agreed else 0
    features = Features(
        numbers=quantities.agreement,
        number_count=log1p(agreed + alike),
        conflicts=log1p(quantities.conflicts),
        opening_both=float(_both_open(earlier, later, quantities)),
        dates=other_days_share(earlier, later, same_source=same_source),
        names=log1p(min(names_earlier, names_later) / RARE_NAME),
        freshness=phrases.freshness,
        reuse=log1p((phrases.used if same_source else phrases.reused) / MUCH_REUSED),
        lead=lead / 2,
        head=overlap,
        cover=min(cover_earlier, cover_later),
        mass=log1p(mass / PER_NAT),
    )
    return ViewComparison(features, phrases, quantities, cover_earlier, cover_later)


def _both_open(earlier: TextView, later: TextView, quantities: FactComparison) -> bool:
    """Return whether each text begins with a quantity that the other lacks."""
    if not quantities.conflicts and not (quantities.left and quantities.right):
        return False
    missing = count_missing_quantities(earlier.opening, later.facts)
    return missing > 0 and count_missing_quantities(later.opening, earlier.facts) > 0


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


def signature_cover(one: TextView, other: TextView) -> float:
    """Return the lesser share of a signature's terms that is in the other text; 0 without terms."""
    if not one.terms or not other.terms:
        return 0.0
    ours = len(set(other.lemmas).intersection(one.terms)) / len(one.terms)
    return min(ours, len(set(one.lemmas).intersection(other.terms)) / len(other.terms))
