"""When items arrive: more by day than by night, and some are held back until their time."""

import heapq
from collections.abc import Iterator
from datetime import datetime, timedelta
from random import Random

from newsdedup.synthetic.chance import exponential
from newsdedup.synthetic.planted import Planted

BY_HOUR = (
    0.3, 0.2, 0.2, 0.2, 0.4, 0.7, 1.0, 1.3, 1.5, 1.6, 1.6, 1.5,
    1.5, 1.5, 1.4, 1.4, 1.3, 1.2, 1.1, 1.1, 1.0, 0.9, 0.7, 0.4,
)  # fmt: skip
"""The rate of each hour of the day in UTC, in parts of the mean rate."""


def arrivals(start: datetime, per_hour: float, rng: Random) -> Iterator[datetime]:
    """Yield the moments at which items arrive, for ever."""
    moment = start
    while True:
        yield moment
        seconds = exponential(rng, 3600 / (per_hour * BY_HOUR[moment.hour]))
        moment += timedelta(seconds=seconds)


class HeldBack:
    """Items that wait for their time to arrive, earliest first."""

    def __init__(self) -> None:
        self._waiting: list[tuple[datetime, int, Planted]] = []
        self._held = 0

    def __len__(self) -> int:
        return len(self._waiting)

    def hold(self, planted: Planted, due: datetime) -> None:
        """Keep an item until it is due."""
        self._held += 1
        heapq.heappush(self._waiting, (due, self._held, planted))

    def due(self, moment: datetime) -> bool:
        """Return whether an item should have arrived by the moment."""
        return bool(self._waiting) and self._waiting[0][0] <= moment

    def release(self) -> Planted:
        """Return the item that has waited for the earliest moment."""
        return heapq.heappop(self._waiting)[2]
