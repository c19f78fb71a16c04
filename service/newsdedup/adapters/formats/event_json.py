"""Events to lines of JSON, and judgements to bytes and back for the ledger.

What is published about an item is the object that was received, byte for byte, with one more
field at its end: `dedup`.
"""

from typing import Final

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from newsdedup.adapters.formats.json_object import BYTE_ORDER_MARK
from newsdedup.core.events import Judgement, OriginalMoved, Retraction
from newsdedup.engine.event_writer import Event
from newsdedup.ports.errors import StateUnusable

EventPayload = Judgement | Retraction | OriginalMoved


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
_PAYLOADS: Final[dict[str, msgspec.json.Decoder[EventPayload]]] = {
    "item.judged": msgspec.json.Decoder(Judgement),
    "verdict.corrected": msgspec.json.Decoder(Judgement),
    "item.retracted": msgspec.json.Decoder(Retraction),
    "story.original_changed": msgspec.json.Decoder(OriginalMoved),
}


def encode_event(event: Event) -> bytes:
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


def decode_payload(data: bytes | Raw) -> EventPayload:
    """Return what an event tells; raise msgspec.MsgspecError if the bytes hold no event."""
    kind = _KIND.decode(data).event
    if kind not in _PAYLOADS:
        raise msgspec.ValidationError(f"no event is called {kind[:32]!r}")
    return _PAYLOADS[kind].decode(data)


def encode_judgement(said: Judgement) -> bytes:
    """Return a judgement as the ledger keeps it."""
    return _ENCODER.encode(said)


def decode_judgement(data: bytes) -> Judgement:
    """Return the judgement that was kept; raise StateUnusable if the bytes hold none."""
    try:
        return _JUDGEMENT.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise StateUnusable(f"a judgement in the state is damaged: {error}") from error


_NEVER_CUT: Final = frozenset({"id", "source"})
"""A shorter name would be another item's."""
_QUOTES: Final = 2
_NULL: Final = b"null"
_NAME_BYTES: Final = len(b',"cut":[,]')
"""Bytes beside a name in `dedup.cut`, at most."""

_TEXT = msgspec.json.Decoder(str)


def shorten_event(event: Event, *, most: int) -> Event | None:
    """Return an event of at most so many bytes of JSON, None if even its verdict is longer.

    The same event becomes the same bytes, whenever and wherever it is cut.
    """
    payload = event.payload
    if not isinstance(payload, Judgement) or not event.received:
        return None
    fields = _FIELDS.decode(event.received.removeprefix(BYTE_ORDER_MARK))
    fields.pop("dedup", None)
    before = () if payload.cut is UNSET else payload.cut
    names: list[str] = []
    while True:
        told = dict.fromkeys((*before, *names))
        said = msgspec.structs.replace(payload, cut=tuple(told) or UNSET)
        tried = Event(said, _ENCODER.encode(fields), repeated=event.repeated)
        excess = len(encode_event(tried)) - most
        if excess <= 0:
            return tried
        longest = _longest(fields, names)
        if longest is None:
            return None
        names.append(longest)
        naming = 0 if longest in before else len(_ENCODER.encode(longest)) + _NAME_BYTES
        fields[longest] = Raw(_shorter(bytes(fields[longest]), by=excess + naming))


def _longest(fields: dict[str, Raw], cut: list[str]) -> str | None:
    """Return the name of the longest field that may be cut and was not; of equal ones the first."""
    rest = fields.keys() - _NEVER_CUT - set(cut)
    return min(rest, key=lambda name: (-len(bytes(fields[name])), name), default=None)


def _shorter(value: bytes, *, by: int) -> bytes:
    """Return a string without its end; in place of anything else null."""
    if not value.startswith(b'"'):
        return _NULL
    room = max(_QUOTES, len(value) - by)
    text = _TEXT.decode(value)
    least, most = 0, len(text)
    while least < most:
        middle = (least + most + 1) // 2
        if len(_ENCODER.encode(text[:middle])) <= room:
            least = middle
        else:
            most = middle - 1
    return _ENCODER.encode(text[:least])
