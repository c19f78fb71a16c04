"""Medians of measurements that are repeated, and the range of each number."""

import gc
from collections.abc import Callable, Mapping, Sequence
from statistics import median
from typing import Any

_DIGITS = 4
"""Decimals of a median that lies between two numbers."""


def repeat_measurement(measure: Callable[[], Mapping[str, Any]], *, repeats: int) -> dict[str, Any]:
    """Measure `repeats` times, and return the result of `median_measurements`.

    Garbage of one measurement is collected before the next.
    """
    runs = []
    for _ in range(repeats):
        runs.append(measure())
        # A run excludes from collection what is alive between two batches (engine/collector.py).
        gc.unfreeze()
        gc.collect()
    return median_measurements(runs)


def median_measurements(runs: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the median of each number over runs of one shape.

    Numbers may be in dicts and lists; texts are those of the first run. Of more than one run the
    result has `repeats`, their number, and `spread`: the lowest and the highest value, as a list,
    of every number that was not the same in all runs.
    """
    medians: dict[str, Any] = _medians(runs)
    if len(runs) == 1:
        return medians
    return {**medians, "repeats": len(runs), "spread": _spread(runs)}


def _medians(runs: Sequence[Any]) -> Any:
    """Return the medians of nested numbers in their shape."""
    first = runs[0]
    if isinstance(first, Mapping):
        return {name: _medians([run[name] for run in runs]) for name in first}
    if isinstance(first, list):
        return [_medians(column) for column in zip(*runs, strict=True)]
    if isinstance(first, int | float) and any(run != first for run in runs):
        return round(median(runs), _DIGITS)
    return first


def _spread(runs: Sequence[Any]) -> Any:
    """Return [lowest, highest] of nested numbers in their shape, {} for one that did not vary."""
    first = runs[0]
    if isinstance(first, Mapping):
        parts = {name: _spread([run[name] for run in runs]) for name in first}
        return {name: part for name, part in parts.items() if part}
    if isinstance(first, list):
        parts_in_order = [_spread(column) for column in zip(*runs, strict=True)]
        return parts_in_order if any(parts_in_order) else {}
    if isinstance(first, int | float) and any(run != first for run in runs):
        return [min(runs), max(runs)]
    return {}
