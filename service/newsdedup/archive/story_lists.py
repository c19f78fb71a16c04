"""Lists of stories: by their last items, by size or by speed, of all items or of those that fit."""

from typing import Final, NamedTuple

from newsdedup.archive.pending_rows import number_of_time
from newsdedup.archive.search import (
    EVERYTHING,
    ItemFilter,
    Selection,
    decode_cursor,
    decode_rank,
    encode_cursor,
    encode_rank,
)
from newsdedup.archive.story_ranks import StorySort, lowest_rank
from newsdedup.archive.summaries import ArchiveQueries, in_snapshot
from newsdedup.archive.views import StoryPage
from newsdedup.core.moments import to_micros

_MOST_WALKED: Final = 20_000
"""Items that are looked at for one page of stories."""
_MANY_STORIES: Final = 20_000
_NEWEST: Final = 2**63 - 1
_SOURCES: Final = "SELECT sources FROM stories WHERE story = ?"


class StorySelection(NamedTuple):
    """Tables and conditions of a query of stories, which are the table `s`."""

    tables: str
    where: str
    parameters: tuple[object, ...]


def since_alone(chosen: ItemFilter) -> int | None:
    """Return the number of the moment `since` of a filter by that alone; None for any other."""
    if chosen.since is None or chosen != ItemFilter(since=chosen.since):
        return None
    return number_of_time(to_micros(chosen.since))


