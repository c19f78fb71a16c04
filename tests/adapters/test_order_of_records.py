"""Records of a batch in the order of the stream."""

from hypothesis import given
from hypothesis import strategies as st

from newsdedup.adapters.kafka.records import ReceivedRecord, sort_records

placed = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 9)), max_size=20)


def record(partition: int, offset: int, at_ms: int) -> ReceivedRecord:
    return ReceivedRecord("in", partition, offset, None, b"{}", (), at_ms)


def test_what_was_written_first_comes_first():
    records = [record(0, 0, 1), record(0, 1, 4), record(1, 0, 2), record(1, 1, 3)]
    assert [one.at_ms for one in sort_records(records)] == [1, 2, 3, 4]


def test_a_wrong_clock_changes_nothing_within_a_partition():
    records = [record(0, 0, 9), record(0, 1, 1), record(1, 0, 5)]
    assert [(one.partition, one.offset) for one in sort_records(records)] == [
        (1, 0),
        (0, 0),
        (0, 1),
    ]


@given(placed)
def test_each_partition_keeps_its_order(placed):
    records = [record(partition, offset, at) for offset, (partition, at) in enumerate(placed)]
    ordered = sort_records(records)
    assert sorted(ordered) == sorted(records)
    for partition in range(3):
        own = [one.offset for one in ordered if one.partition == partition]
        assert own == sorted(own)
