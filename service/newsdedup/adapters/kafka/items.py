"""Records of the input topic: decoded to an item or a command, and made of the lines of files.

An event of CloudEvents 1.0 in structured mode is unwrapped; in binary mode the value of a record is
the item, and there is nothing to do.
"""

import base64
import binascii
from typing import Final

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from newsdedup.adapters.files.line_sort import LineSubject
from newsdedup.adapters.files.lines import Line
from newsdedup.adapters.formats import item_json
from newsdedup.adapters.formats.json_object import BYTE_ORDER_MARK, LIMITS, Limits, decode_object
from newsdedup.adapters.kafka.records import (
    TRACE_HEADERS,
    OutgoingRecord,
    ReceivedRecord,
    decode_item_key,
    item_key,
)
from newsdedup.core.model import ItemKey, NewsItem
from newsdedup.core.stories.commands import Publish, Retract
from newsdedup.core.stories.window import own_time
from newsdedup.ports.errors import InvalidItem
from newsdedup.ports.streams import Decoded, Headers

_JSON_HEADERS: Final[Headers] = (("content-type", b"application/json; charset=utf-8"),)
_STRUCTURED: Final = b"application/cloudevents"
_JSON_FORMAT: Final = b"application/cloudevents+json"
_SPEC_VERSIONS: Final = ("0.3", "1.0")


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
            return item_json.decode_key(value, limits=LIMITS)
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
