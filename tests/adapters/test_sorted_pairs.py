"""Keys find their slots in sorted arrays as in a dictionary of lists."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsdedup.adapters.memory import sorted_pairs
from newsdedup.adapters.memory.sorted_pairs import SortedPairs

KEYS = st.one_of(st.integers(0, 20), st.integers(2**63 - 3, 2**63 - 1))


@given(added=st.lists(KEYS, max_size=80), order=st.randoms(), mean=st.integers(1, 12))
def test_keys_find_their_slots_as_in_a_dictionary(added, order, mean):
    expected: dict[int, list[int]] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sorted_pairs, "_MEAN", mean)
        pairs = SortedPairs()
        for slot, key in enumerate(added):
            expected.setdefault(key, []).append(slot)
            assert pairs.add(key, slot) == len(expected[key])
            check(pairs, expected)
        removed = list(enumerate(added))
        order.shuffle(removed)
        for slot, key in removed:
            pairs.remove(key, slot)
            expected[key].remove(slot)
            check(pairs, expected)


def check(pairs: SortedPairs, expected: dict[int, list[int]]) -> None:
    assert len(pairs) == sum(map(len, expected.values()))
    for key in (*range(-1, 22), *range(2**63 - 4, 2**63)):
        assert pairs.read(key).tolist() == expected.get(key, [])


def test_all_pairs_of_a_key_are_removed_at_once(monkeypatch):
    monkeypatch.setattr(sorted_pairs, "_MEAN", 4)
    pairs = SortedPairs()
    for slot in range(40):
        pairs.add(slot % 5, slot)
    for key in (2, 0, 4, 9):
        pairs.remove_all(key)
    assert [len(pairs.read(key)) for key in range(6)] == [0, 8, 0, 8, 0, 0]
    assert len(pairs) == 16


def test_a_pair_that_is_missing_is_not_removed():
    pairs = SortedPairs()
    pairs.add(1, 7)
    pairs.add(2, 8)
    for key, slot in ((1, 8), (3, 7), (0, 7)):
        with pytest.raises(ValueError, match="not in array"):
            pairs.remove(key, slot)
    assert len(pairs) == 2


def test_pages_are_split_evenly_as_pairs_are_added():
    pairs = SortedPairs()
    chance = Random(7)  # noqa: S311 - test data
    for slot in range(20_000):
        pairs.add(chance.getrandbits(63), slot)
    sizes = [len(keys) for keys in pairs._keys]
    assert sum(sizes) == len(pairs) == 20_000
    assert max(sizes) < 3 * sorted_pairs._MEAN
