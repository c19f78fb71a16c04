"""The geometry of charts: from numbers to the coordinates that templates draw as SVG."""

from collections.abc import Sequence
from math import ceil, floor, log10
from typing import Final

from msgspec import Struct

from newsdedup.archive.views import ItemSummary, SourceSpread, SourceStats, StorySources

_SPARK_WIDTH: Final = 120
_SPARK_HEIGHT: Final = 24
CHART_WIDTH: Final = 960
_RANKS_HEIGHT: Final = 300
_DOT: Final = 12
"""Width of a dot in a timeline with its margin."""
_LANE: Final = 24
"""Height of a source in a chart of spread."""
_LABELS: Final = 230
"""Width of the names before it."""
_LANES: Final = 7
"""Dots that are drawn above each other in a timeline before they overlap."""


class ChartBar(Struct, frozen=True):
    """A rectangle: its upper left corner and its size."""

    x: float
    y: float
    width: float
    height: float


class ChartTick(Struct, frozen=True):
    """A value on an axis, and its coordinate."""

    at: float
    value: float


class SparkLine(Struct, frozen=True):
    """A small chart without axes: how a count grew, as the outline of an area."""

    width: int
    height: int
    area: str
    """A path of SVG that begins and ends on the ground; empty without counts."""


class TimelineChart(Struct, frozen=True):
    """The items of a story over time."""

    width: int
    height: int
    dots: tuple[tuple[float, float, ItemSummary], ...]
    """Coordinates, and the items there."""


class SpreadLane(Struct, frozen=True):
    """A source in a chart of a story's spread: a line from its first item to its last one."""

    source: SourceSpread
    y: float
    begin: float
    end: float
    dots: str
    """A path with a dot for each of its items."""


class SpreadChart(Struct, frozen=True):
    """Sources below each other in the order in which they had a story, over its time."""

    width: int
    height: int
    left: int
    """Where the time begins: the names are before it."""
    lanes: tuple[SpreadLane, ...]
    line: str
    """A line through the first item of each source."""


class SourceDot(Struct, frozen=True):
    """A source at the rank of its links, and the share of duplicates among its items."""

    x: float
    y: float
    radius: float
    stats: SourceStats
    in_zone: bool


class LinkRankChart(Struct, frozen=True):
    """Sources by the rank of their outgoing links against their share of duplicates.

    Few links and many duplicates make the zone of mass plagiarism (Lande et al. 2006, figure 6).
    """

    width: int
    height: int
    dots: tuple[SourceDot, ...]
    mean: float
    """The coordinate of `mean_share`, the share of duplicates of all sources together."""
    mean_share: float
    zone: ChartBar
    scale: tuple[ChartTick, ...]


def spark_line(counts: Sequence[int], before: int = 0) -> SparkLine:
    """Return how many there were by the end of each of some equal spans, as steps.

    The area begins where the first count above 0 is, at once if there were some `before`, and
    reaches the top with the last one.
    """
    step, height = _SPARK_WIDTH / max(len(counts), 1), _SPARK_HEIGHT
    total, level, path = before + sum(counts), before, ""
    if before:
        path = f"M0 {height}V{round(height - before / total * height, 1):g}"
    for at, count in enumerate(counts):
        if not count:
            continue
        level += count
        y = round(height - level / total * height, 1)
        path += f"H{at * step:g}V{y:g}" if path else f"M{at * step:g} {height}V{y:g}"
    return SparkLine(_SPARK_WIDTH, height, f"{path}H{_SPARK_WIDTH}V{height}z" if path else "")


def round_ticks(most: int) -> list[int]:
    """Return round numbers from 0 to at least `most`, about four steps of 1, 2 or 5."""
    rough = max(most / 4, 1)
    power = 10 ** floor(log10(rough))
    step = next(size * power for size in (1, 2, 5, 10) if size * power >= rough)
    return [step * at for at in range(max(ceil(most / step), 1) + 1)]


def timeline_chart(items: Sequence[ItemSummary]) -> TimelineChart:
    """Return a dot for each item, ordered by time; one at least. Near ones are stacked."""
    first, last = items[0].at, items[-1].at
    span = (last - first).total_seconds()
    ends: list[float] = []
    dots = []
    for item in items:
        share = (item.at - first).total_seconds() / span if span else 0.0
        x = round(_DOT + share * (CHART_WIDTH - 2 * _DOT), 1)
        lane = next((at for at, end in enumerate(ends) if end <= x), len(ends))
        ends[lane : lane + 1] = [x + _DOT]
        dots.append((x, lane % _LANES, item))
    height = 12 + min(len(ends), _LANES) * 14
    shown = tuple([(x, height - 10 - lane * 14, item) for x, lane, item in dots])
    return TimelineChart(CHART_WIDTH, height, shown)


def spread_chart(spread: StorySources) -> SpreadChart:
    """Return the sources of a story as lanes, joined where each had it first."""
    step = (CHART_WIDTH - _LABELS - 2 * _DOT) / max(
        1, *(slot for one in spread.sources for slot in one.slots)
    )
    lanes = []
    for at, one in enumerate(spread.sources):
        y = _LANE * at + _LANE / 2
        slots = [round(_LABELS + _DOT + slot * step, 1) for slot in one.slots]
        # Lines without length, drawn by their round ends.
        dots = "".join([f"M{x:g} {y:g}h0" for x in slots])
        lanes.append(SpreadLane(one, y, slots[0], slots[-1], dots))
    line = "L".join([f"{lane.begin:g} {lane.y:g}" for lane in lanes])
    return SpreadChart(CHART_WIDTH, _LANE * len(lanes), _LABELS, tuple(lanes), f"M{line}")


def link_rank_chart(sources: Sequence[SourceStats]) -> LinkRankChart | None:
    """Return sources ranked by their outgoing links against their duplicates; None without links.

    The zone is the last seventh of the ranks above the mean share of duplicates. In the paper it is
    the ranks from 1,400 of 1,500 on; it is wider here, as streams have fewer sources.
    """
    if not any(one.links for one in sources):
        return None
    ranked = sorted(sources, key=lambda one: (-one.links, one.source))
    items = sum(one.items for one in ranked)
    mean = sum(one.duplicates for one in ranked) / items if items else 0.0
    begin = len(ranked) - max(1, len(ranked) // 7)
    step, height = CHART_WIDTH / len(ranked), _RANKS_HEIGHT
    most = max(one.items for one in ranked)
    level = round(height * (1 - mean), 1)
    dots = [
        SourceDot(
            round((at + 0.5) * step, 1),
            round(height * (1 - one.duplicates / one.items), 1),
            round(3 + 6 * (one.items / most) ** 0.5, 1),
            one,
            at >= begin and one.duplicates / one.items > mean,
        )
        for at, one in enumerate(ranked)
        if one.items
    ]
    zone = ChartBar(round(begin * step, 1), 0, round(CHART_WIDTH - begin * step, 1), level)
    scale = tuple(
        [ChartTick(round(height * (1 - share), 1), share) for share in (0, 0.25, 0.5, 0.75, 1)]
    )
    return LinkRankChart(CHART_WIDTH, height, tuple(dots), level, mean, zone, scale)


def heat(items: int, most: int) -> int:
    """Return a shade, 1 to 6 by the logarithm of `items` relative to `most`, 0 without items."""
    if not items:
        return 0
    return 1 + floor(5 * log10(items) / log10(most)) if most > 1 else 6
