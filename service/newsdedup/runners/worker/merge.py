"""The records that a worker has read of its partitions, handed over in the order of event time."""

import asyncio
from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from itertools import islice
from time import monotonic
from typing import Final, NamedTuple

from newsdedup.adapters.kafka.records import Partition, ReceivedRecord, end_offsets, position_name
from newsdedup.adapters.redis.namespace import PartitionClock, RedisClocks
from newsdedup.core.model import Micros, NewsItem
from newsdedup.core.stories.window import own_time
from newsdedup.engine.arrivals import Arrival
from newsdedup.ports.errors import Unavailable
from newsdedup.runners.tasks import wait_at_most
from newsdedup.runners.worker.alignment import FAR, Aligner, AlignmentLimits, Heartbeats

KafkaArrival = Arrival[ReceivedRecord]
Decode = Callable[[ReceivedRecord], KafkaArrival]
"""Returns the arrival of a record, with its item or command, or with a rejection."""
_Turn = tuple[Micros, int]
"""The event time of a record, and how many records of its partition with that time precede it."""
_LOOKED_AHEAD: Final = 4
"""Records by which it is seen that one is dated far ahead of its partition."""
_BEAT_SECONDS: Final = 1.0
"""How often a worker reports its clocks at least: others wait that long for one that joins."""
_CALM_SECONDS: Final = 0.25
"""How often it does while no partition is far ahead of another."""
_BLOCKED_SECONDS: Final = 0.01
"""How often it asks for those of others while they hold back all that it has read."""
_HASTE_SECONDS: Final = 0.003
"""How often it does any of this at most."""


class _Timed(NamedTuple):
    """An arrival and its event time, None if it has none."""

    arrival: KafkaArrival
    at: Micros | None


def _written_time(arrival: KafkaArrival) -> Micros:
    """Return the record's timestamp."""
    return arrival.record.at_ms * 1000


def event_time(arrival: KafkaArrival) -> Micros | None:
    """Return the effective time of the item that has arrived, None without an item or a time.

    Nothing is raised: an item whose time raises is judged later, and set aside there.
    """
    try:
        return own_time(arrival.content) if isinstance(arrival.content, NewsItem) else None
    except Exception:  # noqa: BLE001 - see above
        return None


