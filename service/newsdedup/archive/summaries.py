"""Connections that read an archive, and items and stories as lists show them, made of rows."""

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from functools import wraps
from pathlib import Path
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

import msgspec

from newsdedup.adapters.files.paths import file_identity
from newsdedup.adapters.sqlite.file_schema import OpenFiles, read_meta
from newsdedup.archive.archive_file import ARCHIVE_SCHEMA, open_archive_for_reading
from newsdedup.archive.event_lines import ContentCodec
from newsdedup.archive.pending_rows import time_of_number
from newsdedup.archive.search import Selector, encode_cursor
from newsdedup.archive.search_words import SearchWords
from newsdedup.archive.views import ArchivedStory, ItemSummary
from newsdedup.archive.word_index import IndexProgress, index_progress
from newsdedup.core.events import ItemRef, Revision
from newsdedup.core.moments import to_datetime

SPARK_SPANS: Final = 24

SUMMARY_COLUMNS: Final = (
    "SELECT i.number, i.source, i.id, i.epoch, i.n, i.at, i.verdict, i.relation, i.score, i.lang,"
    " i.decided_by, i.late, s.name, i.original_source, i.original_id, i.matched_source,"
    " i.matched_id, i.delay, i.title, i.url"
)
"""The columns of `_summary`, of tables i (items) and s (stories)."""
STORY_OF_ITEM: Final = " JOIN stories s ON s.story = i.story"
_STORIES_BY_NUMBER: Final = (
    "SELECT s.name, s.story, s.items, s.duplicates, s.sources, s.first, s.last,"
    " l.original_source, l.original_id, coalesce(o.title, f.title), coalesce(o.url, f.url),"
    " coalesce(o.lang, f.lang), f.source"
    " FROM json_each(?) chosen JOIN stories s ON s.story = chosen.value"
    " JOIN items l ON l.number = s.last JOIN items f ON f.number = s.first"
    " LEFT JOIN items o ON o.source = l.original_source AND o.id = l.original_id"
    " ORDER BY chosen.key"
)
_SPARK: Final = f"s.story, (i.number - s.first) * {SPARK_SPANS} / (s.last - s.first + 1), count(*)"
_MEMBERS: Final = (
    "json_each(?) chosen JOIN stories s ON s.story = chosen.value"
    " JOIN items i ON i.story = s.story"
    f" GROUP BY s.story, (i.number - s.first) * {SPARK_SPANS} / (s.last - s.first + 1)"
)


_Queries = TypeVar("_Queries", bound="ArchiveQueries")
_Parameters = ParamSpec("_Parameters")
_Result = TypeVar("_Result")
_WHOLE_NUMBERS: Final = msgspec.json.Decoder(list[list[int]])


def in_snapshot(
    method: Callable[Concatenate[_Queries, _Parameters], _Result],
) -> Callable[Concatenate[_Queries, _Parameters], _Result]:
    """Decorate a method: its queries see one committed state, damage raises StateUnusable."""

    @wraps(method)
    def call(self: _Queries, /, *args: _Parameters.args, **options: _Parameters.kwargs) -> _Result:
        self.give_way()
        with ARCHIVE_SCHEMA.errors(self.path, "reading"):
            self._connection.execute("BEGIN")
            try:
                return method(self, *args, **options)
            finally:
                self._connection.execute("ROLLBACK")

    return call


