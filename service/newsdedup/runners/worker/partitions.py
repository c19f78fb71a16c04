"""What a runner tracks of each assigned partition: merge order, lag, and gaps in the offsets."""

import asyncio
from collections import defaultdict, deque
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from heapq import heapify, heappop, heappush
from itertools import islice
from typing import Final, NamedTuple

from newsdedup.adapters.kafka.records import Partition, ReceivedRecord, position_name
from newsdedup.core.model import Micros
from newsdedup.ports.errors import StateMoved

ReadPosition = Callable[[Partition], Awaitable[int | None]]
"""Returns the offset that the client fetches next from a partition; None if it does not know."""
TimeOf = Callable[[ReceivedRecord], Micros | None]
"""Returns the event time of a record in microseconds, None if it has none."""
_Turn = tuple[Micros, int]
"""The event time of a record, and how many records of its partition with that time precede it."""
_LOOKED_AHEAD: Final = 4
"""Records by which it is seen that one is dated far ahead of its partition."""
_FAR: Final = 1 << 62
"""Later than any event time."""


class _Timed(NamedTuple):
    """A record and its event time."""

    record: ReceivedRecord
    at: Micros | None


class PartitionMerge:
    """Merges the records of several partitions by event time, reading ahead a little.

    In equal shares, the items of a partition that lags would come long after later ones of the
    others: an item judged before an earlier one may have to be judged again, and beyond window and
    lateness it misses its duplicates. So what is earliest goes first, whatever its partition, and
    only up to a bound. At most 1.5 batches are buffered, or a few records of each partition.
    """

    def __init__(self, batch: int, time_of: TimeOf | None = None) -> None:
        """Batches have up to `batch` records; by default these come as they were written."""
        self._batch = batch
        self._time_of = time_of or (lambda record: record.at_ms * 1000)
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

    def add(self, records: Iterable[ReceivedRecord]) -> None:
        """Buffer records, those of each partition in their order."""
        for record in records:
            partition = (record.topic, record.partition)
            self._waiting.setdefault(partition, deque()).append(
                _Timed(record, self._time_of(record))
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
    ) -> list[ReceivedRecord]:
        """Remove and return the next batch: of the buffered records those that are earliest.

        It has `most` records at most, or those of a full batch, and none later than `bound`.
        Records of one partition stay in their order. Of the partitions in `reading` more records
        are to come than are buffered: nothing is taken that is later by more than `drift` than how
        far such a one is, once its last buffered record is taken.
        """
        most = self._batch if most is None else most
        limit = _FAR if bound is None else bound
        for partition in reading:
            if not self._waiting.get(partition):
                limit = min(limit, self._allowed_by(partition, drift))
        fronts = [
            (self._next_turn(partition), partition)
            for partition, more in self._waiting.items()
            if more
        ]
        heapify(fronts)
        batch: list[ReceivedRecord] = []
        while fronts and len(batch) < most:
            turn, partition = heappop(fronts)
            if turn[0] > limit:
                break
            record = self._waiting[partition].popleft().record
            batch.append(record)
            self._turns[partition] = turn
            taken = self._taken.setdefault(partition, deque(maxlen=_LOOKED_AHEAD))
            taken.append(turn[0])
            self._unfinished.setdefault(partition, deque()).append((record.offset, max(taken)))
            if self._waiting[partition]:
                heappush(fronts, (self._next_turn(partition), partition))
            elif partition in reading:
                limit = min(limit, self._allowed_by(partition, drift))
        return batch

    def _allowed_by(self, partition: Partition, drift: Micros) -> Micros:
        """Return the latest event time that may be taken while a partition has more to read.

        That is its `latest` plus `drift`; -_FAR, which allows nothing, if none of it was taken.
        """
        latest = self.latest(partition)
        return -_FAR if latest is None else latest + drift

    def latest(self, partition: Partition) -> Micros | None:
        """Return the latest event time of the last few records taken of a partition.

        None if none was taken yet.
        """
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
        positions = await asyncio.gather(
            *(self._position_of(partition, position) for partition in ends)
        )
        return {
            position_name(*partition): max(0, ends[partition] - at)
            for partition, at in zip(ends, positions, strict=True)
            if at is not None
        }

    async def _position_of(self, partition: Partition, position: ReadPosition) -> int | None:
        """Return the end of what is done; while nothing is in hand, the client's fetch position.

        The fetch position also passes transaction markers at the end of a partition and deleted
        records at its beginning, which no batch has. None if neither is known.
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

    def is_passed(self, partition: Partition) -> bool:
        """Return whether all that was fetched of a partition has reached the worker."""
        return self._passed.get(partition, 0) >= self._fetched.get(partition, 0)

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
