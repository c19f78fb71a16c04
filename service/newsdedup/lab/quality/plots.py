"""The plots of docs/quality.md, as files that need no page around them."""

from collections.abc import Mapping
from typing import Any

import xxhash

from newsdedup.lab.report.plot import _VARIABLES, render_svg
from newsdedup.lab.report.report import Plot, Series

INK, LINE = "#767676", "#9a9a9a"
"""Legible on white and on black: such a file cannot ask which of them it stands on."""
COLOURS = ("#2f7ed8", "#c4621a", "#3c8a4e", "#9a5bb5", "#b04a5a", "#6b7a2c", "#4a8f9c", "#8a6a3c")


def plots(told: Mapping[str, Any], *, digest: str) -> dict[str, str]:
    """Return the files by their names; each ends with the digest of the figures."""
    drawn = {
        "precision-recall.svg": _precision_recall(told),
        "reliability.svg": _reliability(told["fit"]["figures"]),
    }
    return {
        name: f"{_coloured(render_svg(plot, prefix=name.partition('.')[0]))}\n{mark(digest)}\n"
        for name, plot in drawn.items()
    }


def digested(figures: bytes) -> str:
    """Return the digest of the file of figures."""
    return xxhash.xxh3_64_hexdigest(figures)


def mark(digest: str) -> str:
    """Return what tells of which figures a plot was drawn."""
    return f"<!-- of quality.json {digest} -->"


def _precision_recall(told: Mapping[str, Any]) -> Plot:
    def curve(name: str, label: str, kind: str) -> Series:
        rows = [one[kind] for one in told[name]["figures"]["thresholds"]]
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


def _reliability(figures: Mapping[str, Any]) -> Plot:
    points = tuple((one["predicted"], one["true"]) for one in figures["reliability"])
    return Plot(
        "Reliability",
        "predicted probability",
        "share of duplicates",
        (
            Series("unseen pairs, by tenths", points, kind="points"),
            Series("as it should be", ((0.0, 0.0), (1.0, 1.0))),
        ),
        y_range=(0.0, 1.02),
    )


def _coloured(drawing: str) -> str:
    fixed = dict(zip(_VARIABLES.values(), (INK, LINE, LINE, *COLOURS), strict=True))
    for variable, colour in fixed.items():
        drawing = drawing.replace(variable, colour)
    return drawing
