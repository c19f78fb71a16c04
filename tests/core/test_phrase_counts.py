"""Phrases are counted in sorted columns as a dictionary counts them."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsdedup.core.matching import phrase_counts
from newsdedup.core.matching.phrase_counts import PhraseCounts

KEYS = st.lists(st.one_of(st.integers(0, 12), st.integers(2**63 - 3, 2**63 - 1)), max_size=30)


def uses_of(counts: PhraseCounts, keys: list[int]) -> list[int]:
    uses = np.zeros(len(keys), np.int64)
    counts.add_uses(keys_of(keys), uses)
    found: list[int] = uses.tolist()
    return found


def keys_of(keys: list[int]) -> phrase_counts.PhraseKeys:
    return np.array(keys, np.uint64)


def all_uses(counts: PhraseCounts) -> Counter[int]:
    """Return the uses of all phrases."""
    uses = Counter[int]()
    for columns in (counts._settled, counts._recent):
        keys, times = columns.read_all()
        uses.update(dict(zip(keys.tolist(), times.tolist(), strict=True)))
    return uses


@given(batches=st.lists(KEYS, max_size=6), asked=KEYS, most=st.integers(0, 8))
def test_phrases_are_counted_as_by_a_dictionary(
    batches: list[list[int]], asked: list[int], most: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(phrase_counts, "_MOST_RECENT", most)
        counts, expected = PhraseCounts(), Counter[int]()
        for batch in batches:
            counts.add(keys_of(batch))
            expected.update(batch)
            assert uses_of(counts, asked) == [expected[key] for key in asked]
            assert len(counts) == len(expected)
        counts.settle()
        assert all_uses(counts) == expected
        assert uses_of(counts, asked) == [expected[key] for key in asked]
