"""The events of items as an archive stores them: compressed one by one, with a dictionary."""

from typing import Final

import msgspec
import zstandard
from msgspec import Raw, Struct

from newsdedup.adapters.formats.event_json import EventPayload, decode_payload
from newsdedup.adapters.formats.item_json import decode_item
from newsdedup.adapters.formats.json_object import Limits
from newsdedup.core.events import Judgement
from newsdedup.core.model import ItemKey, NewsItem
from newsdedup.ports.errors import InvalidItem, StateUnusable

_WIDE: Final = Limits(
    line_bytes=2**40, title_chars=2**40, text_chars=2**40, id_chars=2**40, url_chars=2**40
)
"""What was published was accepted before, perhaps under wider limits than those of today."""
_LEVEL: Final = 6
_EMPTY: Final = NewsItem(key=ItemKey("", ""), title="", text="")


class _EventLine(Struct):
    """The verdict of an event; the decoder skips the item."""

    dedup: Raw


_LINE: Final = msgspec.json.Decoder(_EventLine)
_FIELDS: Final = msgspec.json.Decoder(dict[str, Raw])
_encode = msgspec.json.Encoder().encode


class ContentCodec:
    """Compresses lines of events with the dictionary of their archive."""

    def __init__(self, dictionary: bytes) -> None:
        # Archives hold a trained dictionary, older ones the raw bytes that events are full of.
        shared = zstandard.ZstdCompressionDict(dictionary, dict_type=zstandard.DICT_TYPE_AUTO)
        self._compressor = zstandard.ZstdCompressor(level=_LEVEL, dict_data=shared)
        self._decompressor = zstandard.ZstdDecompressor(dict_data=shared)

    def pack(self, line: bytes) -> bytes:
        """Return a line compressed."""
        return self._compressor.compress(line)

    def unpack(self, content: bytes) -> bytes:
        """Return the line; raise StateUnusable if the bytes are damaged."""
        try:
            return self._decompressor.decompress(content)
        except zstandard.ZstdError as error:
            raise StateUnusable(f"an event in the archive is damaged: {error}") from error


def item_of_event(line: bytes) -> NewsItem:
    """Return the item that an event carries; an empty one where its fields were cut off."""
    try:
        item = decode_item(line, limits=_WIDE)
    except InvalidItem:
        return _EMPTY
    return item if isinstance(item, NewsItem) else _EMPTY


def received_of_event(line: bytes) -> Raw:
    """Return the JSON object that was received: the event without its verdict, its last field."""
    verdict = b'"dedup":' + bytes(_LINE.decode(line).dedup) + b"}"
    if line.endswith(verdict):
        return Raw(line[: -len(verdict)].rstrip().removesuffix(b",") + b"}")
    fields = _FIELDS.decode(line)
    fields.pop("dedup", None)
    return Raw(_encode(fields))


def payload_of_event(line: bytes) -> EventPayload:
    """Return what an event says; raise MsgspecError, UnicodeDecodeError or RecursionError."""
    return decode_payload(_LINE.decode(line).dedup)


def judgement_of_event(line: bytes) -> Judgement:
    """Return the verdict of a stored event; raise StateUnusable if it has none."""
    try:
        payload = payload_of_event(line)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise StateUnusable(f"an event in the archive is damaged: {error}") from error
    if not isinstance(payload, Judgement):
        raise StateUnusable("an event in the archive has no verdict")
    return payload
