"""Partitions that are not equally far, handed over in the order of the stream."""

from hypothesis import given
from hypothesis import strategies as st

from newsdedup.adapters.kafka.records import ReceivedRecord
from newsdedup.engine.arrivals import Arrival
from newsdedup.runners.worker.merge import KafkaArrival, PartitionMerge


def record(partition: int, offset: int, at_ms: int) -> KafkaArrival:
    return Arrival(ReceivedRecord("in", partition, offset, None, b"{}", (), at_ms))


def column(partition: int, *times: int) -> list[KafkaArrival]:
    return [record(partition, offset, at) for offset, at in enumerate(times)]


def times(records: list[KafkaArrival]) -> list[int]:
    return [one.record.at_ms for one in records]


columns = st.lists(st.lists(st.integers(0, 20), max_size=12), min_size=1, max_size=4)


def test_what_was_written_first_comes_first():
    merge = PartitionMerge(4)
    merge.add(column(0, 1, 4, 5))
    merge.add(column(1, 2, 3, 6))
    assert times(merge.take_batch()) == [1, 2, 3, 4]
    assert times(merge.take_batch()) == [5, 6]
    assert merge.take_batch() == []


def test_partitions_take_turns_where_their_records_are_of_one_moment():
    merge = PartitionMerge(6)
    merge.add(column(0, 7, 7, 7))
    merge.add(column(1, 7, 7, 7))
    assert [one.record.partition for one in merge.take_batch()] == [0, 1, 0, 1, 0, 1]


def test_a_partition_that_lags_has_no_batch_to_itself():
    merge = PartitionMerge(8)
    room = merge.room(("in", 0), partitions=2)
    assert room == 6
    merge.add(column(0, *range(room)))
    merge.add(column(1, *range(100, 106)))
    assert {one.record.partition for one in merge.take_batch()} == {0, 1}
    assert merge.room(("in", 0), partitions=2) == room


def test_what_waits_of_a_partition_takes_its_room():
    merge = PartitionMerge(8)
    merge.add(column(0, 1, 2, 3))
    assert merge.room(("in", 0), partitions=2) == 3
    assert merge.room(("in", 1), partitions=2) == 6


def test_what_is_forgotten_does_not_come():
    merge = PartitionMerge(8)
    merge.add([*column(0, 1, 3), *column(1, 2)])
    merge.forget([("in", 0), ("in", 9)])
    assert [one.record.partition for one in merge.take_batch()] == [1]
    # Read again, it comes as if it had never been here.
    merge.add(column(0, 1, 3))
    assert times(merge.take_batch()) == [1, 3]
    assert len(merge) == 0


@given(columns=columns, batch=st.integers(1, 7))
def test_all_comes_once_and_each_partition_in_its_order(columns, batch):
    merge = PartitionMerge(batch)
    for partition, column_times in enumerate(columns):
        merge.add(column(partition, *column_times))
    came: list[KafkaArrival] = []
    while taken := merge.take_batch():
        assert len(taken) <= batch
        came += taken
    for partition, column_times in enumerate(columns):
        own = [one.record.offset for one in came if one.record.partition == partition]
        assert own == list(range(len(column_times)))


@given(columns=columns)
def test_partitions_in_order_become_one_stream_in_order(columns):
    merge = PartitionMerge(100)
    for partition, column_times in enumerate(columns):
        merge.add(column(partition, *sorted(column_times)))
    came = times(merge.take_batch())
    assert came == sorted(came)
