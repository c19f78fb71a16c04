"""Whether two texts name different people and places."""

from collections.abc import Iterable
from math import log1p

from newsdedup.core.verify.codes import PER_NAT, mass

_SCALE = 10 * PER_NAT
"""The weight of one very rare name."""


def strange(names: Iterable[int], whole: set[int]) -> int:
    """Return the weight of the names that the other text does not hold."""
    return mass([name for name in names if name not in whole])


def name_conflict(left: int, right: int) -> float:
    """Return ln(1 + min(W(left only), W(right only)) / 10): both name what the other does not.

    A copy that is cut short lacks names but has none of its own, so it does not conflict.
    """
    return log1p(min(left, right) / _SCALE)
