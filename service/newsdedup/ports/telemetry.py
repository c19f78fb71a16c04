"""What a worker tells of its work; who listens is not its business."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from newsdedup.core.events import Event
from newsdedup.ports.shared_store import SearchCost

Stage = Literal["analyze", "judge", "publish"]


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
    written_ms: Sequence[int] = ()
    """When each record was written, by the clock of who wrote it or of the broker."""
    search_costs: Sequence[SearchCost] = ()
    """What the look-ups for the items cost."""


@dataclass(frozen=True, slots=True)
class StoreSize:
    """What all workers of a namespace keep in the server, as one of them has just seen it."""

    entries: int
    bytes: Mapping[str, int]
    """Memory by what it holds."""
    outbox: int
    """Events that are settled and not yet known to be published."""


class Telemetry(Protocol):
    """Whoever counts; no call waits or fails."""

    def batch(self, report: BatchReport) -> None:
        """Count a batch that is done."""
        ...

    def waiting(self, server: str, *, waits: bool) -> None:
        """Note that a server is being waited for, or answers again; told once for each change."""
        ...

    def retried(self, server: str) -> None:
        """Count an attempt that a server did not answer."""
        ...

    def reached(self, server: str, *, answers: bool) -> None:
        """Note whether a server answered when it was asked for nothing but that."""
        ...

    def assigned(self) -> None:
        """Note that the consumer group has told the worker its partitions, if only none."""
        ...

    def stopping(self) -> None:
        """Note that the worker takes no more work."""
        ...

    def lag(self, records: Mapping[str, int]) -> None:
        """Note how many records of each partition wait to be read."""
        ...

    def store_size(self, kept: StoreSize) -> None:
        """Note what the server keeps."""
        ...

    def adopted(self, events: int) -> None:
        """Count events that were published for a worker that has died."""
        ...

    def shadow(self, real: str, other: str) -> None:
        """Count an item that a second rule judged beside the real one."""
        ...


class NoTelemetry:
    """Nobody listens."""

    def batch(self, report: BatchReport) -> None:
        """Count nothing."""

    def waiting(self, server: str, *, waits: bool) -> None:
        """Note nothing."""

    def retried(self, server: str) -> None:
        """Count nothing."""

    def reached(self, server: str, *, answers: bool) -> None:
        """Note nothing."""

    def assigned(self) -> None:
        """Note nothing."""

    def stopping(self) -> None:
        """Note nothing."""

    def lag(self, records: Mapping[str, int]) -> None:
        """Note nothing."""

    def store_size(self, kept: StoreSize) -> None:
        """Note nothing."""

    def adopted(self, events: int) -> None:
        """Count nothing."""

    def shadow(self, real: str, other: str) -> None:
        """Count nothing."""
