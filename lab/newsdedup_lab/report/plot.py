"""Renders a plot as SVG in the colours of its page.

Matplotlib has only fixed colours, so it draws with placeholder colours, and this module replaces
each by a CSS variable of the page: the plot is light or dark with the page.
"""

import io
import re
from collections.abc import Mapping
from datetime import UTC
from typing import TYPE_CHECKING, Any

from newsdedup_lab.extras import require_modules
from newsdedup_lab.report.plot_labels import MARKER_POINTS, label_points
from newsdedup_lab.report.report_content import Plot, Series

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure
    from matplotlib.typing import RcKeyType

_INK, _LINE, _ZONE = "#010101", "#020202", "#030303"
SERIES_COLOURS = (
    "#0a0001",
    "#0a0002",
    "#0a0003",
    "#0a0004",
    "#0a0005",
    "#0a0006",
    "#0a0007",
    "#0a0008",
)
COLOUR_VARIABLES: Mapping[str, str] = {
    _INK: "var(--ink)",
    _LINE: "var(--line)",
    _ZONE: "var(--zone)",
    **{stand_in: f"var(--series-{number})" for number, stand_in in enumerate(SERIES_COLOURS, 1)},
}
_DASHES = ("-", "--", "-.", ":", (0, (5, 1)), (0, (1, 1)), (0, (3, 1, 1, 1)), (0, (7, 3)))
_MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
_MARKED_POINTS = 60
"""The longest line on which every point gets its marker; of a longer one as many as a tenth."""

_FIGURE_INCHES = (5.4, 3.7)
"""Inches, at 72 points each: characters of 11 points can be read where 5.4 inches become 350 pixels
and do not shout where they become 550."""
_FONT = "DejaVu Sans"
"""It comes with the library, so that texts are laid out alike everywhere."""
_FONTS = f"'{_FONT}', Verdana, sans-serif"
"""What a viewer without that font takes; letters of Verdana are as wide."""
_RC_PARAMS: "Mapping[RcKeyType, Any]" = {
    "text.parse_math": False,  # a dollar is a dollar
    "svg.fonttype": "none",  # as text it takes less than half of the bytes
    "font.family": _FONT,
    "font.size": 11,
    "axes.linewidth": 0.8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.linewidth": 0.5,
    "lines.linewidth": 1.6,
    "lines.markersize": MARKER_POINTS,
    "legend.frameon": False,
    "text.color": _INK,
    "axes.labelcolor": _INK,
    "axes.edgecolor": _LINE,
    "grid.color": _LINE,
    "xtick.color": _LINE,
    "ytick.color": _LINE,
    "xtick.labelcolor": _INK,
    "ytick.labelcolor": _INK,
    "axes.facecolor": "none",
    "figure.facecolor": "none",
}

_colour = re.compile(r"#(?:01|02|03|0a)[0-9a-f]{4}")
_prolog = re.compile(r"\A.*?(?=<svg )", re.DOTALL)
_metadata = re.compile(r"\s*<metadata>.*?</metadata>", re.DOTALL)
_size = re.compile(r' (?:width|height)="[\d.]+pt"')
_name = re.compile(r'(\bid="|url\(#|href="#)')


def render_svg(plot: Plot, *, prefix: str) -> str:
    """Return the plot as SVG with all ids prefixed; equal plots give equal bytes.

    Raise SettingsInvalid if matplotlib is not installed.
    """
    require_modules("matplotlib")
    from matplotlib import rc_context  # noqa: PLC0415 - only the extra lab has it
    from matplotlib.backends.backend_svg import FigureCanvasSVG  # noqa: PLC0415
    from matplotlib.figure import Figure  # noqa: PLC0415

    drawn = io.StringIO()
    with rc_context({**_RC_PARAMS, "svg.hashsalt": prefix}):
        figure = Figure(figsize=_FIGURE_INCHES, layout="constrained")
        FigureCanvasSVG(figure)
        _draw(plot, figure)
        nothing = dict.fromkeys(("Date", "Creator", "Format", "Type"))
        figure.savefig(drawn, format="svg", metadata=nothing)
    return _themed(drawn.getvalue(), prefix)


def _themed(drawing: str, prefix: str) -> str:
    """Return matplotlib's SVG without metadata and size, with prefixed ids and page colours."""
    bare = _size.sub("", _metadata.sub("", _prolog.sub("", drawing)), count=2)
    bare = bare.replace(f"'{_FONT}'", _FONTS)
    named = _name.sub(rf"\g<1>{prefix}-", bare)
    coloured = _colour.sub(lambda found: COLOUR_VARIABLES.get(found[0], found[0]), named)
    return "\n".join(line.rstrip() for line in coloured.splitlines() if line.strip())


