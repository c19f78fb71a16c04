"""Events as records of the output topic: JSON, with CloudEvents 1.0 headers in binary mode."""

from functools import cache
from typing import Final

from msgspec import UNSET

from newsdedup.adapters.formats.event_cut import shortened
from newsdedup.adapters.formats.event_json import encode
from newsdedup.adapters.kafka.keys import event_key
from newsdedup.adapters.kafka.records import Headers, Outgoing
from newsdedup.core.events import Event, Judgement, schema_id

TYPES: Final = {
    "item.judged": "newsdedup.item.judged",
    "verdict.corrected": "newsdedup.verdict.corrected",
    "item.retracted": "newsdedup.item.retracted",
    "story.original_changed": "newsdedup.story.original_changed",
}
"""What CloudEvents calls our events: never another name for what is the same."""
SPECVERSION: Final = ("ce_specversion", b"1.0")
CONTENT_TYPE: Final = ("content-type", b"application/json; charset=utf-8")
TRACES_ROOM: Final = 640
"""Bytes kept free for traces: 55 of `traceparent` and 512 of `tracestate`, as W3C asks for."""
CUT: Final = "newsdedup_cut"
"""The header that names the fields of the item that are not whole."""


def event_record(event: Event, *, topic: str, origin: str, traces: Headers = ()) -> Outgoing:
    """Return the record of an event; `origin` is the `source` of CloudEvents, a URI reference."""
    payload = event.payload
    key = event_key(payload)
    of_type, of_source, of_schema = _of_kind(payload.event, origin)
    headers: Headers = (
        SPECVERSION,
        ("ce_id", payload.event_id.encode()),
        of_type,
        of_source,
        ("ce_subject", key),
        of_schema,
        CONTENT_TYPE,
        *traces,
    )
    if isinstance(payload, Judgement) and payload.cut is not UNSET:
        headers = (*headers, (CUT, ",".join(payload.cut).encode()))
    return Outgoing(topic, key, encode(event), headers)


def fitting_record(
    event: Event, *, most: int, topic: str, origin: str, traces: Headers = ()
) -> Outgoing | None:
    """Return a record of at most so many bytes, its item cut if it must be; None if none can be.

    What is cut hangs on the event alone: published again for a dead worker it has no traces, and
    must have the same body.
    """
    room = most - TRACES_ROOM
    record = event_record(event, topic=topic, origin=origin)
    size = record.size
    left = room - size + len(record.value or b"")
    while size > room:
        cut = shortened(event, most=left)
        if cut is None:
            return None
        record = event_record(cut, topic=topic, origin=origin)
        # The header of a cut record has taken some of the room.
        size = record.size
        left -= size - room
    told = record._replace(headers=(*record.headers, *traces))
    return told if told.size <= most else record


@cache
def _of_kind(event: str, origin: str) -> Headers:
    """Return the headers that all events of one kind and origin have."""
    return (
        ("ce_type", TYPES[event].encode()),
        ("ce_source", origin.encode()),
        ("ce_dataschema", schema_id(event).encode()),
    )
