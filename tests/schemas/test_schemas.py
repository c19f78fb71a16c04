import json
from importlib.resources import files
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from adapters.published import JUDGED, MOVED, RETRACTED, judgements
from adapters.received import LINE, accepted
from newsdedup import InvalidItem, NewsItem
from newsdedup.adapters.formats.event_json import encode_event
from newsdedup.adapters.formats.item_json import FOREIGN_FIELDS, FOREIGN_NAMES, decode_item
from newsdedup.core.events import Event, Judgement
from schemas.generated import json_schemas, schema_files

VALIDATORS = {
    name: Draft202012Validator(schema, format_checker=Draft202012Validator.FORMAT_CHECKER)
    for name, schema in json_schemas().items()
}
EVENTS = {
    "item.judged": Event(JUDGED, LINE),
    "verdict.corrected": Event(
        Judgement(
            **{
                **{name: getattr(JUDGED, name) for name in Judgement.__slots__},
                "event": "verdict.corrected",
                "matched": None,
            }
        ),
        LINE,
    ),
    "item.retracted": Event(RETRACTED),
    "story.original_changed": Event(MOVED),
}


def published(name: str) -> dict[str, Any]:
    fields: dict[str, Any] = json.loads(encode_event(EVENTS[name]))
    return fields


def test_the_committed_schemas_are_the_generated_ones():
    folder = files("newsdedup") / "schemas"
    committed = {
        file.name: file.read_text(encoding="utf-8")
        for file in folder.iterdir()
        if file.name.endswith(".json")
    }
    assert committed == schema_files(), "see schemas/generated.py"


@pytest.mark.parametrize("schema", json_schemas().values(), ids=list(json_schemas()))
def test_each_schema_is_a_schema(schema):
    Draft202012Validator.check_schema(schema)


@pytest.mark.parametrize("name", sorted(EVENTS))
def test_an_event_is_valid_under_its_own_schema_only(name):
    event = published(name)
    valid = {other for other in EVENTS if VALIDATORS[other].is_valid(event)}
    assert valid == {name}


@given(judgements)
def test_any_judgement_is_valid_under_the_schema_of_its_event(said):
    schema = json_schemas()[said.event]
    event = json.loads(encode_event(Event(said, b'{"title":"a"}')))
    assert Draft202012Validator(schema).is_valid(event)


@pytest.mark.parametrize("name", sorted(EVENTS))
def test_an_event_without_any_one_of_its_fields_is_not_valid(name):
    for missing in published(name)["dedup"]:
        event = published(name)
        del event["dedup"][missing]
        assert not VALIDATORS[name].is_valid(event), missing


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("verdict", "copy"),
        ("relation", "same"),
        ("lang", "tlh"),
        ("decided_by", "chance"),
        ("effective_at", 5),
        ("event_id", None),
        ("item", {"id": "1"}),
        ("revision", {"epoch": 0, "n": 1.5}),
        ("terms", [{"term": "мост"}]),
        ("matched", {"source": "a", "id": "1", "score": "high", "evidence": None}),
        ("late", "no"),
        ("format", 2),
    ],
)
def test_a_judgement_with_a_wrong_field_is_not_valid(field, value):
    event = published("item.judged")
    event["dedup"][field] = value
    assert not VALIDATORS["item.judged"].is_valid(event)


def test_a_judgement_may_gain_fields_without_breaking_its_readers():
    event = published("item.judged")
    event["dedup"]["added_later"] = 1
    assert VALIDATORS["item.judged"].is_valid(event)


ONE, TWO = {"source": "a", "id": "1"}, {"id": 2}


@pytest.mark.parametrize(
    "record",
    [
        json.loads(LINE),
        {"title": "a"},
        {"text": "a", "title": None, "published_at": 1736157600},
        {"headline": "a"},
        {"bodies": [{"value": "a"}], "title": ""},
        {"newsdedup": "retract", "id": 1},
        {"newsdedup": "merge", "items": [ONE, TWO], "at": "2025-01-06"},
        {"newsdedup": "split", "item": ONE, "at": 1736157600},
        {"newsdedup": "original", "item": ONE, "at": "2025-01-06"},
    ],
)
def test_an_accepted_record_is_valid(record):
    assert VALIDATORS["input"].is_valid(record)
    assert accepted(json.dumps(record).encode()) is not None


