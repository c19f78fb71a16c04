"""What any release has published is read by today's readers, and valid under today's schemas."""

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

import newsdedup
from newsdedup.adapters.kafka.delivery import CLOUDEVENT_TYPES
from newsdedup.adapters.kafka.events import decode_event_record
from newsdedup.adapters.kafka.records import ReceivedRecord, event_key
from schemas.asyncapi import asyncapi
from schemas.generated import json_schemas

FOLDER = Path(__file__).parents[1] / "fixtures" / "events"
FIXTURES = sorted(FOLDER.glob("*/*.json"))
SCHEMAS = json_schemas()
HEADERS = {name: asyncapi()["components"]["messages"][name]["headers"] for name in CLOUDEVENT_TYPES}


def validator(schema):
    return Draft202012Validator(schema, format_checker=Draft202012Validator.FORMAT_CHECKER)


@pytest.fixture(params=FIXTURES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def released(request):
    return json.loads(request.param.read_text("utf-8"))


def test_an_event_of_a_release_is_valid_under_the_schema_of_today(released):
    validator(SCHEMAS[released["value"]["dedup"]["event"]]).validate(released["value"])


def test_the_headers_of_a_release_are_those_of_today(released):
    validator(HEADERS[released["value"]["dedup"]["event"]]).validate(released["headers"])


def test_an_event_of_a_release_is_read_by_the_reader_of_today(released):
    value = json.dumps(released["value"], ensure_ascii=False, separators=(",", ":")).encode()
    found = decode_event_record(ReceivedRecord("out", 0, 0, released["key"].encode(), value))
    assert found is not None
    assert found.payload.event_id == released["headers"]["ce_id"]
    assert event_key(found.payload) == released["key"].encode()


@pytest.mark.parametrize("version", sorted({path.parent.name for path in FIXTURES}))
def test_a_release_has_a_fixture_of_every_kind_of_event(version):
    values = [json.loads(path.read_text("utf-8"))["value"] for path in FOLDER.glob(f"{version}/*")]
    assert {value["dedup"]["event"] for value in values} == CLOUDEVENT_TYPES.keys()
    assert any("cut" in value["dedup"] for value in values)


def test_this_version_has_its_fixtures():
    assert (FOLDER / newsdedup.__version__).is_dir(), "see tests/fixtures/record_events.py"
