"""Lines of files as records of the input topic."""

from typing import Final

from newsdedup.adapters.files.lines import Line
from newsdedup.adapters.formats import item_json
from newsdedup.adapters.formats.json_object import Limits
from newsdedup.adapters.kafka.keys import item_key
from newsdedup.adapters.kafka.records import Headers, Outgoing
from newsdedup.core.stories.acts import Publish
from newsdedup.ports.errors import InvalidItem

HEADERS: Final[Headers] = (("content-type", b"application/json; charset=utf-8"),)


def line_record(line: Line, *, topic: str, limits: Limits) -> Outgoing:
    """Return the record of a line: its bytes as they are, keyed by the item that it is about.

    So all that is said about an item lies in one partition, in its order. A line that tells
    nothing has no key: the worker that reads it says why, in the dead letters.
    """
    try:
        told = item_json.decode_item(line.data, limits=limits)
    except InvalidItem:
        return Outgoing(topic, None, line.data)
    key = told.entry.key if isinstance(told, Publish) else told.key
    return Outgoing(topic, item_key(key), line.data, HEADERS)
