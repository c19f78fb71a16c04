"""Which of several methods are worth choosing by speed and quality: the Pareto frontier."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

OURS, PEER = "newsdedup", "library"
"""What a row is about."""


class SpeedAndQuality(NamedTuple):
    """How fast and how good a method is; more is better of both."""

    rate: float
    """Items per second."""
    quality: float
    """F, from 0 to 1."""

    def dominates(self, other: "SpeedAndQuality") -> bool:
        """Return whether this is at least as fast and as good as another, and one of them more."""
        return self != other and self.rate >= other.rate and self.quality >= other.quality


def frontier(points: Mapping[str, SpeedAndQuality]) -> list[str]:
    """Return the names of the points that no other dominates, the fastest first.

    Equal points do not dominate each other.
    """
    on = [name for name in points if best_dominator(name, points) is None]
    return sorted(on, key=lambda name: (-points[name].rate, name))


def best_dominator(name: str, points: Mapping[str, SpeedAndQuality]) -> str | None:
    """Return the best of the points that dominate one, of equally good ones the fastest.

    None if no point dominates it.
    """
    better = [other for other, point in points.items() if point.dominates(points[name])]
    return max(better, key=lambda other: (points[other].quality, points[other].rate), default=None)


def judge_rows(tried: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return `methods`, of each the row with the best F, and `frontier`, the names of the best.

    A row has `name`, `kind`, `label`, `threshold`, `scale`, `rate`, `plain` and `weighted`. A row
    of the result has also `tried`, the thresholds of its method, and `behind`: which of the
    frontier's methods is at least as fast and as good, None if it is on the frontier itself.
    """
    groups: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for row in tried:
        groups.setdefault((row["kind"], row["name"]), []).append(row)
    best = [
        max(rows, key=lambda row: (row["plain"]["f1"], row["rate"])) for rows in groups.values()
    ]
    points = {_title(row): SpeedAndQuality(row["rate"], row["plain"]["f1"]) for row in best}
    methods = [
        {
            **{name: value for name, value in row.items() if name != "label"},
            "title": _title(row),
            "behind": best_dominator(_title(row), points),
            "tried": [
                {"threshold": one["threshold"], "rate": one["rate"], "f1": one["plain"]["f1"]}
                for one in groups[row["kind"], row["name"]]
            ],
        }
        for row in best
    ]
    methods.sort(key=lambda row: (-row["plain"]["f1"], -row["rate"]))
    return {"methods": methods, "frontier": frontier(points)}


def _title(row: Mapping[str, Any]) -> str:
    """Return what a row is called: some methods have the name of a library."""
    return f"{row['name']} ({PEER})" if row["kind"] == PEER else str(row["name"])
