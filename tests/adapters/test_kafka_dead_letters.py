import struct

from hypothesis import given
from hypothesis import strategies as st

from newsdedup.adapters.kafka.dead_letters import (
    dead_letter_record,
    decode_topic_dead_letter,
    replay_record,
)
from newsdedup.adapters.kafka.records import ReceivedRecord
from newsdedup.ports.errors import Rejection

ERROR = Rejection("not_json", "Input data was truncated")
AT = 1_700_000_000_000
SENT = ReceivedRecord("news.raw", 3, 2**40, b"\xffkey", b'{"\xff', (("x", b"1"), ("x", b"2")), AT)

some_bytes = st.none() | st.binary(max_size=40)
headers = st.lists(
    st.tuples(st.sampled_from(["x", "newsdedup_code", "kafka_dlt-original-topic"]), st.binary()),
    max_size=3,
).map(tuple)


def read(outgoing, *, partition=0, offset=0):
    """Return the dead letter of a record as the topic would give it back."""
    position = ("news.dlq", partition, offset)
    return decode_topic_dead_letter(
        ReceivedRecord(*position, outgoing.key, outgoing.value, outgoing.headers, AT + 9)
    )


def test_a_dead_letter_holds_the_record_untouched():
    made = dead_letter_record(SENT, ERROR, topic="news.dlq")
    assert (made.topic, made.value) == ("news.dlq", SENT.value)
    assert made.headers[:2] == SENT.headers
    assert dict(made.headers)["newsdedup_key"] == SENT.key


def test_kafka_connect_understands_where_a_dead_letter_comes_from():
    reported = dict(dead_letter_record(SENT, ERROR, topic="news.dlq").headers)
    assert reported["__connect.errors.topic"] == b"news.raw"
    assert reported["__connect.errors.partition"] == b"3"
    assert reported["__connect.errors.offset"] == str(2**40).encode()
    assert reported["__connect.errors.exception.class.name"] == b"newsdedup.InvalidItem"
    assert reported["__connect.errors.exception.message"] == b"Input data was truncated"


def test_spring_understands_where_a_dead_letter_comes_from():
    reported = dict(dead_letter_record(SENT, ERROR, topic="news.dlq").headers)
    assert reported["kafka_dlt-original-topic"] == b"news.raw"
    assert struct.unpack(">i", reported["kafka_dlt-original-partition"]) == (3,)
    assert struct.unpack(">q", reported["kafka_dlt-original-offset"]) == (2**40,)
    assert struct.unpack(">q", reported["kafka_dlt-original-timestamp"]) == (AT,)
    assert reported["kafka_dlt-exception-fqcn"] == b"newsdedup.InvalidItem"
    assert reported["kafka_dlt-exception-message"] == b"Input data was truncated"


@given(some_bytes, some_bytes, headers)
def test_a_dead_letter_is_read_back_as_what_was_received(key, value, sent):
    found = read(
        dead_letter_record(ReceivedRecord("in", 1, 5, key, value, sent, AT), ERROR, topic="dlq")
    )
    assert (found.key, found.value, found.headers) == (key, value, sent)
    assert (found.input, found.at, found.code, found.reason) == (
        "in/1",
        5,
        "not_json",
        "Input data was truncated",
    )
    assert not found.cut


def test_a_record_without_key_and_value_can_be_written():
    made = dead_letter_record(ReceivedRecord("in", 1, 5, None, None), ERROR, topic="dlq")
    assert made.value == b""
    assert read(made).value is None


def test_the_dead_letter_about_a_withdrawal_that_names_nothing_has_a_value_and_erases_nothing():
    made = dead_letter_record(SENT._replace(value=None), ERROR, topic="dlq")
    assert made.value == b""
    assert read(made).value is None


@given(st.integers(2_000, 5_000), st.integers(0, 9_000), st.integers(0, 9_000))
def test_a_dead_letter_is_never_larger_than_it_may_be(most, key, header):
    large = SENT._replace(key=b"k" * key, value=b"v" * 9_000, headers=(("own", b"h" * header),))
    made = dead_letter_record(large, ERROR, topic="dlq", most=most)
    found = read(made)
    assert made.size <= most
    assert found.cut
    assert found.size == large.size
    assert (found.value or b"") == (large.value or b"")[: len(found.value or b"")]
    assert (found.input, found.code) == ("news.raw/3", "not_json")


def test_a_header_of_the_sender_may_have_no_value():
    made = dead_letter_record(
        SENT._replace(headers=(("own", None),)), ERROR, topic="dlq", most=5_000
    )
    assert made.headers[0] == ("own", None)
    assert read(made).headers == (("own", None),)


def test_only_the_value_is_cut_where_that_is_enough():
    large = SENT._replace(value=b"v" * 9_000)
    made = dead_letter_record(large, ERROR, topic="dlq", most=5_000)
    assert made.size == 5_000
    assert read(made).key == SENT.key
    assert made.headers[:2] == SENT.headers


def test_a_record_fed_again_is_what_it_was_and_says_when_it_was_written_first():
    again = replay_record(read(dead_letter_record(SENT, ERROR, topic="dlq")), "news.raw")
    assert (again.topic, again.key, again.value) == ("news.raw", SENT.key, SENT.value)
    assert again.headers == (*SENT.headers, ("newsdedup_seen_ms", str(AT).encode()))
    received = ReceivedRecord("news.raw", 0, 9, again.key, again.value, again.headers, AT + 99)
    twice = replay_record(read(dead_letter_record(received, ERROR, topic="dlq")), "news.raw")
    assert twice == again


def test_dead_letters_that_others_wrote_are_read_as_well():
    spring = (
        ("kafka_dlt-original-topic", b"in"),
        ("kafka_dlt-original-partition", struct.pack(">i", 2)),
        ("kafka_dlt-original-offset", struct.pack(">q", 8)),
        ("kafka_dlt-exception-message", b"no"),
    )
    found = decode_topic_dead_letter(
        ReceivedRecord("dlq", 0, 4, None, b"v", (("own", b"1"), *spring), AT)
    )
    assert (found.number, found.input, found.at, found.code) == ("0/4", "in/2", 8, "unknown")
    assert (found.reason, found.headers, found.written_ms) == ("no", (("own", b"1"),), AT)
