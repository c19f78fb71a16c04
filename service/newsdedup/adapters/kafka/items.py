"""A record of the input topic to the item or the act that it tells."""

from newsdedup.adapters.formats import item_json
from newsdedup.adapters.formats.cloud_events import unwrapped
from newsdedup.adapters.formats.limits import LIMITS, Limits
from newsdedup.adapters.kafka.keys import withdrawn
from newsdedup.adapters.kafka.records import Received
from newsdedup.core.model import ItemKey
from newsdedup.core.stories.acts import Retract
from newsdedup.ports.errors import InvalidItem
from newsdedup.ports.streams import Decoded


class RecordDecoder:
    """Decodes records of the input topic: items and acts as JSON, withdrawals as null values."""

    def __init__(self, limits: Limits = LIMITS) -> None:
        self._limits = limits

    def decode(self, record: Received) -> Decoded:
        """Return the item or act in a record; raise InvalidItem, and nothing else, if it is broken.

        An item without a time of receipt gets the time at which the record was written, so that a
        redelivered record gives the same item.
        """
        limits = self._limits
        if record.value is None:
            retraction = Retract(withdrawn(record.key, limits=limits))
            return Decoded(retraction, traces=record.traces)
        size = len(record.value)
        if size > limits.line_bytes:
            raise InvalidItem(
                "too_long", f"the record has {size} bytes; {limits.line_bytes} are allowed"
            )
        plain = unwrapped(record, limits)
        data = plain.value or b""
        content = item_json.decode(data, limits=limits, seen_at=record.seen_at)
        return Decoded(content, data, plain.traces)


def about(record: Received, *, limits: Limits = LIMITS) -> ItemKey | None:
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
        return withdrawn(record.key, limits=limits)
    except InvalidItem:
        return None
