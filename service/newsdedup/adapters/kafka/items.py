"""A record of the input topic to the item or the act that it tells."""

from typing import Final, NamedTuple

from newsdedup.adapters.files.lines import Line
from newsdedup.adapters.formats import item_json
from newsdedup.adapters.formats.cloud_events import unwrapped
from newsdedup.adapters.formats.limits import LIMITS, Limits
from newsdedup.adapters.kafka.records import (
    Headers,
    OutgoingRecord,
    ReceivedRecord,
    decode_item_key,
    item_key,
)
from newsdedup.core.model import ItemKey, NewsItem
from newsdedup.core.stories.acts import Act, Publish, Retract
from newsdedup.ports.errors import InvalidItem


class DecodedRecord(NamedTuple):
    """What a record tells."""

    content: NewsItem | Act
    data: bytes = b""
    """The object that tells it: what is published again with the verdict."""
    traces: Headers = ()


def decode_record(record: ReceivedRecord, *, limits: Limits = LIMITS) -> DecodedRecord:
    """Return what a record tells; raise InvalidItem, and nothing else, if it tells nothing.

    An item that does not say when it was seen was seen when the record was written, so that a
    redelivered record tells the same.
    """
    if record.value is None:
        return DecodedRecord(
            Retract(decode_item_key(record.key, limits=limits)), traces=record.traces
        )
    if len(record.value) > limits.line_bytes:
        raise InvalidItem(
            "too_long", f"the record has {len(record.value)} bytes; {limits.line_bytes} are allowed"
        )
    plain = unwrapped(record, limits)
    data = plain.value or b""
    what = item_json.decode(data, limits=limits, seen_at=record.seen_at)
    return DecodedRecord(what, data, plain.traces)


def find_item_key(record: ReceivedRecord, *, limits: Limits = LIMITS) -> ItemKey | None:
    """Return the item that a record names, by its value, else by its key; None if neither does.

    An act is about items, but it is none of them.
    """
    if record.value is None:
        return None
    try:
        if len(record.value) <= limits.line_bytes:
            return item_json.named(unwrapped(record, limits).value or b"", limits=limits)
    except InvalidItem:
        pass  # the key may tell it
    try:
        return decode_item_key(record.key, limits=limits)
    except InvalidItem:
        return None


_JSON_HEADERS: Final[Headers] = (("content-type", b"application/json; charset=utf-8"),)


def line_record(line: Line, *, topic: str, limits: Limits) -> OutgoingRecord:
    """Return the record of a line: its bytes as they are, keyed by the item that it is about.

    So all that is said about an item lies in one partition, in its order. A line that tells
    nothing has no key: the worker that reads it says why, in the dead letters.
    """
    try:
        told = item_json.decode(line.data, limits=limits)
    except InvalidItem:
        return OutgoingRecord(topic, None, line.data)
    key = told.entry.key if isinstance(told, Publish) else told.key
    return OutgoingRecord(topic, item_key(key), line.data, _JSON_HEADERS)
