"""Quantiles of measured values."""

from collections.abc import Sequence
from statistics import fmean


def quantile(ordered: Sequence[float], share: float, *, digits: int = 3) -> float:
    """Return the quantile at `share`, from 0 to 1, of ascending values; there must be one.

    It is one of the values, rounded to `digits` digits.
    """
    return round(ordered[int(share * (len(ordered) - 1))], digits)


def summarize_counts(counts: Sequence[float]) -> dict[str, float]:
    """Return mean, median and 99th percentile of counts; there must be one."""
    ordered = sorted(counts)
    return {
        "mean": round(fmean(ordered), 2),
        "p50": quantile(ordered, 0.5),
        "p99": quantile(ordered, 0.99),
    }
