"""The parts of the page of `lab stats` about sources: figure 6 and the most original ones."""

from collections.abc import Mapping, Sequence
from typing import Any

from newsdedup_lab.report.report_content import (
    Block,
    Cell,
    Paragraph,
    Plot,
    ReportTable,
    Series,
    Zone,
)
from newsdedup_lab.stats.publishers import (
    LEAST_ITEMS,
    SourceRank,
    most_original,
    moving_level,
    plagiarism_zone,
    pooled_level,
    rank_by_links,
)

_TABLE_SOURCES = 25
_NEIGHBOURS = 40
"""A moving mean takes a fortieth of the sources to either side."""
_COLUMNS = ("source", "items", "originals", "level", "copies of others", "copied", "references")


def rank_blocks(publishers: Sequence[SourceRank]) -> tuple[Block, ...]:
    """Return figure 6, duplicates by rank, and two remarks, or only a remark why there is none."""
    ranked = rank_by_links(publishers)
    if len(ranked) < 2:
        return (
            Paragraph(f"Only {len(ranked)} sources have {LEAST_ITEMS} items: nothing to rank."),
        )
    if not ranked[0].links:
        return (
            Paragraph("No item refers to another site: sources cannot be ranked by references."),
        )
    silent = sum(not one.links for one in ranked)
    text = (
        f"{len(ranked):,} of {len(publishers):,} sources have at least {LEAST_ITEMS} items. "
        f"{silent:,} of them refer to nobody: they share the last ranks, in order of their names."
    )
    begin = plagiarism_zone(ranked)
    if begin is None:
        zone = "There is no zone of mass plagiarism: those who refer least do not copy more."
    else:
        tail = ranked[begin - 1 :]
        zone = (
            f"The zone of mass plagiarism begins at rank {begin:,}: {len(tail):,} sources with "
            f"no more references than {tail[0].links:,}, of whose items {pooled_level(tail):.1%} "
            f"are duplicates, against {pooled_level(ranked):.1%} of all."
        )
    return (Paragraph(text), Paragraph(zone), _plot(ranked, begin))


def _plot(ranked: Sequence[SourceRank], begin: int | None) -> Plot:
    """Plot the share of duplicates of each source by its rank, with a moving mean and the average.

    `begin` is the first rank of the zone of mass plagiarism, None without one.
    """
    count = len(ranked)
    average = pooled_level(ranked)
    moving = moving_level(ranked, width=max(1, count // _NEIGHBOURS))
    indexes = range(1, count + 1)
    return Plot(
        "Level of duplication by rank of the source",
        "rank by references to other sites",
        "share of duplicates",
        (
            Series(
                "source", tuple(zip(indexes, (one.level for one in ranked), strict=True)), "points"
            ),
            Series("moving mean", tuple(zip(indexes, moving, strict=True))),
            Series("all sources", ((1, average), (count, average))),
        ),
        x_scale="whole",
        y_range=(-0.03, 1.03),
        zones=() if begin is None else (Zone(begin - 0.5, count + 0.5, "zone of mass plagiarism"),),
    )


def original_sources_table(publishers: Sequence[SourceRank]) -> tuple[Block, ...]:
    """Return the table of the 25 sources whose share of originals surely is the highest.

    Sure is the lower end of its 95 % interval.
    """
    rows: list[tuple[Cell, ...]] = [
        (
            one.name,
            one.items,
            one.items - one.duplicates,
            one.level,
            one.of_others,
            one.copied,
            one.links,
            one.sure_originality,
        )
        for one in most_original(publishers, most=_TABLE_SOURCES)
    ]
    return (
        ReportTable(
            "Most original sources",
            (*_COLUMNS, "surely original"),
            tuple(rows),
            about="Ordered by the share of originals that each surely has (the lower end of its "
            "95 % interval): two originals of two items prove little. Copied: items of other "
            "sources in stories whose original is of this one.",
        ),
    )


def missing_links(sources: Mapping[str, Any], items: int) -> list[str]:
    """Return remarks on items without listed links or without an address of their own.

    `sources` counts them, of `items` in all.
    """
    lines = []
    if sources["listing_links"] < items:
        lines.append(
            f"{items - sources['listing_links']:,} of {items:,} items list no links: theirs are "
            "the addresses in the text, if the text kept any. Of "
            f"{items - sources['linking']:,} items no reference is known at all; where a crawler "
            "removed links, the rank of a source says nothing."
        )
    if sources["without_address"]:
        lines.append(
            f"{sources['without_address']:,} items have no address of their own: what they link "
            "to on their own site counts as a reference to another."
        )
    return lines
