"""Queries of a front page: the totals of a day, how its stories spread, what nobody copied."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

from newsdedup.archive.front_views import DayTotals, SourceCopy, StorySpread, UncopiedStories
from newsdedup.archive.pending_rows import number_of_time, time_of_number
from newsdedup.archive.search import ItemFilter
from newsdedup.archive.story_lists import since_alone
from newsdedup.archive.story_queries import StoryQueries
from newsdedup.archive.summaries import in_snapshot
from newsdedup.archive.views import ItemSummary
from newsdedup.core.moments import HOUR, to_datetime, to_micros

DAY_SPANS: Final = 48
"""Equal spans of a day by which a story is seen growing."""
_WEEK: Final = timedelta(days=7)
_MOST_MEMBERS: Final = 200
"""Items of a story, the earliest, of which the copies of each source are taken."""
_MOST_LINKED: Final = 10
_LEADING: Final = (
    "(SELECT number, source, id FROM items WHERE story = ? ORDER BY number LIMIT 20) m"
)
"""The earliest items of a story: others match its leader, which is nearly always among them."""
_COPIES: Final = (
    "SELECT i.source, i.id, i.number, i.verdict, i.relation, i.delay"
    " FROM items i INDEXED BY items_by_story WHERE i.story = ? ORDER BY i.number LIMIT ?"
)
_MOST_COPIED: Final = (
    "SELECT original_source, count(*) AS copies FROM items INDEXED BY items_duplicate"
    " WHERE verdict = 'duplicate' AND number >= ? AND number < ? AND source <> original_source"
    " GROUP BY original_source ORDER BY copies DESC, original_source LIMIT 1"
)


class FrontQueries(StoryQueries):
    """Queries about the stories of one day."""

    @in_snapshot
    def newest_at(self, before: datetime) -> datetime | None:
        """Return the time of the newest item before a moment, else of the newest; None if empty.

        Items may have dates in the future: one of them must not hide all others.
        """
        for bound in (number_of_time(to_micros(before)), 2**63 - 1):
            (number,) = self._connection.execute(
                "SELECT max(number) FROM items WHERE number < ?", (bound,)
            ).fetchone()
            if number is not None:
                return to_datetime(time_of_number(number))
        return None

    def end_of_present(self, before: datetime) -> datetime | None:
        """Return the end of the hour of the newest item before a moment, None if none is later."""
        newest = self.newest_at(before)
        end = newest and newest.replace(minute=0, second=0, microsecond=0) + timedelta(hours=1)
        latest = self.newest_at(datetime.max.replace(tzinfo=UTC))
        return end if end and latest and latest >= end else None

    @in_snapshot
    def day_totals(self, since: datetime, until: datetime) -> DayTotals:
        """Return what was published between two moments, extended to whole hours."""
        begin, end = to_micros(since) // HOUR, -(-to_micros(until) // HOUR)
        counts = self._counts_of_hours(begin, end)
        week = to_micros(since - _WEEK) // HOUR
        before = self._counts_of_hours(week, begin)
        (first,) = self._connection.execute(
            "SELECT min(hour) FROM volumes WHERE hour >= ? AND hour < ?", (week, begin)
        ).fetchone()
        span = (number_of_time(begin * HOUR), number_of_time(end * HOUR))
        source, copies = self._connection.execute(_MOST_COPIED, span).fetchone() or (None, 0)
        return DayTotals(
            items=counts.total(),
            duplicates=counts["duplicate"],
            items_before=before.total(),
            duplicates_before=before["duplicate"],
            hours_before=0 if first is None else begin - first,
            most_copied="" if source is None else self._source_name(source),
            copies=copies,
        )

    @in_snapshot
    def uncopied(self, chosen: ItemFilter, *, limit: int) -> UncopiedStories:
        """Return the stories of one source that have an item of the filter, `limit` of them."""
        selection = self._select_stories(chosen)
        if selection is None:
            return UncopiedStories(count=0, latest=())
        single = f"FROM {selection.tables} WHERE {selection.where} AND s.sources = 1"
        if since_alone(chosen) is not None:
            # Both are read from one index, the latest first: nothing is copied and sorted.
            found = (
                f"SELECT s.story, (SELECT count(*) {single}) {single} ORDER BY s.last DESC LIMIT ?"
            )
            parameters = (*selection.parameters, *selection.parameters, limit)
        else:
            found = (
                f"WITH single AS MATERIALIZED (SELECT s.story, s.last {single})"
                " SELECT story, (SELECT count(*) FROM single) FROM single"
                " ORDER BY last DESC LIMIT ?"
            )
            parameters = (*selection.parameters, limit)
        rows = self._connection.execute(found, parameters).fetchall()
        return UncopiedStories(
            count=rows[0][1] if rows else 0,
            latest=self._story_summaries([story for story, _ in rows]),
        )

    @in_snapshot
    def categories(self, *, limit: int = 40) -> tuple[str, ...]:
        """Return the `limit` categories with most items, by name."""
        rows = self._connection.execute(
            "SELECT name FROM totals WHERE kind = 'category' ORDER BY items DESC, name LIMIT ?",
            (limit,),
        )
        return tuple(sorted(name for (name,) in rows))

    @in_snapshot
    def spreads(
        self, names: Sequence[str], since: datetime, until: datetime
    ) -> tuple[StorySpread, ...]:
        """Return how each story, by its id, spread within the day from `since` to `until`."""
        numbers = [self._story_number(name) for name in names]
        growth = self._growth(numbers, since, until)
        return tuple(self._spread(story, growth[story]) for story in numbers)

    def _counts_of_hours(self, begin: int, end: int) -> Counter[str]:
        """Return how many items of each verdict the hours from `begin` to `end` have."""
        rows = self._connection.execute(
            "SELECT verdict, sum(items) FROM volumes WHERE hour >= ? AND hour < ? GROUP BY verdict",
            (begin, end),
        )
        return Counter(dict(rows.fetchall()))

    def _growth(
        self, stories: Sequence[int], since: datetime, until: datetime
    ) -> defaultdict[int, Counter[int]]:
        """Return the items of each story by the spans of the day, numbered from 0; -1 is before."""
        begin, end = (number_of_time(to_micros(at)) for at in (since, until))
        length = max((end - begin) // DAY_SPANS, 1)
        span = f"CASE WHEN i.number < {begin} THEN -1 ELSE (i.number - {begin}) / {length} END"
        counts: defaultdict[int, Counter[int]] = defaultdict(Counter)
        rows = self._whole_rows(
            f"i.story, {span}, count(*)",
            "json_each(?) chosen CROSS JOIN items i INDEXED BY items_by_story"
            f" ON i.story = chosen.value AND i.number < ? GROUP BY i.story, {span}",
            (json.dumps(stories), end),
        )
        for story, at, items in rows:
            counts[story][min(at, DAY_SPANS - 1)] += items
        return counts

    def _spread(self, story: int, growth: Counter[int]) -> StorySpread:
        """Return how one story spread; `growth` are its items by the spans of the day."""
        original_at: datetime | None = None
        copies: dict[int, SourceCopy] = {}
        original_source: int | None = None
        rows = self._connection.execute(_COPIES, (story, _MOST_MEMBERS)).fetchall()
        for source, item_id, number, verdict, relation, delay in rows:
            at = to_datetime(time_of_number(number))
            if verdict == "original" and original_at is None:
                original_at, original_source = at, source
            if source not in copies:
                copies[source] = SourceCopy(
                    source=self._source_name(source),
                    id=item_id,
                    at=at,
                    relation=relation,
                    delay_seconds=None if delay is None else delay / 1_000_000,
                )
        return StorySpread(
            original_at=original_at,
            copies=tuple(one for source, one in copies.items() if source != original_source),
            items_before=growth[-1],
            growth=tuple(growth[at] for at in range(DAY_SPANS)),
            before=_one_of_each_story(self._follows(story, _LEADING, _MOST_LINKED)),
            after=_one_of_each_story(self._updates(story, _LEADING, _MOST_LINKED)),
        )


def _one_of_each_story(items: Iterable[ItemSummary]) -> tuple[ItemSummary, ...]:
    """Return the first item of each story."""
    first: dict[str, ItemSummary] = {}
    for item in items:
        first.setdefault(item.story, item)
    return tuple(first.values())
