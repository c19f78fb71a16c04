"""Events as records of the output topic: JSON, with CloudEvents 1.0 headers in binary mode."""

from functools import cache
from typing import Final, NamedTuple

import msgspec
from msgspec import UNSET, Raw

from newsdedup.adapters.formats.event_cut import shortened
from newsdedup.adapters.formats.event_json import Payload, encode, payload
from newsdedup.adapters.kafka.records import Headers, OutgoingRecord, ReceivedRecord, event_key
from newsdedup.core.events import Judgement, schema_id
from newsdedup.engine.event_writer import Event
from newsdedup.ports.errors import InvalidItem

CLOUDEVENT_TYPES: Final = {
    "item.judged": "newsdedup.item.judged",
    "verdict.corrected": "newsdedup.verdict.corrected",
    "item.retracted": "newsdedup.item.retracted",
    "story.original_changed": "newsdedup.story.original_changed",
}
"""What CloudEvents calls our events: never another name for what is the same."""
_SPECVERSION: Final = ("ce_specversion", b"1.0")
_CONTENT_TYPE: Final = ("content-type", b"application/json; charset=utf-8")
_TRACES_ROOM: Final = 640
"""Bytes kept free for traces: 55 of `traceparent` and 512 of `tracestate`, as W3C asks for."""
CUT_HEADER: Final = "newsdedup_cut"
"""The header that names the fields of the item that are not whole."""


def event_record(event: Event, *, topic: str, origin: str, traces: Headers = ()) -> OutgoingRecord:
    """Return the record of an event; `origin` is the `source` of CloudEvents, a URI reference."""
    payload = event.payload
    key = event_key(payload)
    of_type, of_source, of_schema = _kind_headers(payload.event, origin)
    headers: Headers = (
        _SPECVERSION,
        ("ce_id", payload.event_id.encode()),
        of_type,
        of_source,
        ("ce_subject", key),
        of_schema,
        _CONTENT_TYPE,
        *traces,
    )
    if isinstance(payload, Judgement) and payload.cut is not UNSET:
        headers = (*headers, (CUT_HEADER, ",".join(payload.cut).encode()))
    return OutgoingRecord(topic, key, encode(event), headers)


def fitting_record(
    event: Event, *, most: int, topic: str, origin: str, traces: Headers = ()
) -> OutgoingRecord | None:
    """Return a record of at most so many bytes, its item cut if it must be; None if none can be.

    What is cut hangs on the event alone: published again for a dead worker it has no traces, and
    must have the same body.
    """
    room = most - _TRACES_ROOM
    record = event_record(event, topic=topic, origin=origin)
    size = record.size
    left = room - size + len(record.value or b"")
    while size > room:
        cut = shortened(event, most=left)
        if cut is None:
            return None
        record = event_record(cut, topic=topic, origin=origin)
        # The header of a cut record has taken some of the room.
        size = record.size
        left -= size - room
    told = record._replace(headers=(*record.headers, *traces))
    return told if told.size <= most else record


@cache
def _kind_headers(event: str, origin: str) -> Headers:
    """Return the headers that all events of one kind and origin have."""
    return (
        ("ce_type", CLOUDEVENT_TYPES[event].encode()),
        ("ce_source", origin.encode()),
        ("ce_dataschema", schema_id(event).encode()),
    )


class PublishedEvent(NamedTuple):
    """An event, and the item's bytes as they were received, without the verdict."""

    payload: Payload
    received: bytes


class _Envelope(msgspec.Struct):
    """Of an event the one object that is ours."""

    dedup: Raw


_ENVELOPE = msgspec.json.Decoder(_Envelope)


def decode_event_record(record: ReceivedRecord) -> PublishedEvent | None:
    """Return the event of a record, None for one without a value; raise InvalidItem if none."""
    if record.value is None:
        return None
    try:
        dedup = _ENVELOPE.decode(record.value).dedup
        told = payload(dedup)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidItem("not_an_event", f"not an event of newsdedup: {error}") from error
    return PublishedEvent(told, remove_dedup(record.value, bytes(dedup)))


def remove_dedup(event: bytes, dedup: bytes) -> bytes:
    """Return the object to which `dedup` was added as its last field, byte for byte."""
    front = event.removesuffix(b'"dedup":' + dedup + b"}")
    if front == event:
        raise InvalidItem("not_an_event", "no event of newsdedup: `dedup` is not its last field")
    return front.removesuffix(b",") + b"}"
