"""The front page: the stories of a day by size, by newness or by speed, and what nobody copied."""

from datetime import UTC, datetime, timedelta
from typing import Final

import msgspec
from msgspec import Struct

from newsdedup.archive.front_views import DayTotals, StorySpread, UncopiedStories
from newsdedup.archive.reader import ArchiveReader
from newsdedup.archive.search import ItemFilter
from newsdedup.archive.story_ranks import STORY_SORTS, StorySort
from newsdedup.archive.views import ArchivedStory, StoryPage
from newsdedup.server.moment_values import begin_of_future
from newsdedup.server.pages.page_query import ChosenFilter, PageQuery
from newsdedup.server.pages.watches import WatchData, WatchRow, watch_rows

_STORIES_A_PAGE: Final = 20
_MOST_STORIES: Final = 200
"""Stories of a table."""
_MOST_UNCOPIED: Final = 20
_MOST_SOURCES: Final = 10_000
_SOURCE_CHOICES: Final = (1, 2, 3, 5, 10, 20)
_COPIED: Final = 2
"""Default minimum of sources of a story: those of one are folded."""
_DAY: Final = timedelta(days=1)
_HOUR: Final = timedelta(hours=1)
_EARLIEST: Final = datetime(1600, 1, 1, tzinfo=UTC)
"""Before all items, and late enough to count back from."""


class FrontStrip(Struct, frozen=True, kw_only=True):
    """What a day was like, whatever the filter."""

    totals: DayTotals
    share: float
    """Of duplicates among the items of the day, and of the seven days before."""
    share_before: float | None
    """None: the seven days before have no items."""
    fastest: ArchivedStory | None
    """The story of the day that got most sources in an hour."""


class FrontView(Struct, frozen=True, kw_only=True):
    """The stories of a day, of 24 hours by default, in one of three orders."""

    chosen: ChosenFilter
    sort: StorySort
    least_sources: int
    newest_at: datetime | None
    """None: the archive is empty."""
    is_old: bool
    """Whether the newest item is older than a day, and so the day is the last of the archive."""
    since: datetime
    until: datetime
    """By default the end of the hour of the newest item."""
    later_until: datetime | None
    """The end of the day after this one; None if that is the newest, or this is."""
    strip: FrontStrip | None
    """None on later pages, and for a table."""
    page: StoryPage
    spreads: tuple[StorySpread, ...]
    """For each story of the page how it spread; none for a table."""
    uncopied: UncopiedStories | None
    """Of the same filter; None on later pages, and where stories of one source are listed."""
    categories: tuple[str, ...]
    later_pages: bool
    watches: tuple[WatchRow, ...]
    """The saved searches; none on later pages."""

    @property
    def is_newest(self) -> bool:
        """Return whether the day is the last one of the archive."""
        return self.chosen.until is None

    @property
    def is_one_day(self) -> bool:
        """Return whether it lasts 24 hours."""
        return self.until - self.since == _DAY

    @property
    def shown_day(self) -> datetime:
        """Return a moment of the day by whose date the page is called: its last."""
        end = self.until - timedelta(microseconds=1)
        return end if self.newest_at is None or not self.is_newest else self.newest_at

    @property
    def source_choices(self) -> tuple[int, ...]:
        """Return the numbers of sources that the form offers."""
        return tuple(sorted({*_SOURCE_CHOICES, self.least_sources}))

    @property
    def is_filtered(self) -> bool:
        """Return whether the filter lets only a part of the day through."""
        return msgspec.structs.replace(self.chosen, since=None, until=None) != ChosenFilter()


def front_view(
    reader: ArchiveReader, query: PageQuery, *, data: WatchData | None = None
) -> FrontView:
    """Return the stories of a day that the filter lets through, by default those of two sources.

    `data` has the saved searches, if there are any.
    """
    chosen, cursor = query.chosen(), query.text("cursor")
    sort = query.choice("sort", STORY_SORTS) or "size"
    least = query.number("least_sources", default=_COPIED, most=_MOST_SOURCES)
    now, future = datetime.now(UTC), begin_of_future()
    newest = reader.newest_at(future)
    end = (newest or now).replace(minute=0, second=0, microsecond=0) + _HOUR
    until = max(chosen.until or end, _EARLIEST + _DAY)
    since = max(chosen.since or until - _DAY, _EARLIEST)
    # A day without a bound is faster to read, and has one only where later items would be in it.
    bound = chosen.until or (reader.end_of_present(future) if since < until else None)
    day = msgspec.structs.replace(chosen, since=since, until=bound).item_filter()
    limit = min(query.rows(_STORIES_A_PAGE), _MOST_STORIES)
    page = reader.stories(day, sort=sort, least_sources=least, cursor=cursor, limit=limit)
    is_table = query.is_table  # it has the stories alone
    shows_uncopied = not cursor and least == _COPIED and not is_table
    return FrontView(
        chosen=chosen,
        sort=sort,
        least_sources=least,
        newest_at=newest,
        is_old=newest is not None and newest < now - _DAY,
        since=since,
        until=until,
        later_until=until + _DAY if until < end - _DAY else None,
        strip=None if cursor or is_table else _strip(reader, since, until, bound),
        page=page,
        spreads=(
            () if is_table else reader.spreads([story.id for story in page.stories], since, until)
        ),
        uncopied=reader.uncopied(day, limit=_MOST_UNCOPIED) if shows_uncopied else None,
        categories=reader.categories(),
        later_pages=bool(cursor),
        watches=() if data is None or cursor else watch_rows(data.states),
    )


def _strip(
    reader: ArchiveReader, since: datetime, until: datetime, bound: datetime | None
) -> FrontStrip:
    """Return the totals of a day and its fastest story; `bound` is its end, if it needs one."""
    totals = reader.day_totals(since, until)
    day = ItemFilter(since=since, until=bound)
    fastest = reader.stories(day, sort="speed", least_sources=_COPIED, limit=1).stories
    return FrontStrip(
        totals=totals,
        share=totals.duplicates / totals.items if totals.items else 0.0,
        share_before=(
            totals.duplicates_before / totals.items_before if totals.items_before else None
        ),
        fastest=fastest[0] if fastest else None,
    )
