"""Places the texts next to the points of a plot where they cover no point and no other text."""

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from newsdedup_lab.report.report_content import Plot, PlotPoint, Series

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.transforms import Bbox

MARKER_POINTS = 5.5
"""The width of a marker, in points."""
_LABEL_POINTS = 8
"""The size of the characters, in points: smaller than other text, since there are many labels."""
_OFFSETS = (
    (6, 0, "left", "center"),
    (-6, 0, "right", "center"),
    (4, 4, "left", "bottom"),
    (4, -4, "left", "top"),
    (-4, 4, "right", "bottom"),
    (-4, -4, "right", "top"),
)
"""Where a text may be: its distance from the point in points, and which side of it is there."""


def label_points(plot: Plot, axes: "Axes", figure: "Figure") -> None:
    """Write the labels of drawn series next to their points; leave out those without room.

    A label covers no other, no point and no line of steps. Labels of earlier series go first.
    """
    figure.draw_without_rendering()  # only then the axes have their final size
    scale = figure.dpi / 72
    taken = [box for series in plot.series for box in _drawn_boxes(series, axes, scale)]
    for series in plot.series:
        for point, label in zip(series.points, series.labels, strict=False):
            if label:
                _label_point(label, point, axes, taken)


def _drawn_boxes(series: Series, axes: "Axes", scale: float) -> Iterator["Bbox"]:
    """Yield the boxes of the points or steps of a series, in pixels, `scale` to a point."""
    from matplotlib.transforms import Bbox  # noqa: PLC0415 - only the extra lab has it

    drawn = axes.transData.transform(series.points).tolist()
    if series.kind == "points":
        for point in drawn:
            yield Bbox([point, point]).padded(scale * MARKER_POINTS / 2)
    elif series.kind == "steps":
        for (x0, y0), (x1, y1) in pairwise(drawn):
            top, bottom = max(y0, y1), min(y0, y1)
            yield Bbox([(min(x0, x1), y0), (max(x0, x1), y0)]).padded(scale)
            yield Bbox([(x1, bottom), (x1, top)]).padded(scale)


def _label_point(label: str, point: PlotPoint, axes: "Axes", taken: "list[Bbox]") -> None:
    """Write a label next to a point where nothing is, if there is such room, and take it."""
    for x, y, horizontal, vertical in _OFFSETS:
        written = axes.annotate(
            label,
            point,
            xytext=(x, y),
            textcoords="offset points",
            ha=horizontal,
            va=vertical,
            fontsize=_LABEL_POINTS,
        )
        box, room = written.get_window_extent(), axes.bbox
        within = room.x0 <= box.x0 and box.x1 <= room.x1 and room.y0 <= box.y0 and box.y1 <= room.y1
        if within and not any(box.overlaps(other) for other in taken):
            taken.append(box)
            return
        written.remove()
