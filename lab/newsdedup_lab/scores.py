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
    """Return precision, recall and F of predicted pairs, with 0 for an undefined score.

    With `weighted` each pair counts its weight instead of 1.
    """
    partial = partial_score(outcomes, weighted=weighted)
    return Score(partial.precision or 0.0, partial.recall or 0.0, partial.f1 or 0.0)


def partial_score(outcomes: Iterable[PairOutcome], *, weighted: bool = False) -> PartialScore:
    """Return precision, recall and F of predicted pairs, with None for an undefined score.

    precision = right / found, recall = right / duplicates, f1 = 2 * right / (found + duplicates),
    where right counts the predicted pairs that are duplicates, found all predicted pairs. With
    `weighted` each pair counts its weight instead of 1.
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
    """Return part / whole to four decimals, None if the whole is 0."""
    return round(part / whole, 4) if whole else None


_DRAWS = 1_000
_BOOTSTRAP_SEED = 20_261_121
_LEVEL = 0.95

Interval = tuple[float, float]


def bootstrap_intervals(
    outcomes: Sequence[PairOutcome], *, weighted: bool
) -> dict[str, Interval | None]:
    """Return the 95 % bootstrap intervals of "precision", "recall" and "f1" as (low, high).

    The percentile method (Efron 1979): scores of 1,000 samples of the outcomes, drawn with
    replacement by a fixed seed. A sample in which a score is undefined, as precision where nothing
    is predicted, is left out of its interval; the interval is None if that is so in all samples.
    Without outcomes the result is {}.
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
    """Return the 2.5 % and the 97.5 % quantile of ascending values, None if there are none."""
    if not ordered:
        return None
    cut = round((1 - _LEVEL) / 2 * len(ordered))
    return ordered[cut], ordered[-1 - cut]
