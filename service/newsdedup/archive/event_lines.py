"""Lines of events as an archive applies and stores them: compressed one by one, with a dictionary.

An event is about an item: a verdict or a retraction.
"""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final, NamedTuple

import msgspec
import zstandard
from msgspec import Raw, Struct
from msgspec.structs import astuple

from newsdedup.adapters.formats.event_json import EventPayload, decode_payload
from newsdedup.adapters.formats.item_json import received_item, site_host
from newsdedup.adapters.formats.json_object import LIMITS, UNLIMITED
from newsdedup.core.events import Judgement, OriginalMoved, Retraction
from newsdedup.core.model import ItemKey, Micros, NewsItem
from newsdedup.core.moments import to_micros
from newsdedup.ports.errors import StateUnusable

_WIDE: Final = replace(UNLIMITED, depth=LIMITS.depth)
"""A published item was accepted before, perhaps under wider limits than those of today."""
_LEVEL: Final = 6
_EMPTY: Final = NewsItem(key=ItemKey("", ""), title="", text="")


class _EventLine(Struct):
    """The verdict of an event; the decoder skips the item."""

    dedup: Raw


class _Categories(Struct):
    """The fields of an item that name its section, the one of its own first."""

    category: Any = None
    feed_category: Any = None
    articleSection: Any = None  # noqa: N815 - the name in schema.org
    categories: Any = None
    tags: Any = None
    subject: Any = None


_CATEGORIES: Final = msgspec.json.Decoder(_Categories)
_MOST_CATEGORY_CHARS: Final = 80
_LINE: Final = msgspec.json.Decoder(_EventLine)
_FIELDS: Final = msgspec.json.Decoder(dict[str, Raw])
_encode = msgspec.json.Encoder().encode
_LARGEST: Final = 2**63


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
        """Return the line in compressed bytes; raise StateUnusable if they are damaged."""
        try:
            return self._decompressor.decompress(content)
        except zstandard.ZstdError as error:
            raise StateUnusable(f"an event in the archive is damaged: {error}") from error


def item_of_event(line: bytes) -> NewsItem:
    """Return the item that an event carries; an empty one where its fields were cut off."""
    item = received_item(line, limits=_WIDE)
    return _EMPTY if item is None else item


def received_of_event(line: bytes) -> Raw:
    """Return the JSON object that was received: the event without its verdict, its last field."""
    verdict = b'"dedup":' + bytes(_LINE.decode(line).dedup) + b"}"
    if line.endswith(verdict):
        return Raw(line[: -len(verdict)].rstrip().removesuffix(b",") + b"}")
    fields = _FIELDS.decode(line)
    fields.pop("dedup", None)
    return Raw(_encode(fields))


def _payload_of_event(line: bytes) -> EventPayload:
    """Return the payload of an event; raise MsgspecError, UnicodeDecodeError or RecursionError."""
    return decode_payload(_LINE.decode(line).dedup)


def judgement_of_event(line: bytes) -> Judgement:
    """Return the verdict of a stored event; raise StateUnusable if it has none."""
    try:
        payload = _payload_of_event(line)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise StateUnusable(f"an event in the archive is damaged: {error}") from error
    if not isinstance(payload, Judgement):
        raise StateUnusable("an event in the archive has no verdict")
    return payload


class RevisionNumber(NamedTuple):
    """How new an event is, as a pair that can be compared."""

    epoch: int
    n: int


@dataclass(frozen=True, slots=True)
class ArchivedEvent:
    """An event about an item."""

    key: ItemKey
    revision: RevisionNumber
    judgement: Judgement | None
    """None: the item was retracted."""
    at: Micros = 0
    line: bytes = b""

    @property
    def generation(self) -> int:
        """Return how often the engine's state had been lost and rebuilt before this event."""
        return self.revision.epoch >> 32


class EventUnreadable(ValueError):
    """A line that is no event of a known format."""


def read_event_line(line: bytes) -> ArchivedEvent | None:
    """Return the event of a line; None for one about a story: events of its items say the same.

    Raise EventUnreadable for a line that is no event.
    """
    line = line.rstrip(b"\r\n")
    try:
        payload = _payload_of_event(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise EventUnreadable(str(error)) from error
    if isinstance(payload, OriginalMoved):
        return None
    key = ItemKey(payload.item.source, payload.item.id)
    revision = RevisionNumber(payload.revision.epoch, payload.revision.n)
    if not all(-_LARGEST <= number < _LARGEST for number in revision):
        raise EventUnreadable("its revision is beyond 63 bits")
    if isinstance(payload, Retraction):
        return ArchivedEvent(key, revision, None)
    try:
        at = to_micros(datetime.fromisoformat(payload.effective_at))
    except (ValueError, TypeError) as error:
        raise EventUnreadable(f"effective_at is no moment: {error}") from error
    return ArchivedEvent(key, revision, payload, at, line)


def category_of_event(line: bytes) -> str:
    """Return the category (section) of an item by its event, "" without one.

    It is the first that one of the fields of _Categories names, as one line of at most 80
    characters.
    """
    try:
        named = _CATEGORIES.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return ""
    for value in astuple(named):
        first = value[0] if isinstance(value, list) and value else value
        first = first.get("name") if isinstance(first, dict) else first  # subjects of IPTC ninjs
        if isinstance(first, str) and first.strip():
            return " ".join(first[: 4 * _MOST_CATEGORY_CHARS].split())[:_MOST_CATEGORY_CHARS]
    return ""


def count_outer_links(item: NewsItem) -> int:
    """Return how many different links of an item lead to another host than that of its address."""
    own = site_host(item.url)
    return sum(site_host(link) not in ("", own) for link in set(item.links))
