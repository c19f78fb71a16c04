from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsdedup_lab.compare import buckets
from newsdedup_lab.compare.buckets import (
    MAX_REACH,
    KeyBuckets,
    build_buckets,
    pack_pairs,
    unpack_pairs,
)

filings = st.lists(st.sets(st.integers(0, 9), max_size=4), max_size=30)


def filed(keys_of: list[set[int]]) -> KeyBuckets:
    """Return the buckets of documents whose rank is their index."""
    rows = [(key, rank) for rank, keys in enumerate(keys_of) for key in sorted(keys)]
    keys = np.array([key for key, _ in rows], dtype=np.uint64)
    return build_buckets(keys, np.array([rank for _, rank in rows], dtype=np.int64))


def listed(found: KeyBuckets, reach: int) -> list[tuple[int, int]]:
    pairs = []
    for block in found.pairs(reach):
        left, right = unpack_pairs(block)
        pairs += zip(left.tolist(), right.tolist(), strict=True)
    return pairs


def sharing(keys_of: list[set[int]], reach: int) -> set[tuple[int, int]]:
    """Return the pairs that are near each other in a bucket, the slow way."""
    found = set()
    for key in range(10):
        holders = [rank for rank, keys in enumerate(keys_of) if key in keys]
        for low, high in combinations(range(len(holders)), 2):
            if high - low <= reach:
                found.add((holders[low], holders[high]))
    return found


@given(filings, st.integers(1, 6), st.sampled_from([1, 4, 1 << 20]))
def test_each_pair_within_reach_comes_once_whatever_the_blocks(keys_of, reach, block):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(buckets, "BLOCK", block)
        found = listed(filed(keys_of), reach)
    assert found == sorted(sharing(keys_of, reach))


def test_a_key_of_a_thousand_documents_costs_no_square_of_them():
    crowd = filed([{1}] * 1_000)
    # Each but the last 10 with 10 others, those with 9, 8, ... 0.
    assert crowd.comparisons(10) == 1_000 * 10 - 55
    assert len(listed(crowd, 10)) == 1_000 * 10 - 55
    assert crowd.comparisons(999) == 1_000 * 999 // 2


def test_the_reach_is_the_largest_that_the_effort_allows():
    crowd = filed([{1}] * 1_000)
    assert crowd.reach(1_000 * 10 - 55) == 10
    assert crowd.reach(1_000 * 10 - 56) == 9
    assert crowd.reach(10**9) == MAX_REACH
    # Even of too small an effort, neighbours are compared.
    assert crowd.reach(0) == 1


def test_documents_without_a_common_key_make_no_pairs():
    assert listed(filed([{1}, {2}, set()]), 5) == []
    assert listed(filed([]), 5) == []


def test_a_pair_is_one_number_whichever_is_named_first():
    there = pack_pairs(np.array([7, 3]), np.array([2, 2**31]))
    back = pack_pairs(np.array([2, 2**31]), np.array([7, 3]))
    assert there.tolist() == back.tolist()
    assert [part.tolist() for part in unpack_pairs(there)] == [[2, 3], [7, 2**31]]
