"""Stories by their last activity, one story with all that belongs to it, and corrections."""

import sqlite3
from collections import defaultdict
from collections.abc import Iterable
from itertools import pairwise
from typing import Final

from msgspec.structs import astuple

from newsdedup.archive.filters import EVERYTHING, ItemFilter, encode_cursor
from newsdedup.archive.item_tables import decode_standing
from newsdedup.archive.pending_rows import standing_of_judgement
from newsdedup.archive.selection import Selection, Selector
from newsdedup.archive.summaries import SUMMARY_COLUMNS, ItemSummaries
from newsdedup.archive.views import Correction, ItemSummary, Standing, StoryDetail, StoryPage
from newsdedup.core.events import ItemRef, Judgement, Revision
from newsdedup.core.model import ItemKey

_MOST_WALKED: Final = 20_000
"""Items that are looked at for one page of stories."""
_MOST_LINKED: Final = 100
"""Items of other stories, and corrections, that a story shows."""
_MOST_MEMBERS: Final = 1_000
"""Items of a story whose links and corrections are looked up, the latest."""
_STORIES: Final = " JOIN stories s ON s.story = i.story"
_MEMBERS: Final = (
    "(SELECT number, source, id FROM items WHERE story = ? ORDER BY number DESC"
    f" LIMIT {_MOST_MEMBERS}) m"
)
_Number = tuple[int, int]
"""Epoch and n of a revision."""


class StoryQueries:
    """Queries about stories, within the transaction of the caller."""

    def __init__(self, summaries: ItemSummaries, selector: Selector) -> None:
        self._connection = summaries.connection
        self._summaries = summaries
        self._selector = selector

    def page(self, chosen: ItemFilter, *, below: int | None, limit: int) -> StoryPage:
        """Return the stories whose last item that the filter lets through is below a number."""
        if chosen == EVERYTHING:
            stories, following = self._latest(below, limit)
        else:
            stories, following = self._walk(chosen, below, limit)
        return StoryPage(
            stories=self._summaries.stories(stories),
            next=None if following is None else encode_cursor(following),
        )

    def detail(self, name: str, *, above: int | None, limit: int) -> StoryDetail | None:
        """Return a story by its name, with the items above a number; None if there is none."""
        found = self._connection.execute(
            "SELECT story FROM stories WHERE name = ?", (name,)
        ).fetchone()
        if found is None:
            return None
        story = found[0]
        rows = self._connection.execute(
            f"{SUMMARY_COLUMNS} FROM items i INDEXED BY items_by_story{_STORIES} WHERE i.story = ?"
            " AND i.number > ? ORDER BY i.number LIMIT ?",
            (story, -(2**63) if above is None else above, limit + 1),
        ).fetchall()
        return StoryDetail(
            summary=self._summaries.stories([story])[0],
            items=self._summaries.summaries(rows[:limit]),
            next=encode_cursor(rows[limit - 1][0]) if len(rows) > limit else None,
            follows=self._follows(story),
            updates=self._updates(story),
            corrections=self._corrections(story),
        )

    def newest(self, name: str, *, limit: int) -> tuple[ItemSummary, ...]:
        """Return items of a story by its name, the newest first; none if there is no such story."""
        rows = self._connection.execute(
            f"{SUMMARY_COLUMNS} FROM stories s CROSS JOIN items i INDEXED BY items_by_story"
            " ON i.story = s.story WHERE s.name = ? ORDER BY i.number DESC LIMIT ?",
            (name, limit),
        )
        return self._summaries.summaries(rows)

    def _latest(self, below: int | None, limit: int) -> tuple[list[int], int | None]:
        """Return stories by their last items, and the number behind which more follow."""
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
            if below is not None and whole and self._has_item(whole, story, above=below):
                continue  # it stands on an earlier page
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
        rows = self._connection.execute(
            f"{SUMMARY_COLUMNS} FROM {_MEMBERS} JOIN items o ON o.number = m.number"
            f" JOIN items i ON i.source = o.matched_source AND i.id = o.matched_id{_STORIES}"
            " WHERE o.verdict = 'original' AND i.story <> ? GROUP BY i.number"
            " ORDER BY i.number LIMIT ?",
            (story, story, _MOST_LINKED),
        )
        return self._summaries.summaries(rows)

    def _updates(self, story: int) -> tuple[ItemSummary, ...]:
        """Return the originals of other stories that matched items of this one."""
        rows = self._connection.execute(
            f"{SUMMARY_COLUMNS} FROM {_MEMBERS} JOIN items i ON i.matched_source = m.source"
            f" AND i.matched_id = m.id AND i.verdict = 'original'{_STORIES}"
            " WHERE i.story <> ? ORDER BY i.number LIMIT ?",
            (story, story, _MOST_LINKED),
        )
        return self._summaries.summaries(rows)

    def _corrections(self, story: int) -> tuple[Correction, ...]:
        """Return the latest corrections of the items of a story, by revision."""
        rows = self._connection.execute(
            "SELECT o.name, r.id, r.epoch, r.n, r.standing"
            f" FROM {_MEMBERS} JOIN revisions r ON r.source = m.source AND r.id = m.id"
            " JOIN sources o ON o.source = r.source",
            (story,),
        ).fetchall()
        standings = _by_item(rows)
        current = self._connection.execute(
            "SELECT DISTINCT o.name, i.id, i.epoch, i.n, i.verdict, i.relation, s.name, p.name,"
            f" i.original_id, i.decided_by, i.version FROM {_MEMBERS}"
            " JOIN revisions r ON r.source = m.source AND r.id = m.id"
            " JOIN items i ON i.number = m.number JOIN sources o ON o.source = i.source"
            f" JOIN sources p ON p.source = i.original_source{_STORIES}",
            (story,),
        )
        for source, item_id, epoch, n, *fields in current:
            verdict, relation, name, *original, by, version = fields
            standing = Standing(verdict, relation, name, ItemRef(*original), by, version)
            standings[ItemKey(source, item_id)][epoch, n] = standing
        made = [one for key, those in standings.items() for one in _corrections(key, those)]
        made.sort(key=lambda one: (*astuple(one.revision), *astuple(one.item)))
        return tuple(made[-_MOST_LINKED:])