def _draw(plot: Plot, figure: "Figure") -> None:
    """Draw a plot on a matplotlib figure: scales, zones, series, labels, range and legend.

    The legend is left out for a single series without zones.
    """
    axes = figure.add_subplot()
    axes.set_xlabel(plot.x_label)
    axes.set_ylabel(plot.y_label)
    _scale(plot, axes)
    for zone in plot.zones:
        begin, end = (_x_position(plot, x) for x in (zone.begin, zone.end))
        axes.axvspan(
            begin, end, facecolor=_ZONE, hatch="//", edgecolor=_LINE, lw=0, label=zone.label
        )
    for number, series in enumerate(plot.series):
        _draw_series(plot, series, axes, number % len(SERIES_COLOURS))
    for number, label in enumerate(plot.x_labels):
        axes.axvline(_x_position(plot, label.x), color=_INK, linewidth=1.2, linestyle=(0, (2, 2)))
        axes.annotate(
            label.label,
            (_x_position(plot, label.x), 1.0),
            xycoords=("data", "axes fraction"),
            # Each a line lower than the one before: near labels must not overlap.
            xytext=(4, -2 - 14 * number),
            textcoords="offset points",
            va="top",
        )
    if plot.y_range is not None:
        axes.set_ylim(*plot.y_range)
    if len(plot.series) + len(plot.zones) > 1:
        figure.legend(loc="outside lower center", ncols=2, handlelength=3.2, columnspacing=1.5)
    if any(series.labels for series in plot.series):
        label_points(plot, axes, figure)


def _draw_series(plot: Plot, series: Series, axes: "Axes", number: int) -> None:
    """Draw a series with its band on the axes, in the colour, dash and marker of this number.

    A series of many points gets fewer or smaller markers.
    """
    xs = [_x_position(plot, x) for x, _ in series.points]
    ys = [y for _, y in series.points]
    if series.band:
        at, low, high = zip(*series.band, strict=True)
        indexes = [_x_position(plot, x) for x in at]
        axes.fill_between(indexes, low, high, color=SERIES_COLOURS[number], alpha=0.18, linewidth=0)
    axes.plot(
        xs,
        ys,
        color=SERIES_COLOURS[number],
        linestyle="none" if series.kind == "points" else _DASHES[number],
        drawstyle="steps-post" if series.kind == "steps" else "default",
        marker=None if series.kind == "steps" else _MARKERS[number],
        markersize=3 if series.kind == "points" and len(xs) > _MARKED_POINTS else None,
        markevery=1 if series.kind == "points" or len(xs) <= _MARKED_POINTS else 0.1,
        label=series.label,
    )


def _scale(plot: Plot, axes: "Axes") -> None:
    """Set the scales of both axes: linear, logarithmic, whole numbers, or time."""
    from matplotlib.dates import AutoDateLocator, ConciseDateFormatter  # noqa: PLC0415
    from matplotlib.ticker import MaxNLocator  # noqa: PLC0415

    if plot.y_scale == "log":
        axes.set_yscale("log")
        _plain_powers(axes.yaxis)
    if plot.x_scale == "log":
        axes.set_xscale("log")
        _plain_powers(axes.xaxis)
    elif plot.x_scale == "whole":
        axes.xaxis.set_major_locator(MaxNLocator(nbins=12, integer=True))
    elif plot.x_scale == "time":
        # Matplotlib leaves these two without types. With fewer than 4 ticks needed of a unit
        # before it is taken, 8 are enough for any span, and have room on a telephone.
        locator = AutoDateLocator(tz=UTC, minticks=3, maxticks=8)  # type: ignore[no-untyped-call]
        axes.xaxis.set_major_locator(locator)
        written = ConciseDateFormatter(locator, tz=UTC)  # type: ignore[no-untyped-call]
        axes.xaxis.set_major_formatter(written)


def _plain_powers(axis: "Axis") -> None:
    """Label a logarithmic axis 20 and 500 instead of 2 x 10^1 and 5 x 10^2."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter  # noqa: PLC0415

    axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,g}"))
    axis.set_minor_formatter(NullFormatter())


def _x_position(plot: Plot, x: float) -> float:
    """Return x in units of the axis: on a time axis seconds become days, as matplotlib counts."""
    return x / 86_400 if plot.x_scale == "time" else x
