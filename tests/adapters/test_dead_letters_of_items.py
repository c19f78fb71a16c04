"""Dead letters have the key of their item, so that a withdrawal can erase them."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsdedup import ItemKey, NewsItem
from newsdedup.adapters.kafka.dead_letters import (
    MAX_KEY_BYTES,
    Tombstones,
    dead_letter_key,
    dead_letter_record,
    tombstone,
)
from newsdedup.adapters.kafka.records import ReceivedRecord, RecordDecoder, find_item_key
from newsdedup.ports.errors import Rejection

DECODER = RecordDecoder()

ITEM = {"source": "a", "id": "1", "title": "Bridge", "published_at": "yesterday"}
STRUCTURED = (("content-type", b"application/cloudevents+json"),)


def received(value, *, key=None, headers=(), offset=7):
    data = value if value is None or isinstance(value, bytes) else json.dumps(value).encode()
    return ReceivedRecord("news.raw", 2, offset, key, data, headers, 1)


@pytest.mark.parametrize(
    ("record", "item"),
    [
        (received(ITEM), ItemKey("a", "1")),
        (received(ITEM, key=b'["b","2"]'), ItemKey("a", "1")),
        (received(ITEM | {"id": 5}), ItemKey("a", "5")),
        (received(b"{bad", key=b'["b","2"]'), ItemKey("b", "2")),
        (received({"title": 5}, key=b'["b","2"]'), ItemKey("b", "2")),
        (received(b"{bad", key=b"sport"), None),
        (received({"newsdedup": "split", "item": ITEM}, key=b'["b","2"]'), None),
        (received(None, key=b"no item"), None),
        (received({"specversion": "1.0", "data": ITEM}, headers=STRUCTURED), ItemKey("a", "1")),
    ],
)
def test_a_record_names_its_item_although_it_is_none(record, item):
    assert find_item_key(record) == item


def test_an_item_without_an_id_is_named_by_its_address_as_it_is_when_it_is_judged():
    fields = {"url": "https://b.example/x", "title": "Bridge"}
    found = DECODER.decode(received(fields)).content
    assert isinstance(found, NewsItem)
    assert find_item_key(received(fields | {"published_at": "once"})) == found.key


@given(st.text(max_size=300), st.text(min_size=1, max_size=300))
def test_a_withdrawal_has_the_key_of_the_dead_letters_of_its_item(source, name):
    gone = tombstone(ItemKey(source, name), topic="dlq")
    assert gone.value is None
    assert len(gone.key or b"") <= MAX_KEY_BYTES
    if name.strip() and source.strip() and "\0" not in source + name:
        record = received({"source": source, "id": name, "published_at": "once"})
        assert dead_letter_key(record) == gone.key


def test_dead_letters_about_no_item_have_keys_of_their_own():
    records = [received(b"{bad", key=b"sport", offset=number) for number in range(3)]
    keys = {
        dead_letter_record(one, Rejection("not_json", "no"), topic="dlq").key for one in records
    }
    assert len(keys) == 3
    assert None not in keys


def test_what_was_written_before_a_withdrawal_is_erased_and_what_comes_after_it_is_not():
    dead_letter = dead_letter_record(received(ITEM), Rejection("bad_date", "no"), topic="dlq")
    other = dead_letter_record(
        received(ITEM | {"id": "2"}), Rejection("bad_date", "no"), topic="dlq"
    )
    gone = tombstone(ItemKey("a", "1"), topic="dlq")
    topic = [
        ReceivedRecord("dlq", 0, offset, one.key, one.value, one.headers)
        for offset, one in enumerate([dead_letter, other, gone, dead_letter, other])
    ]
    found = Tombstones()
    found.add(topic)
    assert [one.offset for one in found.remaining(topic)] == [1, 3, 4]


def test_a_dead_letter_of_others_without_a_value_erases_nothing():
    foreign = ReceivedRecord("dlq", 0, 1, b"k", None, (("kafka_dlt-original-topic", b"in"),))
    found = Tombstones()
    found.add([foreign])
    assert found.remaining([foreign]) == [foreign]