@pytest.mark.parametrize(
    "record",
    [
        [],
        {},
        {"title": "  "},
        {"title": "a", "text": 5},
        {"title": "a" * 10_001},
        {"title": "a", "id": 1.5},
        {"title": "a", "links": "b"},
        {"title": "a", "newsdedup": "rename"},
        {"newsdedup": "retract", "source": "a"},
        {"newsdedup": "merge", "items": [ONE], "at": "2025-01-06"},
        {"newsdedup": "split", "item": ONE},
        {"newsdedup": "original", "item": "1", "at": "2025-01-06"},
    ],
)
def test_a_record_of_the_wrong_shape_is_neither_valid_nor_accepted(record):
    assert not VALIDATORS["input"].is_valid(record)
    assert accepted(json.dumps(record).encode()) is None


said = st.sampled_from(
    [
        None,
        "",
        " ",
        "a",
        "2025-01-06",
        1,
        1.5,
        1736157600,
        True,
        [],
        ["a"],
        ["a", 5],
        {"value": "a"},
    ]
)
own_names = sorted(FOREIGN_FIELDS.keys() | {"seen_at"})


@given(st.dictionaries(st.sampled_from(own_names), said, max_size=4))
def test_what_is_valid_under_our_own_names_is_what_is_accepted_but_for_dates(fields):
    record = {"title": "a", **fields}
    valid = VALIDATORS["input"].is_valid(record)
    try:
        content = decode_item(json.dumps(record).encode())
    except InvalidItem:
        assert not valid
    else:
        # A date of another type is invalid, but costs the date alone.
        assert valid or (isinstance(content, NewsItem) and content.unread_dates)


@given(st.dictionaries(st.sampled_from(sorted(FOREIGN_NAMES)), said, max_size=6))
def test_whatever_is_accepted_under_foreign_names_is_valid(fields):
    if accepted(json.dumps(fields).encode()) is not None:
        assert VALIDATORS["input"].is_valid(fields)


foreign_said = st.sampled_from(
    [
        "a",
        " ",
        "\x1c\x85",
        "nul \0",
        "x" * 2_001,
        2**63,
        -(2**63),
        1.0,
        1.5,
        None,
        [],
        ["a"],
        ["x" * 8_001],
        ["a"] * 1_001,
        [["a"]],
        {"value": "x" * 2_001},
        {"name": "nul \0"},
        {"url": "a", "value": "a", "name": "a", "@id": "x" * 8_001},
        [{"value": "a"}, {"name": "x" * 2_001}],
    ]
)


@given(
    st.dictionaries(st.sampled_from(sorted(FOREIGN_NAMES)), foreign_said, max_size=4),
    st.dictionaries(st.sampled_from(["id", "source", "title", "text"]), foreign_said, max_size=2),
)
def test_whatever_is_valid_under_any_names_is_accepted(foreign, own):
    record = {**foreign, **own}
    if VALIDATORS["input"].is_valid(record):
        assert accepted(json.dumps(record).encode()) is not None


@pytest.mark.parametrize(
    "fields",
    [
        {"id": " "},
        {"id": "a\0"},
        {"id": 2**63},
        {"at": "today"},
        {"at": "2025-02-29"},
        {"at": "1900-02-29"},
        {"at": "1599-12-31"},
        {"at": "2101-01-01"},
        {"at": 5},
    ],
)
def test_a_command_that_is_refused_is_not_valid(fields):
    at = fields.get("at", "2025-01-06")
    record = {"newsdedup": "split", "item": {"id": fields.get("id", "1")}, "at": at}
    assert accepted(json.dumps(record).encode()) is None
    assert not VALIDATORS["input"].is_valid(record)


@pytest.mark.parametrize("at", ["2024-02-29", "2000-02-29T23:59:59+02:00", "2100-12-31T00:00Z"])
def test_a_command_of_any_day_of_the_calendar_is_valid(at):
    record = {"newsdedup": "split", "item": ONE, "at": at}
    assert accepted(json.dumps(record).encode()) is not None
    assert VALIDATORS["input"].is_valid(record)


def test_the_description_of_a_field_is_what_stands_below_it_in_the_types():
    judged = json_schemas()["item.judged"]["$defs"]["Judgement"]["properties"]
    assert judged["terms"]["description"] == "The signature of this version, rare terms first."
