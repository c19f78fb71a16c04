"""One story with all that belongs to it, and corrections."""

from collections import defaultdict
from itertools import pairwise
from typing import Final

from msgspec.structs import astuple

from newsdedup.archive.item_tables import decode_standing
from newsdedup.archive.pending_rows import time_of_number
from newsdedup.archive.search import decode_cursor
from newsdedup.archive.story_lists import StoryLists
from newsdedup.archive.summaries import STORY_OF_ITEM, in_snapshot
from newsdedup.archive.views import (
    ArchivedStory,
    Correction,
    ItemSummary,
    SourceSpread,
    Standing,
    StoryDetail,
    StorySources,
)
from newsdedup.core.events import ItemRef, Revision
from newsdedup.core.moments import to_datetime

_MOST_LINKED: Final = 100
"""Items of other stories, and corrections, that a story shows."""
_MOST_MEMBERS: Final = 1_000
"""Items of a story whose links and corrections are looked up, the latest."""
_MOST_SPREAD: Final = 5_000
"""Items of a story by which its spread is shown, the first."""
_MOST_SOURCES: Final = 20
_SLOTS: Final = 200
_MEMBERS: Final = (
    "(SELECT number, source, id FROM items WHERE story = ? ORDER BY number DESC"
    f" LIMIT {_MOST_MEMBERS}) m"
)


class StoryQueries(StoryLists):
    """Queries about stories, one by one and in lists."""

    @in_snapshot
    def story(self, story_id: str, *, cursor: str = "", limit: int = 200) -> StoryDetail | None:
        """Return a story with `limit` of its items after the cursor; None if there is no story.

        Raise CursorInvalid if `cursor` is of no page.
        """
        above, story = decode_cursor(cursor), self._story_number(story_id)
        if not story:
            return None
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

    @in_snapshot
    def story_sources(self, story: ArchivedStory) -> StorySources:
        """Return when each source had the items of a story, by its first 5,000 items."""
        run = self._connection.execute
        (number, first, last) = run(
            "SELECT story, first, last FROM stories WHERE name = ?", (story.id,)
        ).fetchone() or (0, 0, 0)
        rows = run(
            f"SELECT source, (number - ?) * {_SLOTS} / (? - ? + 1), count(*), min(number),"
            " max(number) FROM (SELECT source, number FROM items INDEXED BY items_by_story"
            " WHERE story = ? ORDER BY number LIMIT ?) GROUP BY 1, 2 ORDER BY 4",
            (first, last, first, number, _MOST_SPREAD),
        ).fetchall()
        by_source: dict[int, list[tuple[int, int, int, int]]] = {}
        for source, *row in rows:
            by_source.setdefault(source, []).append(tuple(row))
        shown = [
            SourceSpread(
                source=self._source_name(source),
                items=sum(items for _, items, _, _ in slots),
                first_at=to_datetime(time_of_number(slots[0][2])),
                last_at=to_datetime(time_of_number(slots[-1][3])),
                slots=tuple(slot for slot, *_ in slots),
            )
            for source, slots in list(by_source.items())[:_MOST_SOURCES]
        ]
        return StorySources(
            sources=tuple(shown),
            others=len(by_source) - len(shown),
            items=sum(row[2] for row in rows),
        )

    def _story_number(self, name: str) -> int:
        """Return the number of a story by its id; 0 if there is none, or none any more."""
        query = "SELECT story FROM stories WHERE name = ?"
        row = self._connection.execute(query, (name,)).fetchone()
        return 0 if row is None else int(row[0])

    def _follows(
        self, story: int, members: str = _MEMBERS, most: int = _MOST_LINKED
    ) -> tuple[ItemSummary, ...]:
        """Return the items of other stories that originals of this one matched.

        `members` is the SQL of a table `m` of the items of this story that count.
        """
        selected = (
            f"{members} JOIN items o ON o.number = m.number"
            f" JOIN items i ON i.source = o.matched_source AND i.id = o.matched_id{STORY_OF_ITEM}"
            " WHERE o.verdict = 'original' AND i.story <> ? GROUP BY i.number ORDER BY i.number"
        )
        return self._page(selected, (story, story), most)[0]

    def _updates(
        self, story: int, members: str = _MEMBERS, most: int = _MOST_LINKED
    ) -> tuple[ItemSummary, ...]:
        """Return up to `most` originals of other stories that matched items of this one."""
        selected = (
            f"{members} JOIN items i ON i.matched_source = m.source"
            f" AND i.matched_id = m.id AND i.verdict = 'original'{STORY_OF_ITEM}"
            " WHERE i.story <> ? ORDER BY i.number"
        )
        return self._page(selected, (story, story), most)[0]

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
