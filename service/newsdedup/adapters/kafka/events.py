"""Events read back from records of the output topic."""

from typing import NamedTuple

import msgspec
from msgspec import Raw

from newsdedup.adapters.formats.event_json import EventPayload, decode_payload
from newsdedup.adapters.kafka.records import ReceivedRecord
from newsdedup.ports.errors import InvalidItem


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
