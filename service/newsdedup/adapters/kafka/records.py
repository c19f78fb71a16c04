"""Kafka records as they are consumed and produced, their keys, and the offsets of a batch.

Those of the input topic are decoded to an item or a command, and made of the lines of files. An
event of CloudEvents 1.0 in structured mode is unwrapped; in binary mode the value of a record is
the item, and there is nothing to do.
"""

import base64
import binascii
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple, TypeVar

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from newsdedup.adapters.files.line_sort import LineSubject
from newsdedup.adapters.files.lines import Line
from newsdedup.adapters.formats import item_json
from newsdedup.adapters.formats.json_object import BYTE_ORDER_MARK, LIMITS, Limits, decode_object
from newsdedup.core.events import Judgement, OriginalMoved, Retraction
from newsdedup.core.model import ItemKey, NewsItem
from newsdedup.core.moments import EPOCH
from newsdedup.core.stories.commands import Publish, Retract
from newsdedup.core.stories.window import own_time
from newsdedup.ports.errors import InvalidItem
from newsdedup.ports.streams import Decoded, Headers

Partition = tuple[str, int]
"""A topic and the number of a partition."""
_P = TypeVar("_P", bound=Partition)

TRACE_HEADERS: Final = ("traceparent", "tracestate")
"""Headers copied from the record of an item to its events (W3C Trace Context)."""
SEEN_MS_HEADER: Final = "newsdedup_seen_ms"
"""Header of a record replayed from the dead letters: when it was first written."""
UNREAD_HEADER: Final = "newsdedup_unread_batch"
"""Header of a record that stands for a compressed batch of records, which is its value."""
UNPACKED_BYTES: Final = 64 * 2**20
"""The largest batch of records that is unpacked: four of the longest records."""
_RECORD_OVERHEAD: Final = 100
"""Upper bound of the bytes of a record and its batch alongside key, value and headers."""
_HEADER_OVERHEAD: Final = 10
_MS_DIGITS: Final = 15
"""A plausible time in milliseconds has fewer digits."""
_FAR_MS: Final = 10 ** (_MS_DIGITS - 1)

_encode_json = msgspec.json.Encoder().encode
_decode_pair = msgspec.json.Decoder(tuple[str, str]).decode
_JSON_HEADERS: Final[Headers] = (("content-type", b"application/json; charset=utf-8"),)
_STRUCTURED: Final = b"application/cloudevents"
_JSON_FORMAT: Final = b"application/cloudevents+json"
_SPEC_VERSIONS: Final = ("0.3", "1.0")


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


def ends_to_commit(
    ends: Mapping[_P, int], *, assigned: Collection[_P], starts: Mapping[_P, int]
) -> dict[_P, int]:
    """Return the end offsets of partitions that are assigned, and that lie behind their starts.

    Others are of a batch from before a partition was lost and assigned again.
    """
    return {tp: end for tp, end in ends.items() if tp in assigned and end > starts.get(tp, end)}


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


def decode_item_key(key: bytes | None, *, limits: Limits) -> ItemKey:
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


class RecordDecoder:
    """Decodes records of the input topic: items and commands as JSON, withdrawals as nulls."""

    def __init__(self, limits: Limits = LIMITS) -> None:
        self._limits = limits

    def decode(self, record: ReceivedRecord) -> Decoded:
        """Return the item or command of a record; raise InvalidItem, and nothing else, without one.

        An item without `seen_at` gets the record's timestamp, so that a record delivered again
        gives the same item. A value that is empty or white space holds nothing: it withdraws no
        item, as null does.
        """
        limits = self._limits
        if record.value is None:
            retract = Retract(decode_item_key(record.key, limits=limits))
            return Decoded(retract, traces=record.traces)
        if not record.value or record.value.isspace():
            return Decoded(None, traces=record.traces)
        if record.header(UNREAD_HEADER) is not None:
            raise InvalidItem(
                "too_long", f"the records of a compressed batch have over {UNPACKED_BYTES} bytes"
            )
        size = len(record.value)
        if size > limits.line_bytes:
            raise InvalidItem(
                "too_long", f"the record has {size} bytes; {limits.line_bytes} are allowed"
            )
        plain = unwrap_cloud_event(record, limits)
        data = plain.value or b""
        content = item_json.decode_item(data, limits=limits, seen_at=record.seen_at)
        return Decoded(content, data, plain.traces)


