"""Figures 2 and 3 of seed 004."""

from collections.abc import Mapping
from typing import Any

from newsdedup.lab.report.report import Plot, Series, Zone
from newsdedup.lab.synonyms.curves import LABELS, Curves
from newsdedup.lab.synonyms.seed import CRITICAL

ZONE = Zone(*CRITICAL, "interval of the paper")


def drawn(variants: Mapping[str, dict[str, Any]]) -> tuple[Plot, ...]:
    """Return figure 2: the coefficient and the noise of each document."""
    figures = ("coefficient with duplicates", "noise")
    return tuple(
        Plot(
            f"Figure 2: {figure}",
            "document",
            figure,
            tuple(
                Series(
                    LABELS[name],
                    tuple((at, row[place]) for at, row in enumerate(found["drawn"], 1)),
                )
                for name, found in variants.items()
            ),
            about="The first documents of the control group that have duplicates.",
            x_scale="whole",
        )
        for place, figure in enumerate(figures)
    )


def plotted(curves: Curves) -> tuple[Plot, ...]:
    """Return figure 3: the scores against the threshold."""
    chosen = (
        ("recall", "recall", "pairs", "Of the duplicates of the control group."),
        ("precision", "precision", "pairs", "Of the pairs of the control group."),
        (
            "precision, whole collection",
            "precision",
            "collection",
            (
                "Each pair counted as often as it stands for pairs of the collection, where "
                "duplicates are rarer among the others."
            ),
        ),
        ("F", "f1", "pairs", "Of precision and recall in the control group."),
        ("F, whole collection", "f1", "collection", "Of both in the whole collection."),
    )
    there = {counted for _, _, counted in curves}
    return tuple(_plot(curves, *one) for one in chosen if one[2] in there)


def _plot(curves: Curves, title: str, figure: str, counted: str, about: str) -> Plot:
    series = [
        Series(
            LABELS[name],
            tuple(
                (one.threshold, value)
                for one in found
                if (value := getattr(one, figure)) is not None
            ),
        )
        for (name, length, by), found in curves.items()
        if (length, by) == ("all", counted)
    ]
    return Plot(
        f"Figure 3: {title}",
        "threshold",
        "F" if figure == "f1" else figure,
        tuple(series),
        about=about,
        y_range=(0.0, 1.0),
        zones=(ZONE,),
    )
