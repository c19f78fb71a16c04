"""What was published lately and may be copied: bounded, whatever the length of the stream."""

from random import Random
from typing import NamedTuple

from newsdedup.synthetic.chance import pick
from newsdedup.synthetic.planted import Planted
from newsdedup.synthetic.press import Issue
from newsdedup.synthetic.report import Report

HOT = 0.35
"""How often the report that was used last is used again."""


class Kept(NamedTuple):
    """A published report and what is needed to make something of it."""

    report: Report
    planted: Planted
    issue: Issue


class Archive:
    """Reports of one language; a new one takes the place of a random one.

    So their ages fall off exponentially, as those of copied news do, without a second list.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._kept: list[Kept] = []
        self._hot: Kept | None = None

    def __len__(self) -> int:
        return len(self._kept)

    def keep(self, kept: Kept, rng: Random) -> None:
        """Keep a report for a while."""
        if len(self._kept) < self._size:
            self._kept.append(kept)
        else:
            self._kept[int(rng.random() * self._size)] = kept

    def recall(self, rng: Random) -> Kept:
        """Return one of the reports kept; now and then the last one again, as all talk of it."""
        if self._hot is None or rng.random() >= HOT:
            self._hot = pick(rng, self._kept)
        return self._hot
