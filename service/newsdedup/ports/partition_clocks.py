"""By which values the workers of a group report to each other how far their partitions are."""

from dataclasses import dataclass
from typing import Final, NamedTuple

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
    """The clock that a worker reported last, and how many seconds ago by the server's clock."""

    clock: PartitionClock
    age: float
