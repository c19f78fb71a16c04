"""The plot and the table of speed and quality: for a page, and for docs/performance.md."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from newsdedup.core.fingerprints.catalogue import METHODS
from newsdedup_lab.bench.frontier import PEER, SpeedAndQuality, best_dominator
from newsdedup_lab.performance.cells import Measurements, format_count
from newsdedup_lab.report.docs_page import DocsPage, markdown_table
from newsdedup_lab.report.report_content import (
    Paragraph,
    Plot,
    ReportTable,
    Section,
    Series,
    StudyReport,
)
from newsdedup_lab.report.study_stages import render_json, write_atomically

FRONTIER_PAGE = DocsPage(
    "lab performance of pairs",
    page="performance.md",
    measurements=Path("results", "frontier.json"),
    plots="frontier",
)
FRONTIER_PART = "frontier"
"""The name of the measurements in what `bench --pairs --json` prints."""
PLOT_FILE = "frontier.svg"

_LEAD = (
    "Items per second of processor time, with analysis, in one process, and F against labelled "
    "pairs in the stream, each rule, method and library at the threshold with its best F. On the "
    "frontier is what no other is at least as fast and as good as."
)


def frontier_report(measurements: Measurements) -> StudyReport:
    """Return the page of the measurements: the plot, the table, and the frontier in words."""
    columns = ("", "threshold", "items/s", "precision", "recall", "F", "weighted F", "surpassed by")
    rows = tuple(
        (
            row["title"],
            row["threshold"],
            row["rate"],
            *row["plain"].values(),
            row["weighted"]["f1"],
            row["behind"] or "-",
        )
        for row in measurements["methods"]
    )
    return StudyReport(
        FRONTIER_PART,
        "Speed and quality",
        _LEAD,
        (
            Section(
                "The frontier",
                (
                    *[Paragraph(line) for line in frontier_sentences(measurements)],
                    frontier_plot(measurements),
                    ReportTable("All rules, methods and libraries", columns, rows, best=("F",)),
                ),
            ),
        ),
        measurements,
    )


def write_frontier_plot(measurements: Measurements, folder: Path) -> Path:
    """Write the plot as an SVG file of fixed colours into a folder; return its path."""
    drawn = FRONTIER_PAGE.draw(
        {PLOT_FILE: frontier_plot(measurements)}, render_json(measurements, indent=1)
    )
    write_atomically(folder / PLOT_FILE, drawn[PLOT_FILE].encode())
    return folder / PLOT_FILE


def read_frontier(measured: Path) -> dict[str, Any] | None:
    """Return what `bench --pairs --json` printed into a file; None if the file has no such thing.

    Its fields are `made` and `measurements`.
    """
    try:
        part = json.loads(measured.read_bytes())[FRONTIER_PART]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return part if type(part) is dict and part.keys() >= {"made", "measurements"} else None


def write_frontier(part: Mapping[str, Any], docs: Path) -> list[Path]:
    """Write the table, plot and measurements into the folder `docs`; return their paths."""
    return FRONTIER_PAGE.write(
        docs,
        render_json(part, indent=1),
        frontier_blocks(part),
        {PLOT_FILE: frontier_plot(part["measurements"])},
    )


def frontier_blocks(part: Measurements) -> dict[str, str]:
    """Return the Markdown of each generated block: the table, and how it was measured."""
    measurements, made = part["measurements"], part["made"]
    rows = [
        (
            f"`{row['name']}`" if row["kind"] != PEER else row["title"],
            f"{row['threshold']:g}",
            format_count(row["rate"]),
            *[_share(share) for share in row["plain"].values()],
            _share(row["weighted"]["f1"]),
            row["behind"] or "**on the frontier**",
        )
        for row in measurements["methods"]
    ]
    columns = ("", "threshold", "items/s", "P", "R", "F", "weighted F", "surpassed by")
    how = (
        f"`{made['command']}`, {made['date'][:10]}, {measurements['items']:,} items, "
        f"{measurements['pairs']} pairs, load before {made['machine']['load']:g}."
    )
    return {
        "table": markdown_table(columns, rows),
        "sentences": "\n".join([*frontier_sentences(measurements), "", how]),
    }


def frontier_sentences(measurements: Measurements) -> list[str]:
    """Return what is on the frontier, and which of our rules a library surpasses in both.

    A library is named even where one of our own rules surpasses the rule by more.
    """
    rows = measurements["methods"]
    libraries = {row["title"]: SpeedAndQuality(*_point(row)) for row in rows if row["kind"] == PEER}
    behind: dict[str, list[str]] = {}
    for row in rows:
        if row["kind"] != PEER:
            points = {**libraries, row["title"]: SpeedAndQuality(*_point(row))}
            library = best_dominator(row["title"], points)
            if library is not None:
                behind.setdefault(library, []).append(row["title"])
    return [
        f"On the frontier, the fastest first: {', '.join(measurements['frontier'])}.",
        *[
            f"Ours that {library} surpasses in speed and quality: {', '.join(names)}."
            for library, names in behind.items()
        ],
    ]


def frontier_plot(measurements: Measurements) -> Plot:
    """Plot F against items per second: rules, libraries, methods, and the frontier as steps.

    Between two of the frontier, the better F is that of the faster one.
    """
    rows = measurements["methods"]
    by_title = {row["title"]: row for row in rows}
    peers = [row for row in rows if row["kind"] == PEER]
    methods = [row for row in rows if row["kind"] != PEER and row["name"] in METHODS]
    rules = [row for row in rows if row["kind"] != PEER and row["name"] not in METHODS]
    line = [_point(by_title[title]) for title in measurements["frontier"]]
    least = min(row["plain"]["f1"] for row in rows)
    return Plot(
        "Speed and quality",
        "items/s",
        "F in the stream",
        (
            _points("rules of newsdedup", rules),
            _points("other libraries", peers),
            _points("methods of the papers", methods),
            Series("frontier", tuple(line), kind="steps"),
        ),
        about=_LEAD,
        x_scale="log",
        y_range=(max(0.0, least - 0.1), 1.0),
    )


def _points(label: str, rows: Sequence[Measurements]) -> Series:
    """Return a point with its name for each row."""
    names = tuple(row["name"] for row in rows)
    return Series(label, tuple(map(_point, rows)), kind="points", labels=names)


def _point(row: Measurements) -> tuple[float, float]:
    """Return rate and F of a row."""
    return row["rate"], row["plain"]["f1"]


def _share(share: float) -> str:
    """Return a share with three decimals and no zero before the point."""
    return f"{share:.3f}".removeprefix("0")
