"""Records of Kafka as they are read, and as they are to be written."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from operator import itemgetter
from typing import Any, Final, NamedTuple

Headers = tuple[tuple[str, bytes], ...]
Partition = tuple[str, int]
"""A topic and a number."""

TRACES: Final = ("traceparent", "tracestate")
"""The headers that tie what is published to what was received (W3C Trace Context)."""
SEEN_MS: Final = "newsdedup_seen_ms"
"""The header of a record that was fed again: when it was written first."""
RECORD_OVERHEAD: Final = 100
"""Bytes of a record and its batch beside key, value and headers, at most."""
HEADER_OVERHEAD: Final = 10


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
    def size(self) -> int:
        """Return how many bytes of the sender's it holds."""
        return len(self.value or b"") + len(self.key or b"")

    @property
    def written_ms(self) -> int:
        """Return when it was written first; a record fed again says so."""
        said = self.header(SEEN_MS) or b""
        return int(said) if said.isdigit() and len(said) < MS_DIGITS else self.at_ms

    @property
    def seen_at(self) -> datetime | None:
        """Return when it was written first, None if nobody said so in milliseconds."""
        if not 0 < self.written_ms < FAR_MS:
            return None
        return EPOCH + timedelta(milliseconds=self.written_ms)

    @property
    def traces(self) -> Headers:
        """Return what ties this record to a trace, also as CloudEvents names it."""
        if not self.headers:
            return ()
        found = ((name, self.header(name) or self.header(f"ce_{name}")) for name in TRACES)
        return tuple((name, value) for name, value in found if value)

    def header(self, name: str) -> bytes | None:
        """Return the value of a header; the last one counts."""
        if not self.headers:
            return None
        return next((value for key, value in reversed(self.headers) if key == name), None)


class Outgoing(NamedTuple):
    """A record to write."""

    topic: str
    key: bytes | None
    value: bytes | None
    headers: Headers = ()

    @property
    def size(self) -> int:
        """Return how many bytes Kafka needs for it, at most."""
        told = RECORD_OVERHEAD + len(self.key or b"") + len(self.value or b"")
        for name, value in self.headers:
            # A header of a sender may have no value.
            told += len(name if name.isascii() else name.encode()) + HEADER_OVERHEAD
            told += len(value) if value else 0
        return told


EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
MS_DIGITS: Final = 15
"""A time in milliseconds has fewer digits, or it is none."""
FAR_MS: Final = 10 ** (MS_DIGITS - 1)


def position_name(topic: str, partition: int) -> str:
    """Return the name under which the position in a partition is kept."""
    return f"{topic}/{partition}"


def in_time(records: Iterable[Received]) -> list[Received]:
    """Return records of several partitions in the order in which they were written.

    So a batch brings the stream as it came: what is judged before an earlier item is judged again.
    Each partition keeps its own order, whatever its records say of their time.
    """
    latest: dict[Partition, int] = {}
    timed = []
    for record in records:
        place = (record.topic, record.partition)
        at = latest[place] = max(latest.get(place, 0), record.at_ms)
        timed.append((at, record))
    timed.sort(key=itemgetter(0))
    return [record for _, record in timed]


def ends(batch: Iterable[Received]) -> dict[Partition, int]:
    """Return for each partition of a batch the offset after its last record."""
    found: dict[Partition, int] = {}
    for record in batch:
        place = (record.topic, record.partition)
        found[place] = max(found.get(place, 0), record.offset + 1)
    return found


def positions(batch: Iterable[Received]) -> dict[str, int]:
    """Return the ends of a batch by the names under which positions are kept."""
    return {position_name(*place): end for place, end in ends(batch).items()}


def received(record: Any) -> Received:
    """Return a record of the client as ours."""
    return Received(
        record.topic,
        record.partition,
        record.offset,
        record.key,
        record.value,
        tuple([(name, value or b"") for name, value in record.headers]),
        record.timestamp,
    )
