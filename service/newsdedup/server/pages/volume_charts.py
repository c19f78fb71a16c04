"""The chart of volumes: columns of originals and duplicates, and a line of the share of these."""

from collections.abc import Sequence
from math import ceil
from typing import Final

from msgspec import Struct

from newsdedup.archive.views import VolumePoint
from newsdedup.server.pages.charts import CHART_WIDTH, ChartTick, round_ticks

_ENOUGH: Final = 5
"""Items of a column from which on its share of duplicates is drawn."""
_MOST_LINKED: Final = 200
"""Columns that lead to their items; of more, only the rows of the table do."""


class VolumeColumn(Struct, frozen=True):
    """One column: the part of the chart that leads to its items."""

    x: float
    width: float
    point: VolumePoint


class VolumeChart(Struct, frozen=True):
    """Volumes as stacked columns with two scales; columns are paths, as there may be hundreds."""

    width: int
    height: int
    originals: str
    duplicates: str
    """On top of the originals."""
    share: str
    """The share of duplicates of columns with enough items, interrupted by the others."""
    scale: tuple[ChartTick, ...]
    shares: tuple[ChartTick, ...]
    """The scale of the share, from 0 to 1."""
    labels: tuple[tuple[float, VolumePoint], ...]
    """Coordinates on the axis of time, and the spans that begin there."""
    columns: tuple[VolumeColumn, ...]
    """None where there are more than can be distinguished."""


def volume_chart(
    points: Sequence[VolumePoint], *, most: int = 0, width: int = CHART_WIDTH, height: int = 240
) -> VolumeChart:
    """Return stacked columns of volumes, scales of round numbers, and at most 6 labels.

    The scale reaches `most`, so that two charts may have the same one.
    """
    ticks = round_ticks(max([most, *(point.total for point in points)]))
    step = width / max(len(points), 1)
    bar = round(min(step * 0.8 if step > 3 else step, 48), 2)
    originals, duplicates = [], []
    share, begins = "", True
    for at, point in enumerate(points):
        x = round(at * step + (step - bar) / 2, 2)
        low, high = (
            round(count / ticks[-1] * height, 1) for count in (point.originals, point.total)
        )
        originals.append(_column(x, height - low, bar, low))
        duplicates.append(_column(x, height - high, bar, high - low))
        if point.total < _ENOUGH:
            begins = True
            continue
        y = round(height * (1 - point.duplicates / point.total), 1)
        middle = round((at + 0.5) * step, 1)
        # A point alone is a line without length, drawn by its round ends.
        share += f"M{middle:g} {y:g}h0" if begins else f"L{middle:g} {y:g}"
        begins = False
    every = max(1, ceil(len(points) / 6))
    linked = points if len(points) <= _MOST_LINKED else ()
    return VolumeChart(
        width,
        height,
        "".join(originals),
        "".join(duplicates),
        share,
        tuple([ChartTick(round(height - tick / ticks[-1] * height, 2), tick) for tick in ticks]),
        tuple([ChartTick(height * (1 - part), part) for part in (0, 0.25, 0.5, 0.75, 1)]),
        tuple([(round(at * step, 1), points[at]) for at in range(0, len(points), every)]),
        tuple(
            [
                VolumeColumn(round(at * step, 1), round(step, 2), one)
                for at, one in enumerate(linked)
            ]
        ),
    )


def _column(x: float, y: float, width: float, height: float) -> str:
    """Return a rectangle as a part of an SVG path, "" without height; x, y is its upper left."""
    return f"M{x:g} {y:g}h{width:g}v{height:g}h{-width:g}z" if height > 0 else ""