class ArchiveQueries(OpenFiles):
    """A read-only connection to an archive, with what its queries have in common."""

    def __init__(self, path: Path, words: SearchWords) -> None:
        self.path = path
        self.give_way: Callable[[], object] = lambda: None
        """Called between the steps of long work: other threads may go first."""
        self._words = words
        self._index_version = words.version
        # Before it is opened: one that is replaced meanwhile is opened once more, never kept.
        self._file = file_identity(path)
        with ExitStack() as opened:
            self._connection = opened.enter_context(closing(open_archive_for_reading(path)))
            self._selector = Selector(self._connection, words)
            self._names: dict[int, str] = {}
            """Names of sources, which never change, by their numbers."""
            with ARCHIVE_SCHEMA.errors(path, "reading"):
                self._codec = ContentCodec(read_meta(self._connection, "dictionary"))
            self._opened = opened.pop_all()

    def _count(self, query: str, *parameters: object) -> int:
        """Return the number that a query selects in its first column."""
        return int(self._connection.execute(query, parameters).fetchone()[0])

    def _change(self) -> int:
        """Return the number of the last change of this file."""
        return int(read_meta(self._connection, "change"))

    def _index_progress(self) -> IndexProgress | None:
        """Return how far the index of words is made that this version needs; None if it is."""
        return index_progress(self._connection, self._index_version)

    def _source_name(self, source: int) -> str:
        if source not in self._names:
            (name,) = self._connection.execute(
                "SELECT name FROM sources WHERE source = ?", (source,)
            ).fetchone()
            self._names[source] = name
        return self._names[source]

    def _ref(self, source: int, item_id: str) -> ItemRef:
        """Return the reference of an item, given the number of its source."""
        return ItemRef(self._source_name(source), item_id)

    def _summary(self, row: Sequence[Any]) -> ItemSummary:
        """Return the summary of a row that was selected by SUMMARY_COLUMNS."""
        _, source, item_id, epoch, n, at, verdict, relation, score, lang, *rest = row
        decided_by, late, story, original_source, original_id, *rest = rest
        matched_source, matched_id, delay, title, url = rest
        return ItemSummary(
            source=self._source_name(source),
            id=item_id,
            at=to_datetime(at),
            title=title,
            url=url,
            lang=lang,
            verdict=verdict,
            relation=relation,
            score=score,
            decided_by=decided_by,
            story=story,
            original=self._ref(original_source, original_id),
            matched=None if matched_source is None else self._ref(matched_source, matched_id),
            delay_seconds=None if delay is None else delay / 1_000_000,
            late=bool(late),
            revision=Revision(epoch, n),
        )

    def _page(
        self, selected: str, parameters: Sequence[object], limit: int
    ) -> tuple[tuple[ItemSummary, ...], str | None]:
        """Return the first items of a query, and the cursor of the next ones, None at the end.

        `selected` is the query from its tables on, which include i (items) and s (stories).
        """
        rows = self._connection.execute(
            f"{SUMMARY_COLUMNS} FROM {selected} LIMIT ?", (*parameters, limit + 1)
        ).fetchall()
        following = encode_cursor(rows[limit - 1][0]) if len(rows) > limit else None
        return tuple(map(self._summary, rows[:limit])), following

    def _whole_rows(self, columns: str, rows: str, parameters: Sequence[object]) -> list[list[int]]:
        """Return the rows, in any order, of a query for integers: `SELECT columns FROM rows`."""
        return _WHOLE_NUMBERS.decode(self._joined_rows(columns, rows, parameters))

    def _joined_rows(self, columns: str, rows: str, parameters: Sequence[object]) -> str:
        """Return the rows of a query `SELECT columns FROM rows` as a JSON list of lists.

        SQLite returns them as one text: it releases the interpreter's lock at each row, and a query
        of 30,000 rows would wait for busy threads as often.
        """
        (joined,) = self._connection.execute(
            "SELECT '[' || coalesce(group_concat(whole_row), '') || ']' FROM"
            f" (SELECT json_array({columns}) AS whole_row FROM {rows})",
            parameters,
        ).fetchone()
        return str(joined)

    def _story_summaries(self, stories: Sequence[int]) -> tuple[ArchivedStory, ...]:
        """Return the summaries of stories by their numbers, in their order."""
        chosen = json.dumps(stories)
        spans: defaultdict[int, Counter[int]] = defaultdict(Counter)
        for story, span, items in self._whole_rows(_SPARK, _MEMBERS, (chosen,)):
            spans[story][span] = items
        rows = self._connection.execute(_STORIES_BY_NUMBER, (chosen,)).fetchall()
        return tuple(self._story(row, spans[row[1]]) for row in rows)

    def _story(self, row: Sequence[Any], spans: Counter[int]) -> ArchivedStory:
        """Return the summary of a story from a row of _STORIES_BY_NUMBER.

        `spans` has the number of its items in each of the 24 spans of its spark line.
        """
        name, _, items, duplicates, sources, first, last, *shown = row
        original_source, original_id, title, url, lang, first_source = shown
        return ArchivedStory(
            id=name,
            original=self._ref(original_source, original_id),
            title=title,
            url=url,
            lang=lang,
            first_source=self._source_name(first_source),
            first_at=to_datetime(time_of_number(first)),
            last_at=to_datetime(time_of_number(last)),
            items=items,
            duplicates=duplicates,
            sources=sources,
            spark=tuple(spans[span] for span in range(SPARK_SPANS if last > first else 1)),
        )
