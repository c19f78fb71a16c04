"""Events that are larger than a sink takes, made smaller: the longest fields of the item are cut.

The verdict stays whole, and `dedup.cut` names the fields that are not, with those of which no more
was kept.
"""

from typing import Final

import msgspec
from msgspec import UNSET, Raw

from newsdedup.adapters.formats.event_json import encode
from newsdedup.adapters.formats.json_object import BYTE_ORDER_MARK
from newsdedup.core.events import Event, Judgement

KEPT: Final = frozenset({"id", "source"})
"""A shorter name would be another item's."""
QUOTES: Final = 2
NULL: Final = b"null"
NAMING: Final = len(b',"cut":[,]')
"""Bytes beside a name in `dedup.cut`, at most."""

_ENCODE = msgspec.json.Encoder().encode
_FIELDS = msgspec.json.Decoder(dict[str, Raw])
_TEXT = msgspec.json.Decoder(str)


def shortened(event: Event, *, most: int) -> Event | None:
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
        tried = Event(said, _ENCODE(fields), repeated=event.repeated)
        excess = len(encode(tried)) - most
        if excess <= 0:
            return tried
        longest = _longest(fields, names)
        if longest is None:
            return None
        names.append(longest)
        naming = 0 if longest in before else len(_ENCODE(longest)) + NAMING
        fields[longest] = Raw(_shorter(bytes(fields[longest]), by=excess + naming))


def _longest(fields: dict[str, Raw], cut: list[str]) -> str | None:
    """Return the name of the longest field that may be cut and was not; of equal ones the first."""
    rest = fields.keys() - KEPT - set(cut)
    return min(rest, key=lambda name: (-len(bytes(fields[name])), name), default=None)


def _shorter(value: bytes, *, by: int) -> bytes:
    """Return a string without its end; in place of anything else null."""
    if not value.startswith(b'"'):
        return NULL
    room = max(QUOTES, len(value) - by)
    text = _TEXT.decode(value)
    least, most = 0, len(text)
    while least < most:
        middle = (least + most + 1) // 2
        if len(_ENCODE(text[:middle])) <= room:
            least = middle
        else:
            most = middle - 1
    return _ENCODE(text[:least])
