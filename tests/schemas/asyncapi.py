"""The AsyncAPI 3 document of the topics: what goes in, what comes out, with which headers.

Payloads are references to the JSON Schemas alongside the document.
"""

import json
from typing import Any, Final

from newsdedup.adapters.kafka.delivery import CLOUDEVENT_TYPES
from newsdedup.core.events import EVENT_FORMAT, schema_id

_Json = dict[str, Any]

ASYNCAPI_FILE: Final = "asyncapi.json"
_VERSION: Final = f"{EVENT_FORMAT}.0.0"
_DIALECT: Final = "application/schema+json;version=draft-2020-12"
_JSON_TYPE: Final = "application/json"
_CHANNELS: Final = {
    "input": ("news.raw", "News items and commands, keyed by item."),
    "output": ("news.deduped", "Every item again with its verdict, and what changes later."),
    "dead": ("news.dlq", "Records that could not become items, untouched."),
}
"""Topics by what they are for: their names are settings, these are the defaults."""
_SUMMARIES: Final = {
    "item.judged": "The verdict on one version of an item, with the item.",
    "verdict.corrected": "That verdict, changed by what came later, with the item.",
    "item.retracted": "Its source withdrew the item: nothing of it is kept.",
    "story.original_changed": "A story has another original than was published before.",
}
_TRACES: Final = {
    "traceparent": "W3C Trace Context, copied from the record that brought the event about.",
    "tracestate": "The same.",
}
_ATTRIBUTES: Final = {
    "ce_specversion": "CloudEvents, binary mode.",
    "ce_id": "The same for the same event, however often it is published: `dedup.event_id`.",
    "ce_type": "Which event it is.",
    "ce_source": "/newsdedup/ and the namespace in Redis.",
    "ce_subject": "The key of the record.",
    "ce_dataschema": "The `$id` of the schema of the payload.",
    "content-type": "application/json; charset=utf-8",
}
_CUT: Final = "Names, with commas, of the fields that are not whole: `dedup.cut`."
_DEAD_LETTER: Final = {
    "__connect.errors.topic": "Where the record came from.",
    "__connect.errors.partition": "In digits.",
    "__connect.errors.offset": "In digits; -1 for an event that was never in a topic.",
    "__connect.errors.stage": "VALUE_CONVERTER",
    "__connect.errors.exception.class.name": "newsdedup.InvalidItem",
    "__connect.errors.exception.message": "Why it could not become an item.",
    "kafka_dlt-original-topic": "Where the record came from.",
    "kafka_dlt-original-partition": "Four bytes, big-endian.",
    "kafka_dlt-original-offset": "Eight bytes, big-endian.",
    "kafka_dlt-original-timestamp": "Eight bytes, big-endian: milliseconds since 1970.",
    "kafka_dlt-original-timestamp-type": "CreateTime",
    "kafka_dlt-exception-fqcn": "newsdedup.InvalidItem",
    "kafka_dlt-exception-message": "Why it could not become an item.",
    "newsdedup_code": "The reason in one word, for counting.",
    "newsdedup_own_headers": "How many of the first headers are the sender's.",
    "newsdedup_written_ms": "When the record was written first, in milliseconds since 1970.",
}
_DEAD_LETTER_SOMETIMES: Final = {
    "newsdedup_size": "Bytes the record had; only where not all of it is in the dead letter.",
    "newsdedup_key": "The key of the record.",
    "newsdedup_no_key": "true where the record had none, or it is not in the dead letter.",
    "newsdedup_no_value": "true where the record had no value.",
}
_ITEM_KEY: Final = {
    "type": "array",
    "items": [{"type": "string"}, {"type": "string"}],
    "minItems": 2,
    "maxItems": 2,
    "description": "Source and id of the item, as JSON without spaces.",
}
_DEAD_LETTER_KEY: Final = {
    "description": "The item that the record names, or a hash of it if that is long; else where "
    "the record came from. JSON without spaces.",
    "anyOf": [
        {"type": "array", "items": [{"type": "string"}, {"type": "string"}]},
        {"type": "object", "properties": {"item": {"type": "string"}}, "required": ["item"]},
        {"type": "object", "properties": {"record": {"type": "string"}}, "required": ["record"]},
    ],
}
_STORY_KEY: Final = {
    "type": "object",
    "properties": {"story": {"type": "string"}},
    "required": ["story"],
    "description": "The story, as JSON without spaces.",
}


