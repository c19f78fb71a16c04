import json
from datetime import UTC, datetime

import pytest

from newsdedup import InvalidItem, NewsItem
from newsdedup.adapters.formats.item_json import decode_item
from newsdedup.adapters.formats.json_object import UNLIMITED, Limits

SMALL = Limits(
    line_bytes=1_000, title_chars=10, text_chars=20, id_chars=5, url_chars=30, links=2, depth=4
)


def refused(line: bytes, limits: Limits | None = None) -> InvalidItem:
    with pytest.raises(InvalidItem) as caught:
        decode_item(line, limits=limits or Limits())
    assert str(caught.value)
    return caught.value


def refused_fields(**fields: object) -> InvalidItem:
    return refused(json.dumps({"title": "Мост открыт", **fields}).encode())


def test_an_empty_line_is_no_json():
    error = refused(b"")
    assert (error.code, str(error)) == ("not_json", "there is nothing but white space")


def test_a_blank_line_is_no_json():
    assert refused(b" \t\r").code == "not_json"


def test_plain_words_are_no_json():
    assert refused("Мост открыт".encode()).code == "not_json"


def test_a_truncated_object_is_no_json():
    assert refused(b'{"title": "half of a').code == "not_json"


def test_two_objects_on_one_line_are_no_json():
    assert refused(b'{"title":"a"}{"title":"b"}').code == "not_json"


def test_a_raw_line_feed_within_a_string_is_no_json():
    assert refused(b'{"title":"a\nb"}').code == "not_json"


def test_a_raw_nul_is_no_json():
    assert refused(b'{"title":"a\x00b"}').code == "not_json"


def test_nan_is_no_json():
    assert refused(b'{"title":"a","score":NaN}').code == "not_json"


def test_infinity_is_no_json():
    assert refused(b'{"title":"a","score":-Infinity}').code == "not_json"


def test_a_line_in_windows_1251_is_not_utf_8():
    error = refused('{"title":"Мост"}'.encode("cp1251"))
    assert (error.code, "byte at 10" in str(error)) == ("not_utf8", True)


def test_a_line_in_utf_16_is_not_utf_8():
    assert refused('{"title":"Мост"}'.encode("utf-16")).code == "not_utf8"


def test_a_byte_that_is_not_utf_8_in_an_unknown_field_is_noticed():
    assert refused(b'{"title":"a","x":"\xff"}').code == "not_utf8"


def test_a_byte_that_is_not_utf_8_in_the_name_of_a_field_is_noticed():
    assert refused(b'{"title":"a","\xff":1}').code == "not_utf8"


def test_a_surrogate_in_utf_8_bytes_is_not_utf_8():
    assert refused(b'{"title":"\xed\xa0\x80"}').code == "not_utf8"


@pytest.mark.parametrize(
    "half", ["\\ud800", "\\udc00", "\\uD83D text", "\\ud83d\\ud83d", "\\ud83d\\u0041 and more"]
)
def test_half_of_a_surrogate_pair_is_not_unicode(half):
    error = refused(f'{{"title":"a","text":"{half}"}}'.encode())
    assert (error.code, "surrogate" in str(error)) == ("not_utf8", True)


def test_an_escaped_backslash_before_what_looks_like_a_surrogate_is_not_blamed():
    assert refused(b'{"title":"\\\\ud800","x":NaN}').code == "not_json"


def test_a_list_is_not_an_object():
    error = refused(b'[{"title":"a"}]')
    assert (error.code, str(error)) == ("not_object", "a record is a JSON object, not a list")


@pytest.mark.parametrize("line", [b"null", b"true", b'"text"', b"12", b"1.5"])
def test_a_bare_value_is_not_an_object(line):
    assert refused(line).code == "not_object"


def test_a_hundred_thousand_open_lists_are_too_deep():
    assert refused(b"[" * 100_000).code == "too_deep"


def test_a_hundred_thousand_open_objects_are_too_deep():
    assert refused(b'{"title":"a","x":' + b'{"a":' * 100_000).code == "too_deep"


