import json
from datetime import UTC, datetime

from hypothesis import example, given
from hypothesis import strategies as st

from adapters.received import LINE, accepted
from newsdedup import ItemKey, NewsItem
from newsdedup.adapters.formats.item_json import FOREIGN_FIELDS, FOREIGN_NAMES, decode_item
from newsdedup.core.moments import version_stamp
from newsdedup.core.stories.window import Watermark, effective_at


def item(line: bytes, *, source: str = "") -> NewsItem:
    decoded = decode_item(line, source=source)
    assert isinstance(decoded, NewsItem)
    return decoded


def test_an_item_under_our_own_names_is_read_whole():
    assert item(LINE) == NewsItem(
        key=ItemKey("ria.ru", "1"),
        title="Мост открыт",
        text="Движение по мосту открыто.",
        published_at=datetime(2025, 1, 6, 10, 0, tzinfo=UTC),
        seen_at=datetime(2025, 1, 6, 10, 5, tzinfo=UTC),
        updated_at=datetime(2025, 1, 6, 10, 1, tzinfo=UTC),
        url="https://ria.ru/1",
        lang="ru",
        links=("https://ria.ru/0",),
    )


def test_a_title_alone_is_an_item():
    assert item(b'{"title":"Bridge opened"}').text == ""


def test_a_text_alone_is_an_item():
    assert item(b'{"text":"Bridge opened","title":null}').title == ""


def test_white_space_and_a_byte_order_mark_around_an_object_are_no_part_of_it():
    assert item(b"\xef\xbb\xbf\t" + LINE + b" \r\n") == item(LINE)


def test_of_a_name_that_occurs_twice_the_last_counts():
    assert item(b'{"title":"a","title":"b"}').title == "b"


def test_one_of_our_own_events_is_the_item_that_it_carries():
    assert item(LINE[:-1] + b',"dedup":{"event":"item.judged","verdict":"original"}}') == item(LINE)


def test_a_missing_id_is_made_from_the_url_alone():
    first = item(b'{"title":"a","url":"https://a.example/1"}')
    retitled = item(b'{"title":"b","url":"https://a.example/1"}')
    other = item(b'{"title":"a","url":"https://a.example/2"}')
    assert first.key == retitled.key != other.key
    assert len(first.key.id) == 32


def test_without_a_url_a_missing_id_is_made_from_title_and_text():
    first = item(b'{"title":"ab","text":"c"}')
    again = item(b'{"title":"ab","text":"c","views":3,"id":" ","url":""}')
    shifted = item(b'{"title":"a","text":"bc"}')
    assert first.key == again.key != shifted.key


def test_an_id_that_is_a_number_is_its_digits():
    assert item(b'{"title":"a","id":-17}').key.id == "-17"


def test_a_missing_source_is_the_host_of_the_url():
    line = b'{"title":"a","url":"https://user@News.Example:8080/1?x=1"}'
    assert item(line, source="feed").key.source == "news.example"


def test_without_a_url_a_missing_source_is_the_name_of_the_input():
    assert item(b'{"title":"a","source":" "}', source="feed").key.source == "feed"


def test_a_url_without_a_host_names_no_source():
    for url in (b"/news/1", b"http://[::1", b"https://", b"\\u0000"):
        line = b'{"title":"a","url":"' + url + b'"}'
        assert item(line, source="feed").key.source == "feed"


def test_links_that_say_nothing_are_left_out():
    assert item(b'{"title":"a","links":["",null,"b"]}').links == ("b",)


def test_a_nul_in_a_text_is_a_character_like_others():
    assert item(b'{"title":"a\\u0000b"}').title == "a\0b"


def test_an_emoji_in_two_escapes_is_one_character():
    assert item(b'{"title":"\\ud83d\\ude00"}').title == "\U0001f600"


def check(line: bytes):
    """Assert that an accepted item can be ordered, named and stored."""
    decoded = accepted(line)
    if not isinstance(decoded, NewsItem):
        return
    assert decoded.key.id
    assert decoded.title.strip() or decoded.text.strip()
    assert all("\0" not in name for name in decoded.key)
    assert isinstance(effective_at(decoded, Watermark()), int)
    assert version_stamp(decoded) >= (0, 0)
    repr(decoded).encode()


NAMES = sorted(
    FOREIGN_NAMES | FOREIGN_FIELDS.keys() | {"seen_at", "dedup", "newsdedup", "item", "at"}
)
scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.sampled_from(["2025-01-06", 1736157600, 10**4000, "retract", "split", "https://a.ru/1"])
)
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["name", "value", "@id", "url", "id"]), inner, max_size=3)
    ),
    max_leaves=6,
)
objects = st.dictionaries(st.sampled_from(NAMES) | st.text(max_size=5), values, max_size=8)


@given(st.binary())
@example(b"\xff\xfe{\x00}\x00")
def test_any_bytes_are_an_item_or_a_command_or_refused(line):
    check(line)


@given(values)
def test_any_value_of_json_is_an_item_or_a_command_or_refused(value):
    check(json.dumps(value).encode())


@given(objects, st.booleans())
def test_any_object_of_known_names_is_an_item_or_a_command_or_refused(fields, ascii_only):
    line = json.dumps({"headline": "a", **fields}, ensure_ascii=ascii_only)
    check(line.encode("utf-8", "surrogatepass"))


@given(
    st.integers(0, len(LINE)),
    st.integers(0, 9),
    st.binary(max_size=4) | st.sampled_from([b"\\ud800", b"\\u0000", b"[[[[", b"1e999", b'",']),
)
def test_any_damage_to_a_line_leaves_an_item_or_a_command_or_is_refused(at, cut, inserted):
    check(LINE[:at] + inserted + LINE[at + cut :])
