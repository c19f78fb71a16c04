"""Reading an archive, also while it is written: lists, stories, items, sources, volumes, search."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Final
from zlib import crc32

from newsdedup.adapters.files.paths import file_identity
from newsdedup.archive.earlier_texts import EarlierTexts
from newsdedup.archive.event_lines import item_of_event, judgement_of_event, received_of_event
from newsdedup.archive.front_queries import FrontQueries
from newsdedup.archive.pending_rows import number_of_time, time_of_number
from newsdedup.archive.search import (
    EVERYTHING,
    ItemFilter,
    decode_cursor,
    source_number,
)
from newsdedup.archive.search_queries import SearchQueries
from newsdedup.archive.source_queries import SourceQueries
from newsdedup.archive.summaries import STORY_OF_ITEM, SUMMARY_COLUMNS, in_snapshot
from newsdedup.archive.views import (
    ArchiveChange,
    ArchiveStats,
    ChangePage,
    EarlierText,
    ItemDetail,
    ItemPage,
    ItemSummary,
    VolumePoint,
    VolumeSeries,
    VolumeStep,
)
from newsdedup.archive.watch_queries import WatchQueries
from newsdedup.archive.word_index import IndexProgress
from newsdedup.core.events import ItemRef
from newsdedup.core.model import ItemKey, Language
from newsdedup.core.moments import EPOCH, HOUR, to_datetime, to_micros

_HOURS: Final[dict[VolumeStep, int]] = {"hour": 1, "day": 24, "week": 168}
_MONDAY: Final[dict[VolumeStep, int]] = {"hour": 0, "day": 0, "week": 72}
"""Hours from the beginning of a span to 1970, a Thursday."""
_SPAN: Final = number_of_time(HOUR)
_HOUR_OF: Final = f"({{number}} - (({{number}} % {_SPAN}) + {_SPAN}) % {_SPAN}) / {_SPAN}"
"""The hour of an item by its number. SQLite rounds quotients to 0, so the rest is subtracted."""
_Hourly = Counter[tuple[int, str]]
"""Items by hour and verdict."""
_LATEST: Final = 2**63 - 1
_MOST_EMPTY: Final = 10_000
"""Spans before the latest one, of which those without items are returned, too."""
_MOST_STEPS: Final = 120
"""Parts of a span that can be distinguished, by which the step is chosen."""


class ArchiveReader(FrontQueries, SourceQueries, SearchQueries, WatchQueries):
    """A read-only connection to an archive; each thread needs a reader of its own.

    Every call sees one committed state and raises StateUnusable where the file is damaged. Calls
    with a cursor raise CursorInvalid for one that no page gave.
    """

    def is_replaced(self) -> bool:
        """Return whether another file has the path of the archive now, or none has."""
        return file_identity(self.path) != self._file

    def word_key(self, form: str, lang: Language) -> str:
        """Return what the forms of a word share, in Russian and Ukrainian alike; "" if ignored."""
        return self._words.key(form, lang)

    def written_words(self, title: str, text: str, lang: Language) -> dict[str, str]:
        """Return for each stem of a text the first word that has it; `lang` is one of STEMMED."""
        return self._words.written(title, text, lang)

    def file_number(self) -> str:
        """Return the inode of the file that is read: another file at its path has another one."""
        return str(self._file[1]) if isinstance(self._file, tuple) else ""

    @in_snapshot
    def last_change(self) -> int:
        """Return the number of the last change of this file."""
        return self._change()

    @in_snapshot
    def index_progress(self) -> IndexProgress | None:
        """Return how far the index of words is made that this version needs; None if it is."""
        return self._index_progress()

    @in_snapshot
    def stamp(self) -> str:
        """Return a tag of the file and its last change: while it is the same, all pages are."""
        progress = self._index_progress()
        parts = [f"{crc32(repr(self._file).encode()):x}", str(self._change())]
        return ".".join(parts if progress is None else [*parts, str(progress.done)])

    @in_snapshot
    def items(
        self, chosen: ItemFilter = EVERYTHING, *, cursor: str = "", limit: int = 50
    ) -> ItemPage:
        """Return a page of the items that the filter lets through, the newest first.

        `cursor` is `next` of the page before; raise CursorInvalid for any other.
        """
        selection = self._selector.select(chosen, below=decode_cursor(cursor))
        if selection is None:
            return ItemPage(items=(), next=None)
        selected = (
            f"{selection.tables}{STORY_OF_ITEM} WHERE {selection.where}"
            f" ORDER BY {selection.number} DESC"
        )
        items, following = self._page(selected, selection.parameters, limit)
        return ItemPage(items=items, next=following)

    @in_snapshot
    def item(self, key: ItemKey) -> ItemDetail | None:
        """Return all that is stored of an item; None if it never came, was erased or is too old."""
        row = self._connection.execute(
            f"{SUMMARY_COLUMNS}, c.event FROM items i{STORY_OF_ITEM}"
            " JOIN contents c ON c.number = i.number"
            " JOIN sources o ON o.source = i.source WHERE o.name = ? AND i.id = ?",
            key,
        ).fetchone()
        if row is None:
            return None
        line = self._codec.unpack(row[-1])
        item = item_of_event(line)
        return ItemDetail(
            summary=self._summary(row[:-1]),
            text=item.text,
            published_at=item.published_at,
            updated_at=item.updated_at,
            links=item.links,
            received=received_of_event(line),
            judgement=judgement_of_event(line),
            corrections=self._corrections(
                "(SELECT number, source, id FROM items WHERE number = ?) m", row[0]
            ),
        )

    @in_snapshot
    def summaries(self, keys: Sequence[ItemKey]) -> Sequence[ItemSummary | None]:
        """Return how lists show items, in their order; None for one that is not archived (now)."""
        rows = self._connection.execute(
            f"{SUMMARY_COLUMNS} FROM json_each(?) k"
            " JOIN sources o ON o.name = json_extract(k.value, '$[0]')"
            " JOIN items i ON i.source = o.source AND i.id = json_extract(k.value, '$[1]')"
            f"{STORY_OF_ITEM}",
            (json.dumps(keys),),
        )
        found = {(one.source, one.id): one for one in map(self._summary, rows)}
        return [found.get((key.source, key.id)) for key in keys]

    @in_snapshot
    def earlier_texts(self, key: ItemKey) -> Sequence[EarlierText]:
        """Return what an item said before its source edited it, the earliest first; ten at most."""
        source = source_number(self._connection, key.source)
        earlier = EarlierTexts(self._connection, self._codec)
        return () if source is None else earlier.of_item((source, key.id))

    @in_snapshot
    def is_retracted(self, key: ItemKey) -> bool:
        """Return whether the newest event about an item is its retraction."""
        row = self._connection.execute(
            "SELECT i.number FROM tombstones t JOIN sources o ON o.source = t.source"
            " LEFT JOIN items i ON i.source = t.source AND i.id = t.id"
            " WHERE o.name = ? AND t.id = ?",
            key,
        ).fetchone()
        return row is not None and row[0] is None

    @in_snapshot
    def changes(self, *, after: int, limit: int = 500) -> ChangePage:
        """Return up to `limit` changes after number `after`; an erased item has no summary."""
        rows = self._connection.execute(
            f"{SUMMARY_COLUMNS}, i.change FROM items i{STORY_OF_ITEM} WHERE i.change > ?"
            " ORDER BY i.change LIMIT ?",
            (after, limit),
        )
        changes = []
        for row in rows:
            summary = self._summary(row[:-1])
            item = ItemRef(summary.source, summary.id)
            changes.append(ArchiveChange(change=row[-1], item=item, summary=summary))
        erased = self._connection.execute(
            "SELECT t.change, t.source, t.id FROM tombstones t"
            " LEFT JOIN items i ON i.source = t.source AND i.id = t.id"
            " WHERE t.change > ? AND i.number IS NULL ORDER BY t.change LIMIT ?",
            (after, limit),
        )
        changes += [
            ArchiveChange(change=number, item=self._ref(source, item_id), summary=None)
            for number, source, item_id in erased
        ]
        changes.sort(key=lambda one: one.change)
        del changes[limit:]
        last = changes[-1].change if len(changes) == limit else self._change()
        return ChangePage(changes=tuple(changes), last=last)

    @in_snapshot
    def volumes(self, step: VolumeStep | None, chosen: ItemFilter = EVERYTHING) -> VolumeSeries:
        """Return how much was published in each hour, day or week, of all or of a query.

        Without a step it is that by which the span of the items has at most 120 parts, else weeks.
        Spans are whole hours of UTC unless the filter names words, a relation or a category.
        Those without items count, too, among the latest 10,000; earlier ones are left out.
        """
        if chosen.text.strip() or chosen.relation or chosen.category or chosen.copies_of:
            hourly = self._selected(chosen)
        else:
            hourly = self._rolled_up(chosen)
        if step is None:
            step = _step_of(hourly)
        spans: Counter[tuple[int, str]] = Counter()
        for (hour, verdict), items in hourly.items():
            spans[(hour + _MONDAY[step]) // _HOURS[step], verdict] += items
        points = []
        for span in _without_gaps(sorted({span for span, _ in spans})):
            originals, duplicates = spans[span, "original"], spans[span, "duplicate"]
            points.append(
                VolumePoint(
                    start=EPOCH + timedelta(hours=span * _HOURS[step] - _MONDAY[step]),
                    total=originals + duplicates,
                    originals=originals,
                    duplicates=duplicates,
                )
            )
        return VolumeSeries(step=step, points=tuple(points))

    @in_snapshot
    def stats(self, before: datetime | None = None) -> ArchiveStats:
        """Return the totals of the archive.

        Its last hour and its last day end with the newest item `before` a moment, if there is one.
        """
        totals = {
            kind: dict(
                self._connection.execute(
                    "SELECT name, items FROM totals WHERE kind = ? ORDER BY name", (kind,)
                )
            )
            for kind in ("verdict", "lang", "relation")
        }
        # Each in a query of its own: only then SQLite reads no more than one end of the table.
        (first,) = self._connection.execute("SELECT min(number) FROM items").fetchone()
        (last,) = self._connection.execute("SELECT max(number) FROM items").fetchone()
        last_at = None if last is None else time_of_number(last)
        hourly, daily = (0, Counter[str]()) if last is None else self._recent(last, before)
        return ArchiveStats(
            items=sum(totals["verdict"].values()),
            originals=totals["verdict"].get("original", 0),
            duplicates=totals["verdict"].get("duplicate", 0),
            stories=self._count("SELECT count(*) FROM stories"),
            sources=self._count(
                "SELECT count(*) FROM sources o"
                " WHERE EXISTS (SELECT 1 FROM items i WHERE i.source = o.source)"
            ),
            retracted=self._count(
                "SELECT count(*) FROM tombstones t WHERE NOT EXISTS"
                " (SELECT 1 FROM items i WHERE i.source = t.source AND i.id = t.id)"
            ),
            languages=totals["lang"],
            relations=totals["relation"],
            first_at=None if first is None else to_datetime(time_of_number(first)),
            last_at=None if last_at is None else to_datetime(last_at),
            items_last_hour=hourly,
            items_last_day=daily.total(),
            duplicates_last_day=daily["duplicate"],
            change=self._change(),
            size_bytes=self._count(
                "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
            ),
        )

    def _recent(self, last: int, before: datetime | None) -> tuple[int, Counter[str]]:
        """Return how many items the last hour has, and how many of each verdict the last day.

        Both end with the newest item `before` a moment, else with `last`, the number of an item.
        """
        bound = _LATEST if before is None else number_of_time(to_micros(before))
        newest = "SELECT coalesce(max(number), ?) FROM items WHERE number < ?"
        number = self._count(newest, last, bound)
        end = time_of_number(number)
        in_hour = "SELECT count(*) FROM items WHERE number >= ? AND number <= ?"
        in_day = (
            "SELECT verdict, sum(items) FROM volumes WHERE hour > ? AND hour <= ? GROUP BY verdict"
        )
        day = self._connection.execute(in_day, (end // HOUR - 24, end // HOUR))
        return self._count(in_hour, number_of_time(end - HOUR), number), Counter(dict(day))

    def _rolled_up(self, chosen: ItemFilter) -> _Hourly:
        """Return volumes by hour from stored sums: of all, a source, a language or a verdict."""
        since = -(2**62) if chosen.since is None else to_micros(chosen.since) // HOUR
        until = 2**62 if chosen.until is None else -(-to_micros(chosen.until) // HOUR)
        table, where = "volumes", ":source = ''"
        if chosen.source:
            table, where = (
                "source_volumes",
                "source = (SELECT source FROM sources WHERE name = :source)",
            )
        rows = self._connection.execute(
            f"SELECT hour, verdict, sum(items) FROM {table} WHERE hour >= :since AND hour < :until"
            f" AND {where} AND (:lang = '' OR lang = :lang)"
            " AND (:verdict = '' OR verdict = :verdict) GROUP BY hour, verdict",
            asdict(chosen) | {"since": since, "until": until},
        )
        return Counter({(hour, verdict): items for hour, verdict, items in rows})

    def _selected(self, chosen: ItemFilter) -> _Hourly:
        """Return volumes by hour of the items that a filter lets through, counted one by one.

        Numbers contain the time, and duplicates have an index: rows of items are read only for a
        relation, a category or copies.
        """
        selection = self._selector.select(chosen)
        if selection is None:
            return Counter()
        hour = _HOUR_OF.format(number=selection.number)
        hourly: _Hourly = Counter()
        duplicates = (
            f" CROSS JOIN items d INDEXED BY items_duplicate ON d.number = {selection.number}"
            " AND d.verdict = 'duplicate'"
        )
        for verdict, join in (("original", ""), ("duplicate", duplicates)):
            rows = self._connection.execute(
                f"SELECT {hour} AS hour, count(*) FROM {selection.narrow}{join}"
                f" WHERE {selection.where} GROUP BY hour",
                selection.parameters,
            )
            hourly.update({(hour, verdict): items for hour, items in rows})
        for (start, verdict), items in list(hourly.items()):
            if verdict == "duplicate":  # the first query counted all
                hourly[start, "original"] -= items
        return hourly


def _step_of(hourly: _Hourly) -> VolumeStep:
    """Return the smallest step of which the span of some volumes has not too many."""
    hours = [hour for hour, _ in hourly]
    span = max(hours) - min(hours) + 1 if hours else 0
    return next((one for one, size in _HOURS.items() if span <= size * _MOST_STEPS), "week")


def _without_gaps(spans: Sequence[int]) -> list[int]:
    """Return ascending numbers of spans with those missing among the latest _MOST_EMPTY."""
    if not spans:
        return []
    begin = max(spans[0], spans[-1] - _MOST_EMPTY)
    return [*(span for span in spans if span < begin), *range(begin, spans[-1] + 1)]
