import msgspec
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from laws.streams import RULE, entries, entry
from newsdedup.adapters.redis.codec import StoredRecordDecoder, ValueCodec, decode_watermark
from newsdedup.adapters.redis.keys import FORMATS, ROLES, TAGS, Keys, sets_per_span, time_digits
from newsdedup.adapters.redis.record_cache import MatchedRecord
from newsdedup.core.fingerprints.shingles import Megashingles
from newsdedup.core.matching.index_keys import IndexKeys, are_candidates
from newsdedup.core.matching.rules import MethodRule
from newsdedup.core.model import Fingerprint, Version
from newsdedup.core.stories.records import Record
from newsdedup.ports.errors import StateUnusable
from newsdedup.ports.store import LedgerRow, RecordSlot, StoredRecord

ROWS = (LedgerRow(Version("v1"), b'{"id":"a"}', b"{}"), LedgerRow(Version("v2"), b"", b"{}"))


CODECS = st.sampled_from([ValueCodec(compressed=True), ValueCodec(compressed=False)])


@given(entries(), st.integers(-10, 10), CODECS, CODECS)
def test_a_record_comes_back_with_its_bucket_and_its_filing(known, bucket, writer, reader):
    record = Record(known, leader=known.key)
    data = writer.encode_record(record, bucket=bucket)
    slot = RecordSlot(5, "7")
    read = StoredRecordDecoder(RULE, reader).decode(MatchedRecord(slot, data, None))
    assert read == StoredRecord(record, bucket, RULE.index_keys(known), slot, None)


@given(CODECS, CODECS)
def test_rows_come_back_as_they_were(writer, reader):
    assert reader.decode_rows(writer.encode_rows(ROWS)) == ROWS
    assert reader.decode_rows(b"") == ()


@given(entries())
def test_what_format_2_holds_is_what_the_release_before_reads(known):
    writer, record = ValueCodec(compressed=False), Record(known, leader=known.key)
    data = writer.encode_record(record, bucket=7)
    assert data[:14] == time_digits(known.effective_at)[:14].encode()
    assert msgspec.msgpack.decode(data[20:], type=tuple[int, Record]) == (7, record)
    rows = zstandard.ZstdDecompressor().decompress(writer.encode_rows(ROWS))
    assert msgspec.msgpack.decode(rows, type=tuple[LedgerRow, ...]) == ROWS


@pytest.mark.parametrize(
    "damaged", [b"x", b"0" * 20, b"0" * 20 + b"\x93\x01", b"\xff" * 40, b"\x01" * 40]
)
def test_damaged_records_and_rows_are_reported_as_such(damaged):
    found = MatchedRecord(RecordSlot(5, "7"), damaged, None)
    with pytest.raises(StateUnusable, match="record in Redis is damaged"):
        StoredRecordDecoder(RULE, ValueCodec()).decode(found)
    with pytest.raises(StateUnusable, match="judgement in Redis is damaged"):
        ValueCodec().decode_rows(damaged)
    with pytest.raises(StateUnusable, match="watermark in Redis is damaged"):
        decode_watermark(damaged)


@given(entries(), entries(), CODECS, CODECS)
def test_fronts_sort_as_the_seconds_do_and_never_before_the_digits_of_earlier_releases(
    one, other, writer, reader
):
    fronts = [
        codec.encode_record(Record(each, leader=each.key), bucket=0)[:20].decode()
        for codec, each in ((writer, one), (reader, other))
    ]
    seconds = [each.effective_at // 10**6 for each in (one, other)]
    assert (fronts[0][:14] < fronts[1][:14]) == (seconds[0] < seconds[1])
    if one.effective_at >= other.effective_at:
        assert fronts[0] >= time_digits(other.effective_at)
    assert fronts[0][14:].isalpha()


def test_each_state_of_a_record_has_a_stamp_of_its_own():
    codec, leader = ValueCodec(), entry("a", {1, 2}, at=0)
    record = Record(leader, leader=leader.key)
    states = [codec.encode_record(record._replace(revision=n), bucket=0) for n in range(1_000)]
    assert len({state[:20] for state in states}) == len(states)


@given(st.integers(-(1 << 60), 1 << 60), st.integers(-(1 << 60), 1 << 60))
def test_times_in_digits_sort_as_the_times_do(one, other):
    assert (time_digits(one) < time_digits(other)) == (one < other)


@pytest.mark.parametrize(
    ("written", "read"), [("6", "6"), ("6", "8"), ("8", "8"), ("9", "9")], ids=" read as ".join
)
@given(entries(), entries(), st.sampled_from([1, 2, 8, 1024]))
def test_entries_that_meet_always_share_sets_of_enough_weight(written, read, one, other, sets):
    ours, theirs = RULE.index_keys(one), RULE.index_keys(other)
    leader = Record(other, leader=other.key)
    filed = Keys("n", sets, format=FORMATS[written]).record_sets(leader, RULE)
    asked = Keys("n", sets, format=FORMATS[read]).search_sets(ours, "l")
    weighed = list(asked.weighed_addresses())
    weights = [sum(w for at, w in weighed if at in each.addresses) for each in filed]
    assert max(weights) >= asked.least or not are_candidates(ours, theirs)


def test_in_a_set_of_many_sure_keys_each_meets_its_own_postings_alone():
    keys, rule = Keys("n", 1), MethodRule(Megashingles(), window=20)
    sure = tuple([key << 24 for key in range(TAGS)])
    signed = entry("a", (), at=0)._replace(sketches=(Fingerprint(sure, b""),))
    _, filed = keys.record_sets(Record(signed, leader=signed.key), rule)
    asked = dict(keys.search_sets(IndexKeys((), sure[7:8]), "l").weighed_addresses())
    assert set(filed.slots) == {0}
    assert [address for address in filed.addresses if address in asked] == filed.addresses[7:8]


@given(
    st.sampled_from([1, 8, 1 << 18, 1 << 20]),
    st.sets(st.integers(-5000, 1 << 60), min_size=1, max_size=4),
    st.sets(st.integers(0, 1 << 20), min_size=1, max_size=4),
)
def test_no_two_sets_have_one_name_and_none_that_of_another_key(sets, spans, slots):
    keys = Keys("n", sets)
    names = [name for role in ROLES for span in spans for name in keys.set_names(role, span, slots)]
    others = [*keys.fixed, *(name for span in spans for name in keys.span_hashes(span))]
    assert len({*names, *others}) == len(names) + len(others)


def test_the_name_of_a_set_is_short():
    (name,) = Keys("news", 1 << 18).set_names("m", 10_389, [(1 << 16) - 1])
    assert name == "{news}:80lMf__"


def test_a_record_without_a_bucket_is_filed_nowhere():
    assert Keys("n", 8).record_sets(Record(entry("a", {1, 2}, at=0)), RULE) == ()


@pytest.mark.parametrize(("items", "sets"), [(0, 1024), (8_000, 16_384), (150_000, 262_144)])
def test_a_set_holds_about_eight_postings(items, sets):
    assert sets_per_span(items) == sets
