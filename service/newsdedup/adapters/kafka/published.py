"""A record of the output topic, back to what it tells and the bytes that were received."""

from typing import NamedTuple

import msgspec
from msgspec import Raw

from newsdedup.adapters.formats.event_json import EventPayload, decode_payload
from newsdedup.adapters.kafka.records import Received
from newsdedup.ports.errors import InvalidItem


class Published(NamedTuple):
    """An event, and the item's bytes as they were received, without the verdict."""

    payload: EventPayload
    received: bytes


class _Envelope(msgspec.Struct):
    """Of an event the one object that is ours."""

    dedup: Raw


_ENVELOPE = msgspec.json.Decoder(_Envelope)


def published(record: Received) -> Published | None:
    """Return the event of a record, None for one without a value; raise InvalidItem if none."""
    if record.value is None:
        return None
    try:
        dedup = _ENVELOPE.decode(record.value).dedup
        told = decode_payload(dedup)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidItem("not_an_event", f"not an event of newsdedup: {error}") from error
    return Published(told, received(record.value, bytes(dedup)))


def received(event: bytes, dedup: bytes) -> bytes:
    """Return the object to which `dedup` was added as its last field, byte for byte."""
    front = event.removesuffix(b'"dedup":' + dedup + b"}")
    if front == event:
        raise InvalidItem("not_an_event", "no event of newsdedup: `dedup` is not its last field")
    return front.removesuffix(b",") + b"}"
