from hypothesis import given
from hypothesis import strategies as st

from newsdedup.adapters.files.lines import IDLE, LONG_LINE_BYTES, Line, split_lines

LIMIT = LONG_LINE_BYTES * 2


def cut(content: bytes, *sizes: int, limit: int = LIMIT) -> list[Line]:
    """Return the lines of a content that arrives in chunks of these sizes, then of 7 bytes."""
    chunks, at = [], 0
    for size in (*sizes, *[7] * (len(content) // 7 + 1)):
        chunks.append(content[at : at + size])
        at += size
    feed = iter([chunk for chunk in chunks if chunk] + [b""])
    return list(split_lines(lambda: next(feed), name="in", limit=limit))


@given(st.lists(st.binary(max_size=30).filter(lambda line: b"\n" not in line), max_size=8))
def test_lines_come_out_as_they_went_in_with_their_offsets(parts):
    content = b"".join(part + b"\n" for part in parts)
    found = cut(content)
    assert [line.data for line in found] == parts
    assert [line.number for line in found] == list(range(1, len(parts) + 1))
    assert all(content[line.offset : line.end] == line.data + b"\n" for line in found)


def test_the_last_line_needs_no_end():
    assert [(line.data, line.end) for line in cut(b"a\nbc")] == [(b"a", 2), (b"bc", 4)]


def test_a_line_longer_than_the_limit_is_cut_and_its_length_reported():
    long = b"x" * (3 * LIMIT)
    first, second, third = cut(b"a\n" + long + b"\nb", LIMIT, LIMIT, 5)
    assert (first.data, third.data) == (b"a", b"b")
    assert second.data == long[:LONG_LINE_BYTES]
    assert second.size == len(long)
    assert (second.offset, second.end, third.offset) == (2, 3 + len(long), 3 + len(long))


def test_a_long_line_that_arrives_at_once_is_cut_as_well():
    long = b"x" * (LIMIT + 1)
    (line,) = cut(long + b"\n", len(long) + 1)
    assert (len(line.data), line.size) == (LONG_LINE_BYTES, len(long))


def test_a_long_line_without_end_is_reported_at_the_end_of_the_input():
    (line,) = cut(b"x" * (2 * LIMIT), LIMIT + 5)
    assert (line.size, line.end) == (2 * LIMIT, 2 * LIMIT)


def test_an_idle_input_says_so_between_lines():
    feed = iter([b"a\nb", None, b"c\n", b""])
    found = list(split_lines(lambda: next(feed), name="in", limit=LIMIT))
    assert found[1] is IDLE
    assert [line.data for line in found if isinstance(line, Line)] == [b"a", b"bc"]


def test_reading_goes_on_at_an_offset():
    feed = iter([b"x\n", b""])
    (line,) = split_lines(lambda: next(feed), name="in", offset=100, number=9, limit=LIMIT)
    assert (line.offset, line.number) == (100, 10)
