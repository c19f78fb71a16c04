"""Events as records of the output topic: JSON, with CloudEvents headers in binary mode."""

from typing import Final

from newsdedup.adapters.event_json import encode
from newsdedup.adapters.kafka_keys import event_key
from newsdedup.adapters.kafka_records import TRACE, Headers, Outgoing
from newsdedup.herald import Event

TYPE_PREFIX: Final = "newsdedup."
CONTENT_TYPE: Final = ("content-type", b"application/json; charset=utf-8")


def event_record(event: Event, *, topic: str, origin: str, trace: bytes | None = None) -> Outgoing:
    """Return the record of an event; `origin` is the `source` of CloudEvents, a URI reference."""
    payload = event.payload
    key = event_key(payload)
    headers: Headers = (
        ("ce_specversion", b"1.0"),
        ("ce_id", payload.event_id.encode()),
        ("ce_type", (TYPE_PREFIX + payload.event).encode()),
        ("ce_source", origin.encode()),
        ("ce_subject", key),
        CONTENT_TYPE,
    )
    if trace is not None:
        headers = (*headers, (TRACE, trace))
    return Outgoing(topic, key, encode(event), headers)
