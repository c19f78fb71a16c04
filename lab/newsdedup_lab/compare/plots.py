"""Plots of the curves of paper 000: predicted, printed and measured."""

from collections.abc import Mapping, Sequence
from typing import Any

from newsdedup_lab.compare.predicted_curves import (
    I_MATCH_LEXICONS,
    I_MATCH_REMOVED,
    MEGASHINGLE_RECALL_PRINTED,
    REPORTS_PER_TEXT,
    megashingle_recall,
    minhash_variance,
)
from newsdedup_lab.report.report_content import Block, Paragraph, Plot, ReportTable, Series

_GRID = tuple(step / 200 for step in range(90, 201))
_MINHASH_FUNCTIONS = 128
_CURVE_TITLES: Mapping[str, str] = {
    "stability": "I-Match stability, by words taken out",
    "recall": "megashingle recall, by Jaccard similarity",
    "variance": "minhash variance, by Jaccard similarity",
}

_Points = Sequence[Mapping[str, Any]]


def curve_blocks(curves: Mapping[str, _Points]) -> tuple[Block, ...]:
    """Return plots of stability, recall and variance, and a table of their points.

    `curves` has the points (TrialPoint as JSON) under these three names.
    """
    points = [point for curve in curves.values() for point in curve]
    inside = sum(point["inside"] for point in points)
    return (
        Paragraph(
            f"{inside} of {len(points)} predictions lie inside the 95 % interval of what was "
            f"measured (of right ones, one in twenty lies outside by chance): made-up texts of "
            f"{REPORTS_PER_TEXT} reports each, {points[0]['trials']:,} trials for each point, "
            "every trial with lexicons or functions of its own. These numbers do not "
            "depend on the collection, but for its vocabulary."
        ),
        _stability(curves["stability"]),
        _recall(curves["recall"]),
        _variance(curves["variance"]),
        _table(curves),
    )


def _measured(points: _Points) -> Series:
    """Return the measured line of points, with the 95 % intervals."""
    return Series(
        "measured, 95 %",
        tuple((point["x"], point["measured"]) for point in points),
        kind="points",
        band=tuple((point["x"], point["low"], point["high"]) for point in points),
    )


def _stability(points: _Points) -> Plot:
    """Plot the predicted and the measured share of unchanged I-Match signatures by edits."""
    return Plot(
        "I-Match stability under edits",
        "n, words of the lexicon taken out of the text",
        "share with an equal signature",
        (
            Series("predicted", tuple((point["x"], point["predicted"]) for point in points)),
            _measured(points),
        ),
        about=f"1 - (1 - p^n)^K with p = {I_MATCH_REMOVED}, K = {I_MATCH_LEXICONS}: the chance "
        "that one of the further lexicons lacks all words that were taken out. A word replaced by "
        "another counts twice, since the new one must be lacking too.",
        x_scale="whole",
        y_range=(0.0, 1.02),
    )


def _recall(points: _Points) -> Plot:
    """Plot predicted, measured and printed megashingle recall by Jaccard similarity."""
    return Plot(
        "Megashingle recall",
        "J, Jaccard similarity of the shingles",
        "share of pairs found",
        (
            Series("predicted", tuple((at, megashingle_recall(at)) for at in _GRID)),
            _measured(points),
            Series("printed", tuple(MEGASHINGLE_RECALL_PRINTED.items()), kind="points"),
        ),
        about="The chance that two of six supershingles agree, each with J^6. The paper prints 33, "
        "42 and 50 % at 0.75, 0.80 and 0.85, by an arithmetic of its own; the formula gives 29, 49 "
        "and 73 %.",
        y_range=(0.0, 1.02),
    )


def _variance(points: _Points) -> Plot:
    """Plot predicted and measured minhash variance, in thousandths, by Jaccard similarity."""
    return Plot(
        "Minhash variance",
        "J, Jaccard similarity of the shingles",
        "mean square error, thousandths",
        (
            Series(
                "predicted",
                tuple(
                    (at, 1e3 * minhash_variance(at, functions=_MINHASH_FUNCTIONS)) for at in _GRID
                ),
            ),
            _measured(
                [{**p, **{k: 1e3 * p[k] for k in ("measured", "low", "high")}} for p in points]
            ),
        ),
        about="J (1 - J) / 128 for the share of 128 equal minima.",
    )


def _table(curves: Mapping[str, _Points]) -> ReportTable:
    """Return a table of all points of the curves."""
    names = ("x", "predicted", "measured", "low", "high")
    return ReportTable(
        "The points of the plots",
        ("curve", "at", "predicted", "measured", "95 % from", "to", "inside"),
        tuple(
            (
                _CURVE_TITLES[curve],
                *[point[name] for name in names],
                "yes" if point["inside"] else "no",
            )
            for curve, points in curves.items()
            for point in points
        ),
        about="A prediction is the mean of the formula over the exact similarities of the trials.",
        digits=5,
    )
