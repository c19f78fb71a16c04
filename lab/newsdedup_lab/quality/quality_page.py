"""Writes docs/quality.md: its generated tables, its plots and the measurements behind them."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from newsdedup_lab.quality.quality_blocks import quality_blocks, stream_name
from newsdedup_lab.report.docs_page import DocsPage
from newsdedup_lab.report.report_content import Plot, Series
from newsdedup_lab.report.study_stages import render_json

_LEAST_OF_A_TENTH = 10
"""Pairs of a tenth of the probability that is drawn: a share of fewer says nothing."""
QUALITY_PAGE = DocsPage(
    "lab quality", page="quality.md", measurements=Path("results", "quality.json"), plots="quality"
)


def write_quality(results: Mapping[str, Any], docs: Path) -> list[Path]:
    """Write page, measurements and plots into the folder `docs`; return their paths.

    If the page is missing or its comments do not match the blocks, raise SourceUnusable.
    """
    measurements = render_json(results, indent=1)
    return QUALITY_PAGE.write(docs, measurements, quality_blocks(results), quality_plots(results))


def quality_plots(results: Mapping[str, Any]) -> dict[str, Plot]:
    """Return the plots by file name: precision against recall, and reliability."""
    return {
        "precision-recall.svg": _precision_recall(results),
        "reliability.svg": _reliability(results["fit"]["measurements"]),
    }


def _precision_recall(results: Mapping[str, Any]) -> Plot:
    """Plot precision against recall over all thresholds, for each rule and set of pairs."""

    def curve(name: str, label: str, kind: str) -> Series:
        """Return the line of the report `name`; `kind` is "plain" or "weighted"."""
        rows = [one[kind] for one in results[name]["measurements"]["thresholds"]]
        points = [(row["recall"], row["precision"]) for row in rows if row["precision"] is not None]
        return Series(label, tuple(points))

    return Plot(
        "Precision against recall",
        "recall",
        "precision",
        (
            curve("dev", "verified", "plain"),
            curve("dev", "verified, weighted", "weighted"),
            curve("terms", "terms", "plain"),
            curve("own", "verified, our own pairs", "plain"),
        ),
        y_range=(0.0, 1.02),
    )


def _reliability(measurements: Mapping[str, Any]) -> Plot:
    """Plot the share of duplicates against the predicted probability, of all and by stream.

    The pairs of a stream were predicted by a model of the other streams.
    """

    def points(label: str, tenths: Sequence[Mapping[str, Any]]) -> Series:
        """Return a point for each tenth that has enough pairs."""
        shown = [one for one in tenths if one["pairs"] >= _LEAST_OF_A_TENTH]
        pairs = tuple((one["predicted"], one["true"]) for one in shown)
        return Series(label, pairs, kind="points")

    streams = [
        points(stream_name(name), found["reliability"])
        for name, found in measurements["by_stream"].items()
    ]
    return Plot(
        "Reliability",
        "predicted probability",
        "share of duplicates",
        (
            points("all unseen pairs", measurements["reliability"]),
            *streams,
            Series("as it should be", ((0.0, 0.0), (1.0, 1.0))),
        ),
        y_range=(0.0, 1.02),
    )
