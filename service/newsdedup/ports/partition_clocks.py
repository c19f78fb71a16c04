"""The port by which the workers of a group tell each other how far their partitions are."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol

from newsdedup.core.model import Micros


@dataclass(frozen=True, slots=True)
class PartitionClock:
    """How far a partition is in event time."""

    low: Micros | None = None
    """All that is earlier is judged; None if nothing is known of what waits in the partition."""
    waits: bool = True
    """Whether records wait in it; False once it is read to its end and all of it is judged."""


UNKNOWN: Final = PartitionClock()


class ReportedClock(NamedTuple):
    """What a worker has told of a partition, and how many seconds ago by the server's clock."""

    clock: PartitionClock
    age: float


class SharedClocks(Protocol):
    """The clocks of all partitions, which all workers of a namespace see.

    Law, checked by tests/laws/test_shared_clocks.py: what was told last of a partition is seen
    by everybody from then on, with its age.
    """

    async def exchange(self, own: Mapping[str, PartitionClock]) -> Mapping[str, ReportedClock]:
        """Tell the clocks of own partitions, by name; return those of all.

        Raise Unavailable if the server does not answer.
        """
        ...
