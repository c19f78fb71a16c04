"""What records of Kafka say of their time."""

from datetime import UTC, datetime

import pytest

from newsdedup import ItemKey
from newsdedup.adapters.kafka.records import SEEN_MS_HEADER, ReceivedRecord, RecordDecoder, item_key
from newsdedup.core.stories.commands import Retract

AT = 1_793_000_000_000


def record(at_ms, *headers):
    return ReceivedRecord("raw", 0, 0, None, b"{}", headers, at_ms)


def test_a_record_was_seen_when_it_was_written_first():
    assert record(AT).seen_at == datetime.fromtimestamp(AT // 1000, UTC)
    assert record(AT + 5_000, (SEEN_MS_HEADER, str(AT).encode())).seen_at == record(AT).seen_at


@pytest.mark.parametrize("at_ms", [-1, 0, AT * 1_000, AT * 1_000_000, 2**63 - 1, -(2**63)])
def test_a_time_that_is_not_in_milliseconds_is_none(at_ms):
    assert record(at_ms).seen_at is None


def test_a_header_that_tells_no_time_is_passed_over():
    for said in (b"", b"soon", b"9" * 15, b"9" * 5_000):
        assert record(AT, (SEEN_MS_HEADER, said)).seen_at == record(AT).seen_at


@pytest.mark.parametrize("value", [b"", b"\n", b" \t\r\n "])
def test_a_value_of_white_space_holds_nothing_and_withdraws_nothing(value):
    key = ItemKey("visti.example", "1")
    blank = ReceivedRecord("raw", 0, 0, item_key(key), value, (), AT)
    assert RecordDecoder().decode(blank).content is None
    assert RecordDecoder().decode(blank._replace(value=None)).content == Retract(key)
