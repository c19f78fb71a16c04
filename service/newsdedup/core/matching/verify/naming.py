"""Whether two texts name different people and places, or put others into the same phrases."""

from collections.abc import Iterable
from math import log1p

from newsdedup.core.matching.verify.codes import PER_NAT, WEIGHT_MASK

_SCALE = 10 * PER_NAT
"""The weight of one very rare name."""


def strange(lemmas: Iterable[int], whole: set[int]) -> int:
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
