"""Precision, recall and F of predicted pairs, with bootstrap intervals."""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PairOutcome:
    """One labelled pair: its label, the prediction, and its weight."""

    duplicate: bool
    predicted: bool
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Score:
    """Precision, recall and F; undefined ones are 0."""

    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, slots=True)
class PartialScore:
    """Precision, recall and F; undefined ones are None."""

    precision: float | None
    """None if nothing was found."""
    recall: float | None
    """None if there are no duplicates."""
    f1: float | None
    """None if there are no duplicates."""


def full_score(outcomes: Iterable[PairOutcome], *, weighted: bool = False) -> Score:
    """Return the score with 0 for undefined figures."""
    partial = partial_score(outcomes, weighted=weighted)
    return Score(partial.precision or 0.0, partial.recall or 0.0, partial.f1 or 0.0)


def partial_score(outcomes: Iterable[PairOutcome], *, weighted: bool = False) -> PartialScore:
    """Return the score, plain or weighted, with None for undefined figures.

    precision = right / found, recall = right / duplicates, f1 = 2 * right / (found + duplicates),
    where right is what was found and is a duplicate.
    """
    right = found = duplicates = 0.0
    for outcome in outcomes:
        weight = outcome.weight if weighted else 1.0
        right += weight * (outcome.predicted and outcome.duplicate)
        found += weight * outcome.predicted
        duplicates += weight * outcome.duplicate
    return PartialScore(
        precision=_share(right, found),
        recall=_share(right, duplicates),
        f1=_share(2 * right, found + duplicates) if duplicates else None,
    )


def _share(part: float, whole: float) -> float | None:
    return round(part / whole, 4) if whole else None


_DRAWS = 1_000
_BOOTSTRAP_SEED = 20_261_121
_LEVEL = 0.95

Interval = tuple[float, float]


def bootstrap_intervals(
    outcomes: Sequence[PairOutcome], *, weighted: bool
) -> dict[str, Interval | None]:
    """Return the 95 % bootstrap intervals of precision, recall and F.

    The percentile method (Efron 1979): scores of 1,000 samples of the pairs, drawn with
    replacement by a fixed seed. A sample of which one cannot be computed, as precision where
    nothing was found, has no part in its interval.
    """
    if not outcomes:
        return {}
    rng = random.Random(_BOOTSTRAP_SEED)  # noqa: S311 - draws must repeat
    drawn = [
        partial_score(rng.choices(outcomes, k=len(outcomes)), weighted=weighted)
        for _ in range(_DRAWS)
    ]
    return {
        name: _percentile_interval(
            sorted(one for each in drawn if (one := getattr(each, name)) is not None)
        )
        for name in ("precision", "recall", "f1")
    }


def _percentile_interval(ordered: list[float]) -> Interval | None:
    if not ordered:
        return None
    cut = round((1 - _LEVEL) / 2 * len(ordered))
    return ordered[cut], ordered[-1 - cut]
