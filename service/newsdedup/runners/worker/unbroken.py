"""Whether records come one after the other, as they were fetched: a hole must not be committed.

A consumer that buffers may drop records between fetching and handing them over, when partitions
move. Gaps of the topic itself (compaction, transactions) are none: what is fetched tells them.
"""

from collections import defaultdict

from newsdedup.adapters.kafka.records import Partition
from newsdedup.ports.errors import StateMoved


class Skipped(StateMoved):
    """Records were dropped on their way: whoever reads must begin again where work ended."""


class Unbroken:
    """The order of each partition since it was last sought."""

    def __init__(self) -> None:
        self._fetched: dict[Partition, int] = {}
        self._handed: dict[Partition, int] = {}
        self._gaps: defaultdict[Partition, dict[int, int]] = defaultdict(dict)
        """Of fetched records that do not follow the one before: where that one ended."""

    def sought(self, partition: Partition, at: int) -> None:
        """Expect a partition from an offset on; 0 for whatever is the first there."""
        self._fetched[partition] = self._handed[partition] = at
        self._gaps[partition].clear()

    def fetched(self, partition: Partition, offset: int) -> None:
        """Note the next record as Kafka gave it."""
        expected = self._fetched.get(partition, 0)
        if offset > expected:
            self._gaps[partition][offset] = expected
        self._fetched[partition] = offset + 1

    def handed(self, partition: Partition, offset: int) -> None:
        """Note a record that is about to be worked on; raise Skipped if one before it is missing.

        What was handed over before may come again.
        """
        expected = self._handed.get(partition, 0)
        before = self._gaps[partition].pop(offset, offset)
        if before > expected:
            topic, number = partition
            raise Skipped(f"{topic}/{number}: {expected} was expected, {offset} came")
        self._handed[partition] = max(expected, offset + 1)
