"""How much of what matters in one text the other holds, by the weight of its lemmas."""

from collections.abc import Iterable
from math import log1p

from newsdedup.core.verify.codes import PER_NAT, mass


def covered(part: Iterable[int], shared: set[int], weight: int) -> float:
    """Return W(part and shared) / W(part): the share of a part that the other text holds.

    `weight` is W(part), the sum of the weights; an empty part is covered by 0.
    """
    return mass(shared.intersection(part)) / weight if weight else 0.0


def overlap(left: Iterable[int], right: Iterable[int], smaller: int) -> float:
    """Return W(left and right) / min(W(left), W(right)); 0 if either is empty."""
    return mass(set(left).intersection(right)) / smaller if smaller else 0.0


def held(terms: tuple[int, ...], whole: set[int]) -> float:
    """Return the share of the terms that the other text holds; without terms 0."""
    return len(whole.intersection(terms)) / len(terms) if terms else 0.0


def shared_mass(weight: int) -> float:
    """Return ln(1 + W), W in nats: a long text shares more than a headline can."""
    return log1p(weight / PER_NAT)
