from collections.abc import Callable, Iterable
from math import fsum


def weighted_jaccard(
    left: Iterable[str], right: Iterable[str], weight: Callable[[str], float]
) -> float:
    """Return what two sets of tokens share, by weight.

    sum of w(t) over t in both / sum of w(t) over t in either; with all weights 1 the Jaccard
    coefficient. Weights are not negative; two sets without any weight share nothing.
    """
    one, other = set(left), set(right)
    # fsum is exact before its last rounding, so the order of a set never shows.
    whole = fsum(weight(token) for token in one | other)
    return fsum(weight(token) for token in one & other) / whole if whole else 0.0
