"""Which letters of a topic are erased: those before the withdrawal of their item.

Compaction removes them some time later; until then nobody may see them or feed them again.
"""

from collections.abc import Iterable
from typing import Final

from newsdedup.adapters.kafka.client import KafkaAccess
from newsdedup.adapters.kafka.letters import is_erasure
from newsdedup.adapters.kafka.records import Received
from newsdedup.adapters.kafka.topic import topic

AT_ONCE: Final = 500


class Erasures:
    """The withdrawals of a topic: of each key the latest place in each partition."""

    def __init__(self) -> None:
        self._latest: dict[tuple[int, bytes | None], int] = {}

    def note(self, records: Iterable[Received]) -> None:
        """Remember the withdrawals among some records."""
        for record in records:
            if is_erasure(record):
                place = (record.partition, record.key)
                self._latest[place] = max(record.offset, self._latest.get(place, 0))

    def left(self, records: Iterable[Received]) -> list[Received]:
        """Return the letters among some records that no withdrawal erases."""
        return [
            record
            for record in records
            if not is_erasure(record)
            and record.offset >= self._latest.get((record.partition, record.key), 0)
        ]


async def erasures(access: KafkaAccess, name: str) -> Erasures:
    """Return the withdrawals that a topic holds now; it is read to its end for them."""
    found = Erasures()
    async with topic(access, name) as opened:
        async for batch in opened.records(at_once=AT_ONCE):
            found.note(batch)
    return found
