"""Records of several partitions, read ahead a little, in the order in which they were written.

Partitions are never equally far: taken in equal parts, the items of one soon come minutes after
later ones of another, and what is judged before an earlier item may have to be judged again. So
whichever partition is behind comes first, but no partition has a batch to itself.
"""

import asyncio
from collections import defaultdict, deque
from collections.abc import Awaitable, Callable, Iterable, Mapping
from heapq import heapify, heappop, heappush
from typing import Final

from newsdedup.adapters.kafka.records import Partition, ReceivedRecord, position_name
from newsdedup.ports.errors import StateMoved

_Turn = tuple[int, int]
"""When a record was written, and how many of its partition come before it with the same time."""
_FIRST: Final = (0, 0)


class PartitionMerge:
    """What was read and not yet passed on, at most half as much again as a batch."""

    def __init__(self, batch: int) -> None:
        self._batch = batch
        self._waiting: dict[Partition, deque[ReceivedRecord]] = {}
        self._latest: dict[Partition, _Turn] = {}
        """The turn of the record that was passed on last: those behind it count as no earlier."""

    def __len__(self) -> int:
        """Return how many records wait."""
        return sum(len(records) for records in self._waiting.values())

    def room(self, place: Partition, *, partitions: int) -> int:
        """Return how many more records may be read of one partition: 1.5 times its share wait."""
        share = -(-self._batch // max(1, partitions))
        return share + (share + 1) // 2 - len(self._waiting.get(place, ()))

    def add(self, records: Iterable[ReceivedRecord]) -> None:
        """Take records, those of each partition in its order."""
        for record in records:
            self._waiting.setdefault((record.topic, record.partition), deque()).append(record)

    def forget(self, places: Iterable[Partition]) -> None:
        """Drop what waits of some partitions: it will be read again, by whoever has them then."""
        for place in places:
            self._waiting.pop(place, None)
            self._latest.pop(place, None)

    def take_batch(self) -> list[ReceivedRecord]:
        """Return the next batch."""
        fronts = [(self._front(place), place) for place, more in self._waiting.items() if more]
        heapify(fronts)
        batch: list[ReceivedRecord] = []
        while fronts and len(batch) < self._batch:
            turn, place = heappop(fronts)
            batch.append(self._waiting[place].popleft())
            self._latest[place] = turn
            if self._waiting[place]:
                heappush(fronts, (self._front(place), place))
        return batch

    def _front(self, place: Partition) -> _Turn:
        """Return the turn of the next record of a partition."""
        before, written = self._latest.get(place, _FIRST), self._waiting[place][0].at_ms
        return (before[0], before[1] + 1) if written <= before[0] else (written, 0)


ReadPosition = Callable[[Partition], Awaitable[int | None]]
"""Tells from where on the client reads next; None if it does not know."""


class LagTracker:
    """Of each partition what was fetched, and what of that is done."""

    def __init__(self) -> None:
        self._fetched: dict[Partition, int] = {}
        self._done: dict[Partition, int] = {}

    def begin(self, partition: Partition, at: int | None) -> None:
        """Expect a partition from an offset on; None for whatever is the first there."""
        self.forget([partition])
        if at is not None:
            self._fetched[partition] = self._done[partition] = at

    def note_fetched(self, partition: Partition, offset: int) -> None:
        """Note that a record is at hand."""
        self._done.setdefault(partition, offset)
        self._fetched[partition] = offset + 1

    def note_done(self, ends: Mapping[Partition, int]) -> None:
        """Note up to where partitions are done."""
        self._done.update(ends)

    def forget(self, partitions: Iterable[Partition]) -> None:
        """Forget partitions: they are somebody else's, or begin anew."""
        for partition in partitions:
            self._fetched.pop(partition, None)
            self._done.pop(partition, None)

    def clear(self) -> None:
        """Forget all partitions."""
        self._fetched.clear()
        self._done.clear()

    async def lag(self, ends: Mapping[Partition, int], position: ReadPosition) -> dict[str, int]:
        """Return how many records of each partition wait, as far as is known."""
        stands = await asyncio.gather(*(self._position_of(place, position) for place in ends))
        return {
            position_name(*place): max(0, ends[place] - at)
            for place, at in zip(ends, stands, strict=True)
            if at is not None
        }

    async def _position_of(self, partition: Partition, position: ReadPosition) -> int | None:
        """Return where work stands.

        While nothing is at hand that is where the client reads on: the end of a partition may be a
        mark of a transaction, and what was committed may be older than all that Kafka still has.
        """
        done = self._done.get(partition)
        if done is not None and done < self._fetched.get(partition, done):
            return done
        at = await position(partition)
        return done if at is None else at


class OffsetGap(StateMoved):
    """Records were dropped on their way: whoever reads must begin again where work ended."""


class GapDetector:
    """The order of each partition since it was last sought."""

    def __init__(self) -> None:
        self._fetched: dict[Partition, int] = {}
        self._handed: dict[Partition, int] = {}
        self._gaps: defaultdict[Partition, dict[int, int]] = defaultdict(dict)
        """Of fetched records that do not follow the one before: where that one ended."""

    def expect(self, partition: Partition, at: int) -> None:
        """Expect a partition from an offset on; 0 for whatever is the first there."""
        self._fetched[partition] = self._handed[partition] = at
        self._gaps[partition].clear()

    def note_fetched(self, partition: Partition, offset: int) -> None:
        """Note the next record as Kafka gave it."""
        expected = self._fetched.get(partition, 0)
        if offset > expected:
            self._gaps[partition][offset] = expected
        self._fetched[partition] = offset + 1

    def check(self, partition: Partition, offset: int) -> None:
        """Note a record that is about to be worked on; raise Skipped if one before it is missing.

        What was handed over before may come again.
        """
        expected = self._handed.get(partition, 0)
        before = self._gaps[partition].pop(offset, offset)
        if before > expected:
            topic, number = partition
            raise OffsetGap(f"{topic}/{number}: {expected} was expected, {offset} came")
        self._handed[partition] = max(expected, offset + 1)