def find_item_key(record: ReceivedRecord) -> ItemKey | None:
    """Return the item that a record is about, by its value or else by its key.

    None if neither names an item, or if the record withdraws one.
    """
    if record.value is None:
        return None
    try:
        if len(record.value) <= LIMITS.line_bytes:
            value = unwrap_cloud_event(record, LIMITS).value or b""
            return item_json.decode_key(value)
    except InvalidItem:
        pass  # the key may still name the item
    try:
        return decode_item_key(record.key, limits=LIMITS)
    except InvalidItem:
        return None


def line_record(line: Line, *, topic: str, limits: Limits) -> OutgoingRecord:
    """Return the record of a line of a file: its bytes unchanged, keyed by the item it is about.

    The key puts all records about an item into one partition, in their order. A line that cannot be
    decoded gets no key; the worker that reads it writes the reason to the dead letters.
    """
    key = line_subject(line, limits=limits).item
    return OutgoingRecord(topic, key, line.data, () if key is None else _JSON_HEADERS)


def line_subject(line: Line, *, limits: Limits) -> LineSubject:
    """Return key and event time of the item that a line is about, each None where it has none."""
    try:
        content = item_json.decode_item(line.data, limits=limits)
    except InvalidItem:
        return LineSubject(None, None)
    if isinstance(content, NewsItem):
        return LineSubject(item_key(content.key), own_time(content))
    key = content.entry.key if isinstance(content, Publish) else content.key
    return LineSubject(item_key(key), None)


class _Envelope(Struct):
    # The fields of an event that are read; extensions may hold a trace.
    specversion: str = ""
    data: Raw | UnsetType = UNSET
    data_base64: str | UnsetType = UNSET
    traceparent: str = ""
    tracestate: str = ""


_DECODER: Final = msgspec.json.Decoder(_Envelope)


def unwrap_cloud_event(record: ReceivedRecord, limits: Limits) -> ReceivedRecord:
    """Return a record with the data of a structured CloudEvent as its value; others unchanged.

    Trace extensions become headers. Raise InvalidItem for an event that is broken, holds no data or
    is not JSON.
    """
    kind = content_type(record)
    if record.value is None or not kind.startswith(_STRUCTURED):
        return record
    if kind != _JSON_FORMAT:
        known = _JSON_FORMAT.decode()
        raise InvalidItem("bad_cloudevent", f"{kind[:64]!r} is not supported; {known} is")
    envelope = _decode_envelope(record.value, limits)
    traces = {name: getattr(envelope, name) for name in TRACE_HEADERS}
    extensions = tuple((name, value.encode()) for name, value in traces.items() if value)
    return record._replace(value=_data(envelope), headers=(*extensions, *record.headers))


def content_type(record: ReceivedRecord) -> bytes:
    """Return the media type of a record in lower case, without parameters; b"" if it has none."""
    if not record.headers:
        return b""
    names = {name.lower(): value for name, value in record.headers}
    return (names.get("content-type") or b"").partition(b";")[0].strip().lower()


def _decode_envelope(value: bytes, limits: Limits) -> _Envelope:
    """Return the CloudEvents envelope in a value; raise InvalidItem if it is none that is read."""
    try:
        envelope = _DECODER.decode(value.removeprefix(BYTE_ORDER_MARK))
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        decode_object(value, limits)  # has the better reason for what is no object
        raise InvalidItem("bad_cloudevent", f"no event of CloudEvents: {error}") from error
    if envelope.specversion not in _SPEC_VERSIONS:
        known, version = " and ".join(_SPEC_VERSIONS), envelope.specversion[:16]
        raise InvalidItem("bad_cloudevent", f"specversion is {version!r}; {known} are read")
    return envelope


def _data(envelope: _Envelope) -> bytes:
    """Return the data of an envelope as bytes; raise InvalidItem if it has none."""
    if envelope.data is not UNSET:
        return bytes(envelope.data)
    if envelope.data_base64 is UNSET:
        raise InvalidItem("bad_cloudevent", "the event holds no data")
    try:
        return base64.b64decode(envelope.data_base64, validate=True)
    except (binascii.Error, ValueError) as error:
        raise InvalidItem("bad_cloudevent", f"data_base64: {error}") from error
