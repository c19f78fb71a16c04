"""The report of `lab stats`: volumes by period, and sources."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, Literal, NamedTuple

from newsdedup.core.model import Micros
from newsdedup_lab.report.report_content import (
    Block,
    BulletList,
    Cell,
    Paragraph,
    Plot,
    ReportTable,
    Section,
    Series,
    StudyReport,
)
from newsdedup_lab.stats.publishers import SourceRank
from newsdedup_lab.stats.sources import missing_links, original_sources_table, rank_blocks

Period = Literal["week", "day", "hour"]


_MICROSECONDS = 1_000_000


_PERIOD_SECONDS: Mapping[Period, int] = {"week": 7 * 86_400, "day": 86_400, "hour": 3_600}


_FIRST_MONDAY = 4 * 86_400
"""The first Monday of 1970, in seconds: weeks begin on Mondays."""


_SILENT_PERIODS = 12
"""A gap of more periods than this without items splits the volumes into separate stretches."""


class Volume(NamedTuple):
    """The counts of one period."""

    begin: int
    """In seconds since 1970 UTC."""
    total: int
    duplicates: int

    @property
    def originals(self) -> int:
        """Return the number of items that are not duplicates."""
        return self.total - self.duplicates


def count_volumes(judged: Iterable[tuple[Micros, bool]], period: Period) -> list[Volume]:
    """Return the counts of each period with items, given time and duplicate flag of each item.

    Periods are ascending, in UTC; those without items are left out.
    """
    length = _PERIOD_SECONDS[period]
    first = _FIRST_MONDAY if period == "week" else 0
    counts: dict[int, list[int]] = {}
    for at, duplicate in judged:
        begin = (at // _MICROSECONDS - first) // length * length + first
        volume = counts.setdefault(begin, [0, 0])
        volume[0] += 1
        volume[1] += duplicate
    return [Volume(begin, *counts[begin]) for begin in sorted(counts)]


def split_at_silence(volumes: Iterable[Volume], period: Period) -> list[list[Volume]]:
    """Split ascending volumes wherever two of them begin more than 12 periods apart."""
    runs: list[list[Volume]] = []
    for volume in volumes:
        if (
            not runs
            or volume.begin - runs[-1][-1].begin > _SILENT_PERIODS * _PERIOD_SECONDS[period]
        ):
            runs.append([])
        runs[-1].append(volume)
    return runs


def fill_silence(volumes: Iterable[Volume], period: Period) -> list[Volume]:
    """Return the volumes with an empty one at both ends of each gap, so that plots fall to 0."""
    length = _PERIOD_SECONDS[period]
    filled: list[Volume] = []
    for volume in volumes:
        if filled and volume.begin > filled[-1].begin + length:
            filled.append(Volume(filled[-1].begin + length, 0, 0))
            if volume.begin > filled[-1].begin + length:
                filled.append(Volume(volume.begin - length, 0, 0))
        filled.append(volume)
    return filled


_TABLE_PERIODS = 60
"""Most rows of the table of periods; with more periods, they are in the JSON alone."""
_DRAWN_STRETCHES = 4
_LEAST_SHARE = 0.02
"""Stretches with fewer items than this share of the largest stretch are not drawn."""

_Volumes = Mapping[str, Any]
"""Counts of items by period as JSON: items, duplicates, undated, periods."""


def stats_report(
    whole: _Volumes,
    query_volumes: _Volumes | None,
    sources: Mapping[str, Any],
    *,
    period: Period,
    query: str,
) -> StudyReport:
    """Return the page of `lab stats`, with figures 4 to 6 of Lande, Darmokhval, Morozov (2006).

    `whole` counts all items, `query_volumes` those that match `query`; None leaves out figure 5.
    `sources` counts the items by what is known of their links and holds, as `sources`, the fields
    of each SourceRank.
    """
    publishers = [SourceRank(**one) for one in sources["sources"]]
    sections = [
        Section("Figure 4: volumes", _volumes(whole, "All items", period)),
        Section("Figure 6: duplication against references", rank_blocks(publishers)),
        Section("Most original sources", original_sources_table(publishers)),
        Section("What could not be computed", (_missing(whole, query_volumes, sources),)),
        Section("How this is read", (BulletList(_NOTES),)),
    ]
    if query_volumes is not None:
        named = _volumes(query_volumes, f"Items that say: {query}", period)
        sections.insert(1, Section(f"Figure 5: the query “{query}”", named))
    return StudyReport(
        "stats",
        "Duplication in a stream of news",
        f"{whole['items']:,} items of {len(publishers):,} sources: {_share(whole)} of them are "
        "duplicates. Figures 4 to 6 of Lande, Darmokhval, Morozov (2006).",
        tuple(sections),
        {
            "period": period,
            "volumes": whole,
            "query": query,
            "asked": query_volumes,
            "sources": sources,
        },
    )


_NOTES = (
    (
        "Each item is judged by the rule named below, by what came before it in the order of time; "
        "a story's original is its earliest item."
    ),
    "Periods are in UTC, and weeks begin on Monday.",
    (
        "References are links that an item lists and addresses in its text, each once per item, on "
        "other hosts than the item's own. An address that a source has in more than three and more "
        "than a tenth of its items is taken for its own: such as the line that asks to subscribe."
    ),
    (
        "The level of duplication is the share of a source's items that are duplicates, those of "
        "its own earlier items included."
    ),
    (
        "The zone of mass plagiarism, few references and much duplication, was seen by eye in the "
        "paper. Here it is the sources from some number of references down whose duplicates are "
        "the most above what the average level would give, if their level is above it by more "
        "than chance (95 %)."
    ),
    "A query finds the items that hold all of its words, in whatever form.",
)


def _volumes(volumes: _Volumes, title: str, period: Period) -> tuple[Block, ...]:
    """Return sentences on the volumes, a plot of each of the largest stretches, and a table.

    The table is left out if there are more than 60 periods.
    """
    periods = [Volume(*row) for row in volumes["periods"]]
    if not periods:
        return (Paragraph("No item that could be shown: none was found, or none tells its time."),)
    text = (
        f"{volumes['items']:,} items, {volumes['items'] - volumes['duplicates']:,} originals and "
        f"{volumes['duplicates']:,} duplicates ({_share(volumes)})."
    )
    parts: list[Block] = [Paragraph(text)]
    runs = split_at_silence(periods, period)
    drawn = _largest_stretches(runs)
    if len(runs) > 1:
        parts.append(
            Paragraph(
                f"There are {len(runs):,} stretches with more than {_SILENT_PERIODS} silent "
                f"periods between them; {len(drawn)} with most items are drawn, each by itself."
            )
        )
    parts += [_plot(run, title, period) for run in drawn]
    if len(periods) <= _TABLE_PERIODS:
        parts.append(_table(periods, period))
    else:
        parts.append(
            Paragraph(
                f"The measurements of all {len(periods):,} periods of one {period} are in the JSON."
            )
        )
    return tuple(parts)


def _largest_stretches(runs: list[list[Volume]]) -> list[list[Volume]]:
    """Return up to four stretches with the most items, in time order.

    Stretches with less than 2 % of the items of the largest are left out.
    """
    items = {run[0].begin: sum(one.total for one in run) for run in runs}
    least = _LEAST_SHARE * max(items.values())
    largest = sorted(runs, key=lambda run: (-items[run[0].begin], run[0].begin))[:_DRAWN_STRETCHES]
    return sorted(run for run in largest if items[run[0].begin] >= least)


def _plot(periods: list[Volume], title: str, period: Period) -> Plot:
    """Plot total, originals and duplicates of one stretch by period."""
    shown = fill_silence(periods, period)
    return Plot(
        f"{title}, by {period}, from {_day(periods[0])}",
        "",
        f"items a {period}",
        (
            Series("total", tuple((one.begin, one.total) for one in shown)),
            Series("originals", tuple((one.begin, one.originals) for one in shown)),
            Series("duplicates", tuple((one.begin, one.duplicates) for one in shown)),
        ),
        x_scale="time",
    )


def _day(volume: Volume) -> str:
    """Return the day on which a period begins, in UTC."""
    return datetime.fromtimestamp(volume.begin, UTC).strftime("%Y-%m-%d")


def _table(periods: list[Volume], period: Period) -> ReportTable:
    """Return a table with a row per volume, named by the begin of its period in UTC."""
    form = "%Y-%m-%d %H:%M" if period == "hour" else "%Y-%m-%d"
    rows: list[tuple[Cell, ...]] = [
        (
            datetime.fromtimestamp(one.begin, UTC).strftime(form),
            one.total,
            one.originals,
            one.duplicates,
            one.duplicates / one.total,
        )
        for one in periods
    ]
    return ReportTable(
        f"By {period}",
        (f"{period} from", "total", "originals", "duplicates", "share of duplicates"),
        tuple(rows),
    )


def _missing(
    whole: _Volumes, query_volumes: _Volumes | None, sources: Mapping[str, Any]
) -> BulletList:
    """Return a list of what could not be computed, and which data it needs."""
    lines = []
    if whole["undated"]:
        lines.append(
            f"{whole['undated']:,} items tell no time: they are in no period, and were judged "
            "only by each other."
        )
    if query_volumes is None:
        lines.append("Figure 5 needs a query: --query WORDS.")
    lines += missing_links(sources, whole["items"])
    return BulletList(
        tuple(lines or ["Nothing: every item tells its time, its address and its links."])
    )


def _share(volumes: _Volumes) -> str:
    """Return the share of duplicates as text, "none" without items."""
    return f"{volumes['duplicates'] / volumes['items']:.1%}" if volumes["items"] else "none"
