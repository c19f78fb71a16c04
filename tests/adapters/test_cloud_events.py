import base64
import json

import pytest

from newsdedup import InvalidItem, ItemKey, NewsItem
from newsdedup.adapters.kafka.records import ReceivedRecord, RecordDecoder
from newsdedup.core.stories.commands import Retract

DECODER = RecordDecoder()

DATA = '{"source":"ria.ru","id":"1","title":"Мост  открыт", "views":1.50}'
STRUCTURED = ("content-type", b"application/cloudevents+json; charset=utf-8")
TRACE = b"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
HEAD = '{"specversion":"1.0","id":"e1","source":"/crawler","type":"news.found"'


def record(value, *headers, key=b"k"):
    return ReceivedRecord("news.raw", 0, 7, key, value, tuple(headers), at_ms=1_700_000_000_000)


def structured(rest, *headers):
    return record(f"{HEAD}{rest}}}".encode(), STRUCTURED, *headers)


def test_the_item_of_a_structured_event_is_its_data_byte_for_byte():
    decoded = DECODER.decode(structured(f',"data":{DATA}'))
    assert isinstance(decoded.content, NewsItem)
    assert decoded.content.key == ItemKey("ria.ru", "1")
    assert decoded.data == DATA.encode()


def test_data_may_be_in_base64():
    data = base64.b64encode(DATA.encode()).decode()
    assert DECODER.decode(structured(f',"data_base64":"{data}"')).data == DATA.encode()


def test_the_item_of_a_binary_event_is_the_value():
    headers = (("ce_specversion", b"1.0"), ("ce_type", b"news.found"), ("ce_id", b"e1"))
    decoded = DECODER.decode(record(DATA.encode(), *headers, ("content-type", b"application/json")))
    assert decoded.data == DATA.encode()


def test_a_command_may_come_in_an_event():
    decoded = DECODER.decode(structured(',"data":{"newsdedup":"retract","source":"a","id":"1"}'))
    assert decoded.content == Retract(ItemKey("a", "1"))


def test_an_item_is_seen_when_its_record_was_written_first():
    seen = ("newsdedup_seen_ms", b"1600000000000")
    item = DECODER.decode(record(DATA.encode(), seen)).content
    assert isinstance(item, NewsItem)
    assert item.seen_at is not None
    assert item.seen_at.timestamp() == 1_600_000_000


@pytest.mark.parametrize(
    "made",
    [
        record(DATA.encode(), ("traceparent", TRACE)),
        record(DATA.encode(), ("ce_traceparent", TRACE)),
        structured(f',"traceparent":"{TRACE.decode()}","data":{DATA}'),
        structured(f',"data":{DATA}', ("traceparent", TRACE)),
    ],
    ids=["header", "binary extension", "structured extension", "structured with header"],
)
def test_a_trace_is_found_wherever_it_may_be(made):
    assert DECODER.decode(made).traces == (("traceparent", TRACE),)


def test_the_header_of_a_record_counts_before_the_extension_of_its_event():
    mine = TRACE.replace(b"01", b"00")
    made = structured(f',"traceparent":"{TRACE.decode()}","data":{DATA}', ("traceparent", mine))
    assert DECODER.decode(made).traces == (("traceparent", mine),)


@pytest.mark.parametrize(
    ("value", "code"),
    [
        (HEAD + "}", "bad_cloudevent"),
        ('{"specversion":"2.0","data":{"title":"a"}}', "bad_cloudevent"),
        ('{"data":{"title":"a"}}', "bad_cloudevent"),
        (HEAD + ',"data_base64":"?"}', "bad_cloudevent"),
        (HEAD + ',"data":"a text"}', "not_object"),
        (HEAD + ',"data":null}', "not_object"),
        (HEAD + ',"data":{"views":1}}', "no_text"),
        # How deep the decoder goes itself differs between interpreters.
        (HEAD + ',"data":' + "[" * 100_000, "too_deep"),
        ("[]", "not_object"),
        ("{", "not_json"),
        ('{"specversion":1.0,"data":{}}', "bad_cloudevent"),
    ],
)
def test_an_event_without_an_item_is_refused_with_its_reason(value, code):
    with pytest.raises(InvalidItem) as refusal:
        DECODER.decode(record(value.encode(), STRUCTURED))
    assert refusal.value.code == code


def test_a_batch_of_events_in_one_record_is_refused():
    batch = ("Content-Type", b"application/cloudevents-batch+json")
    with pytest.raises(InvalidItem, match="batch") as refusal:
        DECODER.decode(record(b"[]", batch))
    assert refusal.value.code == "bad_cloudevent"


def test_a_record_that_only_looks_like_an_event_is_an_item():
    value = json.dumps({"specversion": "1.0", "title": "a", "data": {"title": "b"}}).encode()
    decoded = DECODER.decode(record(value))
    assert isinstance(decoded.content, NewsItem)
    assert decoded.content.title == "a"
