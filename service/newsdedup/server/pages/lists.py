"""The pages of lists: stories now, what a search matches, volumes over time."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from msgspec import Struct

from newsdedup.archive.reader import ArchiveReader
from newsdedup.archive.search import VOLUME_STEPS, VolumeStep
from newsdedup.archive.views import ArchiveStats, SearchPage, StoryPage, VolumePoint, VolumeSeries
from newsdedup.server.pages.page_query import ChosenFilter, PageQuery

_ROWS_A_PAGE: Final = 40
_MOST_COLUMNS: Final = 24 * 31
"""Columns of a chart of volumes: the latest are shown."""
_STEPS: Final[dict[VolumeStep, timedelta]] = {
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
    "week": timedelta(weeks=1),
}


class NowView(Struct, frozen=True, kw_only=True):
    """Stories by their last item."""

    chosen: ChosenFilter
    page: StoryPage
    later_pages: bool


class SearchView(Struct, frozen=True, kw_only=True):
    """Items that contain the words of a query; `page` is None without words."""

    chosen: ChosenFilter
    page: SearchPage | None
    later_pages: bool


class VolumesView(Struct, frozen=True, kw_only=True):
    """How much was published over time, of all or of a query."""

    chosen: ChosenFilter
    series: VolumeSeries
    total: int
    originals: int
    duplicates: int
    shortened: bool


class StatusView(Struct, frozen=True, kw_only=True):
    """The totals of the archive."""

    stats: ArchiveStats


def now_view(reader: ArchiveReader, query: PageQuery) -> NowView:
    """Return the stories that the filter lets through, the one with the latest item first."""
    chosen, cursor = query.chosen(), query.text("cursor")
    page = reader.stories(chosen.item_filter(), cursor=cursor, limit=_ROWS_A_PAGE)
    return NowView(chosen=chosen, page=page, later_pages=bool(cursor))


def search_view(reader: ArchiveReader, query: PageQuery) -> SearchView:
    """Return the items that contain all words, the newest first."""
    chosen, cursor = query.chosen(), query.text("cursor")
    page = None
    if chosen.text:
        page = reader.search(chosen.item_filter(), cursor=cursor, limit=_ROWS_A_PAGE)
    return SearchView(chosen=chosen, page=page, later_pages=bool(cursor))


def volumes_view(reader: ArchiveReader, query: PageQuery) -> VolumesView:
    """Return volumes by hour, day or week, by default by hour."""
    chosen = query.chosen()
    step = query.choice("step", VOLUME_STEPS) or "hour"
    series = reader.volumes(step, chosen.item_filter())
    points = _without_gaps(series.points, step)
    return VolumesView(
        chosen=chosen,
        series=VolumeSeries(step=step, points=tuple(points[-_MOST_COLUMNS:])),
        total=sum(point.total for point in series.points),
        originals=sum(point.originals for point in series.points),
        duplicates=sum(point.duplicates for point in series.points),
        shortened=len(points) > _MOST_COLUMNS,
    )


def _without_gaps(points: Sequence[VolumePoint], step: VolumeStep) -> list[VolumePoint]:
    """Return the points with empty ones for the steps between them, at most the latest 745."""
    if not points:
        return []
    known = {point.start: point for point in points}
    last = points[-1].start
    count = min((last - points[0].start) // _STEPS[step], _MOST_COLUMNS) + 1
    starts = [last - _STEPS[step] * at for at in reversed(range(count))]
    none = {"total": 0, "originals": 0, "duplicates": 0}
    return [known.get(start) or VolumePoint(start=start, **none) for start in starts]


def status_view(reader: ArchiveReader, _: PageQuery) -> StatusView:
    """Return the totals of the archive."""
    return StatusView(stats=reader.stats())
