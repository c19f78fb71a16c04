"""The events of items as an archive stores them: compressed one by one, with a dictionary."""

from typing import Final

import msgspec
import zstandard
from msgspec import Raw, Struct

from newsdedup.adapters.formats.event_json import decode_payload
from newsdedup.adapters.formats.item_json import decode_item
from newsdedup.adapters.formats.json_object import Limits
from newsdedup.core.events import Judgement
from newsdedup.core.model import ItemKey, NewsItem
from newsdedup.ports.errors import InvalidItem, StateUnusable

CONTENT_DICTIONARY: Final = (
    b'"reasons":[{"feature":"habit","value":0.0,"logit":0.0},{"feature":"template","value":1.0,'
    b'"logit":0.1},{"feature":"conflicts","value":0.0,"logit":0.283},{"feature":"names","value":0.0'
    b',"logit":0.259},{"feature":"opening_both","value":0.0,"logit":0.191},{"feature":"mass","value'
    b'":3.5,"logit":-0.168},{"feature":"dates","value":0.0,"logit":0.113},{"feature":"numbers","val'
    b'ue":1.0,"logit":0.466},{"feature":"number_count","value":1.6,"logit":0.423},{"feature":"head"'
    b',"value":1.0,"logit":0.496},{"feature":"lead","value":1.0,"logit":0.524},{"feature":"freshnes'
    b's","value":1.0,"logit":0.705},{"feature":"cover","value":1.0,"logit":0.973}],"moved":[{"what"'
    b':null,"here":"7","there":"5"}]}},"cut":["text"],"contains":[{"message":1,"story":"49","leader'
    b'":{"source":"","id":"1"},"score":0.9}]}}{"id":"1001","source":".example","url":"https://.exam'
    b'ple/news/1001","published_at":"2026-11-02T09:02:04+03:00","updated_at":"","seen_at":"","title'
    b'":"","text":"<p></p>\\n<p>","lang":"ru","lang":"uk","lang":"en","links":["https://"],"category'
    b'":"","dedup":{"event":"verdict.corrected","event_id":"25","item":{"source":"","id":"1"},"vers'
    b'ion":"3f","revision":{"epoch":20759,"n":1},"verdict":"duplicate","relation":"reprint","decide'
    b'd_by":"editor","story":{"id":"8a","original":{"source":"","id":"1"}},"matched":{"source":"","'
    b'id":"1","score":0.95,"evidence":{"shared":[{"term":"","weight":0.8875},{"term":"","weight":0.'
    b'6656}],"terms_here":12,"terms_there":12,"numbers":{"both":["14","32"],"here":[],"there":[]},"'
    b'names":{"both":[],"here":[],"there":[]},"fingerprints":["terms12","head"],"hours_apart":0.33,'
    b'"reasons":[]}},"rule":"verified-3/6/0.47","lang":"en","effective_at":"2026-03-02T11:30:00+00:'
    b'00","dedup":{"event":"item.judged","event_id":"","item":{"source":"","id":""},"version":"","r'
    b'evision":{"epoch":20759,"n":0},"verdict":"original","relation":"none","decided_by":"rule","st'
    b'ory":{"id":"","original":{"source":"","id":""}},"matched":null,"rule":"terms-6/12","lang":"ru'
    b'","effective_at":"2026-11-02T06:02:04+00:00","terms":[{"term":"","weight":0.6656},{"term":"",'
    b'"weight":0.8875}],"late":false,"superseded":false,"format":1}}'
)
"""Bytes that events are full of. It is written into each new archive, so it may be changed."""

_WIDE: Final = Limits(
    line_bytes=2**40, title_chars=2**40, text_chars=2**40, id_chars=2**40, url_chars=2**40
)
"""What was published was accepted before, perhaps under wider limits than those of today."""
_LEVEL: Final = 6
_EMPTY: Final = NewsItem(key=ItemKey("", ""), title="", text="")


class _Line(Struct):
    """An event as a line of JSON; the decoder skips the item."""

    dedup: Raw


_LINE: Final = msgspec.json.Decoder(_Line)
_FIELDS: Final = msgspec.json.Decoder(dict[str, Raw])
_encode = msgspec.json.Encoder().encode


class ContentCodec:
    """Compresses lines of events with the dictionary that their archive holds."""

    def __init__(self, dictionary: bytes) -> None:
        shared = zstandard.ZstdCompressionDict(dictionary, dict_type=zstandard.DICT_TYPE_RAWCONTENT)
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


def judgement_of_event(line: bytes) -> Judgement:
    """Return the verdict of a stored event; raise StateUnusable if it holds none."""
    try:
        payload = decode_payload(_LINE.decode(line).dedup)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise StateUnusable(f"an event in the archive is damaged: {error}") from error
    if not isinstance(payload, Judgement):
        raise StateUnusable("an event in the archive holds no verdict")
    return payload
