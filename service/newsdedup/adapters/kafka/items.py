"""A record of the input topic to the item or the act that it tells."""

from typing import NamedTuple

from newsdedup.adapters.formats import item_json
from newsdedup.adapters.formats.json_object import LIMITS, Limits
from newsdedup.adapters.kafka.cloud_events import unwrap_cloud_event
from newsdedup.adapters.kafka.keys import withdrawn
from newsdedup.adapters.kafka.records import Headers, Received
from newsdedup.core.model import ItemKey, NewsItem
from newsdedup.core.stories.acts import Act, Retract
from newsdedup.ports.errors import InvalidItem


class Told(NamedTuple):
    """What a record tells."""

    what: NewsItem | Act
    data: bytes = b""
    """The object that tells it: what is published again with the verdict."""
    traces: Headers = ()


def decode(record: Received, *, limits: Limits = LIMITS) -> Told:
    """Return what a record tells; raise InvalidItem, and nothing else, if it tells nothing.

    An item that does not say when it was seen was seen when the record was written, so that a
    redelivered record tells the same.
    """
    if record.value is None:
        return Told(Retract(withdrawn(record.key, limits=limits)), traces=record.traces)
    if len(record.value) > limits.line_bytes:
        raise InvalidItem(
            "too_long", f"the record has {len(record.value)} bytes; {limits.line_bytes} are allowed"
        )
    plain = unwrap_cloud_event(record, limits)
    data = plain.value or b""
    what = item_json.decode_item(data, limits=limits, seen_at=record.seen_at)
    return Told(what, data, plain.traces)


def about(record: Received, *, limits: Limits = LIMITS) -> ItemKey | None:
    """Return the item that a record names, by its value, else by its key; None if neither does.

    An act is about items, but it is none of them.
    """
    if record.value is None:
        return None
    try:
        if len(record.value) <= limits.line_bytes:
            return item_json.decode_key(
                unwrap_cloud_event(record, limits).value or b"", limits=limits
            )
    except InvalidItem:
        pass  # the key may tell it
    try:
        return withdrawn(record.key, limits=limits)
    except InvalidItem:
        return None
