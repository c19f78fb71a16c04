"""Lines of files sorted by event time."""

from dataclasses import asdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsdedup.adapters.files import line_sort
from newsdedup.adapters.files.json_values import InputRecord
from newsdedup.adapters.files.line_sort import LineSubject, sort_lines
from newsdedup.adapters.files.lines import IDLE, Line
from newsdedup.ports.errors import Rejection, SourceUnusable


def line(number, *, file="a.jsonl", data=b"{}"):
    return Line(file, number, offset=number, end=number + 1, data=data, size=len(data))


def sorted_by(subjects, lines):
    about = dict(zip([(one.input, one.number) for one in lines], subjects, strict=True))
    return list(sort_lines(lines, lambda one: LineSubject(*about[one.input, one.number])))


def numbers(lines):
    return [(one.input[0], one.number) for one in lines]


def test_lines_of_several_files_come_in_the_order_of_time():
    lines = [line(1), line(2), line(1, file="b.jsonl"), line(2, file="b.jsonl")]
    found = sorted_by([(b"1", 10), (b"2", 30), (b"3", 20), (b"4", 10)], lines)
    assert numbers(found) == [("a", 1), ("b", 2), ("b", 1), ("a", 2)]


def test_a_line_without_a_time_follows_the_line_before_it_in_its_file():
    lines = [line(1), line(2), line(3), line(1, file="b.jsonl")]
    found = sorted_by([(b"1", 10), (None, None), (b"3", 5), (None, None)], lines)
    assert numbers(found) == [("b", 1), ("a", 3), ("a", 1), ("a", 2)]


def test_lines_about_one_item_keep_their_order():
    lines = [line(1), line(2), line(3)]
    found = sorted_by([(b"one", 30), (b"other", 10), (b"one", None)], lines)
    assert numbers(found) == [("a", 2), ("a", 1), ("a", 3)]


def test_lines_come_out_as_they_went_in():
    rejected = Rejection("bad_csv", "too many cells")
    lines = [
        InputRecord("a.csv", 3, 7, 9, b"\xff\x00", 5, is_half=True, rejection=rejected),
        line(2, data="дані".encode()),
    ]
    found = list(sort_lines([lines[0], IDLE, lines[1]], lambda _: LineSubject(None, None)))
    assert [(type(one), asdict(one)) for one in found] == [
        (type(one), asdict(one)) for one in lines
    ]


@given(
    st.lists(
        st.tuples(
            st.sampled_from([None, b"1", b"2", b"3"]),
            st.one_of(st.none(), st.integers(min_value=-5, max_value=5)),
        )
    )
)
def test_no_line_is_lost_and_none_overtakes_one_about_its_item(subjects):
    lines = [line(number) for number in range(len(subjects))]
    found = [one.number for one in sorted_by(subjects, lines)]
    assert sorted(found) == list(range(len(subjects)))
    for item in (b"1", b"2", b"3"):
        about = [number for number in found if subjects[number][0] == item]
        assert about == sorted(about)


def test_too_little_space_is_reported_with_what_helps(monkeypatch):
    monkeypatch.setattr(line_sort, "_TABLE", "PRAGMA max_page_count = 5;" + line_sort._TABLE)
    lines = [line(number, data=b"x" * 5_000) for number in range(20)]
    with pytest.raises(SourceUnusable, match=r"database or disk is full.*--as-is"):
        sorted_by([(None, None)] * len(lines), lines)
