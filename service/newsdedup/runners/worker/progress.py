"""How far the work on each partition is, and how many records wait."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping

from newsdedup.adapters.kafka.records import Partition, position_name

Position = Callable[[Partition], Awaitable[int | None]]
"""Tells from where on the client reads next; None if it does not know."""


class Progress:
    """Of each partition what was fetched, and what of that is done."""

    def __init__(self) -> None:
        self._fetched: dict[Partition, int] = {}
        self._done: dict[Partition, int] = {}

    def begin(self, partition: Partition, at: int | None) -> None:
        """Expect a partition from an offset on; None for whatever is the first there."""
        self.forget([partition])
        if at is not None:
            self._fetched[partition] = self._done[partition] = at

    def fetched(self, partition: Partition, offset: int) -> None:
        """Note that a record is at hand."""
        self._done.setdefault(partition, offset)
        self._fetched[partition] = offset + 1

    def done(self, ends: Mapping[Partition, int]) -> None:
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

    async def lag(self, ends: Mapping[Partition, int], position: Position) -> dict[str, int]:
        """Return how many records of each partition wait, as far as is known."""
        stands = await asyncio.gather(*(self._stands(place, position) for place in ends))
        return {
            position_name(*place): max(0, ends[place] - at)
            for place, at in zip(ends, stands, strict=True)
            if at is not None
        }

    async def _stands(self, partition: Partition, position: Position) -> int | None:
        """Return where work stands.

        While nothing is at hand that is where the client reads on: the end of a partition may be a
        mark of a transaction, and what was committed may be older than all that Kafka still has.
        """
        done = self._done.get(partition)
        if done is not None and done < self._fetched.get(partition, done):
            return done
        at = await position(partition)
        return done if at is None else at