class StoryLists(ArchiveQueries):
    """Queries for lists of stories."""

    @in_snapshot
    def stories(
        self,
        chosen: ItemFilter = EVERYTHING,
        *,
        sort: StorySort = "new",
        least_sources: int = 1,
        cursor: str = "",
        limit: int = 50,
    ) -> StoryPage:
        """Return stories with an item that the filter lets through, of `least_sources` or more.

        `new` orders them by their last item that fits; such a page may have fewer than `limit`
        where many items had to be passed over. `size` and `speed` order them by their ranks
        (story_ranks.py); with another filter than `since` only the latest 20,000 items that fit
        count then. Raise CursorInvalid if `cursor` is of no page of this order.
        """
        following: str | None
        if sort == "new":
            find = self._latest if chosen == ItemFilter(since=chosen.since) else self._walk
            stories, number = find(chosen, decode_cursor(cursor), least_sources, limit)
            following = None if number is None else encode_cursor(number)
        else:
            stories, following = self._by_rank(chosen, sort, least_sources, cursor, limit)
        return StoryPage(stories=self._story_summaries(stories), next=following)

    def _select_stories(self, chosen: ItemFilter) -> StorySelection | None:
        """Return the selection of the stories that have an item of a filter; None if none can.

        An index of stories tells which have one since a moment; otherwise it is the latest 20,000
        items that fit.
        """
        if (since := since_alone(chosen)) is not None:
            return StorySelection("stories s INDEXED BY stories_by_last", "s.last >= ?", (since,))
        selection = self._selector.select(chosen)
        if selection is None:
            return None
        items = (
            f"SELECT DISTINCT story FROM (SELECT i.story FROM {selection.tables}"
            f" WHERE {selection.where} ORDER BY {selection.number} DESC LIMIT {_MOST_WALKED})"
        )
        tables = f"({items}) fitting CROSS JOIN stories s ON s.story = fitting.story"
        return StorySelection(tables, "1", selection.parameters)

    def _by_rank(
        self, chosen: ItemFilter, sort: StorySort, least_sources: int, cursor: str, limit: int
    ) -> tuple[list[int], str | None]:
        """Return the numbers of up to `limit` stories, the highest ranks first, and the cursor."""
        rank = f"s.by_{sort}"
        ranked = f"stories s INDEXED BY stories_by_{sort}"
        selection: StorySelection | None
        since = since_alone(chosen)
        if chosen == EVERYTHING:
            selection = StorySelection(ranked, "1", ())
        elif since is not None and self._are_many(since):
            lowest = lowest_rank(sort, since)
            selection = StorySelection(ranked, f"{rank} >= ? AND s.last >= ?", (lowest, since))
        else:
            selection = self._select_stories(chosen)
        below = decode_rank(cursor) or (_NEWEST, 0)
        if selection is None:
            return [], None
        rows = self._connection.execute(
            f"SELECT s.story, {rank} FROM {selection.tables} WHERE {selection.where}"
            f" AND s.sources >= ? AND ({rank}, s.story) < (?, ?)"
            f" ORDER BY {rank} DESC, s.story DESC LIMIT ?",
            (*selection.parameters, least_sources, *below, limit + 1),
        ).fetchall()
        following = None
        if len(rows) > limit:
            story, last_rank = rows[limit - 1]
            following = encode_rank(last_rank, story)
        return [story for story, _ in rows[:limit]], following

    def _are_many(self, since: int) -> bool:
        """Return whether many stories have items from a number on.

        Then they are looked for by their ranks, since some of the highest will be theirs.
        """
        found = "SELECT 1 FROM stories INDEXED BY stories_by_last WHERE last >= ? LIMIT ?"
        number = self._count(f"SELECT count(*) FROM ({found})", since, _MANY_STORIES)
        return number == _MANY_STORIES

    def _latest(
        self, chosen: ItemFilter, below: int | None, least_sources: int, limit: int
    ) -> tuple[list[int], int | None]:
        """Return the latest stories of a filter by `since` alone, by the index of stories.

        The page begins below the number `below` of an item, None for the first one. Return where
        more follow, too, None at the end.
        """
        since = -(2**63) if chosen.since is None else number_of_time(to_micros(chosen.since))
        rows = self._connection.execute(
            "SELECT story, last FROM stories INDEXED BY stories_by_last"
            " WHERE last >= ? AND last < ? AND sources >= ? ORDER BY last DESC LIMIT ?",
            (since, _NEWEST if below is None else below, least_sources, limit + 1),
        ).fetchall()
        following = rows[limit - 1][1] if len(rows) > limit else None
        return [story for story, _ in rows[:limit]], following

    def _walk(
        self, chosen: ItemFilter, below: int | None, least_sources: int, limit: int
    ) -> tuple[list[int], int | None]:
        """Return stories by their last items that the filter lets through, as `_latest` does.

        After _MOST_WALKED items the page ends.
        """
        selection = self._selector.select(chosen, below=below)
        if selection is None:
            return [], None
        rows = self._connection.execute(
            f"SELECT i.story, i.number FROM {selection.tables} WHERE {selection.where}"
            f" ORDER BY {selection.number} DESC LIMIT ?",
            (*selection.parameters, _MOST_WALKED),
        )
        stories: list[int] = []
        seen: set[int] = set()
        number, walked = 0, 0
        whole = self._selector.select(chosen)
        for story, number in rows:
            walked += 1
            if story in seen:
                continue
            seen.add(story)
            if least_sources > 1 and self._count(_SOURCES, story) < least_sources:
                continue
            if below is not None and whole and self._has_item(whole, story, above=below):
                continue  # it is on an earlier page
            stories.append(story)
            if len(stories) == limit:
                return stories, number
        return stories, number if walked == _MOST_WALKED else None

    def _has_item(self, selection: Selection, story: int, *, above: int) -> bool:
        """Return whether a story has an item from a number on that the selection lets through."""
        if self._count("SELECT last FROM stories WHERE story = ?", story) < above:
            return False
        numbers = self._connection.execute(
            "SELECT number FROM items WHERE story = ? AND number >= ?", (story, above)
        ).fetchall()
        return any(
            self._connection.execute(
                f"SELECT 1 FROM {selection.tables} WHERE {selection.where}"
                f" AND {selection.number} = ?",
                (*selection.parameters, number),
            ).fetchone()
            for (number,) in numbers
        )