def corrections_of_item(
    connection: sqlite3.Connection, key: ItemKey, judgement: Judgement
) -> tuple[Correction, ...]:
    """Return the corrections of an item up to its newest verdict."""
    rows = connection.execute(
        "SELECT o.name, r.id, r.epoch, r.n, r.standing FROM revisions r"
        " JOIN sources o ON o.source = r.source WHERE o.name = ? AND r.id = ?",
        key,
    ).fetchall()
    standings = _by_item(rows)[key]
    revision = judgement.revision
    standings[revision.epoch, revision.n] = standing_of_judgement(judgement)
    return tuple(_corrections(key, standings))


def _by_item(
    rows: Iterable[tuple[str, str, int, int, str]],
) -> defaultdict[ItemKey, dict[_Number, Standing]]:
    """Return overtaken standings by item and revision."""
    standings: defaultdict[ItemKey, dict[_Number, Standing]] = defaultdict(dict)
    for source, item_id, epoch, n, standing in rows:
        standings[ItemKey(source, item_id)][epoch, n] = decode_standing(standing)
    return standings


def _corrections(key: ItemKey, standings: dict[_Number, Standing]) -> list[Correction]:
    """Return what each standing changed against the one before it."""
    corrections = []
    for earlier, later in pairwise(sorted(standings)):
        before, after = standings[earlier], standings[later]
        changed = tuple(
            [
                name
                for name in Standing.__struct_fields__
                if getattr(before, name) != getattr(after, name)
            ]
        )
        corrections.append(
            Correction(
                item=ItemRef(key.source, key.id),
                revision=Revision(*later),
                changed=changed,
                before=before,
                after=after,
            )
        )
    return corrections