def test_closed_nesting_that_deep_is_too_deep_as_well():
    line = b'{"title":"a","x":' + b"[" * 100_000 + b"]" * 100_000 + b"}"
    assert refused(line).code == "too_deep"


def test_nesting_is_counted_exactly():
    decode_item(b'{"title":"a","x":[{"y":[1]}],"z":[]}', limits=SMALL)
    assert refused(b'{"title":"a","x":[{"y":[[]]}],"z":[]}', SMALL).code == "too_deep"


def test_a_number_beyond_any_float_is_refused_as_such():
    error = refused(b'{"title":"a","views":1e999}')
    assert (error.code, "number" in str(error)) == ("bad_field", True)


def test_an_integer_of_five_thousand_digits_is_refused_as_such():
    assert refused(b'{"title":"a","views":' + b"9" * 5_000 + b"}").code == "bad_field"


def test_an_object_without_fields_has_no_text():
    assert refused(b"{}").code == "no_text"


def test_an_object_of_unknown_fields_has_no_text():
    assert refused(b'{"name":"a","views":3}').code == "no_text"


def test_white_space_is_no_text():
    assert refused(b'{"title":" \\t","text":"\\u00a0\\n"}').code == "no_text"


NOTHING = [
    *(
        "\u200b",
        "\ufe0f",
        "\u00ad\ufeff",
        "\u3164",
        "\u2800",
        "\u0301",
        "&#8203;",
        "&nbsp;",
        "&amp;nbsp;",
    ),
    *(
        "<p></p>",
        "<p>&nbsp;<br/></p>\n",
        "&lt;p&gt;&lt;/p&gt;",
        "<!-- a -->",
        "<script>a()</script>",
    ),
]
SOMETHING = [
    "🔥",
    "☀\ufe0f",
    "5",
    "…",
    "€",
    "日",
    "&amp;",
    "3 < 5",
    "<b>а</b>",
    "https://a.example",
]


@pytest.mark.parametrize("shown", NOTHING)
def test_markup_and_invisible_characters_are_no_text(shown):
    for fields in ({"title": shown}, {"text": shown}, {"title": shown, "text": shown}):
        assert refused(json.dumps(fields).encode()).code == "no_text"
    assert decode_item(json.dumps({"title": shown, "text": "а"}).encode())


@pytest.mark.parametrize("shown", SOMETHING)
def test_one_sign_or_emoji_is_a_text(shown):
    assert isinstance(decode_item(json.dumps({"text": shown}).encode()), NewsItem)


@pytest.mark.parametrize("shown", NOTHING)
def test_what_was_accepted_before_stays_an_item(shown):
    line = json.dumps({"title": shown}).encode()
    assert isinstance(decode_item(line, limits=UNLIMITED), NewsItem)


def test_null_is_no_text():
    assert refused(b'{"title":null,"text":null}').code == "no_text"


def test_a_foreign_text_of_another_type_is_no_text():
    assert refused(b'{"headline":5,"articleBody":{"html":"a"}}').code == "no_text"


def test_an_event_about_a_story_is_refused_by_its_name():
    error = refused(b'{"dedup":{"event":"story.original_changed"}}')
    assert (error.code, "story.original_changed" in str(error)) == ("no_text", True)


@pytest.mark.parametrize("value", [5, True, ["a"], {"a": "b"}])
@pytest.mark.parametrize("name", ["text", "url", "lang"])
def test_a_field_of_another_type_is_named(name, value):
    error = refused_fields(**{name: value})
    assert (error.code, str(error).split(" must be ")[0]) == ("bad_field", name)


def test_a_title_that_is_a_number_is_refused_although_there_is_a_text():
    error = refused_fields(title=5, text="Мост открыт")
    assert (error.code, str(error)) == ("bad_field", "title must be a string, not a number")


@pytest.mark.parametrize("value", [1.5, False, ["a"], {"a": "b"}])
@pytest.mark.parametrize("name", ["id", "source"])
def test_an_identity_of_another_type_is_named(name, value):
    error = refused_fields(**{name: value})
    assert (error.code, str(error).split(" must be ")[0]) == ("bad_field", name)


