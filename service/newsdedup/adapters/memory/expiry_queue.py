"""The slots that expire with each bucket, handed out bit by bit: expiry never pauses the stream."""

from __future__ import annotations  # array[int] exists for the type checker only

from array import array
from collections import deque
from collections.abc import Iterator

FREED_PER_STEP = 16
"""Expired slots handed out per step: more than arrive, too few to be felt."""


class ExpiryQueue:
    """Slots by bucket, and those of expired buckets that were not handed out yet."""

    def __init__(self) -> None:
        self.floor = -(1 << 62)
        """Buckets before this one have expired."""
        self._filed: dict[int, array[int]] = {}
        self._dead: deque[array[int]] = deque()

    def file(self, slot: int, *, bucket: int) -> None:
        """Add a slot to a bucket; it may be in several."""
        self._filed.setdefault(bucket, array("I")).append(slot)

    def expire(self, *, before: int) -> None:
        """Let the buckets before this one expire."""
        if before <= self.floor:
            return
        self.floor = before
        for bucket in sorted(bucket for bucket in self._filed if bucket < before):
            self._dead.append(self._filed.pop(bucket))

    def take(self) -> Iterator[int]:
        """Yield and forget up to 16 slots of expired buckets.

        They may have been filed in a later bucket since, or be free or another one's by now.
        """
        for _ in range(FREED_PER_STEP):
            if not self._dead:
                return
            slot = self._dead[0].pop()
            if not self._dead[0]:
                self._dead.popleft()
            yield slot
