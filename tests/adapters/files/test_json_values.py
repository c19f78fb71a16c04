"""Objects of JSON that stand in an array, or over many lines."""

import json
from itertools import islice, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsdedup.adapters.files.json_values import InputRecord, split_values
from newsdedup.adapters.files.lines import IDLE, LONG_LINE_BYTES, Idle

texts = st.text(st.sampled_from('ab"\\[]{},:\n é'), max_size=8)
values = st.recursive(
    texts | st.integers() | st.none(),
    lambda one: st.lists(one, max_size=3) | st.dictionaries(texts, one, max_size=3),
    max_leaves=6,
)
objects = st.dictionaries(texts, values, max_size=3)
lists_of_objects = st.lists(objects, max_size=5)


def split(
    content: bytes, *cuts: int, offset: int = 0, number: int = 0, limit: int = 10**6
) -> list[InputRecord | Idle]:
    edges = [offset, *sorted(cut for cut in cuts if offset < cut < len(content)), len(content)]
    parts = [content[begin:end] for begin, end in pairwise(edges)]
    chunks = iter([part for part in parts if part] + [b""])
    return list(
        split_values(lambda: next(chunks), name="a.json", offset=offset, number=number, limit=limit)
    )


def records(*args: object, **named: int) -> list[InputRecord]:
    return [one for one in split(*args, **named) if isinstance(one, InputRecord)]  # type: ignore[arg-type]


@given(lists_of_objects, st.sampled_from([None, 2]), st.lists(st.integers(0, 400), max_size=3))
def test_the_elements_of_an_array_are_found_wherever_it_is_cut(items, indent, cuts):
    content = json.dumps(items, indent=indent, ensure_ascii=False).encode()
    found = records(content, *cuts)
    assert [json.loads(one.data) for one in found] == items
    assert [one.number for one in found] == list(range(1, len(items) + 1))
    assert all(content[one.offset : one.end] == one.data for one in found)
    assert not any(one.is_open for one in found)


@given(st.lists(objects, min_size=1, max_size=5), st.sampled_from([None, 2]), st.data())
def test_reading_goes_on_behind_any_element(items, indent, data):
    content = json.dumps(items, indent=indent).encode()
    found = records(content)
    after = data.draw(st.sampled_from(found))
    assert records(content, offset=after.end, number=after.number) == found[after.number :]


@given(lists_of_objects, st.sampled_from(["", "\n", "  \n"]))
def test_objects_one_behind_the_other_are_found_alike(items, between):
    content = between.join(json.dumps(item, indent=1) for item in items).encode()
    assert [json.loads(one.data) for one in records(content)] == items


@given(st.binary(max_size=60), st.lists(st.integers(0, 60), max_size=3))
def test_any_bytes_are_split_alike_wherever_they_are_cut(content, cuts):
    assert split(content, *cuts) == split(content)


def test_an_array_that_ends_within_an_element_leaves_that_open():
    whole, half = records(b'[{"title": "a"},\n {"title": "b')
    assert (whole.is_open, half.is_open) == (False, True)
    assert half.data == b'{"title": "b'


@pytest.mark.parametrize("content", [b"", b"[]", b" [ \n ] \n", b"\xef\xbb\xbf[]"])
def test_an_empty_array_has_no_elements(content):
    assert records(content) == []


def test_a_byte_order_mark_is_no_element():
    assert [one.data for one in records(b'\xef\xbb\xbf[{"title": "a"}]')] == [b'{"title": "a"}']


def test_what_is_no_object_is_a_record_that_cannot_be_decoded():
    found = records(b'[{"a": 1}, 5, "text", {"b": 2}]')
    assert [one.data for one in found] == [b'{"a": 1}', b"5", b'"text"', b'{"b": 2}']


def test_an_object_beyond_the_limit_is_cut_and_the_next_one_whole():
    long = b'{"title": "' + b"a" * 200_000 + b'"}'
    cut, whole = records(b"[" + long + b', {"title": "b"}]', 70_000, 150_000, limit=100_000)
    assert (cut.size, len(cut.data)) == (len(long), LONG_LINE_BYTES)
    assert whole.data == b'{"title": "b"}'


def test_silence_is_passed_on():
    chunks = iter([b'[{"title": ', None, b'"a"}', b""])
    found = list(islice(split_values(lambda: next(chunks), name="-", limit=100), 5))
    assert found[0] is IDLE
    assert isinstance(found[1], InputRecord)
