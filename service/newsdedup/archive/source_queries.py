"""Sources: how original each is, how soon it copies others, and who copies whom."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from newsdedup.archive.item_tables import number_of_time, time_of_number
from newsdedup.archive.rollups import SPAN_SECONDS, UNKNOWN_SPAN
from newsdedup.archive.summaries import SUMMARY_COLUMNS, ItemSummaries, whole_rows
from newsdedup.archive.views import (
    CopyCell,
    CopyMatrix,
    DelaySpan,
    Republication,
    SourceDetail,
    SourceStats,
)
from newsdedup.core.moments import DAY, to_datetime, to_micros

DayRange = tuple[datetime | None, datetime | None]
"""From a moment to another one, which is excluded; None has no bound."""
_BOUNDS: Final = (None, *map(float, SPAN_SECONDS), None)
"""Span number n of the histogram of delays lasts from second _BOUNDS[n] to _BOUNDS[n + 1]."""
_MOST_REPUBLISHED: Final = 10
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
_ORIGINAL: Final = (
    f"{SUMMARY_COLUMNS} FROM items i JOIN stories s ON s.story = i.story"
    " WHERE i.source = ? AND i.id = ?"
)


@dataclass(slots=True)
class _Copies:
    """Copies by the spans of their delays, and the sum of the known delays in microseconds."""

    spans: Counter[int] = field(default_factory=Counter)
    delay: int = 0


@dataclass(slots=True)
class _Totals:
    """What one source published, copied, and had copied."""

    verdicts: Counter[str] = field(default_factory=Counter)
    links: int = 0
    own_repeats: int = 0
    delays: Counter[int] = field(default_factory=Counter)
    """Its copies of others by the spans of their delays."""
    copied: int = 0
    copied_sources: int = 0
    copying_sources: int = 0


_Pairs = dict[tuple[int, int], _Copies]
"""By the numbers of the copying source and the original's."""


def source_stats(summaries: ItemSummaries, days: DayRange) -> tuple[SourceStats, ...]:
    """Return the sources that published on these days, by name."""
    totals = _totals(summaries, days)
    stats = [_stats(summaries.source_name(source), one) for source, one in totals.items()]
    return tuple(sorted(stats, key=lambda one: one.source))


def source_detail(summaries: ItemSummaries, name: str, days: DayRange) -> SourceDetail | None:
    """Return a source, None if it published nothing on these days."""
    found = summaries.connection.execute(
        "SELECT source FROM sources WHERE name = ?", (name,)
    ).fetchone()
    totals = {} if found is None else _totals(summaries, days, source=found[0])
    if found is None or found[0] not in totals:
        return None
    source = found[0]
    pairs = _copies_of_pairs(summaries, days, _of(source, "source", "original_source"))
    delays = totals[source].delays
    return SourceDetail(
        stats=_stats(name, totals[source]),
        copies=_cells(summaries, {pair: one for pair, one in pairs.items() if pair[0] == source}),
        copied_by=_cells(
            summaries, {pair: one for pair, one in pairs.items() if pair[1] == source}
        ),
        delays=tuple(
            DelaySpan(from_seconds=_BOUNDS[span], to_seconds=_BOUNDS[span + 1], items=delays[span])
            for span in range(len(SPAN_SECONDS) + 1)
        ),
        republished=_most_republished(summaries, source, days),
    )


def copy_matrix(summaries: ItemSummaries, days: DayRange, *, most: int) -> CopyMatrix:
    """Return who copies whom, of the `most` sources with most copies."""
    counts: Counter[int] = Counter()
    for copying, original, items in _pair_items(summaries, days):
        if copying != original:
            counts[copying] += items
            counts[original] += items
    ranked = sorted(counts, key=lambda one: (-counts[one], summaries.source_name(one)))[:most]
    shown = ", ".join(map(str, ranked))
    pairs = _copies_of_pairs(
        summaries, days, f"source IN ({shown}) AND original_source IN ({shown})"
    )
    return CopyMatrix(
        sources=tuple(map(summaries.source_name, ranked)), cells=_cells(summaries, pairs)
    )


