"""Expired slots are handed out bit by bit, each as often as it was filed."""

from hypothesis import given
from hypothesis import strategies as st

from newsdedup.adapters.memory.expiry_queue import FREED_PER_STEP, ExpiryQueue


@given(filed=st.lists(st.tuples(st.integers(0, 50), st.integers(0, 6))), before=st.integers(-1, 8))
def test_the_slots_of_the_buckets_before_the_floor_are_handed_out_and_no_others(filed, before):
    queue = ExpiryQueue()
    for slot, bucket in filed:
        queue.file(slot, bucket=bucket)
    queue.expire(before=before)
    assert queue.floor == before
    taken: list[int] = []
    while step := list(queue.take()):
        assert len(step) <= FREED_PER_STEP
        taken += step
    assert sorted(taken) == sorted(slot for slot, bucket in filed if bucket < before)


def test_the_floor_never_falls():
    queue = ExpiryQueue()
    queue.expire(before=5)
    queue.expire(before=3)
    assert queue.floor == 5
