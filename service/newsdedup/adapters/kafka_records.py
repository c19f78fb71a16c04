"""Records of Kafka as they are read, and as they are to be written."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple

Headers = tuple[tuple[str, bytes], ...]

TRACE: Final = "traceparent"
"""The header that ties what is published to what was received."""


class Received(NamedTuple):
    """A record of an input topic."""

    topic: str
    partition: int
    offset: int
    key: bytes | None
    value: bytes | None
    """None withdraws the item that the key names."""
    headers: Headers = ()
    at_ms: int = 0
    """When it was written, by its producer or the broker."""

    @property
    def source(self) -> str:
        """Return the partition as positions are kept under."""
        return position_name(self.topic, self.partition)

    @property
    def size(self) -> int:
        """Return how many bytes of the sender's it holds."""
        return len(self.value or b"") + len(self.key or b"")

    @property
    def seen_at(self) -> datetime | None:
        """Return when it was written, None if nobody said so."""
        if self.at_ms <= 0:
            return None
        return EPOCH + timedelta(milliseconds=self.at_ms)

    def header(self, name: str) -> bytes | None:
        """Return the value of a header; the last one counts."""
        return next((value for key, value in reversed(self.headers) if key == name), None)


class Outgoing(NamedTuple):
    """A record to write."""

    topic: str
    key: bytes | None
    value: bytes
    headers: Headers = ()


EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def position_name(topic: str, partition: int) -> str:
    """Return the name under which the position in a partition is kept."""
    return f"{topic}/{partition}"


def positions(batch: Iterable[Received]) -> dict[str, int]:
    """Return for each partition of a batch the offset after its last record."""
    ends: dict[str, int] = {}
    for record in batch:
        ends[record.source] = max(ends.get(record.source, 0), record.offset + 1)
    return ends
