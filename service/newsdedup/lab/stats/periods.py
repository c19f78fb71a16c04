"""Volumes of a stream by week, day or hour, in UTC."""

from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple

from newsdedup.core.model import Micros

Period = Literal["week", "day", "hour"]
SECOND = 1_000_000
SECONDS: Mapping[Period, int] = {"week": 7 * 86_400, "day": 86_400, "hour": 3_600}
MONDAY = 4 * 86_400
"""The first Monday of 1970, in seconds: weeks begin on Mondays."""

SILENCE = 12
"""Periods in which nothing came, after which what comes is looked at by itself."""


class Volume(NamedTuple):
    """What came in one period."""

    begin: int
    """In seconds since 1970 UTC."""
    total: int
    duplicates: int

    @property
    def originals(self) -> int:
        """Return how many items were originals."""
        return self.total - self.duplicates


def volumes(judged: Iterable[tuple[Micros, bool]], period: Period) -> list[Volume]:
    """Return the periods in which anything came, given when each item came and whether a copy."""
    length = SECONDS[period]
    first = MONDAY if period == "week" else 0
    counts: dict[int, list[int]] = {}
    for at, duplicate in judged:
        begin = (at // SECOND - first) // length * length + first
        found = counts.setdefault(begin, [0, 0])
        found[0] += 1
        found[1] += duplicate
    return [Volume(begin, *counts[begin]) for begin in sorted(counts)]


def stretches(found: Iterable[Volume], period: Period) -> list[list[Volume]]:
    """Return the periods in runs: where a long time nothing came, another begins."""
    runs: list[list[Volume]] = []
    for volume in found:
        if not runs or volume.begin - runs[-1][-1].begin > SILENCE * SECONDS[period]:
            runs.append([])
        runs[-1].append(volume)
    return runs


def with_silence(found: Iterable[Volume], period: Period) -> list[Volume]:
    """Return the periods with an empty one at both ends of every gap, so that lines fall to 0."""
    length = SECONDS[period]
    filled: list[Volume] = []
    for volume in found:
        if filled and volume.begin > filled[-1].begin + length:
            filled.append(Volume(filled[-1].begin + length, 0, 0))
            if volume.begin > filled[-1].begin + length:
                filled.append(Volume(volume.begin - length, 0, 0))
        filled.append(volume)
    return filled
