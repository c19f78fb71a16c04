"""Volumes by hour, day and week, of all or of a query; and the totals of the archive."""

from collections import Counter
from dataclasses import asdict
from datetime import timedelta
from typing import Final

from newsdedup.archive.filters import EVERYTHING, ItemFilter, VolumeStep
from newsdedup.archive.item_tables import number_of_time, time_of_number
from newsdedup.archive.summaries import ArchiveQueries, in_snapshot
from newsdedup.archive.views import ArchiveStats, VolumePoint, VolumeSeries
from newsdedup.core.moments import EPOCH, HOUR, to_datetime, to_micros

_HOURS: Final[dict[VolumeStep, int]] = {"hour": 1, "day": 24, "week": 168}
_MONDAY: Final[dict[VolumeStep, int]] = {"hour": 0, "day": 0, "week": 72}
"""Hours from the beginning of a span to 1970, a Thursday."""
_SPAN: Final = number_of_time(HOUR)
_HOUR_OF: Final = f"({{number}} - (({{number}} % {_SPAN}) + {_SPAN}) % {_SPAN}) / {_SPAN}"
"""The hour of an item by its number. SQLite rounds quotients to 0, so the rest is subtracted."""
_Hourly = Counter[tuple[int, str]]
"""Items by hour and verdict."""


class VolumeQueries(ArchiveQueries):
    """Queries about volumes over time, and totals."""

    @in_snapshot
    def volumes(self, step: VolumeStep, chosen: ItemFilter = EVERYTHING) -> VolumeSeries:
        """Return how much was published in each hour, day or week, of all or of a query.

        Spans are whole hours of UTC unless the filter names words or a relation.
        """
        if chosen.text.strip() or chosen.relation:
            hourly = self._selected(chosen)
        else:
            hourly = self._rolled_up(chosen)
        spans: Counter[tuple[int, str]] = Counter()
        for (hour, verdict), items in hourly.items():
            spans[(hour + _MONDAY[step]) // _HOURS[step], verdict] += items
        points = []
        for span in sorted({span for span, _ in spans}):
            originals, duplicates = spans[span, "original"], spans[span, "duplicate"]
            hours = span * _HOURS[step] - _MONDAY[step]
            points.append(
                VolumePoint(
                    start=EPOCH + timedelta(hours=hours),
                    total=originals + duplicates,
                    originals=originals,
                    duplicates=duplicates,
                )
            )
        return VolumeSeries(step=step, points=tuple(points))

    @in_snapshot
    def stats(self) -> ArchiveStats:
        """Return the totals of the archive."""
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
        recent, daily = 0, Counter[str]()
        if last_at is not None:
            query = "SELECT count(*) FROM items WHERE number >= ?"
            recent = self._count(query, number_of_time(last_at - HOUR))
            query = "SELECT verdict, sum(items) FROM volumes WHERE hour > ? GROUP BY verdict"
            daily.update(dict(self._connection.execute(query, (last_at // HOUR - 24,))))
        return ArchiveStats(
            items=sum(totals["verdict"].values()),
            originals=totals["verdict"].get("original", 0),
            duplicates=totals["verdict"].get("duplicate", 0),
            stories=self._count("SELECT count(*) FROM stories"),
            sources=self._count(
                "SELECT count(*) FROM sources o"
                " WHERE EXISTS (SELECT 1 FROM items i WHERE i.source = o.source)",
            ),
            retracted=self._count(
                "SELECT count(*) FROM tombstones t WHERE NOT EXISTS"
                " (SELECT 1 FROM items i WHERE i.source = t.source AND i.id = t.id)",
            ),
            languages=totals["lang"],
            relations=totals["relation"],
            first_at=None if first is None else to_datetime(time_of_number(first)),
            last_at=None if last_at is None else to_datetime(last_at),
            items_last_hour=recent,
            items_last_day=daily.total(),
            duplicates_last_day=daily["duplicate"],
            change=int(self._meta("change")),
            size_bytes=self._count(
                "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
            ),
        )

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

        Numbers contain the time, and duplicates have an index: rows are read only for a relation.
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

    def _count(self, query: str, *parameters: int) -> int:
        """Return the number that a query selects in its first column."""
        return int(self._connection.execute(query, parameters).fetchone()[0])
