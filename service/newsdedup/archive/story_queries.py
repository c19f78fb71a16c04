"""Stories by their last activity, one story with all that belongs to it, and corrections."""

from collections import defaultdict
from itertools import pairwise
from typing import Final

from msgspec.structs import astuple

from newsdedup.archive.item_tables import decode_standing
from newsdedup.archive.search import EVERYTHING, ItemFilter, Selection, decode_cursor, encode_cursor
from newsdedup.archive.summaries import STORY_OF_ITEM, ArchiveQueries, in_snapshot
from newsdedup.archive.views import Correction, ItemSummary, Standing, StoryDetail, StoryPage
from newsdedup.core.events import ItemRef, Revision

_MOST_WALKED: Final = 20_000
"""Items that are looked at for one page of stories."""
_MOST_LINKED: Final = 100
"""Items of other stories, and corrections, that a story shows."""
_MOST_MEMBERS: Final = 1_000
"""Items of a story whose links and corrections are looked up, the latest."""
_MEMBERS: Final = (
    "(SELECT number, source, id FROM items WHERE story = ? ORDER BY number DESC"
    f" LIMIT {_MOST_MEMBERS}) m"
)


class StoryQueries(ArchiveQueries):
    """Queries about stories."""

    @in_snapshot
    def stories(
        self, chosen: ItemFilter = EVERYTHING, *, cursor: str = "", limit: int = 50
    ) -> StoryPage:
        """Return stories by their last item that the filter lets through, the latest first.

        A page may have fewer than `limit` where many items had to be passed over. Raise
        CursorInvalid if `cursor` is of no page.
        """
        below = decode_cursor(cursor)
        if chosen == EVERYTHING:
            stories, following = self._latest(below, limit)
        else:
            stories, following = self._walk(chosen, below, limit)
        return StoryPage(
            stories=self._story_summaries(stories),
            next=None if following is None else encode_cursor(following),
        )

    @in_snapshot
    def story(self, story_id: str, *, cursor: str = "", limit: int = 200) -> StoryDetail | None:
        """Return a story with `limit` of its items behind the cursor; None if there is no story.

        Raise CursorInvalid if `cursor` is of no page.
        """
        above = decode_cursor(cursor)
        found = self._connection.execute(
            "SELECT story FROM stories WHERE name = ?", (story_id,)
        ).fetchone()
        if found is None:
            return None
        story = found[0]
        items, following = self._page(
            f"items i INDEXED BY items_by_story{STORY_OF_ITEM} WHERE i.story = ?"
            " AND i.number > ? ORDER BY i.number",
            (story, -(2**63) if above is None else above),
            limit,
        )
        return StoryDetail(
            summary=self._story_summaries([story])[0],
            items=items,
            next=following,
            follows=self._follows(story),
            updates=self._updates(story),
            corrections=self._corrections(_MEMBERS, story),
        )

    @in_snapshot
    def newest_of_story(self, story_id: str, *, limit: int) -> tuple[ItemSummary, ...]:
        """Return up to `limit` items of a story, the newest first; () if there is no such story."""
        selected = (
            "stories s CROSS JOIN items i INDEXED BY items_by_story ON i.story = s.story"
            " WHERE s.name = ? ORDER BY i.number DESC"
        )
        return self._page(selected, (story_id,), limit)[0]

    def _latest(self, below: int | None, limit: int) -> tuple[list[int], int | None]:
        """Return the numbers of up to `limit` stories, the latest that end below an item's number.

        Also return the number below which more follow, None at the end. Without `below` the page
        begins with the latest of all.
        """
        rows = self._connection.execute(
            "SELECT story, last FROM stories WHERE last < ? ORDER BY last DESC LIMIT ?",
            (2**63 - 1 if below is None else below, limit + 1),
        ).fetchall()
        following = rows[limit - 1][1] if len(rows) > limit else None
        return [story for story, _ in rows[:limit]], following

    def _walk(
        self, chosen: ItemFilter, below: int | None, limit: int
    ) -> tuple[list[int], int | None]:
        """Return stories by their last items that the filter lets through, and where more follow.

        The latter is the number of an item, None at the end. After _MOST_WALKED items the page
        ends.
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
            if below is not None and whole and self._has_item(whole, story, above=below):
                continue  # it is on an earlier page
            stories.append(story)
            if len(stories) == limit:
                return stories, number
        return stories, number if walked == _MOST_WALKED else None

    def _has_item(self, selection: Selection, story: int, *, above: int) -> bool:
        """Return whether a story has an item from a number on that the selection lets through."""
        (last,) = self._connection.execute(
            "SELECT last FROM stories WHERE story = ?", (story,)
        ).fetchone()
        if last < above:
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

    def _follows(self, story: int) -> tuple[ItemSummary, ...]:
        """Return the items of other stories that originals of this one matched."""
        selected = (
            f"{_MEMBERS} JOIN items o ON o.number = m.number"
            f" JOIN items i ON i.source = o.matched_source AND i.id = o.matched_id{STORY_OF_ITEM}"
            " WHERE o.verdict = 'original' AND i.story <> ? GROUP BY i.number ORDER BY i.number"
        )
        return self._page(selected, (story, story), _MOST_LINKED)[0]

    def _updates(self, story: int) -> tuple[ItemSummary, ...]:
        """Return the originals of other stories that matched items of this one."""
        selected = (
            f"{_MEMBERS} JOIN items i ON i.matched_source = m.source"
            f" AND i.matched_id = m.id AND i.verdict = 'original'{STORY_OF_ITEM}"
            " WHERE i.story <> ? ORDER BY i.number"
        )
        return self._page(selected, (story, story), _MOST_LINKED)[0]

    def _corrections(self, members: str, parameter: int) -> tuple[Correction, ...]:
        """Return the latest 100 corrections of some items, by revision.

        `members` is the SQL of a table `m` of these items, `parameter` its value.
        """
        overtaken = self._connection.execute(
            f"SELECT o.name, r.id, r.epoch, r.n, r.standing FROM {members}"
            " JOIN revisions r ON r.source = m.source AND r.id = m.id"
            " JOIN sources o ON o.source = r.source",
            (parameter,),
        )
        standings: defaultdict[ItemRef, dict[tuple[int, int], Standing]] = defaultdict(dict)
        for source, item_id, epoch, n, standing in overtaken.fetchall():
            standings[ItemRef(source, item_id)][epoch, n] = decode_standing(standing)
        current = self._connection.execute(
            "SELECT DISTINCT o.name, i.id, i.epoch, i.n, i.verdict, i.relation, s.name, p.name,"
            f" i.original_id, i.decided_by, i.version FROM {members}"
            " JOIN revisions r ON r.source = m.source AND r.id = m.id"
            " JOIN items i ON i.number = m.number JOIN sources o ON o.source = i.source"
            f" JOIN sources p ON p.source = i.original_source{STORY_OF_ITEM}",
            (parameter,),
        )
        for source, item_id, epoch, n, *fields in current:
            verdict, relation, name, *original, by, version = fields
            standings[ItemRef(source, item_id)][epoch, n] = Standing(
                verdict, relation, name, ItemRef(*original), by, version
            )
        made = [
            Correction(
                item=item,
                revision=Revision(*later),
                changed=_changed_fields(by_revision[earlier], by_revision[later]),
                before=by_revision[earlier],
                after=by_revision[later],
            )
            for item, by_revision in standings.items()
            for earlier, later in pairwise(sorted(by_revision))
        ]
        made.sort(key=lambda one: (*astuple(one.revision), *astuple(one.item)))
        return tuple(made[-_MOST_LINKED:])


def _changed_fields(before: Standing, after: Standing) -> tuple[str, ...]:
    """Return the names of the fields in which two standings differ."""
    fields = zip(before.__struct_fields__, astuple(before), astuple(after), strict=True)
    return tuple([name for name, old, new in fields if old != new])
