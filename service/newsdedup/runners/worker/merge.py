"""Records of several partitions, read ahead a little, in the order in which they were written.

Partitions are never equally far: taken in equal parts, the items of one soon come minutes after
later ones of another, and what is judged before an earlier item may have to be judged again. So
whichever partition is behind comes first, but no partition has a batch to itself.
"""

from collections import deque
from collections.abc import Iterable
from heapq import heapify, heappop, heappush
from typing import Final

from newsdedup.adapters.kafka.records import Partition, Received

Turn = tuple[int, int]
"""When a record was written, and how many of its partition come before it with the same time."""
FIRST: Final = (0, 0)


class Merge:
    """What was read and not yet passed on, at most half as much again as a batch."""

    def __init__(self, batch: int) -> None:
        self._batch = batch
        self._waiting: dict[Partition, deque[Received]] = {}
        self._latest: dict[Partition, Turn] = {}
        """The turn of the record that was passed on last: those behind it count as no earlier."""

    def __len__(self) -> int:
        """Return how many records wait."""
        return sum(len(records) for records in self._waiting.values())

    def room(self, place: Partition, *, partitions: int) -> int:
        """Return how many more records may be read of one partition: 1.5 times its share wait."""
        share = -(-self._batch // max(1, partitions))
        return share + (share + 1) // 2 - len(self._waiting.get(place, ()))

    def add(self, records: Iterable[Received]) -> None:
        """Take records, those of each partition in its order."""
        for record in records:
            self._waiting.setdefault((record.topic, record.partition), deque()).append(record)

    def forget(self, places: Iterable[Partition]) -> None:
        """Drop what waits of some partitions: it will be read again, by whoever has them then."""
        for place in places:
            self._waiting.pop(place, None)
            self._latest.pop(place, None)

    def taken(self) -> list[Received]:
        """Return the next batch."""
        fronts = [(self._front(place), place) for place, more in self._waiting.items() if more]
        heapify(fronts)
        batch: list[Received] = []
        while fronts and len(batch) < self._batch:
            turn, place = heappop(fronts)
            batch.append(self._waiting[place].popleft())
            self._latest[place] = turn
            if self._waiting[place]:
                heappush(fronts, (self._front(place), place))
        return batch

    def _front(self, place: Partition) -> Turn:
        """Return the turn of the next record of a partition."""
        before, written = self._latest.get(place, FIRST), self._waiting[place][0].at_ms
        return (before[0], before[1] + 1) if written <= before[0] else (written, 0)
