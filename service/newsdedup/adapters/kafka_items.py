"""A record of the input topic to the item or the act that it tells."""

from dataclasses import replace

from newsdedup.adapters import item_json
from newsdedup.adapters.kafka_keys import withdrawn
from newsdedup.adapters.kafka_records import Received
from newsdedup.adapters.limits import LIMITS, Limits
from newsdedup.core.acts import Act, Retract
from newsdedup.core.model import NewsItem
from newsdedup.ports import InvalidItem


def decode(record: Received, *, limits: Limits = LIMITS) -> NewsItem | Act:
    """Return what a record tells; raise InvalidItem, and nothing else, if it tells nothing.

    An item that does not say when it was seen was seen when the record was written, so that a
    redelivered record tells the same.
    """
    if record.value is None:
        return Retract(withdrawn(record.key, limits=limits))
    if len(record.value) > limits.line_bytes:
        raise InvalidItem(
            "too_long", f"the record has {len(record.value)} bytes; {limits.line_bytes} are allowed"
        )
    told = item_json.decode(record.value, limits=limits)
    if isinstance(told, NewsItem) and told.seen_at is None:
        return replace(told, seen_at=record.seen_at)
    return told
