"""The logistic regression behind the verifier, with signs fixed for its features."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import xxhash

from newsdedup.core.matching.verify.features import AGAINST, Features
from newsdedup.core.matching.verify.model import Model

FloatArray = npt.NDArray[np.float64]

_PENALTY = 4.0
"""L2 penalty of a weight, for features of unit deviation."""

_LEAST_DEVIATION = 0.3
"""A feature that seldom differs is not blown up: its weight is limited as others are."""

_ROUNDS = 40
_DIGITS = 3


def fit_table(
    table: FloatArray,
    truth: FloatArray,
    weights: FloatArray,
    *,
    version: str,
    threshold: float = 0.6,
) -> Model:
    """Fit a logistic model of `truth` to a table with a column for each feature and the shift.

    The shift is the last column. A feature whose weight would have the wrong sign is left out
    (weight 0), the worst first, and the others are fitted again: such a suppressor helps on the
    pairs at hand and fails elsewhere. `weights` are those of the rows; `threshold` only becomes
    part of the model.
    """
    signs = np.array([-1.0 if name in AGAINST else 1.0 for name in (*Features._fields, "habit")])
    used = np.ones(len(signs), dtype=bool)
    while True:
        bias, slopes = _newton(table[:, used], truth, weights)
        wrong = slopes * signs[used]
        if not used.any() or wrong.min() >= 0:
            break
        used[np.flatnonzero(used)[wrong.argmin()]] = False
    found = np.zeros(len(signs))
    found[used] = slopes
    *named, habit = (round(float(slope), _DIGITS) for slope in found)
    return Model(
        version=version,
        bias=round(bias, _DIGITS),
        weights=tuple(named),
        means=tuple(round(float(mean), _DIGITS) for mean in table[:, :-1].mean(axis=0)),
        habit=habit,
        base=round(float(truth.mean()), _DIGITS),
        threshold=threshold,
    )


def fit_offset(logits: FloatArray, truth: FloatArray) -> float:
    """Return the constant to add to these log-odds so that they fit the truth best.

    That is the least log loss, with a penalty on the square of the constant.
    """
    found = 0.0
    for _ in range(_ROUNDS):
        chances = 1 / (1 + np.exp(-np.clip(logits + found, -30, 30)))
        slope = float((chances - truth).sum()) + found
        found -= slope / (float((chances * (1 - chances)).sum()) + 1)
    return round(found, _DIGITS)


def _newton(table: FloatArray, truth: FloatArray, weights: FloatArray) -> tuple[float, FloatArray]:
    """Return bias and slopes that minimise weighted log loss plus penalty (Newton's method)."""
    mean = table.mean(axis=0)
    deviation = np.maximum(table.std(axis=0), _LEAST_DEVIATION)
    scaled = np.column_stack([np.ones(len(table)), (table - mean) / deviation])
    penalty = np.diag([1e-6, *([_PENALTY] * table.shape[1])])
    found = np.zeros(scaled.shape[1])
    for _ in range(_ROUNDS):
        chances = 1 / (1 + np.exp(-np.clip(scaled @ found, -30, 30)))
        slope = scaled.T @ (weights * (chances - truth)) + penalty @ found
        curve = (scaled.T * (weights * chances * (1 - chances) + 1e-9)) @ scaled + penalty
        step = np.linalg.solve(curve, slope)
        found = found - step
        if np.abs(step).max() < 1e-9:
            break
    slopes = found[1:] / deviation
    return float(found[0] - slopes @ mean), slopes


def split_folds(groups: Sequence[str], count: int, *, turn: int = 0) -> list[list[int]]:
    """Split row numbers into `count` folds; rows with the same name in `groups` stay together.

    The largest group goes to the emptiest fold; ties by a hash of `turn` and the name, so the folds
    of a turn are always the same, and those of two turns differ. Folds may be empty.
    """
    positions: dict[str, list[int]] = {}
    for position, group in enumerate(groups):
        positions.setdefault(group, []).append(position)
    found: list[list[int]] = [[] for _ in range(count)]
    drawn = {name: xxhash.xxh3_64_intdigest(f"{turn} {name}".encode()) for name in positions}
    for name in sorted(positions, key=lambda name: (-len(positions[name]), drawn[name], name)):
        min(found, key=len).extend(positions[name])
    return found


def group_stories(pairs: Sequence[tuple[str, str]]) -> list[str]:
    """Return for each pair the smallest name in its connected component: its story.

    Two pairs are connected if they have an item in common.
    """
    roots: dict[str, str] = {}

    def root(item: str) -> str:
        """Return the representative of an item's component, and shorten the path to it."""
        while (above := roots.setdefault(item, item)) != item:
            roots[item] = item = roots[above]
        return item

    for left, right in pairs:
        first, second = sorted((root(left), root(right)))
        roots[second] = first
    return [root(left) for left, _ in pairs]
