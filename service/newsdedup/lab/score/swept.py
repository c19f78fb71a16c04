"""Precision and recall against a threshold, from what was found at and above each of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

_NEAR_BEST = 0.01
"""Thresholds whose F is so near to the best are as good: the critical interval."""


@dataclass(frozen=True, slots=True)
class ThresholdScore:
    """The scores at one threshold; precision is None where nothing is found."""

    threshold: float
    precision: float | None
    recall: float
    f1: float


def threshold_scores(
    same: Sequence[float],
    other: Sequence[float],
    thresholds: Sequence[float],
    *,
    whole: float | None = None,
) -> list[ThresholdScore]:
    """Return the scores at each threshold; `same` and `other` count pairs from it to the next.

    `whole` is the number of duplicates, if there are some below the lowest threshold.
    """
    whole = sum(same) if whole is None else whole
    rows = zip(thresholds, _from_each(same), _from_each(other), strict=True)
    return [_scores(at, hits, wrong, whole) for at, hits, wrong in rows]


def best_score(curve: Sequence[ThresholdScore]) -> ThresholdScore:
    """Return the scores of the best F; of equal ones those of the lowest threshold."""
    return max(curve, key=lambda one: (one.f1, -one.threshold))


def critical_interval(curve: Sequence[ThresholdScore]) -> tuple[float, float]:
    """Return the thresholds around the best whose F is nearly as good."""
    places = [at for at, one in enumerate(curve) if one == best_score(curve)]
    low = high = places[0]
    enough = curve[low].f1 - _NEAR_BEST
    while low > 0 and curve[low - 1].f1 >= enough:
        low -= 1
    while high + 1 < len(curve) and curve[high + 1].f1 >= enough:
        high += 1
    return curve[low].threshold, curve[high].threshold


def _scores(at: float, hits: float, wrong: float, whole: float) -> ThresholdScore:
    found = hits + wrong
    recall = hits / whole if whole else 0.0
    f1 = 2 * hits / (found + whole) if found + whole else 0.0
    return ThresholdScore(at, hits / found if found else None, recall, f1)


def _from_each(counts: Sequence[float]) -> list[float]:
    return list(accumulate(reversed(counts)))[::-1]
