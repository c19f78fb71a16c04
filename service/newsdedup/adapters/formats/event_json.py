"""Events to lines of JSON and back, shortened where a sink takes no more; verdicts for the ledger.

What is published about an item is the object that was received, byte for byte, with one more
field at its end: `dedup`.
"""

from bisect import bisect_right
from typing import Final

import msgspec
from msgspec import UNSET, Raw, Struct

from newsdedup.adapters.formats.json_object import BYTE_ORDER_MARK
from newsdedup.core.events import Event, Judgement, OriginalMoved, Retraction
from newsdedup.ports.errors import StateUnusable

EventPayload = Judgement | Retraction | OriginalMoved

_NEVER_CUT: Final = frozenset({"id", "source"})
"""A shorter name would be another item's."""
_QUOTES: Final = 2
_NULL: Final = b"null"
_NAME_BYTES: Final = len(b',"cut":[,]')
"""Bytes alongside a name in `dedup.cut`, at most."""


class _EventKind(Struct):
    event: str


_ENCODE = msgspec.json.Encoder().encode
_TEXT = msgspec.json.Decoder(str)
_FIELDS = msgspec.json.Decoder(dict[str, Raw])
_EVENT_KIND = msgspec.json.Decoder(_EventKind)
_JUDGEMENT = msgspec.json.Decoder(Judgement)
PAYLOAD_TYPES: Final = {
    "item.judged": Judgement,
    "verdict.corrected": Judgement,
    "item.retracted": Retraction,
    "story.original_changed": OriginalMoved,
}
_PAYLOADS: Final[dict[str, msgspec.json.Decoder[EventPayload]]] = {
    kind: msgspec.json.Decoder(payload) for kind, payload in PAYLOAD_TYPES.items()
}


def encode_payload(event: Event) -> bytes:
    """Return the payload of an event as JSON: the value of its field `dedup`."""
    return event.encoded or _ENCODE(event.payload)


def encode_event(event: Event) -> bytes:
    """Return the line of an event, without its line feed."""
    dedup = encode_payload(event)
    if not isinstance(event.payload, Judgement):
        return b'{"dedup":' + dedup + b"}"
    return b"".join((*_open_object(event.received), b'"dedup":', dedup, b"}"))


def decode_payload(data: bytes | Raw) -> EventPayload:
    """Return the payload of an event of any kind; raise msgspec.MsgspecError for other bytes."""
    kind = _EVENT_KIND.decode(data).event
    if kind not in _PAYLOADS:
        raise msgspec.ValidationError(f"no event is called {kind[:32]!r}")
    return _PAYLOADS[kind].decode(data)


def encode_judgement(judgement: Judgement) -> bytes:
    """Return a judgement as JSON for the ledger."""
    return _ENCODE(judgement)


def decode_judgement(data: bytes) -> Judgement:
    """Return a judgement that the ledger stored; raise StateUnusable if the bytes hold none."""
    try:
        return _JUDGEMENT.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise StateUnusable(f"a judgement in the state is damaged: {error}") from error


def shorten_event(event: Event, *, most: int) -> Event | None:
    """Return an event of at most so many bytes of JSON, None if even its verdict is longer.

    The longest fields of the item are cut, and `dedup.cut` names them, alongside those that
    were cut before. The verdict stays whole. The same event always becomes the same bytes.
    """
    payload = event.payload
    if not isinstance(payload, Judgement) or not event.received:
        return None
    fields = _FIELDS.decode(_one_line(event.received))
    fields.pop("dedup", None)
    cut: dict[str, None] = dict.fromkeys(() if payload.cut is UNSET else payload.cut)
    lengths = {name: len(bytes(fields[name])) for name in fields.keys() - _NEVER_CUT}
    longest_first = iter(sorted(lengths, key=lambda name: (-lengths[name], name)))
    shorter = Event(payload, _ENCODE(fields), repeated=event.repeated)
    # Each cut changes the size by bytes that are known: an item may have very many fields.
    excess = len(encode_event(shorter)) - most
    while excess > 0:
        name = next(longest_first, None)
        if name is None:
            return None
        by = excess
        if name not in cut:
            by += len(_ENCODE(name)) + _NAME_BYTES
            excess += len(_ENCODE(name)) + (len(b",") if cut else len(b',"cut":[]'))
            cut[name] = None
        fields[name] = Raw(_shorten_value(bytes(fields[name]), by=by))
        excess -= lengths[name] - len(bytes(fields[name]))
    verdict = msgspec.structs.replace(payload, cut=tuple(cut) or UNSET)
    return Event(verdict, _ENCODE(fields), repeated=event.repeated)


def _open_object(received: bytes) -> tuple[bytes, ...]:
    """Return an item's JSON, open at its end so that fields can be added: to be joined, one line.

    `dedup` of an earlier verdict and the closing brace are left out; `{` for no JSON at all.
    """
    if not received:
        return (b"{",)
    body = _one_line(received)
    # Names of fields may be written in escapes.
    if b'"dedup"' in body or b"\\u00" in body:
        fields = _FIELDS.decode(body)
        if fields.pop("dedup", None) is not None:
            body = _ENCODE(fields)
    front = body[:-1]
    return (front,) if front.rstrip() == b"{" else (front, b",")


def _one_line(received: bytes) -> bytes:
    """Return an item's JSON on one line, without a byte order mark and space around it."""
    body = received.removeprefix(BYTE_ORDER_MARK).strip()
    return msgspec.json.format(body, indent=-1) if b"\n" in body or b"\r" in body else body


def _shorten_value(value: bytes, *, by: int) -> bytes:
    """Return a JSON string that is shorter by `by` bytes or empty, null for another value."""
    if not value.startswith(b'"'):
        return _NULL
    room = max(_QUOTES, len(value) - by)
    text = _TEXT.decode(value)
    lengths = range(1, len(text) + 1)
    fitting = bisect_right(lengths, room, key=lambda length: len(_ENCODE(text[:length])))
    return _ENCODE(text[:fitting])