class PartitionMerge:
    """Merges the records of several partitions by event time, reading ahead a little.

    In equal shares, the items of a partition that lags would come long after later ones of the
    others: an item judged before an earlier one may have to be judged again, and beyond window and
    lateness it misses its duplicates. So what is earliest goes first, whatever its partition, and
    only up to a bound. At most 1.5 batches are buffered, or a few records of each partition.
    """

    def __init__(self, batch: int, *, by_event_time: bool = False) -> None:
        """Batches have up to `batch` records; by default these come as they were written."""
        self._batch = batch
        self._time_of = event_time if by_event_time else _written_time
        self._waiting: dict[Partition, deque[_Timed]] = {}
        self._taken: dict[Partition, deque[Micros]] = {}
        """The event times of the last records taken: the latest is how far a partition is."""
        self._turns: dict[Partition, _Turn] = {}
        self._unfinished: dict[Partition, deque[tuple[int, Micros]]] = {}
        """For records that were taken and are not finished, the offset and how far they led."""

    def __len__(self) -> int:
        """Return how many records are buffered."""
        return sum(len(records) for records in self._waiting.values())

    def room(self, partition: Partition, *, partitions: int) -> int:
        """Return how many more records of a partition to fetch: 1.5 times its share, less buffered.

        Its share is that of a batch with equal parts of `partitions`, but not less than what is
        looked ahead.
        """
        share = -(-self._batch // max(1, partitions))
        most = max(share + (share + 1) // 2, _LOOKED_AHEAD + 1)
        return most - len(self._waiting.get(partition, ()))

    def add(self, arrivals: Iterable[KafkaArrival]) -> None:
        """Buffer arrivals, those of each partition in their order."""
        for arrival in arrivals:
            partition = (arrival.record.topic, arrival.record.partition)
            self._waiting.setdefault(partition, deque()).append(
                _Timed(arrival, self._time_of(arrival))
            )

    def forget(self, partitions: Iterable[Partition]) -> None:
        """Drop the buffered records of partitions that were revoked or are sought anew."""
        for partition in partitions:
            for known in (self._waiting, self._taken, self._turns, self._unfinished):
                known.pop(partition, None)

    def front(self) -> Micros | None:
        """Return the event time of the record that comes next, None if none is buffered."""
        return min(
            (self._event_time(partition) for partition, more in self._waiting.items() if more),
            default=None,
        )

    @property
    def partitions(self) -> set[Partition]:
        """Return the partitions of which anything is known."""
        return {*self._waiting, *self._taken, *self._unfinished}

    def buffered(self, partition: Partition) -> int:
        """Return how many records of a partition are buffered."""
        return len(self._waiting.get(partition, ()))

    def reached(self, partition: Partition) -> Micros | None:
        """Return the event time before which nothing of a partition waits or is being judged.

        None if none of its records was ever buffered.
        """
        unfinished = self._unfinished.get(partition)
        if unfinished:
            return unfinished[0][1]
        times = [*self._taken.get(partition, ())]
        if self._waiting.get(partition):
            times.append(self._event_time(partition))
        return max(times, default=None)

    def is_done(self, partition: Partition) -> bool:
        """Return whether no record of a partition is buffered or being judged."""
        return not self._waiting.get(partition) and not self._unfinished.get(partition)

    def finished(self, ends: Mapping[Partition, int]) -> None:
        """Note the end offsets of a batch that is judged and published."""
        for partition, end in ends.items():
            unfinished = self._unfinished.get(partition)
            while unfinished and unfinished[0][0] < end:
                unfinished.popleft()

    def take_batch(
        self,
        *,
        most: int | None = None,
        bound: Micros | None = None,
        reading: Collection[Partition] = (),
        drift: Micros = 0,
    ) -> list[KafkaArrival]:
        """Remove and return the next batch: of the buffered records those that are earliest.

        It has `most` records at most, or those of a full batch, and none later than `bound`.
        Records of one partition stay in their order. Of the partitions in `reading` more records
        are to come than are buffered: nothing is taken that is later by more than `drift` than how
        far such a one is, once its last buffered record is taken.
        """
        most = self._batch if most is None else most
        limit = FAR if bound is None else bound
        for partition in reading:
            if not self._waiting.get(partition):
                limit = min(limit, self._allowed_by(partition, drift))
        fronts = [
            (self._next_turn(partition), partition)
            for partition, more in self._waiting.items()
            if more
        ]
        heapify(fronts)
        batch: list[KafkaArrival] = []
        while fronts and len(batch) < most:
            turn, partition = heappop(fronts)
            if turn[0] > limit:
                break
            arrival = self._waiting[partition].popleft().arrival
            batch.append(arrival)
            self._turns[partition] = turn
            taken = self._taken.setdefault(partition, deque(maxlen=_LOOKED_AHEAD))
            taken.append(turn[0])
            unfinished = self._unfinished.setdefault(partition, deque())
            unfinished.append((arrival.record.offset, max(taken)))
            if self._waiting[partition]:
                heappush(fronts, (self._next_turn(partition), partition))
            elif partition in reading:
                limit = min(limit, self._allowed_by(partition, drift))
        return batch

    def _allowed_by(self, partition: Partition, drift: Micros) -> Micros:
        """Return the latest event time that may be taken while a partition has more to read.

        That is its `latest` plus `drift`; -FAR, which allows nothing, if none of it was taken.
        """
        latest = self.latest(partition)
        return -FAR if latest is None else latest + drift

    def latest(self, partition: Partition) -> Micros | None:
        """Return the latest event time of the last few records taken, None if none was."""
        return max(self._taken.get(partition, ()), default=None)

    def _event_time(self, partition: Partition) -> Micros:
        """Return the event time of the next buffered record of a partition; there must be one.

        It is no later than the second latest of the few after it: an item or two that are dated far
        ahead must not hold their partition up. A record without a time has that of its partition.
        """
        waiting = self._waiting[partition]
        ahead = sorted(
            [one.at for one in islice(waiting, 1, _LOOKED_AHEAD + 1) if one.at is not None]
        )
        own = waiting[0].at
        if own is None:
            latest = self.latest(partition)
            return min(ahead, default=0) if latest is None else latest
        return min(own, ahead[max(0, len(ahead) - 2)]) if ahead else own

    def _next_turn(self, partition: Partition) -> _Turn:
        """Return when the next buffered record of a partition has its turn; there must be one.

        The second number counts the records of its partition with the same time before it, so that
        partitions take turns.
        """
        at = self._event_time(partition)
        before = self._turns.get(partition)
        return (at, before[1] + 1) if before is not None and before[0] == at else (at, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Alignment:
    """How a worker aligns its partitions with those of others."""

    limits: AlignmentLimits
    clocks: RedisClocks
    note_wait: Callable[[float], None]
    """Called with the time while nothing can be judged as other workers are behind: no stall."""


class AlignedMerge:
    """The records that a worker has read, decoded, handed over in the order of event time.

    Without an Alignment they come in the order in which they were written.
    """

    def __init__(self, batch: int, alignment: Alignment | None, decode: Decode) -> None:
        self._alignment = alignment
        self._decode = decode
        self.merge = PartitionMerge(batch, by_event_time=alignment is not None)
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

    def add(self, records: Iterable[ReceivedRecord]) -> None:
        """Decode and buffer records, those of each partition in their order."""
        self.merge.add(map(self._decode, records))

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
        """Drop the records, ends and assignment of all partitions, as `forget` does for some."""
        self.forget({*self._assigned, *self.merge.partitions})

    def take_batch(
        self,
        *,
        most: int,
        assigned: Collection[Partition],
        at_end: Collection[Partition],
        all_partitions: Collection[Partition],
    ) -> list[KafkaArrival]:
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
