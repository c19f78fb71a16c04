"""A record of the output topic, back to what it tells and the bytes that were received."""

from typing import Final, NamedTuple

import msgspec
from msgspec import Raw

from newsdedup.adapters.kafka_records import Received
from newsdedup.core.events import Judgement, OriginalMoved, Retraction
from newsdedup.ports import InvalidItem


class Published(NamedTuple):
    """An event, and the item's bytes as they were received, without the verdict."""

    payload: Judgement | Retraction | OriginalMoved
    received: bytes


class _Envelope(msgspec.Struct):
    """Of an event the one object that is ours."""

    dedup: Raw


class _Kind(msgspec.Struct):
    """Of a payload only what kind of event it is."""

    event: str


_ENVELOPE = msgspec.json.Decoder(_Envelope)
_KIND = msgspec.json.Decoder(_Kind)
_PAYLOADS: Final[dict[str, msgspec.json.Decoder[Judgement | Retraction | OriginalMoved]]] = {
    "item.judged": msgspec.json.Decoder(Judgement),
    "verdict.corrected": msgspec.json.Decoder(Judgement),
    "item.retracted": msgspec.json.Decoder(Retraction),
    "story.original_changed": msgspec.json.Decoder(OriginalMoved),
}


def published(record: Received) -> Published | None:
    """Return the event of a record, None for one without a value; raise InvalidItem if none."""
    if record.value is None:
        return None
    try:
        dedup = _ENVELOPE.decode(record.value).dedup
        payload = _PAYLOADS[_KIND.decode(dedup).event].decode(dedup)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, KeyError) as error:
        raise InvalidItem("not_an_event", f"not an event of newsdedup: {error}") from error
    return Published(payload, received(record.value, bytes(dedup)))


def received(event: bytes, dedup: bytes) -> bytes:
    """Return the object to which `dedup` was added as its last field, byte for byte."""
    front = event.removesuffix(b'"dedup":' + dedup + b"}")
    if front == event:
        raise InvalidItem("not_an_event", "no event of newsdedup: `dedup` is not its last field")
    return front.removesuffix(b",") + b"}"
