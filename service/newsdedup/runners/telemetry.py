"""What a worker tells of its work; who listens is not its business."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, Protocol

from newsdedup.herald import Event

Stage = Literal["analyze", "judge", "publish"]
STAGES: Final[tuple[Stage, ...]] = ("analyze", "judge", "publish")


@dataclass(slots=True)
class BatchReport:
    """What became of one batch, once it is published and may be acknowledged."""

    records: int
    bytes: int
    sources: Counter[str] = field(default_factory=Counter)
    """Items by the source that they name."""
    events: Sequence[Event] = ()
    dead: Counter[str] = field(default_factory=Counter)
    """Dead letters by code."""
    seconds: dict[Stage, float] = field(default_factory=dict)
    oldest_ms: int = 0
    """When the oldest record of the batch was written."""


class Telemetry(Protocol):
    """Whoever counts; no call waits or fails."""

    def batch(self, report: BatchReport) -> None:
        """Count a batch that is done."""
        ...

    def waiting(self, server: str, *, waits: bool) -> None:
        """Note that a server is being waited for, or answers again."""
        ...

    def lag(self, records: Mapping[str, int]) -> None:
        """Note how many records of each partition wait to be read."""
        ...


class Silence:
    """Nobody listens."""

    def batch(self, report: BatchReport) -> None:
        """Count nothing."""

    def waiting(self, server: str, *, waits: bool) -> None:
        """Note nothing."""

    def lag(self, records: Mapping[str, int]) -> None:
        """Note nothing."""
