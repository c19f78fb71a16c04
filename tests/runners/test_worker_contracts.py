"""What a worker reads and writes, header by header: one run over records of every kind."""

import base64
import json

import pytest
from jsonschema import Draft202012Validator

from newsdedup.adapters.kafka.dead_letters import decode_topic_dead_letter
from newsdedup.adapters.kafka.records import ReceivedRecord
from runners.streaming import Stream, ended
from schemas.asyncapi import asyncapi
from schemas.generated import json_schemas

TRACE = b"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
STRUCTURED = [("content-type", b"application/cloudevents+json; charset=utf-8")]
HEADERS = asyncapi()["components"]["messages"]
BRIDGE = "The bridge over the river Velna in Marstad reopened on Monday after a repair that took "
REPORT = BRIDGE + "14 months and cost 32 million crowns, mayor Ida Holm said."


def item(source, name, hour, text=REPORT, **fields):
    at = f"2026-03-02T{hour:02}:00:00Z"
    return {
        "source": source,
        "id": name,
        "published_at": at,
        "title": "Bridge",
        "text": text,
    } | fields


LATER = item("daily.example", "7", 11)
EARLIER = item("agency.example", "9", 9)
LONG = item("long.example", "1", 12, "Весна ремонт метро трамвай. " * 2_000)
ENVELOPE = {
    "specversion": "1.0",
    "id": "e-1",
    "source": "/crawler",
    "type": "news.found",
    "traceparent": TRACE.decode(),
    "data": EARLIER,
}
PACKED = {name: said for name, said in ENVELOPE.items() if name != "data"} | {
    "data_base64": base64.b64encode(b'{"title":"").').decode()
}
STRANGER = b'{"newsdedup":"split","item":{"source":"x","id":"0"},"at":"2026-03-02"}'
NAMED = b'["daily.example","7"]'


@pytest.fixture(scope="module", params=["faust", "aiokafka"])
def stream(request, kafka, redis, tmp_path_factory):
    """A stream over which a worker has gone; its records are in one partition, in their order."""
    made = Stream(kafka, redis, tmp_path_factory.mktemp("contracts"), partitions=1)
    made.produce([LATER], headers=[("traceparent", TRACE), ("tracestate", b"a=1")])
    made.produce([ENVELOPE], headers=STRUCTURED)
    made.produce([PACKED], headers=STRUCTURED)
    made.produce([b"\xff{", LONG, STRANGER])
    made.produce([None], key=lambda _: b"no item", headers=[("own", b"\x00\xff")])
    made.produce([None], key=lambda _: NAMED)
    with made.worker(runner=request.param, kafka__message_bytes="20KiB") as process:
        made.until(
            lambda events: any(one.kind == "item.retracted" for one in map(PublishedEvent, events))
        )
        made.until(lambda dead_letters: len(dead_letters) >= 5, topic=made.dead)
        assert ended(process) == 0, made.logs()
    return made


class PublishedEvent:
    """An event and what its headers say."""

    def __init__(self, event):
        self.headers = event.headers
        self.value = event.value
        self.key = event.key
        self.kind = event.dedup["event"]


@pytest.fixture(scope="module")
def events(stream):
    return [PublishedEvent(event) for event in stream.read(stream.output)]


def test_every_kind_of_event_comes_out(events):
    assert {event.kind for event in events} == {
        "item.judged",
        "verdict.corrected",
        "story.original_changed",
        "item.retracted",
    }


def test_every_event_is_valid_under_the_schema_that_its_header_names(events):
    known = {schema["$id"]: schema for schema in json_schemas().values()}
    for event in events:
        schema = known[event.headers["ce_dataschema"].decode()]
        Draft202012Validator(schema).validate(event.value)


def test_every_event_has_the_headers_of_cloud_events(events, stream):
    for event in events:
        headers = {name: value.decode() for name, value in event.headers.items()}
        Draft202012Validator(HEADERS[event.kind]["headers"]).validate(headers)
        assert headers["ce_id"] == event.value["dedup"]["event_id"]
        assert headers["ce_source"] == f"/newsdedup/{stream.name}"
        assert event.headers["ce_subject"] == event.key


def test_the_trace_of_a_record_is_on_all_that_it_brings_about(events):
    by_item = [event for event in events if "9" in event.value["dedup"].get("item", {}).values()]
    assert by_item[0].headers["traceparent"] == TRACE
    corrected = [event for event in events if event.kind == "verdict.corrected"]
    # The item in the envelope, older than the first one, has taken the story over.
    assert corrected[0].headers["traceparent"] == TRACE
    assert "tracestate" not in corrected[0].headers
    assert events[0].headers["tracestate"] == b"a=1"
    retracted = [event for event in events if event.kind == "item.retracted"]
    assert "traceparent" not in retracted[0].headers


def test_the_item_of_an_envelope_goes_out_as_it_would_have_come_bare(events):
    (event,) = [one.value for one in events if one.kind == "item.judged" and one.value["id"] == "9"]
    assert {name: event[name] for name in EARLIER} == EARLIER
    assert event.keys() == {*EARLIER, "dedup"}


def test_an_item_that_is_too_large_goes_out_with_its_text_cut(events):
    (reported,) = [event for event in events if event.value.get("source") == "long.example"]
    assert reported.headers["newsdedup_cut"] == b"text"
    assert reported.value["dedup"]["cut"] == ["text"]
    assert LONG["text"].startswith(reported.value["text"])
    assert 9_000 < len(reported.value["text"]) < 20_480


def test_dead_letters_hold_what_was_sent_and_why_it_failed(stream):
    dead_letters = {one.code: one for one in map(read, stream.read(stream.dead)) if one.at >= 0}
    assert set(dead_letters) == {"not_json", "not_utf8", "unknown_item", "bad_key"}
    assert dead_letters["not_utf8"].value == b"\xff{"
    assert dead_letters["not_json"].headers == tuple(STRUCTURED)
    assert json.loads(dead_letters["not_json"].value) == PACKED
    assert (dead_letters["bad_key"].key, dead_letters["bad_key"].value) == (b"no item", None)
    assert dead_letters["bad_key"].headers == (("own", b"\x00\xff"),)
    assert {one.input for one in dead_letters.values()} == {f"{stream.input}/0"}
    assert sorted(one.at for one in dead_letters.values()) == [2, 3, 5, 6]


def test_a_withdrawal_erases_the_dead_letters_of_its_item(stream):
    (erasure,) = [one for one in stream.read(stream.dead) if "newsdedup_erased" in one.headers]
    assert (erasure.key, erasure.value) == (NAMED, {"bytes": None})


def read(event):
    value = event.value
    data = value["bytes"] if value and set(value) == {"bytes"} else value
    data = data if data is None or isinstance(data, bytes) else json.dumps(data).encode()
    return decode_topic_dead_letter(
        ReceivedRecord("dlq", 0, 0, event.key, data, tuple(event.headers.items()), 1)
    )