def test_an_id_of_more_than_63_bits_is_refused():
    assert refused_fields(id=2**63).code == "bad_field"


@pytest.mark.parametrize("name", ["id", "source"])
def test_an_identity_with_a_nul_is_refused(name):
    assert refused_fields(**{name: "a\0b"}).code == "bad_field"


@pytest.mark.parametrize("value", ["https://a.ru", {"url": "https://a.ru"}, 5, [["https://a.ru"]]])
def test_links_that_are_no_list_of_strings_are_refused(value):
    assert refused_fields(links=value).code == "bad_field"


@pytest.mark.parametrize(
    "value",
    [
        *("вчера", "03/04/2026", "0001-01-01T00:00:00Z", "1599-12-31", "2101-01-01"),
        *("9999-12-31T23:59:59Z", 0, -1, 1e300, True, [], {"date": "2025-01-06"}),
    ],
)
@pytest.mark.parametrize("name", ["published_at", "seen_at", "updated_at"])
def test_a_date_that_cannot_be_read_costs_the_date_and_not_the_item(name, value):
    item = decode_item(json.dumps({"title": "Мост открыт", name: value}).encode())
    assert isinstance(item, NewsItem)
    assert (item.published_at, item.seen_at, item.updated_at) == (None, None, None)
    assert item.unread_dates == (name,)


def test_a_foreign_date_that_cannot_be_read_costs_the_date_too():
    item = decode_item(b'{"title": "a", "datePublished": "soon", "seen_at": "2025-01-06"}')
    assert isinstance(item, NewsItem)
    assert (item.published_at, item.unread_dates) == (None, ("published_at",))
    assert item.seen_at == datetime(2025, 1, 6, tzinfo=UTC)


def test_the_time_of_receipt_stands_in_for_a_time_that_cannot_be_read():
    received = datetime(2025, 1, 6, tzinfo=UTC)
    item = decode_item(b'{"title": "a", "seen_at": "soon"}', seen_at=received)
    assert isinstance(item, NewsItem)
    assert (item.seen_at, item.unread_dates) == (received, ("seen_at",))


def test_dates_that_are_missing_or_blank_are_not_unread():
    item = decode_item(b'{"title": "a", "published_at": "", "seen_at": null, "updated_at": " "}')
    assert isinstance(item, NewsItem)
    assert item.unread_dates == ()


def test_a_line_of_fifty_megabytes_is_too_long():
    line = b'{"title":"' + b"a" * 50 * 2**20 + b'"}'
    error = refused(line)
    assert (error.code, "bytes" in str(error)) == ("too_long", True)


def test_a_title_over_its_limit_is_too_long():
    error = refused(b'{"title":"12345678901"}', SMALL)
    assert (error.code, str(error)) == ("too_long", "title has 11 characters, more than 10")


def test_a_text_over_its_limit_is_too_long():
    assert refused(b'{"text":"' + b"a" * 21 + b'"}', SMALL).code == "too_long"


@pytest.mark.parametrize("name", ["id", "source", "lang"])
def test_an_identity_over_its_limit_is_too_long(name):
    line = json.dumps({"title": "a", name: "123456"}).encode()
    assert refused(line, SMALL).code == "too_long"


def test_an_address_over_its_limit_is_too_long():
    assert refused(b'{"title":"a","url":"' + b"a" * 31 + b'"}', SMALL).code == "too_long"


def test_too_many_links_are_too_long():
    assert refused(b'{"title":"a","links":["a","b","c"]}', SMALL).code == "too_long"


def test_limits_themselves_are_within_the_limits():
    decode_item(b'{"title":"1234567890","id":"12345","links":["a","b"]}', limits=SMALL)


def test_a_long_line_of_escapes_is_read_in_linear_time():
    for escapes in (b"\\\\" * 500_000, b'\\"' * 500_000, b"\\ud83d\\ude00" * 80_000):
        assert refused(b'{"title":"' + escapes + b'","x":NaN}').code == "not_json"