def _totals(
    summaries: ItemSummaries, days: DayRange, *, source: int | None = None
) -> dict[int, _Totals]:
    """Return the totals of each source that published on these days, or of one."""
    rows = summaries.connection.execute(
        "SELECT source, verdict, sum(items), sum(links) FROM source_days"
        f" WHERE day >= ? AND day < ? AND {_of(source, 'source')} GROUP BY source, verdict",
        _day_numbers(days),
    )
    totals: defaultdict[int, _Totals] = defaultdict(_Totals)
    for number, verdict, items, links in rows.fetchall():
        totals[number].links += links
        totals[number].verdicts[verdict] += items
    for copying, original, items in _pair_items(summaries, days, source=source):
        if copying == original:
            totals[copying].own_repeats += items
            continue
        if copying in totals:
            totals[copying].copied_sources += 1
        if original in totals:
            totals[original].copied += items
            totals[original].copying_sources += 1
    spans = whole_rows(
        summaries.connection,
        "source, span, sum(items)",
        "copies WHERE day >= ? AND day < ? AND source <> original_source"
        f" AND {_of(source, 'source')} GROUP BY source, span",
        _day_numbers(days),
    )
    for copying, span, items in spans:
        totals[copying].delays[span] = items
    return dict(totals)


def _pair_items(
    summaries: ItemSummaries, days: DayRange, *, source: int | None = None
) -> list[list[int]]:
    """Return the copying source, that of the original, and their copies: of one source or all."""
    return whole_rows(
        summaries.connection,
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


def _copies_of_pairs(summaries: ItemSummaries, days: DayRange, where: str) -> _Pairs:
    """Return the copies of these days by pairs of sources, of those that a condition chooses."""
    rows = whole_rows(
        summaries.connection,
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
    originals, duplicates = totals.verdicts["original"], totals.verdicts["duplicate"]
    return SourceStats(
        source=name,
        items=originals + duplicates,
        originals=originals,
        duplicates=duplicates,
        originality=originals / (originals + duplicates),
        own_repeats=totals.own_repeats,
        copies_of_others=totals.delays.total(),
        copied_by_others=totals.copied,
        copied_sources=totals.copied_sources,
        copying_sources=totals.copying_sources,
        median_delay_seconds=_median_delay(totals.delays),
        links=totals.links,
    )


def _cells(summaries: ItemSummaries, pairs: _Pairs) -> tuple[CopyCell, ...]:
    """Return the cells of pairs, by both names."""
    cells = []
    for (copying, original), copies in pairs.items():
        items = copies.spans.total()
        known = items - copies.spans[UNKNOWN_SPAN]
        cells.append(
            CopyCell(
                source=summaries.source_name(copying),
                original_source=summaries.source_name(original),
                items=items,
                median_delay_seconds=_median_delay(copies.spans),
                mean_delay_seconds=copies.delay / known / 1_000_000 if known else None,
            )
        )
    return tuple(sorted(cells, key=lambda one: (one.source, one.original_source)))


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


def _day_numbers(days: DayRange) -> tuple[int, int]:
    """Return the first day, and the one after the last, counted from 1970."""
    since, until = days
    first = -(2**31) if since is None else to_micros(since) // DAY
    last = 2**31 if until is None else -(-to_micros(until) // DAY)
    return first, last


def _most_republished(
    summaries: ItemSummaries, source: int, days: DayRange
) -> tuple[Republication, ...]:
    """Return the originals of a source with most copies between two moments, ten at most.

    Those that the archive no longer has are left out.
    """
    since, until = days
    first = 0 if since is None else number_of_time(to_micros(since))
    last = 2**63 - 1 if until is None else number_of_time(to_micros(until))
    run = summaries.connection.execute
    republished: list[Republication] = []
    for original, _ in run(_MOST_COPIED, (source, first, last, _MOST_REPUBLISHED)).fetchall():
        row = run(_ORIGINAL, (source, original)).fetchone()
        if row is None:
            continue
        copies, sources, reprints, number = run(_COPIES, (source, original, first, last)).fetchone()
        republished.append(
            Republication(
                original=summaries.summary(row),
                copies=copies,
                sources=sources,
                reprints=reprints,
                last_at=to_datetime(time_of_number(number)),
            )
        )
    return tuple(republished)
