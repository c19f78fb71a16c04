"""Keys find their slots in sorted arrays as in a dictionary of lists."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsdedup.adapters.memory import sorted_pairs
from newsdedup.adapters.memory.sorted_pairs import SortedPairs

KEYS = st.one_of(st.integers(0, 20), st.integers(2**63 - 3, 2**63 - 1))


@given(added=st.lists(KEYS, max_size=80), order=st.randoms(), most=st.integers(1, 12))
def test_keys_find_their_slots_as_in_a_dictionary(added, order, most):
    expected: dict[int, list[int]] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sorted_pairs, "_MOST", most)
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
    monkeypatch.setattr(sorted_pairs, "_MOST", 4)
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


def test_pages_with_pairs_that_were_removed_are_dropped(monkeypatch):
    monkeypatch.setattr(sorted_pairs, "_MOST", 8)
    pairs = SortedPairs()
    for round_ in range(20):
        for key in range(100):
            pairs.add(100 * round_ + key, key)
        for key in range(100):
            pairs.remove(100 * round_ + key, key)
    assert len(pairs._keys) == len(pairs._slots) == 1
