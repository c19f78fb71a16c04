"""Quantiles of measured values."""

from collections.abc import Sequence


def quantile(ordered: Sequence[float], share: float, *, digits: int = 3) -> float:
    """Return the quantile at `share`, from 0 to 1, of ascending values; there must be one.

    It is one of the values, rounded to so many digits.
    """
    return round(ordered[int(share * (len(ordered) - 1))], digits)
