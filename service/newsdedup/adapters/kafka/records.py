"""Kafka records as they are consumed and produced, their keys, and the offsets of a batch."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

import msgspec

from newsdedup.adapters.formats.json_object import LIMITS, Limits
from newsdedup.core.events import Judgement, OriginalMoved, Retraction
from newsdedup.core.model import ItemKey
from newsdedup.core.moments import EPOCH
from newsdedup.ports.errors import InvalidItem
from newsdedup.ports.streams import Headers

Partition = tuple[str, int]
"""A topic and the number of a partition."""

TRACE_HEADERS: Final = ("traceparent", "tracestate")
"""Headers copied from the record of an item to its events (W3C Trace Context)."""
SEEN_MS_HEADER: Final = "newsdedup_seen_ms"
"""Header of a record replayed from the dead letters: when it was first written."""
_RECORD_OVERHEAD: Final = 100
"""Upper bound of the bytes of a record and its batch alongside key, value and headers."""
_HEADER_OVERHEAD: Final = 10
_MS_DIGITS: Final = 15
"""A plausible time in milliseconds has fewer digits."""
_FAR_MS: Final = 10 ** (_MS_DIGITS - 1)

_encode_json = msgspec.json.Encoder().encode
_decode_pair = msgspec.json.Decoder(tuple[str, str]).decode


class ReceivedRecord(NamedTuple):
    """A consumed record."""

    topic: str
    partition: int
    offset: int
    key: bytes | None
    value: bytes | None
    """None withdraws the item named by the key."""
    headers: Headers = ()
    at_ms: int = 0
    """The record's timestamp, set by its producer or by the broker."""

    @property
    def size(self) -> int:
        """Return the size of key and value in bytes."""
        return len(self.value or b"") + len(self.key or b"")

    @property
    def written_ms(self) -> int:
        """Return the time of first writing in ms: a replayed record has it in a header."""
        first = self.header(SEEN_MS_HEADER) or b""
        return int(first) if first.isdigit() and len(first) < _MS_DIGITS else self.at_ms

    @property
    def seen_at(self) -> datetime | None:
        """Return `written_ms` as a datetime, None if it is no plausible time."""
        if not 0 < self.written_ms < _FAR_MS:
            return None
        return EPOCH + timedelta(milliseconds=self.written_ms)

    @property
    def traces(self) -> Headers:
        """Return the trace headers, also those with the prefix `ce_` of CloudEvents."""
        if not self.headers:
            return ()
        values = ((name, self.header(name) or self.header(f"ce_{name}")) for name in TRACE_HEADERS)
        return tuple((name, value) for name, value in values if value)

    def header(self, name: str) -> bytes | None:
        """Return the last value of a header, None if there is none."""
        if not self.headers:
            return None
        return next((value for key, value in reversed(self.headers) if key == name), None)


class OutgoingRecord(NamedTuple):
    """A record to produce."""

    topic: str
    key: bytes | None
    value: bytes | None
    headers: Headers = ()

    @property
    def size(self) -> int:
        """Return an upper bound of the size of the record in Kafka, in bytes."""
        size = _RECORD_OVERHEAD + len(self.key or b"") + len(self.value or b"")
        for name, value in self.headers:
            # A header copied from the sender may have no value.
            size += len(name if name.isascii() else name.encode()) + _HEADER_OVERHEAD
            size += len(value) if value else 0
        return size


def from_aiokafka(record: Any) -> ReceivedRecord:
    """Return a record that aiokafka's consumer has fetched as one of ours."""
    return ReceivedRecord(
        record.topic,
        record.partition,
        record.offset,
        record.key,
        record.value,
        tuple([(name, value or b"") for name, value in record.headers]),
        record.timestamp,
    )


def end_offsets(batch: Iterable[ReceivedRecord]) -> dict[Partition, int]:
    """Return the offset to commit for each partition in a batch: that after its last record."""
    ends: dict[Partition, int] = {}
    for record in batch:
        tp = (record.topic, record.partition)
        ends[tp] = max(ends.get(tp, 0), record.offset + 1)
    return ends


def end_positions(batch: Iterable[ReceivedRecord]) -> dict[str, int]:
    """Return the end offsets of a batch by `position_name`, as they are stored with the state."""
    return {position_name(*tp): end for tp, end in end_offsets(batch).items()}


def position_name(topic: str, partition: int) -> str:
    """Return TOPIC/PARTITION, under which the offset of a partition is stored and reported."""
    return f"{topic}/{partition}"


def item_key(key: ItemKey) -> bytes:
    """Return the record key of an item, a JSON array: ["source","id"]."""
    return _encode_json((key.source, key.id))


def event_key(payload: Judgement | Retraction | OriginalMoved) -> bytes:
    """Return the record key of an event: that of its item, or of its story (a JSON object).

    Keys of stories must differ from those of items, or compaction would drop an item's event.
    """
    if isinstance(payload, OriginalMoved):
        return _encode_json({"story": payload.story})
    return _encode_json((payload.item.source, payload.item.id))


def decode_item_key(key: bytes | None, *, limits: Limits = LIMITS) -> ItemKey:
    """Return the item named by a record key; raise InvalidItem if the key names none."""
    try:
        source, name = _decode_pair(key or b"")
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidItem(
            "bad_key", 'a record without a value needs the key ["source","id"] of an item'
        ) from error
    if not name or max(len(source), len(name)) > limits.id_chars:
        raise InvalidItem("bad_key", "the key names no item: the id is empty or too long")
    return ItemKey(source, name)
