"""Alignment of partitions: which records may be judged now, and which wait for slower partitions.

A backlog is read from several partitions at once, by several workers. Items are matched within a
window of event time, so no partition may run ahead of the others by more than a drift: what is
ahead waits until the slowest partition in which records wait has caught up. A partition that is at
its end waits for no other, and holds others back only for a moment: its next record may be on the
way. `AlignedMerge` hands over what a worker has read; `Aligner` and `Heartbeats` read no clock:
moments in seconds come from the caller.
"""

import asyncio
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from time import monotonic
from typing import Final

from newsdedup.adapters.kafka.records import Partition, ReceivedRecord, end_offsets, position_name
from newsdedup.adapters.redis.namespace import UNKNOWN, PartitionClock, RedisClocks, ReportedClock
from newsdedup.core.model import Micros
from newsdedup.ports.errors import Unavailable
from newsdedup.runners.tasks import wait_at_most
from newsdedup.runners.worker.partitions import PartitionMerge, TimeOf

_BEAT_SECONDS: Final = 1.0
"""How often a worker reports its clocks at least: others wait that long for one that joins."""
_CALM_SECONDS: Final = 0.25
"""How often it does while no partition is far ahead of another."""
_BLOCKED_SECONDS: Final = 0.01
"""How often it asks for those of others while they hold back all that it has read."""
_HASTE_SECONDS: Final = 0.003
"""How often it does any of this at most."""
_FAR: Final = 1 << 62
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
        return None if bound == _FAR else bound

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
        return _FAR if len(known) < len(lows) else max(known, default=0) - min(known, default=0)

    def _latest_of(self, clocks: Iterable[PartitionClock]) -> Micros:
        """Return the latest event time that all of these partitions allow; _FAR without any."""
        drift = self.limits.drift
        return min((-_FAR if one.low is None else one.low + drift for one in clocks), default=_FAR)


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Alignment:
    """How a worker aligns its partitions with those of others."""

    limits: AlignmentLimits
    clocks: RedisClocks
    time_of: TimeOf
    note_wait: Callable[[float], None]
    """Called with the time while nothing can be judged as other workers are behind: no stall."""


class AlignedMerge:
    """The records that a worker has read, handed over in the order of event time.

    Without an Alignment they come in the order in which they were written.
    """

    def __init__(self, batch: int, alignment: Alignment | None) -> None:
        self._alignment = alignment
        self.merge = PartitionMerge(batch, alignment.time_of if alignment else None)
        none = AlignmentLimits(drift=0, idle=0, expiry=0)
        self._limits = limits = alignment.limits if alignment else none
        self._aligner = Aligner(limits)
        self._heartbeats = Heartbeats(limits.expiry)
        self._others: dict[str, PartitionClock] = {}
        self._assigned: frozenset[Partition] = frozenset()
        self._at_end: frozenset[Partition] = frozenset()
        self._all: Collection[Partition] = ()
        self._exchanged = not self.is_on
        """Whether the clocks of the others have been asked for since the last assignment."""
        self._holds = False
        """Whether others hold back all that is buffered."""
        self._progress = asyncio.Event()
        """Set when progress should soon be reported to the others, or theirs be asked for."""
        self.changed = asyncio.Event()
        """Set when more may be taken than at the last call of `take_batch`."""

    @property
    def is_on(self) -> bool:
        """Return whether partitions are aligned."""
        return self._limits.drift > 0

    def forget(self, partitions: Iterable[Partition]) -> None:
        """Drop what is known of partitions that were revoked or are sought anew."""
        gone = set(partitions)
        self.merge.forget(gone)
        self._assigned -= gone
        self._at_end -= gone
        if self.is_on:
            self._exchanged = False
            self._progress.set()

    def forget_all(self) -> None:
        """Drop what is known of all partitions."""
        self.forget({*self._assigned, *self.merge.partitions})

    def take_batch(
        self,
        *,
        most: int,
        assigned: Collection[Partition],
        at_end: Collection[Partition],
        all_partitions: Collection[Partition],
    ) -> list[ReceivedRecord]:
        """Remove and return the next batch, which may be empty although records are buffered.

        `assigned` are this worker's partitions, `at_end` those of them of which nothing is left to
        be read from Kafka, `all_partitions` all that the topic has.
        """
        self.changed.clear()
        if not self.is_on or self._alignment is None:
            return self.merge.take_batch(most=most)
        if frozenset(assigned) != self._assigned:
            self._exchanged = False
            self._progress.set()
        self._assigned, self._at_end = frozenset(assigned), frozenset(at_end)
        self._all = all_partitions
        if not self._exchanged:
            return []
        merge, now = self.merge, monotonic()
        read = {
            position_name(*partition): PartitionClock(merge.latest(partition), waits=False)
            for partition in at_end
            if not merge.buffered(partition)
        }
        self._aligner.update({**self._others, **read})
        front = merge.front()
        batch = merge.take_batch(
            most=most,
            bound=self._aligner.bound(front, now),
            reading=self._assigned - self._at_end,
            drift=self._limits.drift,
        )
        holders = set[str]()
        if front is not None and not batch:
            holders = set(self._aligner.holders(front)) - set(read)
        if holders:
            self._alignment.note_wait(now)
        if holders and not self._holds:
            self._progress.set()
        self._holds = bool(holders)
        return batch

    def finished(self, batch: Sequence[ReceivedRecord]) -> None:
        """Note that a batch is judged and published."""
        self.merge.finished(end_offsets(batch))
        if self._others:
            both = Aligner(self._limits)
            both.update({**self._others, **self._own_clocks()})
            if both.spread() > self._limits.drift // 2:  # some worker may soon have to wait
                self._progress.set()

    async def exchange_forever(self) -> None:
        """Report how far this worker's partitions are, and ask for those of others, for ever."""
        if not self.is_on or self._alignment is None:
            await asyncio.Event().wait()
            return
        while True:
            self._progress.clear()
            assigned = self._assigned
            with suppress(Unavailable):
                own = self._own_clocks()
                reported = await self._alignment.clocks.exchange(own)
                others = {position_name(*partition) for partition in self._all} - set(own)
                self._others = self._heartbeats.live(reported, others=others, now=monotonic())
                self._exchanged = assigned == self._assigned
            self.changed.set()
            await asyncio.sleep(_HASTE_SECONDS)
            pause = _CALM_SECONDS if self._others else _BEAT_SECONDS
            if self._holds or not self._exchanged:
                pause = _BLOCKED_SECONDS
            await wait_at_most(self._progress, pause)

    def _own_clocks(self) -> dict[str, PartitionClock]:
        """Return how far the partitions of this worker are, by name."""
        return {
            position_name(*one): PartitionClock(
                self.merge.reached(one),
                waits=one not in self._at_end or not self.merge.is_done(one),
            )
            for one in self._assigned
        }
