"""The ports through which a process reports its work: metrics, and the points that it passes."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from newsdedup.core.events import Event
from newsdedup.ports.store import SearchCost

Stage = Literal["analyze", "judge", "publish"]
Failpoint = Callable[[str], None]
"""Called with the name of each point at which a crash would hurt most; tests of recovery let the
process die there."""


def no_failpoint(point: str) -> None:
    """Do nothing: the failpoint of every process that is not a test."""


@dataclass(slots=True)
class BatchReport:
    """What is counted and timed of one batch whose events are published."""

    records: int
    bytes: int
    sources: Counter[str] = field(default_factory=Counter)
    """Items by the source that they name."""
    events: Sequence[Event] = ()
    dead: Counter[str] = field(default_factory=Counter)
    """Dead letters by code."""
    unread_dates: Counter[str] = field(default_factory=Counter)
    """Dates of items that could not be read, by field."""
    internal_errors: Counter[str] = field(default_factory=Counter)
    """Records that a bug kept from being judged, by the stage that raised."""
    entries_set_aside: int = 0
    """Stored entries with which nothing is compared any more, because that raises."""
    late: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    """Items that came too late to be ordered exactly, by topic, partition and reason."""
    seconds: dict[Stage, float] = field(default_factory=dict)
    written_ms: Sequence[int] = ()
    """The Kafka timestamp of each record, set by its producer or by the broker."""
    search_costs: Sequence[SearchCost] = ()
    """Candidates and posting lists read by the look-ups for the items."""


@dataclass(frozen=True, slots=True)
class StoreSize:
    """What all workers of a namespace store in the server, as one of them has just measured it."""

    entries: int
    bytes: Mapping[str, int]
    """Memory by what it holds."""
    outbox: int
    """Events that are committed to the store and not yet confirmed as published."""


@dataclass(frozen=True, slots=True)
class ServerMemory:
    """The memory of the Redis server; of several, of the one that is nearest to its limit."""

    used: int
    """Bytes that count towards the limit."""
    limit: int
    """In bytes; 0 for none."""
    evicts: bool
    """Whether a full server drops keys instead of refusing writes."""


class Telemetry:
    """Receives what a worker reports, and discards it; a subclass keeps what it needs.

    No call may block or raise.
    """

    def batch(self, report: BatchReport) -> None:
        """Count a batch whose events are published."""

    def waiting(self, server: str, *, waits: bool) -> None:
        """Note that a task starts (`waits`) or stops waiting for "redis" or "kafka"."""

    def retried(self, server: str) -> None:
        """Count a failed attempt to reach "redis" or "kafka", which the worker will repeat."""

    def reached(self, server: str, *, answers: bool) -> None:
        """Note whether a server, "redis" or "kafka", answered a probe."""

    def assigned(self) -> None:
        """Note that the consumer group has assigned partitions to the worker, possibly none."""

    def stopping(self) -> None:
        """Note that the worker takes no more work."""

    def lag(self, records: Mapping[str, int]) -> None:
        """Set how many records of each partition ("TOPIC/PARTITION") are still to be processed."""

    def deleted(self, records: int) -> None:
        """Count records of the input that Kafka deleted before they could be read."""

    def store_size(self, size: StoreSize) -> None:
        """Set the size of the store."""

    def server_memory(self, memory: ServerMemory) -> None:
        """Set the memory of the Redis server."""

    def clock(self, server: str, ahead_seconds: float) -> None:
        """Set how many seconds the clock of a server is ahead of ours; negative if it is behind."""

    def adopted(self, events: int) -> None:
        """Count events that this worker published from the outbox of a dead worker."""

    def shadow(self, real: str, other: str) -> None:
        """Count an item judged by both rules, with the verdicts of the real and the shadow rule."""


class FeederTelemetry:
    """Receives what happens in a feeder, and discards it; a subclass keeps what it needs.

    No call raises or waits.
    """

    def visited(self, outcome: str, seconds: float, items: int) -> None:
        """Count a visit by outcome, as "failed", its seconds, and the items that the output got."""

    def received(self, size: int) -> None:
        """Count the bytes of a body as it was sent, compressed or not."""

    def output_failed(self) -> None:
        """Count an attempt that the output did not acknowledge; the feeder waits from now on."""

    def output_answers(self) -> None:
        """Note that the output acknowledged what it did not before, or no longer waits."""

    def output_reached(self, *, answers: bool) -> None:
        """Note whether the server of the output answered a probe."""

    def pushed(self, result: str) -> None:
        """Count a push of a hub: "accepted", "bad_signature", "too_large" or "unknown"."""

    def running(self) -> None:
        """Note that feeds are visited from now on."""

    def stopping(self) -> None:
        """Note that no other visit begins."""
