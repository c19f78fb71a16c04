"""Records of Kafka as they are read, and as they are to be written."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from operator import itemgetter
from typing import Any, Final, NamedTuple

import msgspec
import xxhash

from newsdedup.adapters.formats.limits import LIMITS, Limits
from newsdedup.core.events import Judgement, OriginalMoved, Retraction
from newsdedup.core.model import ItemKey
from newsdedup.ports.errors import InvalidItem

Headers = tuple[tuple[str, bytes], ...]
Partition = tuple[str, int]
"""A topic and a number."""

TRACE_HEADERS: Final = ("traceparent", "tracestate")
"""The headers that tie what is published to what was received (W3C Trace Context)."""
SEEN_MS_HEADER: Final = "newsdedup_seen_ms"
"""The header of a record that was fed again: when it was written first."""
_RECORD_OVERHEAD: Final = 100
"""Bytes of a record and its batch beside key, value and headers, at most."""
_HEADER_OVERHEAD: Final = 10


class ReceivedRecord(NamedTuple):
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
        said = self.header(SEEN_MS_HEADER) or b""
        return int(said) if said.isdigit() and len(said) < _MS_DIGITS else self.at_ms

    @property
    def seen_at(self) -> datetime | None:
        """Return when it was written first, None if nobody said so in milliseconds."""
        if not 0 < self.written_ms < _FAR_MS:
            return None
        return _EPOCH + timedelta(milliseconds=self.written_ms)

    @property
    def traces(self) -> Headers:
        """Return what ties this record to a trace, also as CloudEvents names it."""
        if not self.headers:
            return ()
        found = ((name, self.header(name) or self.header(f"ce_{name}")) for name in TRACE_HEADERS)
        return tuple((name, value) for name, value in found if value)

    def header(self, name: str) -> bytes | None:
        """Return the value of a header; the last one counts."""
        if not self.headers:
            return None
        return next((value for key, value in reversed(self.headers) if key == name), None)


class OutgoingRecord(NamedTuple):
    """A record to write."""

    topic: str
    key: bytes | None
    value: bytes | None
    headers: Headers = ()

    @property
    def size(self) -> int:
        """Return how many bytes Kafka needs for it, at most."""
        told = _RECORD_OVERHEAD + len(self.key or b"") + len(self.value or b"")
        for name, value in self.headers:
            # A header of a sender may have no value.
            told += len(name if name.isascii() else name.encode()) + _HEADER_OVERHEAD
            told += len(value) if value else 0
        return told


_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MS_DIGITS: Final = 15
"""A time in milliseconds has fewer digits, or it is none."""
_FAR_MS: Final = 10 ** (_MS_DIGITS - 1)


def position_name(topic: str, partition: int) -> str:
    """Return the name under which the position in a partition is kept."""
    return f"{topic}/{partition}"


def sort_by_time(records: Iterable[ReceivedRecord]) -> list[ReceivedRecord]:
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


def end_offsets(batch: Iterable[ReceivedRecord]) -> dict[Partition, int]:
    """Return for each partition of a batch the offset after its last record."""
    found: dict[Partition, int] = {}
    for record in batch:
        place = (record.topic, record.partition)
        found[place] = max(found.get(place, 0), record.offset + 1)
    return found


def end_positions(batch: Iterable[ReceivedRecord]) -> dict[str, int]:
    """Return the ends of a batch by the names under which positions are kept."""
    return {position_name(*place): end for place, end in end_offsets(batch).items()}


def from_aiokafka(record: Any) -> ReceivedRecord:
    """Return a record of the client as ours."""
    return ReceivedRecord(
        record.topic,
        record.partition,
        record.offset,
        record.key,
        record.value,
        tuple([(name, value or b"") for name, value in record.headers]),
        record.timestamp,
    )


LONGEST_LETTER_KEY: Final = 200
"""Bytes of an item's key in letters."""

_ENCODE = msgspec.json.Encoder().encode
_DECODE = msgspec.json.Decoder(tuple[str, str]).decode


def item_key(key: ItemKey) -> bytes:
    """Return the key of all records about an item: ["source","id"]."""
    return _ENCODE((key.source, key.id))


def event_key(payload: Judgement | Retraction | OriginalMoved) -> bytes:
    """Return the key of an event; a story's differs from all items', or it would replace one."""
    if isinstance(payload, OriginalMoved):
        return _ENCODE({"story": payload.story})
    return _ENCODE((payload.item.source, payload.item.id))


def letter_key(key: ItemKey) -> bytes:
    """Return the key of all letters about an item; a long one is hashed, for letters are small."""
    told = item_key(key)
    if len(told) <= LONGEST_LETTER_KEY:
        return told
    return _ENCODE({"item": xxhash.xxh3_128_hexdigest(told)})


def record_key(record: ReceivedRecord) -> bytes:
    """Return the key of a letter about no item: no other record has it."""
    return _ENCODE({"record": f"{record.topic}/{record.partition}@{record.offset}"})


def decode_item_key(key: bytes | None, *, limits: Limits = LIMITS) -> ItemKey:
    """Return the item that a record without a value withdraws; raise InvalidItem if none."""
    try:
        source, name = _DECODE(key or b"")
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidItem(
            "bad_key", 'a record without a value needs the key ["source","id"] of an item'
        ) from error
    if not name or max(len(source), len(name)) > limits.id_chars:
        raise InvalidItem("bad_key", "the key names no item: the id is empty or too long")
    return ItemKey(source, name)
