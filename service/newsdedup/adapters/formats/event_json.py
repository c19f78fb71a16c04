"""Events to lines of JSON, and judgements to bytes and back for the ledger.

What is published about an item is the object that was received, byte for byte, with one more
field at its end: `dedup`.
"""

from typing import Final

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from newsdedup.adapters.formats.json_object import BYTE_ORDER_MARK
from newsdedup.core.events import Event, Judgement, OriginalMoved, Retraction
from newsdedup.ports.errors import StateUnusable

Payload = Judgement | Retraction | OriginalMoved


class _Judged(Struct):
    """Of a received object only whether it carries an earlier verdict; the rest is skipped."""

    dedup: Raw | UnsetType = UNSET


class _Kind(Struct):
    """Of a payload only what kind of event it is."""

    event: str


_ENCODER = msgspec.json.Encoder()
_JUDGED = msgspec.json.Decoder(_Judged)
_FIELDS = msgspec.json.Decoder(dict[str, Raw])
_JUDGEMENT = msgspec.json.Decoder(Judgement)
_KIND = msgspec.json.Decoder(_Kind)
_PAYLOADS: Final[dict[str, msgspec.json.Decoder[Payload]]] = {
    "item.judged": msgspec.json.Decoder(Judgement),
    "verdict.corrected": msgspec.json.Decoder(Judgement),
    "item.retracted": msgspec.json.Decoder(Retraction),
    "story.original_changed": msgspec.json.Decoder(OriginalMoved),
}


def encode(event: Event) -> bytes:
    """Return the line of an event, without its end."""
    dedup = event.encoded or _ENCODER.encode(event.payload)
    if not isinstance(event.payload, Judgement):
        return b'{"dedup":' + dedup + b"}"
    return b"".join((*_open_ended(event.received), b'"dedup":', dedup, b"}"))


def _open_ended(received: bytes) -> tuple[bytes, ...]:
    """Return an object in parts, without its closing brace, ready for one more field."""
    if not received:
        return (b"{",)
    body = received.removeprefix(BYTE_ORDER_MARK).strip()
    if b"\n" in body or b"\r" in body:
        body = msgspec.json.format(body, indent=-1)
    if _may_be_judged(body) and _JUDGED.decode(body).dedup is not UNSET:
        body = _without_verdict(body)
    front = body[:-1]
    return (front,) if front.rstrip() == b"{" else (front, b",")


def _may_be_judged(body: bytes) -> bool:
    """Return whether an object may have a field `dedup`, as it is or in escapes."""
    return b'"dedup"' in body or b"\\u00" in body


def _without_verdict(body: bytes) -> bytes:
    """Return an object without an earlier verdict; the other values keep their bytes."""
    fields = _FIELDS.decode(body)
    del fields["dedup"]
    return _ENCODER.encode(fields)


def payload(data: bytes | Raw) -> Payload:
    """Return what an event tells; raise msgspec.MsgspecError if the bytes hold no event."""
    kind = _KIND.decode(data).event
    if kind not in _PAYLOADS:
        raise msgspec.ValidationError(f"no event is called {kind[:32]!r}")
    return _PAYLOADS[kind].decode(data)


def judgement_bytes(said: Judgement) -> bytes:
    """Return a judgement as the ledger keeps it."""
    return _ENCODER.encode(said)


def judgement(data: bytes) -> Judgement:
    """Return the judgement that was kept; raise StateUnusable if the bytes hold none."""
    try:
        return _JUDGEMENT.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise StateUnusable(f"a judgement in the state is damaged: {error}") from error