def asyncapi() -> _Json:
    """Return the document."""
    messages = {
        "item": _incoming(),
        "withdrawal": _withdrawal(),
        **{name: _event(name) for name in CLOUDEVENT_TYPES},
        "dead_letter": _dead_letter(),
        "erasure": _erasure(),
    }
    dead = ["dead_letter", "erasure"]
    inside = {"input": ["item", "withdrawal"], "output": list(CLOUDEVENT_TYPES), "dead": dead}
    return {
        "asyncapi": "3.0.0",
        "id": schema_id("asyncapi"),
        "info": {
            "title": "newsdedup",
            "version": _VERSION,
            "description": "News items in, the same items out: each original or duplicate.",
            "license": {"name": "Apache-2.0"},
        },
        "defaultContentType": _JSON_TYPE,
        "channels": {name: _channel(name, inside[name]) for name in _CHANNELS},
        "operations": {
            "readItems": _operation("receive", "input", inside["input"]),
            "publishEvents": _operation("send", "output", inside["output"]),
            "buryRecords": _operation("send", "dead", dead),
        },
        "components": {"messages": messages},
    }


def asyncapi_text() -> str:
    """Return the document as it is committed."""
    return json.dumps(asyncapi(), indent=2, ensure_ascii=False) + "\n"


def _channel(name: str, messages: list[str]) -> _Json:
    address, about = _CHANNELS[name]
    return {
        "address": address,
        "description": about,
        "messages": {one: {"$ref": f"#/components/messages/{one}"} for one in messages},
    }


def _operation(action: str, channel: str, messages: list[str]) -> _Json:
    return {
        "action": action,
        "channel": {"$ref": f"#/channels/{channel}"},
        "messages": [{"$ref": f"#/channels/{channel}/messages/{one}"} for one in messages],
    }


def _incoming() -> _Json:
    """Return the message of an item, bare, or in an event of CloudEvents in either mode."""
    kind = (
        "application/json; with application/cloudevents+json the item is the `data` of an event in "
        "structured mode."
    )
    headers = {"content-type": kind, **_TRACES}
    return {
        "title": "An item or a command",
        "summary": "The key is not read, but keeps what is said about one item in its order.",
        "contentType": _JSON_TYPE,
        "headers": _headers({}, headers),
        "payload": _reference("input"),
        "bindings": _key_binding(_ITEM_KEY),
    }


def _withdrawal() -> _Json:
    return {
        "title": "A withdrawal",
        "summary": "A record without a value withdraws the item that its key names.",
        "headers": _headers({}, _TRACES),
        "payload": {"type": "null"},
        "bindings": _key_binding(_ITEM_KEY),
    }


def _event(name: str) -> _Json:
    headers = _headers(_ATTRIBUTES, {**_TRACES, "newsdedup_cut": _CUT})
    headers["properties"]["ce_specversion"]["const"] = "1.0"
    headers["properties"]["ce_type"]["const"] = CLOUDEVENT_TYPES[name]
    headers["properties"]["ce_dataschema"]["const"] = schema_id(name)
    return {
        "name": CLOUDEVENT_TYPES[name],
        "title": name,
        "summary": _SUMMARIES[name],
        "contentType": _JSON_TYPE,
        "headers": headers,
        "payload": _reference(name),
        "bindings": _key_binding(_STORY_KEY if name == "story.original_changed" else _ITEM_KEY),
    }


def _dead_letter() -> _Json:
    return {
        "title": "A dead letter",
        "summary": "The value is that of the record; its own headers come first.",
        "contentType": "application/octet-stream",
        "headers": _headers(_DEAD_LETTER, _DEAD_LETTER_SOMETIMES),
        "payload": {"description": "Whatever bytes were received, or none."},
        "bindings": _key_binding(_DEAD_LETTER_KEY),
    }


def _erasure() -> _Json:
    return {
        "title": "An erasure",
        "summary": "The item was withdrawn: dead letters of the same key before it are erased.",
        "headers": _headers({"newsdedup_erased": "true"}, {}),
        "payload": {"type": "null"},
        "bindings": _key_binding(_DEAD_LETTER_KEY),
    }


def _headers(always: dict[str, str], sometimes: dict[str, str]) -> _Json:
    properties = {
        name: {"type": "string", "description": about}
        for name, about in {**always, **sometimes}.items()
    }
    schema: _Json = {"type": "object", "properties": properties}
    return {**schema, "required": list(always)} if always else schema


def _reference(name: str) -> _Json:
    return {"schemaFormat": _DIALECT, "schema": {"$ref": f"./{name}.json"}}


def _key_binding(key: _Json) -> _Json:
    return {"kafka": {"key": key, "bindingVersion": "0.5.0"}}
