"""Merges the partitions of one worker, aligned with those of the other workers of its group."""

import asyncio
import logging
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic
from typing import Final

from newsdedup.adapters.kafka.records import (
    Partition,
    ReceivedRecord,
    end_offsets,
    position_name,
)
from newsdedup.adapters.redis.clocks import RedisClocks
from newsdedup.ports.errors import Unavailable
from newsdedup.ports.partition_clocks import PartitionClock
from newsdedup.runners.tasks import wait_at_most
from newsdedup.runners.worker.alignment import Aligner, AlignmentLimits, Heartbeats
from newsdedup.runners.worker.partitions import PartitionMerge, TimeOf

LOG: Final = logging.getLogger("newsdedup.alignment")
_BEAT_SECONDS: Final = 1.0
"""How often a worker reports its clocks at least: others wait that long for one that joins."""
_CALM_SECONDS: Final = 0.25
"""How often it does while no partition is far ahead of another."""
_BLOCKED_SECONDS: Final = 0.01
"""How often it asks for those of others while they hold back all that it has read."""
_HASTE_SECONDS: Final = 0.003
"""How often it does any of this at most."""


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
        self.merge = PartitionMerge(batch, None if alignment is None else alignment.time_of)
        limits = AlignmentLimits(drift=0, idle=0, expiry=0)
        if alignment is not None:
            limits = alignment.limits
        self._limits = limits
        self._aligner = Aligner(limits)
        self._heartbeats = Heartbeats(limits.expiry)
        self._others: dict[str, PartitionClock] = {}
        self._assigned: frozenset[Partition] = frozenset()
        self._at_end: frozenset[Partition] = frozenset()
        self._all: Collection[Partition] = ()
        self._exchanged = alignment is None or not limits.drift
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
        return self._alignment is not None and self._limits.drift > 0

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

        `at_end` has those assigned partitions of which nothing is left to be read from Kafka.
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
        if self._others and self._is_far_apart():
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
                await self._exchange(self._alignment.clocks)
                self._exchanged = assigned == self._assigned
            self.changed.set()
            await asyncio.sleep(_HASTE_SECONDS)
            await wait_at_most(self._progress, self._pause())

    def _pause(self) -> float:
        """Return how many seconds to wait at most until clocks are exchanged again."""
        if self._holds or not self._exchanged:
            return _BLOCKED_SECONDS
        return _CALM_SECONDS if self._others else _BEAT_SECONDS

    async def _exchange(self, clocks: RedisClocks) -> None:
        """Report own clocks; keep those of the partitions of others that count."""
        own = self._own_clocks()
        reported = await clocks.exchange(own)
        names = {position_name(*partition) for partition in self._all}
        self._others = self._heartbeats.live(reported, others=names - set(own), now=monotonic())

    def _own_clocks(self) -> dict[str, PartitionClock]:
        """Return how far the partitions of this worker are, by name."""
        return {
            position_name(*one): PartitionClock(
                self.merge.reached(one),
                waits=one not in self._at_end or not self.merge.is_done(one),
            )
            for one in self._assigned
        }

    def _is_far_apart(self) -> bool:
        """Return whether partitions are so far apart that some worker may soon have to wait."""
        both = Aligner(self._limits)
        both.update({**self._others, **self._own_clocks()})
        return both.spread() > self._limits.drift // 2
