import json
from importlib.resources import files
from pathlib import Path

import pytest
from jsonschema import Draft7Validator

from adapters.published import JUDGED, MOVED, RETRACTED
from newsdedup.adapters.formats.event_json import shorten_event
from newsdedup.adapters.kafka.dead_letters import dead_letter_record
from newsdedup.adapters.kafka.delivery import CLOUDEVENT_TYPES, event_record
from newsdedup.adapters.kafka.records import ReceivedRecord
from newsdedup.config import Settings
from newsdedup.core.events import Event
from newsdedup.ports.errors import Rejection
from schemas.asyncapi import _CHANNELS, _DEAD_LETTER_SOMETIMES, asyncapi

DOCUMENT = asyncapi()
MESSAGES = DOCUMENT["components"]["messages"]
FOLDER = files("newsdedup") / "schemas"
TRACES = (("traceparent", b"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"),)


def references(value):
    """Yield whatever the document refers to."""
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        for inner in value.values():
            yield from references(inner)
    if isinstance(value, list):
        for inner in value:
            yield from references(inner)


def resolved(reference):
    target = DOCUMENT
    for part in reference.removeprefix("#/").split("/"):
        target = target[part]
    return target


def texts(headers):
    return {name: value.decode("utf-8", "replace") for name, value in headers}


def test_the_document_has_what_asyncapi_3_asks_for():
    assert DOCUMENT["asyncapi"] == "3.0.0"
    assert {"title", "version"} <= DOCUMENT["info"].keys()
    known = {"asyncapi", "id", "info", "defaultContentType", "channels", "operations", "components"}
    assert DOCUMENT.keys() <= known
    for channel in DOCUMENT["channels"].values():
        assert channel.keys() <= {"address", "description", "messages"}
    for operation in DOCUMENT["operations"].values():
        assert operation["action"] in ("send", "receive")
        assert set(operation) == {"action", "channel", "messages"}


def test_the_messages_of_an_operation_are_those_of_its_channel():
    for operation in DOCUMENT["operations"].values():
        channel = operation["channel"]["$ref"]
        expected = {f"{channel}/messages/{name}" for name in resolved(channel)["messages"]}
        assert {message["$ref"] for message in operation["messages"]} == expected


@pytest.mark.parametrize("reference", sorted(set(references(DOCUMENT))))
def test_every_reference_leads_somewhere(reference):
    if reference.startswith("#/"):
        assert resolved(reference)
    else:
        schema = json.loads((FOLDER / Path(reference).name).read_text("utf-8"))
        assert schema["$schema"].endswith("2020-12/schema")


def test_the_channels_are_the_topics_of_the_settings():
    chosen = Settings().kafka
    addresses = {name: address for name, (address, _) in _CHANNELS.items()}
    assert addresses == {"input": chosen.input, "output": chosen.output, "dead": chosen.dead}


@pytest.mark.parametrize("payload", [JUDGED, RETRACTED, MOVED], ids=lambda said: said.event)
def test_the_headers_of_an_event_are_those_of_the_document(payload):
    event = Event(payload, b'{"title":"a"}')
    record = event_record(event, topic="out", origin="/newsdedup/news", traces=TRACES)
    schema = MESSAGES[payload.event]["headers"]
    Draft7Validator(schema).validate(texts(record.headers))
    assert dict(record.headers).keys() <= schema["properties"].keys()
    assert (
        texts(record.headers)["ce_dataschema"]
        == json.loads((FOLDER / f"{payload.event}.json").read_text("utf-8"))["$id"]
    )


def test_the_header_of_a_cut_event_is_in_the_document():
    cut = shorten_event(Event(JUDGED, b'{"text":"%s"}' % (b"x" * 5_000)), most=3_000)
    assert cut is not None
    record = event_record(cut, topic="out", origin="/newsdedup/news")
    assert dict(record.headers).keys() <= MESSAGES["item.judged"]["headers"]["properties"].keys()
    assert "newsdedup_cut" in dict(record.headers)


@pytest.mark.parametrize(
    "record",
    [
        ReceivedRecord("in", 0, 1, b"k", b"{"),
        ReceivedRecord("in", 0, 1, None, None),
        ReceivedRecord("in", 0, 1, b"k", b"x" * 5_000),
    ],
    ids=["whole", "empty", "cut"],
)
def test_the_headers_of_a_dead_letter_are_those_of_the_document(record):
    dead_letter = dead_letter_record(record, Rejection("not_json", "no"), topic="dlq", most=2_000)
    schema = MESSAGES["dead_letter"]["headers"]
    assert dict(dead_letter.headers).keys() <= schema["properties"].keys()
    assert set(schema["required"]) <= dict(dead_letter.headers).keys()
    assert schema["properties"].keys() - set(schema["required"]) == _DEAD_LETTER_SOMETIMES.keys()


@pytest.mark.parametrize(
    ("payload", "key"), [(JUDGED, ["ria.ru", "2"]), (MOVED, {"story": "2d" * 16})]
)
def test_the_key_of_a_record_is_the_one_of_the_document(payload, key):
    record = event_record(Event(payload, b"{}"), topic="out", origin="/newsdedup/news")
    reported = json.loads(record.key or b"")
    assert reported == key
    binding = MESSAGES[payload.event]["bindings"]["kafka"]
    Draft7Validator(binding["key"]).validate(reported)


def test_there_is_a_message_for_every_kind_of_event():
    assert DOCUMENT["channels"]["output"]["messages"].keys() == CLOUDEVENT_TYPES.keys()
    assert {name: f"newsdedup.{name}" for name in CLOUDEVENT_TYPES} == CLOUDEVENT_TYPES
