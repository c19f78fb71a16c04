import json
import sys

from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from adapters.published import JUDGED, MOVED, RETRACTED, judgements
from newsdedup.adapters.formats.event_json import encode_event, shorten_event
from newsdedup.adapters.kafka.delivery import CUT_HEADER, event_record, fitting_record
from newsdedup.core.events import Event
from schemas.generated import json_schemas

LONG = {"id": "1", "source": "ria.ru", "title": "Мост", "text": 'Ё\n"\\😀 ' * 4000, "views": 3}
BARE = len(encode_event(Event(JUDGED, b'{"id":"1"}')))
WHERE = {"topic": "out", "origin": "/newsdedup/news"}
texts = st.text(st.characters(codec="utf-8"), max_size=300)
values = st.recursive(st.none() | texts | st.integers(), lambda inner: st.lists(inner, max_size=3))
items = st.dictionaries(texts, values, max_size=6)


def event(item, said=JUDGED):
    return Event(said, json.dumps(item, ensure_ascii=False).encode())


@given(judgements, items, st.integers(0, 6_000))
def test_what_is_cut_fits_and_says_what_is_not_whole(said, item, most):
    whole = event(item, said)
    cut = shorten_event(whole, most=most)
    if cut is None:
        assert len(encode_event(whole)) > most
        return
    content = json.loads(encode_event(cut))
    assert len(encode_event(cut)) <= most
    names = content.pop("dedup").get("cut", [])
    item.pop("dedup", None)
    assert content.keys() == item.keys()
    assert {name for name in content if content[name] != item[name]} <= set(names)
    assert all(content[name] is None or item[name].startswith(content[name]) for name in names)


def test_the_longest_field_is_cut_and_nearly_all_of_the_room_is_used():
    cut = shorten_event(event(LONG), most=BARE + 10_000)
    assert cut is not None
    content = json.loads(encode_event(cut))
    assert content["dedup"]["cut"] == ["text"]
    assert LONG["text"].startswith(content["text"])
    assert BARE + 9_900 <= len(encode_event(cut)) <= BARE + 10_000
    assert {name: content[name] for name in ("id", "source", "title", "views")} == {
        name: LONG[name] for name in ("id", "source", "title", "views")
    }


def test_a_list_that_is_the_longest_becomes_null():
    cut = shorten_event(event({"title": "a", "bodies": [{"value": "x" * 9000}]}), most=BARE + 1_000)
    assert cut is not None
    assert json.loads(encode_event(cut))["bodies"] is None


def test_the_same_event_is_always_cut_to_the_same_bytes():
    cut = [shorten_event(event(LONG), most=BARE + 5_000) for _ in range(2)]
    assert cut[0] is not None
    assert cut[1] is not None
    assert encode_event(cut[0]) == encode_event(cut[1])


def test_what_the_source_wrote_with_spaces_may_fit_without_a_cut():
    spaced = Event(JUDGED, b'{"id": "1"' + b" " * 500 + b"}")
    cut = shorten_event(spaced, most=BARE + 50)
    assert cut is not None
    assert "cut" not in json.loads(encode_event(cut))["dedup"]


def test_an_event_whose_verdict_alone_is_too_large_is_not_cut():
    assert shorten_event(event(LONG), most=100) is None
    assert shorten_event(Event(RETRACTED), most=10) is None
    assert shorten_event(Event(MOVED), most=10) is None


def test_the_work_of_cutting_grows_with_the_number_of_fields_and_not_with_its_square():
    def calls(fields):
        """Return how many functions are called to cut an item of so many fields."""
        whole = event({f"f{number}": "x" * 20 for number in range(fields)})
        names = []
        sys.setprofile(lambda _, kind, __: names.append(kind))
        try:
            assert shorten_event(whole, most=BARE) is None
        finally:
            sys.setprofile(None)
        return len(names)

    assert calls(800) < 5 * calls(200)


def test_a_record_that_fits_is_left_as_it_is():
    whole = event(LONG)
    assert fitting_record(whole, most=10**6, **WHERE) == event_record(whole, **WHERE)


@given(st.integers(3_000, 40_000))
def test_a_cut_record_fits_with_its_headers_and_says_so_in_one(most):
    record = fitting_record(event(LONG), most=most, **WHERE)
    assert record is not None
    assert record.size <= most
    assert dict(record.headers)[CUT_HEADER] == b"text"


@given(st.integers(3_000, 40_000), st.integers(0, 700))
def test_an_event_has_the_same_body_with_traces_and_without(most, length):
    traces = (("traceparent", b"t" * 55), ("tracestate", b"s" * length))
    bare, traced = (
        fitting_record(event(LONG), most=most, traces=it, **WHERE) for it in ((), traces)
    )
    assert bare is not None
    assert traced is not None
    assert traced.value == bare.value
    assert traced.size <= most
    assert length > 512 or dict(traced.headers)["traceparent"] == b"t" * 55


def test_a_cut_event_is_valid_under_the_schema():
    record = fitting_record(event(LONG), most=5_000, **WHERE)
    assert record is not None
    Draft202012Validator(json_schemas()["item.judged"]).validate(json.loads(record.value or b""))
