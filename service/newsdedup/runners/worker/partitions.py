"""What a runner tracks of each assigned partition: merge order, lag, and gaps in the offsets."""

import asyncio
from collections import defaultdict, deque
from collections.abc import Awaitable, Callable, Iterable, Mapping
from heapq import heapify, heappop, heappush
from typing import Final

from newsdedup.adapters.kafka.records import Partition, ReceivedRecord, position_name
from newsdedup.ports.errors import StateMoved

ReadPosition = Callable[[Partition], Awaitable[int | None]]
"""Returns the offset that the client fetches next from a partition; None if it does not know."""
_Turn = tuple[int, int]
"""The timestamp of a record, and how many records of its partition with that time precede it."""
_FIRST: Final = (0, 0)


class PartitionMerge:
    """Merges the records of several partitions by timestamp, reading ahead a little.

    In equal shares, the items of a partition that lags would come minutes after later ones of the
    others, and an item judged before an earlier one may have to be judged again. So the partition
    that is behind goes first, but it never fills a batch alone. At most 1.5 batches are buffered.
    """

    def __init__(self, batch: int) -> None:
        self._batch = batch
        self._waiting: dict[Partition, deque[ReceivedRecord]] = {}
        self._latest: dict[Partition, _Turn] = {}
        """The turn of the last record taken: later records of the partition count as no earlier."""

    def __len__(self) -> int:
        """Return how many records are buffered."""
        return sum(len(records) for records in self._waiting.values())

    def room(self, place: Partition, *, partitions: int) -> int:
        """Return how many more records of a partition to fetch: 1.5 times its share, less buffered.

        Its share is that of a batch with equal parts of `partitions`.
        """
        share = -(-self._batch // max(1, partitions))
        return share + (share + 1) // 2 - len(self._waiting.get(place, ()))

    def add(self, records: Iterable[ReceivedRecord]) -> None:
        """Buffer records, those of each partition in their order."""
        for record in records:
            self._waiting.setdefault((record.topic, record.partition), deque()).append(record)

    def forget(self, places: Iterable[Partition]) -> None:
        """Drop the buffered records of partitions that were revoked or are sought anew."""
        for place in places:
            self._waiting.pop(place, None)
            self._latest.pop(place, None)

    def take_batch(self, *, most: int | None = None) -> list[ReceivedRecord]:
        """Remove and return the next batch: of the buffered records those with earliest timestamps.

        It has `most` records at most, or those of a full batch. Records of one partition stay in
        their order.
        """
        most = self._batch if most is None else most
        fronts = [(self._next_turn(place), place) for place, more in self._waiting.items() if more]
        heapify(fronts)
        batch: list[ReceivedRecord] = []
        while fronts and len(batch) < most:
            turn, place = heappop(fronts)
            batch.append(self._waiting[place].popleft())
            self._latest[place] = turn
            if self._waiting[place]:
                heappush(fronts, (self._next_turn(place), place))
        return batch

    def _next_turn(self, place: Partition) -> _Turn:
        """Return when the next buffered record of a partition has its turn; there must be one.

        That is its timestamp, or that of the record taken before it if this is not earlier: then
        the second number counts on.
        """
        before, written = self._latest.get(place, _FIRST), self._waiting[place][0].at_ms
        return (before[0], before[1] + 1) if written <= before[0] else (written, 0)


class LagTracker:
    """Tracks for each partition what was fetched and what of that is done."""

    def __init__(self) -> None:
        self._fetched: dict[Partition, int] = {}
        self._done: dict[Partition, int] = {}

    def begin(self, partition: Partition, at: int | None) -> None:
        """Start a partition at an offset; None for the first that Kafka still has."""
        self.forget([partition])
        if at is not None:
            self._fetched[partition] = self._done[partition] = at

    def note_fetched(self, partition: Partition, offset: int) -> None:
        """Note the offset of a fetched record."""
        self._done.setdefault(partition, offset)
        self._fetched[partition] = offset + 1

    def note_done(self, ends: Mapping[Partition, int]) -> None:
        """Note the end offsets of a finished batch."""
        self._done.update(ends)

    def forget(self, partitions: Iterable[Partition]) -> None:
        """Forget partitions that were revoked or are sought anew."""
        for partition in partitions:
            self._fetched.pop(partition, None)
            self._done.pop(partition, None)

    async def lag(self, ends: Mapping[Partition, int], position: ReadPosition) -> dict[str, int]:
        """Return by `position_name` how many records are not done; unknown partitions are left out.

        `ends` has the end offsets of the assigned partitions.
        """
        positions = await asyncio.gather(*(self._position_of(place, position) for place in ends))
        return {
            position_name(*place): max(0, ends[place] - at)
            for place, at in zip(ends, positions, strict=True)
            if at is not None
        }

    async def _position_of(self, partition: Partition, position: ReadPosition) -> int | None:
        """Return the end of what is done; while nothing is in hand, the client's fetch position.

        The fetch position also passes transaction marks at the end of a partition and deleted
        records at its beginning, which nobody can finish.
        """
        done = self._done.get(partition)
        if done is not None and done < self._fetched.get(partition, done):
            return done
        at = await position(partition)
        return done if at is None else at


class OffsetGap(StateMoved):
    """The consumer has dropped records that it had fetched: it must seek back to the stored end."""


class GapDetector:
    """Compares the records that reach the worker with those fetched, to detect dropped ones.

    Faust may drop buffered records when partitions move; committing past them would lose them.
    Offsets that Kafka itself skips (compaction, transactions) are no gaps.
    """

    def __init__(self) -> None:
        self._fetched: dict[Partition, int] = {}
        self._passed: dict[Partition, int] = {}
        self._skipped: defaultdict[Partition, dict[int, int]] = defaultdict(dict)
        """By the offset of a fetched record that Kafka skipped to: the offset expected there."""

    def expect(self, partition: Partition, at: int) -> None:
        """Start a partition at an offset; 0 for whatever record is its first."""
        self._fetched[partition] = self._passed[partition] = at
        self._skipped[partition].clear()

    def note_fetched(self, partition: Partition, offset: int) -> None:
        """Note the offset of the next record that Kafka has sent."""
        expected = self._fetched.get(partition, 0)
        if offset > expected:
            self._skipped[partition][offset] = expected
        self._fetched[partition] = offset + 1

    def check(self, partition: Partition, offset: int) -> None:
        """Check the next record for the worker; raise OffsetGap if one before it is missing.

        Records that were checked before may come again.
        """
        expected = self._passed.get(partition, 0)
        before = self._skipped[partition].pop(offset, offset)
        if before > expected:
            topic, number = partition
            raise OffsetGap(f"{topic}/{number}: {expected} was expected, {offset} came")
        self._passed[partition] = max(expected, offset + 1)
