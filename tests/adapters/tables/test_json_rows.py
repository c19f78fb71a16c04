import pytest

from newsdedup.adapters.files.lines import IDLE, split_lines
from newsdedup.adapters.formats.json_object import LIMITS, Limits
from newsdedup.adapters.tables.columns import ColumnMap
from newsdedup.adapters.tables.input_records import _SHAPES, read_json_lines
from newsdedup.adapters.tables.rows import BadTableRow, TableRow
from newsdedup.ports.errors import SourceUnusable


def rows_of(content: bytes, *, limits=LIMITS, **said):
    parts = iter([content, b""])
    found = split_lines(lambda: next(parts), name="n.jsonl", limit=limits.line_bytes)
    return list(read_json_lines("n.jsonl", [IDLE, *found], ColumnMap(said), limits=limits))


def codes(content: bytes, **given):
    return [row.code for row in rows_of(content, **given) if isinstance(row, BadTableRow)]


def test_objects_are_rows_and_blank_lines_are_none():
    assert rows_of(b'{"title":"a"}\n\n \n{"headline":"b","n":1}') == [
        TableRow("n.jsonl", 0, {"title": "a"}, line=1),
        TableRow("n.jsonl", 1, {"title": "b"}, line=4),
    ]


def test_what_the_user_says_of_columns_holds():
    [row] = rows_of(b'{"kicker":"a","title":"b"}', title="kicker")
    assert isinstance(row, TableRow)
    assert row.fields == {"title": "a"}


def test_bad_lines_are_reported_with_their_position():
    bad, good = rows_of(b'\n{"title":\n{"title":"a"}\n')
    assert isinstance(bad, BadTableRow)
    assert (bad.row, bad.line, bad.code) == (0, 2, "not_json")
    assert isinstance(good, TableRow)
    assert (good.number, good.line) == (1, 3)


def test_a_command_is_refused_for_it_belongs_to_a_stream():
    assert codes(b'{"newsdedup":"retract","id":"1"}') == ["command"]


def test_an_object_with_nothing_to_read_names_what_it_has():
    [row] = rows_of(b'{"id":1,"kicker":"a"}')
    assert isinstance(row, BadTableRow)
    assert row.code == "no_text"
    assert "id, kicker" in row.reason


def test_a_line_beyond_the_limit_is_refused():
    assert codes(b'{"title":"' + b"a" * 100 + b'"}', limits=Limits(line_bytes=50)) == ["too_long"]


def test_one_json_array_is_refused_with_advice():
    with pytest.raises(SourceUnusable, match=r"jq -c '\.\[\]'"):
        rows_of(b' [{"title":"a"},\n{"title":"b"}]')


def test_more_shapes_than_are_remembered_are_read_alike():
    content = b"".join(b'{"title":"a","n%d":1}\n' % n for n in range(_SHAPES + 10))
    assert {tuple(row.fields) for row in rows_of(content) if isinstance(row, TableRow)} == {
        ("title",)
    }
