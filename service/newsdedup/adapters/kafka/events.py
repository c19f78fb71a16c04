"""Events as records of the output topic: JSON values, CloudEvents 1.0 headers in binary mode."""

from typing import Final, NamedTuple

import msgspec
from msgspec import UNSET, Raw

from newsdedup.adapters.formats.event_json import (
    PAYLOAD_TYPES,
    EventPayload,
    decode_payload,
    encode_event,
    shorten_event,
)
from newsdedup.adapters.kafka.records import OutgoingRecord, ReceivedRecord, event_key
from newsdedup.core.events import Event, Judgement, schema_id
from newsdedup.ports.errors import InvalidItem
from newsdedup.ports.streams import Headers

CLOUDEVENT_TYPES: Final = {kind: f"newsdedup.{kind}" for kind in PAYLOAD_TYPES}
"""The header `ce_type` of each kind of event; a released name never changes."""
CUT_HEADER: Final = "newsdedup_cut"
"""The header with the names of the item's fields that were cut."""
_TRACES_BYTES: Final = 640
"""Reserved for trace headers: W3C asks for 55 of `traceparent` and 512 of `tracestate`."""


def event_record(event: Event, *, topic: str, origin: str, traces: Headers = ()) -> OutgoingRecord:
    """Return the Kafka record of an event: JSON with the headers of CloudEvents, and `traces`.

    `origin` is the `source` of CloudEvents, a URI reference.
    """
    payload = event.payload
    key = event_key(payload)
    headers: Headers = (
        ("ce_specversion", b"1.0"),
        ("ce_id", payload.event_id.encode()),
        ("ce_type", CLOUDEVENT_TYPES[payload.event].encode()),
        ("ce_source", origin.encode()),
        ("ce_subject", key),
        ("ce_dataschema", schema_id(payload.event).encode()),
        ("content-type", b"application/json; charset=utf-8"),
        *traces,
    )
    if isinstance(payload, Judgement) and payload.cut is not UNSET:
        headers = (*headers, (CUT_HEADER, ",".join(payload.cut).encode()))
    return OutgoingRecord(topic, key, encode_event(event), headers)


def fitting_record(
    event: Event, *, most: int, topic: str, origin: str, traces: Headers = ()
) -> OutgoingRecord | None:
    """Return a record of at most `most` bytes, cutting the item's fields; None if too large still.

    The cut must depend on the event alone, so room is kept for trace headers even without any: the
    same event published from the outbox of a dead worker has no traces and needs the same body.
    """
    room = most - _TRACES_BYTES
    record = event_record(event, topic=topic, origin=origin)
    size = record.size
    left = room - size + len(record.value or b"")
    while size > room:
        cut = shorten_event(event, most=left)
        if cut is None:
            return None
        record = event_record(cut, topic=topic, origin=origin)
        # The header that names the cut fields takes room, too.
        size = record.size
        left -= size - room
    traced = record._replace(headers=(*record.headers, *traces))
    return traced if traced.size <= most else record


class PublishedEvent(NamedTuple):
    """An event read back: its payload, and the item's bytes as they were received."""

    payload: EventPayload
    received: bytes


class _Envelope(msgspec.Struct):
    dedup: Raw


_decode_envelope = msgspec.json.Decoder(_Envelope).decode


def decode_event_record(record: ReceivedRecord) -> PublishedEvent | None:
    """Return the event in a record, None without a value; raise InvalidItem for other values.

    The field `dedup` must be the last one of the JSON object.
    """
    if record.value is None:
        return None
    try:
        dedup = _decode_envelope(record.value).dedup
        event = decode_payload(dedup)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidItem("not_an_event", f"not an event of newsdedup: {error}") from error
    front = record.value.removesuffix(b'"dedup":' + bytes(dedup) + b"}")
    if front == record.value:
        raise InvalidItem("not_an_event", "no event of newsdedup: `dedup` is not its last field")
    return PublishedEvent(event, front.removesuffix(b",") + b"}")
