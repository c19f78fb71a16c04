"""What a runner tracks of each assigned partition: its lag, and gaps in the offsets."""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Final

from newsdedup.adapters.kafka.records import Partition, position_name
from newsdedup.ports.errors import StateMoved
from newsdedup.ports.telemetry import Telemetry

LOG: Final = logging.getLogger("newsdedup.partitions")
ReadPosition = Callable[[Partition], Awaitable[int | None]]
"""Returns the offset that the client fetches next from a partition; None if it does not know."""


class LagTracker:
    """Tracks for each partition what was fetched and what of that is done."""

    def __init__(self, telemetry: Telemetry) -> None:
        self._telemetry = telemetry
        self._fetched: dict[Partition, int] = {}
        self._done: dict[Partition, int] = {}
        self._skipped: defaultdict[Partition, list[tuple[int, int]]] = defaultdict(list)
        """Pairs of the offset that was expected and that of the record which came."""

    def begin(self, partition: Partition, at: int | None) -> None:
        """Start a partition at an offset; None for the first that Kafka still has."""
        self.forget([partition])
        if at is not None:
            self._fetched[partition] = self._done[partition] = at

    def note_fetched(self, partition: Partition, offset: int) -> None:
        """Note the offset of a fetched record."""
        self._done.setdefault(partition, offset)
        expected = self._fetched.get(partition, offset)
        if offset > expected:
            self._skipped[partition].append((expected, offset))
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

    async def note_deleted(self, first: ReadPosition) -> None:
        """Log and count the records that were deleted before they could be read; call it often.

        `first` returns the first offset that Kafka still has: compaction and the ends of
        transactions skip offsets, too, but behind it.
        """
        for partition in list(self._skipped):
            gaps, kept = self._skipped.pop(partition), await first(partition)
            if kept is None:
                self._skipped[partition] += gaps
                continue
            for expected, offset in gaps:
                if (deleted := min(kept, offset) - expected) > 0:
                    self._telemetry.deleted(deleted)
                    LOG.warning(
                        "records_deleted partition=%s from=%d records=%d: they were not judged, "
                        "as the retention of the topic is shorter than the pause of its readers",
                        position_name(*partition),
                        expected,
                        deleted,
                    )

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
