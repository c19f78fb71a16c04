"""Measurements of the suite as table cells: a median, with the range of its repeats behind it."""

from collections.abc import Callable, Mapping
from typing import Any

Measurements = Mapping[str, Any]
Step = str | int
"""A name in a dict, or an index in a list."""


def measured_cell(measurements: Measurements, *path: Step, show: Callable[[float], str]) -> str:
    """Return the number at a path as text, and its range if it varied: 451 (440 to 470).

    "-" if there is no such number, as of a peer that was not installed.
    """
    value = measurement_at(measurements, *path)
    if value is None:
        return "-"
    extent = measured_range(measurements, *path)
    if extent is None:
        return show(value)
    low, high = map(show, extent)
    return show(value) if low == high else f"{show(value)} ({low} to {high})"


def measured_range(measurements: Measurements, *path: Step) -> tuple[float, float] | None:
    """Return the lowest and the highest value of a number, None if it did not vary."""
    extent = measurement_at(measurements.get("spread", {}), *path)
    return (extent[0], extent[1]) if isinstance(extent, list) and extent else None


def format_count(value: float) -> str:
    """Return a number without decimals, with a comma before the thousands."""
    return f"{value:,.0f}"


def format_tenths(value: float) -> str:
    """Return a number with one decimal, without any if it is whole or from 1,000 on."""
    return f"{value:.1f}".removesuffix(".0") if value < 1_000 else format_count(value)


def format_ratio(value: float) -> str:
    """Return a ratio with two decimals: .05, 1.33, 27.4 from ten on."""
    return f"{value:.2f}".removeprefix("0") if value < 10 else f"{value:,.1f}"


def measurement_at(measurements: Any, *path: Step) -> Any:
    """Return the value at a path in nested dicts and lists, None if there is none."""
    for step in path:
        if isinstance(step, int):
            measurements = (
                measurements[step]
                if isinstance(measurements, list) and step < len(measurements)
                else None
            )
        else:
            measurements = measurements.get(step) if isinstance(measurements, Mapping) else None
    return measurements
