"""How much of what matters in one text the other holds, by the weight of its lemmas."""

from collections.abc import Iterable
from math import log1p

from newsdedup.core.matching.verify.codes import PER_NAT, WEIGHT_MASK, mass


def told(head: Iterable[int], names: tuple[int, ...], whole: set[int]) -> float:
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


def overlap(left: Iterable[int], right: Iterable[int], smaller: int) -> float:
    """Return W(left and right) / min(W(left), W(right)); 0 if either is empty."""
    return mass(set(left).intersection(right)) / smaller if smaller else 0.0


def held(terms: tuple[int, ...], whole: set[int]) -> float:
    """Return the share of the terms that the other text holds; without terms 0."""
    return len(whole.intersection(terms)) / len(terms) if terms else 0.0


def shared_mass(weight: int) -> float:
    """Return ln(1 + W), W in nats: a long text shares more than a headline can."""
    return log1p(weight / PER_NAT)
