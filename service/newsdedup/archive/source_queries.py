"""Sources: how original each is, how soon it copies others, and who copies whom."""

import sqlite3
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from datetime import datetime

from newsdedup.archive.republications import most_republished
from newsdedup.archive.rollups import SPAN_SECONDS, UNKNOWN_SPAN
from newsdedup.archive.summaries import ItemSummaries
from newsdedup.archive.views import (
    CopyCell,
    CopyMatrix,
    DelaySpan,
    SourceDetail,
    SourceStats,
)
from newsdedup.archive.whole_rows import whole_rows
from newsdedup.core.moments import DAY, to_micros

DayRange = tuple[datetime | None, datetime | None]
"""From a moment to another one, which is excluded; None has no bound."""


@dataclass(slots=True)
class _Copies:
    """Copies by the spans of their delays, and the sum of those that are known."""

    spans: Counter[int] = field(default_factory=Counter)
    delay: int = 0
    """In microseconds."""

    @property
    def items(self) -> int:
        return self.spans.total()

    @property
    def mean(self) -> float | None:
        """Return the mean delay in seconds, None if no delay is known."""
        known = self.items - self.spans[UNKNOWN_SPAN]
        return self.delay / known / 1_000_000 if known else None


@dataclass(slots=True)
class _Totals:
    """What one source published, copied, and had copied."""

    originals: int = 0
    duplicates: int = 0
    links: int = 0
    own_repeats: int = 0
    delays: Counter[int] = field(default_factory=Counter)
    """Its copies of others by the spans of their delays."""
    copied: int = 0
    copied_sources: int = 0
    copying_sources: int = 0


_Pairs = dict[tuple[int, int], _Copies]
"""By the numbers of the copying source and the original's."""


def source_stats(
    connection: sqlite3.Connection,
    summaries: ItemSummaries,
    since: datetime | None,
    until: datetime | None,
) -> tuple[SourceStats, ...]:
    """Return the sources that published on these days, by name."""
    totals = _totals(connection, (since, until))
    stats = [_stats(summaries.source_name(source), one) for source, one in totals.items()]
    return tuple(sorted(stats, key=lambda one: one.source))


def source_detail(
    connection: sqlite3.Connection, summaries: ItemSummaries, name: str, days: DayRange
) -> SourceDetail | None:
    """Return a source, None if it published nothing on these days."""
    found = connection.execute("SELECT source FROM sources WHERE name = ?", (name,)).fetchone()
    if found is None:
        return None
    source = found[0]
    totals = _totals(connection, days, source=source)
    if source not in totals:
        return None
    copies = _copies_of_pairs(connection, days, _of(source, "source", "original_source"))
    delays = totals[source].delays
    return SourceDetail(
        stats=_stats(name, totals[source]),
        copies=_cells(summaries, {pair: one for pair, one in copies.items() if pair[0] == source}),
        copied_by=_cells(
            summaries, {pair: one for pair, one in copies.items() if pair[1] == source}
        ),
        delays=tuple(
            DelaySpan(from_seconds=_begin(span), to_seconds=_end(span), items=delays[span])
            for span in range(len(SPAN_SECONDS) + 1)
        ),
        republished=most_republished(connection, summaries, source, *days),
    )


def copy_matrix(
    connection: sqlite3.Connection, summaries: ItemSummaries, days: DayRange, *, most: int
) -> CopyMatrix:
    """Return who copies whom, of the `most` sources with most copies."""
    counts: Counter[int] = Counter()
    for copying, original, items in _pair_items(connection, days):
        if copying != original:
            counts[copying] += items
            counts[original] += items
    ranked = sorted(counts, key=lambda one: (-counts[one], summaries.source_name(one)))[:most]
    shown = ", ".join(map(str, ranked))
    copies = _copies_of_pairs(
        connection, days, f"source IN ({shown}) AND original_source IN ({shown})"
    )
    return CopyMatrix(
        sources=tuple(map(summaries.source_name, ranked)), cells=_cells(summaries, copies)
    )


