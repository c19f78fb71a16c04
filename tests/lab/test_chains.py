from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from newsdedup_lab.compare.chains import chains, pairs

collections = st.lists(
    st.tuples(st.frozensets(st.integers(0, 12), max_size=6), st.integers(1, 60)), max_size=14
)


def test_chains_by_hand() -> None:
    lengths = [100, 110, 200, 105, 120]
    shingled = [{1, 2}, {1, 2, 3}, {1, 3}, {1, 2}, {1}]
    # Shingle 1: all five by length: 0 (100), 3 (105), 1 (110), 4 (120), 2 (200); 200 / 120 = 1.67
    # is more than 1.5, so the chain ends before 2, which stays alone.
    # Shingle 2: 0, 3, 1: inside the first chain, dropped. Shingle 3: 1, 2: 200 / 110, cut apart.
    assert chains(shingled, lengths) == [(0, 3, 1, 4)]
    # Of four documents within 1.5 of each other come six pairs; within 1.15 all but (0, 4), and
    # 120 / 105 = 1.143 is near.
    assert sorted(pairs([(0, 3, 1, 4)], lengths)) == list(combinations([0, 1, 3, 4], 2))
    near = set(combinations([0, 1, 3, 4], 2)) - {(0, 4)}
    assert set(pairs([(0, 3, 1, 4)], lengths, ratio=1.15)) == near


def test_a_pair_of_several_chains_comes_once() -> None:
    assert list(pairs([(0, 1, 2), (0, 1, 3)], [5, 5, 5, 5])) == [
        (0, 1), (0, 2), (1, 2), (0, 3), (1, 3)
    ]  # fmt: skip


def test_a_phrase_of_all_documents_costs_no_square_of_them() -> None:
    # 2,000 documents of one length share a phrase: 2,000 * 50 pairs at most, not 2,000,000.
    lengths = [30] * 2_000
    found = list(pairs(chains([{7}] * 2_000, lengths), lengths, reach=50))
    assert len(found) == 2_000 * 50 - 50 * 51 // 2


@given(collections, st.sampled_from([1.0, 1.15, 1.5]))
def test_pairs_are_all_that_share_a_shingle_and_are_of_about_one_length(said, ratio) -> None:
    shingled, lengths = [list(one) for one, _ in said], [length for _, length in said]
    expected = {
        (left, right)
        for left, right in combinations(range(len(said)), 2)
        if set(shingled[left]) & set(shingled[right])
        and max(lengths[left], lengths[right]) <= ratio * min(lengths[left], lengths[right])
    }
    found = list(pairs(chains(shingled, lengths, ratio=ratio), lengths, ratio=ratio))
    assert len(set(found)) == len(found)
    assert set(found) == expected


@given(collections)
def test_no_chain_holds_another(said) -> None:
    found = chains([one for one, _ in said], [length for _, length in said])
    assert all(len(chain) > 1 for chain in found)
    for one, other in combinations(found, 2):
        assert not set(one) <= set(other)
        assert not set(other) <= set(one)
