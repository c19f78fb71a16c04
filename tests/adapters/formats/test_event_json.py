import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.published import JUDGED, MOVED, RETRACTED, judgements
from newsdedup.adapters.formats.event_json import decode_judgement, encode_event, encode_judgement
from newsdedup.core.events import Event
from newsdedup.ports.errors import StateUnusable

DEDUP = encode_judgement(JUDGED)


def line(received: bytes) -> bytes:
    return encode_event(Event(JUDGED, received))


def test_an_item_goes_out_byte_for_byte_with_its_verdict_behind():
    received = '{"id": "1",  "title":"\\u041cост", "n":1.0e400, "x":{"dedup":1}, "n":-0}'.encode()
    assert line(received) == received[:-1] + b',"dedup":' + DEDUP + b"}"


def test_white_space_and_a_byte_order_mark_around_an_item_are_left_out():
    assert line(b'\xef\xbb\xbf {"a":1 } \r') == b'{"a":1 ,"dedup":' + DEDUP + b"}"


def test_an_item_over_several_lines_goes_out_as_one():
    received = b'{\r\n  "a": [1e5,\n 12345678901234567890123],\n  "b": "c\\n  d"\n}\n'
    front = b'{"a":[1e5,12345678901234567890123],"b":"c\\n  d"'
    assert line(received) == front + b',"dedup":' + DEDUP + b"}"


@pytest.mark.parametrize("name", [b"dedup", b"\\u0064edup", b"d\\u0065d\\u0075p"])
def test_an_earlier_verdict_is_replaced_however_its_name_is_spelled(name):
    received = b'{"a":1.50,"' + name + b'":{"old":[1]},"b":"\\u0441"}'
    assert line(received) == b'{"a":1.50,"b":"\\u0441","dedup":' + DEDUP + b"}"


def test_an_earlier_verdict_that_was_all_there_was_leaves_nothing_else():
    assert line(b'{"dedup":null}') == b'{"dedup":' + DEDUP + b"}"


def test_the_word_dedup_elsewhere_is_no_earlier_verdict():
    received = b'{"title":"dedup","x":{"dedup":1},"y":["dedup"]}'
    assert line(received).startswith(received[:-1] + b",")


def test_an_object_without_fields_gets_no_stray_comma():
    assert line(b"{ }") == b'{ "dedup":' + DEDUP + b"}"


def test_an_item_of_the_library_has_a_verdict_alone():
    assert line(b"") == b'{"dedup":' + DEDUP + b"}"


def test_published_twice_an_event_is_the_same_bytes():
    once = line(b'{"a":1}')
    assert line(once) == once


def test_a_retraction_carries_no_item():
    published = json.loads(encode_event(Event(RETRACTED, b'{"title":"a"}')))
    assert published["dedup"]["event"] == "item.retracted"
    assert list(published) == ["dedup"]


def test_a_change_of_original_carries_no_item():
    published = json.loads(encode_event(Event(MOVED)))
    assert published["dedup"] == {
        "event_id": "0f" * 16,
        "story": "2d" * 16,
        "original": {"source": "a", "id": "1"},
        "previous": {"source": "b", "id": "2"},
        "event": "story.original_changed",
        "format": 1,
    }


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(codec="utf-8")),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(st.characters(codec="utf-8"), max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)
received_objects = st.dictionaries(
    st.sampled_from(["title", "dedup", "x"]) | st.text(st.characters(codec="utf-8"), max_size=5),
    json_values,
    max_size=5,
)


@given(received_objects, judgements, st.booleans(), st.sampled_from([None, 2]))
def test_any_item_goes_out_on_one_line_with_all_its_fields_and_its_verdict(
    fields, said, ascii_only, indent
):
    received = json.dumps(fields, ensure_ascii=ascii_only, indent=indent).encode()
    published = encode_event(Event(said, received))
    assert not {b"\n", b"\r"} & {published[i : i + 1] for i in range(len(published))}
    verdict = json.loads(encode_judgement(said))
    assert json.loads(published) == {**fields, "dedup": verdict}
    assert list(json.loads(published))[-1] == "dedup"


@given(judgements)
def test_a_judgement_comes_back_from_the_ledger_as_it_was(said):
    assert decode_judgement(encode_judgement(said)) == said
    assert encode_judgement(decode_judgement(encode_judgement(said))) == encode_judgement(said)


@pytest.mark.parametrize("data", [b"", b"{}", b"\xff", DEDUP[:-1], DEDUP.replace(b"ru", b"xx")])
def test_a_damaged_judgement_makes_the_state_unusable(data):
    with pytest.raises(StateUnusable, match="damaged"):
        decode_judgement(data)


def test_a_judgement_of_another_format_makes_the_state_unusable():
    newer = msgspec.json.decode(DEDUP) | {"format": 2}
    with pytest.raises(StateUnusable):
        decode_judgement(msgspec.json.encode(newer))
