"""The page of volumes: how much was published over time, and next to another source or period."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

import msgspec
from msgspec import Struct

from newsdedup.archive.reader import ArchiveReader
from newsdedup.archive.search import ItemFilter
from newsdedup.archive.source_queries import share_interval
from newsdedup.archive.views import VolumePoint, VolumeSeries, VolumeStep
from newsdedup.server.http_errors import RequestRefused
from newsdedup.server.moment_values import begin_of_future
from newsdedup.server.pages.page_query import ChosenFilter, PageQuery

_MOST_COLUMNS: Final = 24 * 31
"""Columns of a chart of volumes: the latest are shown."""
_SIZES: Final[dict[VolumeStep, timedelta]] = {
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
    "week": timedelta(weeks=1),
}
_MONDAY: Final = datetime(1970, 1, 5, tzinfo=UTC)


class VolumeTotals(Struct, frozen=True, kw_only=True):
    """The sums of a series, and the 95 % interval of its share of duplicates."""

    total: int
    originals: int
    duplicates: int
    share: float | None
    """None without items."""
    share_low: float = 0.0
    share_high: float = 1.0


class OtherVolumes(Struct, frozen=True, kw_only=True):
    """What the volumes are compared with: another source, another period, or both."""

    chosen: ChosenFilter
    points: tuple[VolumePoint, ...]
    """As many as the first series has, each next to its counterpart."""
    totals: VolumeTotals


class VolumesView(Struct, frozen=True, kw_only=True):
    """How much was published over time, of all or of a query."""

    chosen: ChosenFilter
    step: VolumeStep | None
    """The step that the address names; None: it follows from the span."""
    series: VolumeSeries
    totals: VolumeTotals
    shortened: bool
    other_source: str
    other_since: datetime | None
    other: OtherVolumes | None
    """None where nothing is compared."""

    def end_of(self, point: VolumePoint) -> datetime:
        """Return the end of the span of a point."""
        return point.start + _SIZES[self.series.step]


def volumes_view(reader: ArchiveReader, query: PageQuery) -> VolumesView:
    """Return volumes by hour, day or week: unless one is named, by the span of the items.

    `other_source` and `other_since` name what they are compared with: the same filter for another
    source, or for a period of the same length that begins then.
    """
    chosen = query.chosen()
    step = query.choice("step", tuple(_SIZES))
    other_source, other_since = query.text("other_source"), query.moment("other_since")
    end = reader.end_of_present(begin_of_future())
    found = reader.volumes(step, _until_now(chosen, end))
    size, points, other = _SIZES[found.step], found.points, None
    if points and (other_source or other_since):
        other_chosen = _other_filter(chosen, points, size, other_source, other_since)
        compared = reader.volumes(found.step, _until_now(other_chosen, end)).points
        begin = min([points[0].start, *(one.start for one in compared[:1])])
        begins = begin, begin
        if chosen.since != other_chosen.since:
            begins = (
                _floor(chosen.since or points[0].start, size),
                _floor(other_chosen.since or begin, size),
            )
        points, counterparts = _side_by_side((points, compared), begins, size)
        other = OtherVolumes(chosen=other_chosen, points=counterparts, totals=_totals(compared))
    return VolumesView(
        chosen=chosen,
        step=step,
        series=VolumeSeries(step=found.step, points=points[-_MOST_COLUMNS:]),
        totals=_totals(found.points),
        shortened=len(points) > _MOST_COLUMNS,
        other_source=other_source,
        other_since=other_since,
        other=other,
    )


def _until_now(chosen: ChosenFilter, end: datetime | None) -> ItemFilter:
    """Return the filter of a query, until `end` unless it names a time that is later, or its end.

    One item with a date in the far future would leave no column to all others.
    """
    if end is None or chosen.until or (chosen.since and chosen.since >= end):
        return chosen.item_filter()
    return msgspec.structs.replace(chosen, until=end).item_filter()


def _other_filter(
    chosen: ChosenFilter,
    points: Sequence[VolumePoint],
    size: timedelta,
    source: str,
    since: datetime | None,
) -> ChosenFilter:
    """Return the filter of what is compared: of a source, "" for the same one, and of a period.

    The period begins at `since` and is as long as that of the filter, else as that of its points.
    None is the same period. Raise RequestRefused for one that ends after the year 9999.
    """
    other = msgspec.structs.replace(chosen, source=source or chosen.source)
    if since is None:
        return other
    begin, end = chosen.since or points[0].start, chosen.until or points[-1].start + size
    try:
        return msgspec.structs.replace(other, since=since, until=since + (end - begin))
    except OverflowError:
        raise RequestRefused("bad-query", "other_since is too late") from None


def _side_by_side(
    series: tuple[Sequence[VolumePoint], Sequence[VolumePoint]],
    begins: tuple[datetime, datetime],
    size: timedelta,
) -> tuple[tuple[VolumePoint, ...], tuple[VolumePoint, ...]]:
    """Return both series in equally many spans of `size`, the latest that fit into a chart.

    The first spans, which begin at `begins`, stand next to each other, and so does each later pair;
    spans without items have empty points.
    """
    placed = [
        {(one.start - begin) // size: one for one in points}
        for points, begin in zip(series, begins, strict=True)
    ]
    last = max(at for each in placed for at in each)
    first = max(0, last + 1 - _MOST_COLUMNS)
    one, two = (
        tuple(each.get(at) or _empty(begin + at * size) for at in range(first, last + 1))
        for each, begin in zip(placed, begins, strict=True)
    )
    return one, two


def _empty(start: datetime) -> VolumePoint:
    return VolumePoint(start=start, total=0, originals=0, duplicates=0)


def _floor(moment: datetime, size: timedelta) -> datetime:
    return moment - (moment - _MONDAY) % size


def _totals(points: Sequence[VolumePoint]) -> VolumeTotals:
    """Return the sums of a series, and the share of duplicates with its interval of 95 %."""
    total, duplicates = (
        sum(getattr(one, name) for one in points) for name in ("total", "duplicates")
    )
    low, high = share_interval(duplicates, total) if total else (0.0, 1.0)
    return VolumeTotals(
        total=total,
        originals=total - duplicates,
        duplicates=duplicates,
        share=duplicates / total if total else None,
        share_low=low,
        share_high=high,
    )
