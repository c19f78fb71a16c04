"""Sources: how original each is, how soon it copies others, and who copies whom."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from datetime import datetime
from heapq import nsmallest
from typing import Final

from newsdedup.archive.pending_rows import number_of_time, time_of_number
from newsdedup.archive.rollups import SPAN_SECONDS, UNKNOWN_SPAN
from newsdedup.archive.search import source_number
from newsdedup.archive.summaries import STORY_OF_ITEM, SUMMARY_COLUMNS, ArchiveQueries, in_snapshot
from newsdedup.archive.views import (
    CopyCell,
    CopyMatrix,
    DelaySpan,
    Republication,
    SourceDetail,
    SourceStats,
)
from newsdedup.core.moments import DAY, to_datetime, to_micros

_Days = tuple[int, int]
"""The first day, and the one after the last, counted from 1970."""
_BOUNDS: Final = (None, *map(float, SPAN_SECONDS), None)
"""Span number n of the histogram of delays lasts from second _BOUNDS[n] to _BOUNDS[n + 1]."""
_MOST_REPUBLISHED: Final = 10
_MOST_PAIRS: Final = 30
"""Pairs of sources that are listed by their copies."""
_NORMAL_95: Final = 1.959964
_MOST_COPIED: Final = (
    "SELECT original_id, count(*) AS copies FROM items INDEXED BY items_by_original"
    " WHERE original_source = ? AND verdict = 'duplicate' AND number >= ? AND number < ?"
    " GROUP BY original_id ORDER BY copies DESC, original_id LIMIT ?"
)
_COPIES: Final = (
    "SELECT count(*), count(DISTINCT nullif(source, original_source)),"
    " sum(relation = 'reprint'), max(number) FROM items INDEXED BY items_by_original"
    " WHERE original_source = ? AND original_id = ? AND verdict = 'duplicate'"
    " AND number >= ? AND number < ?"
)
_ORIGINAL: Final = f"{SUMMARY_COLUMNS} FROM items i{STORY_OF_ITEM} WHERE i.source = ? AND i.id = ?"


@dataclass(slots=True)
class _Copies:
    """Copies by the spans of their delays, and the sum of the known delays in microseconds."""

    spans: Counter[int] = field(default_factory=Counter)
    delay: int = 0


@dataclass(slots=True)
class _Totals:
    """What one source published, copied, and had copied."""

    originals: int = 0
    duplicates: int = 0
    links: int = 0
    own_repeats: int = 0
    delays: Counter[int] = field(default_factory=Counter)
    """Numbers of its copies of others, by the spans of their delays."""
    copied: int = 0
    copied_sources: int = 0
    copying_sources: int = 0


_Pairs = dict[tuple[int, int], _Copies]
"""Copies by the numbers of the copying source and the source of the original."""


class SourceQueries(ArchiveQueries):
    """Queries about sources, between two moments; days of UTC are whole."""

    @in_snapshot
    def sources(
        self, *, since: datetime | None = None, until: datetime | None = None
    ) -> tuple[SourceStats, ...]:
        """Return by name the statistics of all sources that published on these days (None: any)."""
        totals = self._totals(_days(since, until))
        stats = [_stats(self._source_name(source), one) for source, one in totals.items()]
        return tuple(sorted(stats, key=lambda one: one.source))

    @in_snapshot
    def source(
        self, name: str, *, since: datetime | None = None, until: datetime | None = None
    ) -> SourceDetail | None:
        """Return a source with whom it copies and who copies it, None if it published nothing."""
        days = _days(since, until)
        source = source_number(self._connection, name)
        totals = {} if source is None else self._totals(days, source=source)
        if source is None or source not in totals:
            return None
        pairs = self._copies_of_pairs(days, _of(source, "source", "original_source"))
        copies = {pair: one for pair, one in pairs.items() if pair[0] == source}
        copied = {pair: one for pair, one in pairs.items() if pair[1] == source}
        delays = totals[source].delays
        return SourceDetail(
            stats=_stats(name, totals[source]),
            copies=self._most_first(copies),
            copied_by=self._most_first(copied),
            delays=tuple(
                DelaySpan(
                    from_seconds=_BOUNDS[span], to_seconds=_BOUNDS[span + 1], items=delays[span]
                )
                for span in range(len(SPAN_SECONDS) + 1)
            ),
            republished=self._most_republished(source, since, until),
        )

    @in_snapshot
    def copies(
        self, *, since: datetime | None = None, until: datetime | None = None, most: int = 30
    ) -> CopyMatrix:
        """Return who copies whom on these days (None: any), of `most` sources with most copies."""
        days = _days(since, until)
        counts: Counter[int] = Counter()
        pair_items = self._pair_items(days)
        for copying, original, items in pair_items:
            if copying != original:
                counts[copying] += items
                counts[original] += items
        ranked = sorted(counts, key=lambda one: (-counts[one], self._source_name(one)))[:most]
        shown = ", ".join(map(str, ranked))
        pairs = self._copies_of_pairs(days, f"source IN ({shown}) AND original_source IN ({shown})")
        return CopyMatrix(
            sources=tuple(map(self._source_name, ranked)),
            cells=self._cells(pairs),
            strongest=self._strongest(days, pair_items),
        )

    def _strongest(self, days: _Days, pair_items: list[list[int]]) -> tuple[CopyCell, ...]:
        """Return the pairs of two sources with most copies on these days, the most first.

        `pair_items` are the rows of `_pair_items`.
        """
        foreign = [row for row in pair_items if row[0] != row[1]]
        chosen = nsmallest(_MOST_PAIRS, foreign, key=lambda row: (-row[2], row[0], row[1]))
        where = " OR ".join(
            f"(source = {one:d} AND original_source = {two:d})" for one, two, _ in chosen
        )
        return self._most_first(self._copies_of_pairs(days, where or "0"))

    def _totals(self, days: _Days, *, source: int | None = None) -> dict[int, _Totals]:
        """Return the totals of each source that published on these days, or of one."""
        rows = self._connection.execute(
            "SELECT source, verdict, sum(items), sum(links) FROM source_days"
            f" WHERE day >= ? AND day < ? AND {_of(source, 'source')} GROUP BY source, verdict",
            days,
        )
        totals: defaultdict[int, _Totals] = defaultdict(_Totals)
        for number, verdict, items, links in rows.fetchall():
            one = totals[number]
            one.links += links
            if verdict == "original":
                one.originals += items
            else:
                one.duplicates += items
        for copying, original, items in self._pair_items(days, source=source):
            if copying == original:
                totals[copying].own_repeats += items
                continue
            if copying in totals:
                totals[copying].copied_sources += 1
            if original in totals:
                totals[original].copied += items
                totals[original].copying_sources += 1
        spans = self._whole_rows(
            "source, span, sum(items)",
            "copies WHERE day >= ? AND day < ? AND source <> original_source"
            f" AND {_of(source, 'source')} GROUP BY source, span",
            days,
        )
        for copying, span, items in spans:
            totals[copying].delays[span] = items
        return dict(totals)

    def _pair_items(self, days: _Days, *, source: int | None = None) -> list[list[int]]:
        """Return rows of a copying source, the source of the original, and the number of copies."""
        return self._whole_rows(
            "source, original_source, sum(items)",
            f"copies WHERE day >= ? AND day < ? AND {_of(source, 'source', 'original_source')}"
            " GROUP BY source, original_source",
            days,
        )

    def _copies_of_pairs(self, days: _Days, where: str) -> _Pairs:
        """Return the copies of these days by the pairs of sources that the SQL `where` chooses."""
        rows = self._whole_rows(
            "source, original_source, span, sum(items), sum(delay)",
            f"copies WHERE day >= ? AND day < ? AND ({where})"
            " GROUP BY source, original_source, span",
            days,
        )
        pairs: defaultdict[tuple[int, int], _Copies] = defaultdict(_Copies)
        for copying, original, span, items, delay in rows:
            pairs[copying, original].spans[span] += items
            pairs[copying, original].delay += delay
        return dict(pairs)

    def _cells(self, pairs: _Pairs) -> tuple[CopyCell, ...]:
        """Return the counts and delays of each pair of sources, sorted by their names."""
        cells = []
        for (copying, original), copies in pairs.items():
            items = copies.spans.total()
            known = items - copies.spans[UNKNOWN_SPAN]
            cells.append(
                CopyCell(
                    source=self._source_name(copying),
                    original_source=self._source_name(original),
                    items=items,
                    median_delay_seconds=_median_delay(copies.spans),
                    mean_delay_seconds=copies.delay / known / 1_000_000 if known else None,
                )
            )
        return tuple(sorted(cells, key=lambda one: (one.source, one.original_source)))

    def _most_first(self, pairs: _Pairs) -> tuple[CopyCell, ...]:
        """Return the counts and delays of pairs of sources, those with most copies first."""
        return tuple(sorted(self._cells(pairs), key=lambda one: -one.items))

    def _most_republished(
        self, source: int, since: datetime | None, until: datetime | None
    ) -> tuple[Republication, ...]:
        """Return the originals of a source with most copies between two moments, ten at most.

        A moment that is None is no bound. Originals that the archive no longer has are left out.
        """
        first = 0 if since is None else number_of_time(to_micros(since))
        last = 2**63 - 1 if until is None else number_of_time(to_micros(until))
        run = self._connection.execute
        republished: list[Republication] = []
        for original, _ in run(_MOST_COPIED, (source, first, last, _MOST_REPUBLISHED)).fetchall():
            row = run(_ORIGINAL, (source, original)).fetchone()
            if row is None:
                continue
            copies, sources, reprints, number = run(
                _COPIES, (source, original, first, last)
            ).fetchone()
            republished.append(
                Republication(
                    original=self._summary(row),
                    copies=copies,
                    sources=sources,
                    reprints=reprints,
                    last_at=to_datetime(time_of_number(number)),
                )
            )
        return tuple(republished)


def _of(source: int | None, *columns: str) -> str:
    """Return the SQL condition that one of the columns is this source; true for any if None."""
    if source is None:
        return "1"
    return f"({' OR '.join(f'{column} = {source:d}' for column in columns)})"


def _stats(name: str, totals: _Totals) -> SourceStats:
    """Return the statistics of the source `name` by its totals, with shares from 0 to 1."""
    originals, duplicates = totals.originals, totals.duplicates
    low, high = share_interval(originals, originals + duplicates)
    return SourceStats(
        source=name,
        items=originals + duplicates,
        originals=originals,
        duplicates=duplicates,
        originality=originals / (originals + duplicates),
        originality_low=low,
        originality_high=high,
        own_repeats=totals.own_repeats,
        copies_of_others=totals.delays.total(),
        copied_by_others=totals.copied,
        copied_sources=totals.copied_sources,
        copying_sources=totals.copying_sources,
        median_delay_seconds=_median_delay(totals.delays),
        links=totals.links,
    )


def share_interval(part: int, whole: int) -> tuple[float, float]:
    """Return the 95 % interval of a share, from 0 to 1 (Wilson 1927); `whole` must be positive."""
    square = _NORMAL_95**2
    middle = part + square / 2
    reach = _NORMAL_95 * (part * (whole - part) / whole + square / 4) ** 0.5
    return max(0.0, (middle - reach) / (whole + square)), min(
        1.0, (middle + reach) / (whole + square)
    )


def _median_delay(spans: Counter[int]) -> float | None:
    """Return the median of delays by their histogram, in seconds; None if none is known.

    Delays are taken as spread evenly over their span; before the original the median is 0, in the
    last span its beginning.
    """
    known = spans.total() - spans[UNKNOWN_SPAN]
    if not known:
        return None
    half, below = known / 2, 0
    for span in range(len(SPAN_SECONDS) + 1):
        items = spans[span]
        if items and below + items >= half:
            begin, end = _BOUNDS[span], _BOUNDS[span + 1]
            if begin is None:
                return 0.0
            return begin if end is None else begin + (end - begin) * (half - below) / items
        below += items
    raise AssertionError("half of the delays lie in no span")


def _days(since: datetime | None, until: datetime | None) -> _Days:
    """Return the first day and the one after the last, in days since 1970; None has no bound."""
    first = -(2**31) if since is None else to_micros(since) // DAY
    last = 2**31 if until is None else -(-to_micros(until) // DAY)
    return first, last