def _totals(
    connection: sqlite3.Connection, days: DayRange, *, source: int | None = None
) -> dict[int, _Totals]:
    """Return the totals of each source that published on these days, or of one."""
    rows = connection.execute(
        "SELECT source, verdict, sum(items), sum(links) FROM source_days"
        f" WHERE day >= ? AND day < ? AND {_of(source, 'source')} GROUP BY source, verdict",
        _day_numbers(days),
    )
    totals: defaultdict[int, _Totals] = defaultdict(_Totals)
    for number, verdict, items, links in rows.fetchall():
        one = totals[number]
        one.links += links
        if verdict == "original":
            one.originals += items
        else:
            one.duplicates += items
    for copying, original, items in _pair_items(connection, days, source=source):
        if copying == original:
            totals[copying].own_repeats += items
            continue
        if copying in totals:
            totals[copying].copied_sources += 1
        if original in totals:
            totals[original].copied += items
            totals[original].copying_sources += 1
    spans = whole_rows(
        connection,
        "source, span, sum(items)",
        "copies WHERE day >= ? AND day < ? AND source <> original_source"
        f" AND {_of(source, 'source')} GROUP BY source, span",
        _day_numbers(days),
    )
    for copying, span, items in spans:
        totals[copying].delays[span] = items
    return dict(totals)


def _pair_items(
    connection: sqlite3.Connection, days: DayRange, *, source: int | None = None
) -> list[list[int]]:
    """Return the copying source, that of the original, and their copies: of one source or all."""
    return whole_rows(
        connection,
        "source, original_source, sum(items)",
        f"copies WHERE day >= ? AND day < ? AND {_of(source, 'source', 'original_source')}"
        " GROUP BY source, original_source",
        _day_numbers(days),
    )


def _of(source: int | None, *columns: str) -> str:
    """Return the condition that one of the columns is a source; it is always true for all."""
    if source is None:
        return "1"
    return f"({' OR '.join(f'{column} = {source:d}' for column in columns)})"


def _copies_of_pairs(connection: sqlite3.Connection, days: DayRange, where: str) -> _Pairs:
    """Return the copies of these days by pairs of sources, of those that a condition chooses."""
    rows = whole_rows(
        connection,
        "source, original_source, span, sum(items), sum(delay)",
        f"copies WHERE day >= ? AND day < ? AND ({where}) GROUP BY source, original_source, span",
        _day_numbers(days),
    )
    pairs: defaultdict[tuple[int, int], _Copies] = defaultdict(_Copies)
    for copying, original, span, items, delay in rows:
        pairs[copying, original].spans[span] += items
        pairs[copying, original].delay += delay
    return dict(pairs)


def _stats(name: str, totals: _Totals) -> SourceStats:
    """Return the figures of a source."""
    items = totals.originals + totals.duplicates
    return SourceStats(
        source=name,
        items=items,
        originals=totals.originals,
        duplicates=totals.duplicates,
        originality=totals.originals / items,
        own_repeats=totals.own_repeats,
        copies_of_others=totals.delays.total(),
        copied_by_others=totals.copied,
        copied_sources=totals.copied_sources,
        copying_sources=totals.copying_sources,
        median_delay_seconds=median_delay(totals.delays),
        links=totals.links,
    )


def _cells(summaries: ItemSummaries, pairs: _Pairs) -> tuple[CopyCell, ...]:
    """Return the cells of pairs, by both names."""
    cells = [
        CopyCell(
            source=summaries.source_name(copying),
            original_source=summaries.source_name(original),
            items=copies.items,
            median_delay_seconds=median_delay(copies.spans),
            mean_delay_seconds=copies.mean,
        )
        for (copying, original), copies in pairs.items()
    ]
    return tuple(sorted(cells, key=lambda one: (one.source, one.original_source)))


def median_delay(spans: Counter[int]) -> float | None:
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
            begin, end = _begin(span), _end(span)
            if begin is None:
                return 0.0
            return begin if end is None else begin + (end - begin) * (half - below) / items
        below += items
    raise AssertionError("half of the delays lie in no span")


def _begin(span: int) -> float | None:
    return float(SPAN_SECONDS[span - 1]) if span else None


def _end(span: int) -> float | None:
    return float(SPAN_SECONDS[span]) if span < len(SPAN_SECONDS) else None


def _day_numbers(days: DayRange) -> tuple[int, int]:
    """Return the first day, and the one behind the last, counted from 1970."""
    since, until = days
    first = -(2**31) if since is None else to_micros(since) // DAY
    last = 2**31 if until is None else -(-to_micros(until) // DAY)
    return first, last
