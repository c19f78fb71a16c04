"""Alignment of partitions: which records may be judged now, and which wait for slower partitions.

A backlog is read from several partitions at once, by several workers. Items are matched within a
window of event time, so no partition may run ahead of the others by more than a drift: what is
ahead waits until the slowest partition in which records wait has caught up. A partition that is at
its end waits for no other, and holds others back only for a moment: its next record may be on the
way. Nothing here reads a clock: moments in seconds come from the caller.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from newsdedup.adapters.redis.namespace import UNKNOWN, PartitionClock, ReportedClock
from newsdedup.core.model import Micros

FAR: Final = 1 << 62
"""Later than any event time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AlignmentLimits:
    """How far partitions may run apart, and how long is waited for whom."""

    drift: Micros
    """How far ahead of the slowest partition a record may be judged; 0 for no alignment."""
    idle: float
    """Seconds for which a partition at its end can hold others back."""
    expiry: float
    """Seconds after which a partition counts no more whose worker is silent, or that has none."""


@dataclass(slots=True)
class Aligner:
    """Says up to which event time records may be judged; law: tests/runners/test_alignment.py.

    A partition at its end is excused once it alone has kept others waiting for `idle` seconds, and
    until records come in it. Time during which another one holds back does not count: else all
    partitions would be excused while the slowest catches up.
    """

    limits: AlignmentLimits
    _clocks: dict[str, PartitionClock] = field(default_factory=dict)
    _alone_since: dict[str, float] = field(default_factory=dict)
    """For partitions at their end, by name, since when they alone hold something back."""
    _excused: set[str] = field(default_factory=set)

    def update(self, clocks: Mapping[str, PartitionClock]) -> None:
        """Set what is known of the partitions, by name; those that are not named count no more."""
        self._clocks = dict(clocks)
        at_end = {name for name, clock in clocks.items() if not clock.waits}
        self._excused &= at_end
        for name in set(self._alone_since) - at_end:
            del self._alone_since[name]

    def bound(self, front: Micros | None, now: float) -> Micros | None:
        """Return the latest event time that may be judged now; None if there is no limit.

        `front` is that of the earliest record that this worker could judge, None if it has none.
        `now` is in seconds of a monotonic clock.
        """
        if not self.limits.drift:
            return None
        waiting = self._latest_of(clock for clock in self._clocks.values() if clock.waits)
        if front is None or front > waiting:
            self._alone_since.clear()
            return waiting
        at_end = {name: clock for name, clock in self._clocks.items() if not clock.waits}
        for name, clock in at_end.items():
            if front <= self._latest_of([clock]):
                self._alone_since.pop(name, None)
            elif now - self._alone_since.setdefault(name, now) >= self.limits.idle:
                self._excused.add(name)
        holding = [clock for name, clock in at_end.items() if name not in self._excused]
        bound = min(waiting, self._latest_of(holding))
        return None if bound == FAR else bound

    def holders(self, front: Micros) -> list[str]:
        """Return the names of the partitions for which a record of this event time has to wait."""
        return sorted(
            name
            for name, clock in self._clocks.items()
            if name not in self._excused and front > self._latest_of([clock])
        )

    def spread(self) -> Micros:
        """Return how far apart in event time the partitions are in which records wait."""
        lows = [clock.low for clock in self._clocks.values() if clock.waits]
        known = [low for low in lows if low is not None]
        return FAR if len(known) < len(lows) else max(known, default=0) - min(known, default=0)

    def _latest_of(self, clocks: Iterable[PartitionClock]) -> Micros:
        """Return the latest event time that all of these partitions allow; FAR without any."""
        drift = self.limits.drift
        return min((-FAR if one.low is None else one.low + drift for one in clocks), default=FAR)


class Heartbeats:
    """Which partitions of other workers count, by the age of what those reported last."""

    def __init__(self, expiry: float) -> None:
        self._expiry = expiry
        self._missing_since: dict[str, float] = {}

    def live(
        self, reported: Mapping[str, ReportedClock], *, others: Collection[str], now: float
    ) -> dict[str, PartitionClock]:
        """Return the clocks of the partitions that count, of those that this worker does not own.

        `reported` has the clocks by name; `others` has the names of the partitions that are owned
        by other workers, or by none while the group rebalances. One of which nothing was ever
        reported counts as unknown until it has been missing for too long.
        """
        live: dict[str, PartitionClock] = {}
        for name in others:
            if name in reported:
                self._missing_since.pop(name, None)
                clock, age = reported[name]
                if age < self._expiry:
                    live[name] = clock
            elif now - self._missing_since.setdefault(name, now) < self._expiry:
                live[name] = UNKNOWN
        return live
