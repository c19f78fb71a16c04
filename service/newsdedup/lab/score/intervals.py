"""How far a score could be another on other pairs of the same kind."""

import random
from collections.abc import Sequence

from newsdedup.lab.score.scores import PairOutcome, partial_score

_DRAWS = 1_000
_BOOTSTRAP_SEED = 20_261_121
_LEVEL = 0.95

Interval = tuple[float, float]


def bootstrap_intervals(
    outcomes: Sequence[PairOutcome], *, weighted: bool
) -> dict[str, Interval | None]:
    """Return the 95 % bootstrap interval of precision, recall and F, None where none has any.

    The percentile method (Efron 1979): scores of 1,000 samples of the pairs, drawn with
    replacement by a fixed seed. A sample of which one cannot be computed, as precision where
    nothing was found, has no part in its interval.
    """
    if not outcomes:
        return {}
    rng = random.Random(_BOOTSTRAP_SEED)  # noqa: S311  # no secret hangs on it
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
