"""A record that was fetched and not handed over is noticed; whatever else happens is not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsdedup.runners.worker.partitions import GapDetector, OffsetGap

HERE = ("news", 0)
offsets = st.lists(st.integers(0, 60), min_size=2, max_size=20, unique=True).map(sorted)


def fetched(found: list[int], *, at: int = 0) -> GapDetector:
    order = GapDetector()
    order.expect(HERE, at)
    for offset in found:
        order.note_fetched(HERE, offset)
    return order


@given(offsets)
def test_gaps_of_the_topic_itself_are_none(found):
    order = fetched(found)
    for offset in found:
        order.check(HERE, offset)


@given(offsets, st.data())
def test_a_dropped_record_is_noticed_with_the_next_one(found, data):
    dropped = data.draw(st.sampled_from(found[:-1]))
    order = fetched(found)
    left = [offset for offset in found if offset != dropped]
    late = next(offset for offset in left if offset > dropped)
    for offset in left[: left.index(late)]:
        order.check(HERE, offset)
    with pytest.raises(OffsetGap, match="news/0"):
        order.check(HERE, late)


@given(offsets)
def test_records_may_come_again_after_a_seek_back(found):
    order = fetched(found)
    for offset in found:
        order.check(HERE, offset)
    order.expect(HERE, found[0])
    for offset in found:
        order.note_fetched(HERE, offset)
        order.check(HERE, offset)


def test_partitions_do_not_know_of_each_other():
    order = fetched([3, 4], at=3)
    order.expect(("news", 1), 9)
    order.note_fetched(("news", 1), 9)
    order.check(("news", 1), 9)
    with pytest.raises(OffsetGap):
        order.check(HERE, 4)
