from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from newsdedup.core.matching.verify.view import (
    NO_LIMIT,
    SAMPLE_SIZE,
    Phrases,
    phrase_hashes,
    resemblance,
    sample_phrases,
    shared_phrases,
    sort_phrases,
)

texts = st.lists(st.integers(0, 50), max_size=90)


def used_sample(keys: list[int], uses: Callable[[int], int]) -> Phrases:
    """Return the sample of a text whose source used its phrases as often as `uses` returns."""
    sample = sample_phrases(keys)
    return sort_phrases(sample, list(map(uses, sample.hashes)))


def test_a_phrase_is_two_neighbours_in_their_order():
    assert len(phrase_hashes([1, 2, 3])) == 2
    assert set(phrase_hashes([1, 2])).isdisjoint(phrase_hashes([2, 1]))
    assert phrase_hashes([1]) == []


def test_each_earlier_use_by_its_source_halves_what_a_shared_phrase_says():
    hashes = phrase_hashes([1, 2, 3, 4, 5])
    earlier = sample_phrases([1, 2, 3, 4, 5])
    uses = dict(zip(hashes, (0, 1, 2, 7), strict=True))
    later = used_sample([1, 2, 3, 4, 5], uses.__getitem__)
    shared = shared_phrases(earlier, later, repeated=False)
    assert shared.shared == 4
    assert shared.fresh == 1 + 1 / 2 + 1 / 4 + 1 / 8
    assert shared.freshness == shared.fresh / 4


def test_the_earlier_text_itself_does_not_make_a_phrase_stale():
    hashes = phrase_hashes([1, 2, 3])
    later = used_sample([1, 2, 3], dict(zip(hashes, (1, 2), strict=True)).__getitem__)
    assert shared_phrases(sample_phrases([1, 2, 3]), later, repeated=True).fresh == 1 + 1 / 2


def test_a_shared_phrase_is_used_by_either_source_and_reused_by_both():
    hashes = phrase_hashes([1, 2, 3, 4, 5])
    earlier = used_sample([1, 2, 3, 4, 5], dict(zip(hashes, (0, 2, 3, 1), strict=True)).__getitem__)
    later = used_sample([1, 2, 3, 4, 5], dict(zip(hashes, (0, 2, 1, 5), strict=True)).__getitem__)
    found = shared_phrases(earlier, later, repeated=False)
    assert (found.used, found.reused) == (3, 1)


def test_the_earlier_text_itself_is_no_earlier_use():
    earlier = sample_phrases([1, 2, 3])
    later = used_sample([1, 2, 3], lambda _: 1)
    assert shared_phrases(earlier, later, repeated=True).used == 0
    assert shared_phrases(earlier, later, repeated=False).used == 2


def test_without_shared_phrases_freshness_is_undecided():
    assert (
        shared_phrases(sample_phrases([1, 2]), sample_phrases([3, 4]), repeated=False).freshness
        == 0.5
    )
    assert resemblance(Phrases((), (0, 0, 0), NO_LIMIT), Phrases((), (0, 0, 0), NO_LIMIT)) == 0.0


@given(texts, texts)
def test_sharing_is_symmetric_and_bounded(left, right):
    one, other = sample_phrases(left), sample_phrases(right)
    there = shared_phrases(one, other, repeated=False)
    assert there == shared_phrases(other, one, repeated=False)
    assert 0 <= there.fresh <= there.shared <= SAMPLE_SIZE
    assert 0 <= there.reused <= there.used <= there.shared
    assert resemblance(one, other) == resemblance(other, one) <= 1.0


@given(texts)
def test_a_text_resembles_itself_wholly(keys):
    sample = sample_phrases(keys)
    assert resemblance(sample, sample) == (1.0 if sample.hashes else 0.0)
    assert len(sample.hashes) <= SAMPLE_SIZE


@given(st.lists(st.integers(0, 50), min_size=2, max_size=30), st.integers(0, 5))
def test_the_sample_is_the_same_however_stale_it_is(keys, uses):
    stale = used_sample(keys, lambda _: uses)
    assert sorted(stale.hashes) == sorted(sample_phrases(keys).hashes)
    assert stale.limit == sample_phrases(keys).limit


def test_samples_of_long_texts_estimate_their_resemblance():
    left, right = sample_phrases(list(range(2_000))), sample_phrases(list(range(1_000, 3_000)))
    # The true value is 999 / 2999; 32 hashes tell it to about a tenth.
    assert abs(resemblance(left, right) - 1 / 3) < 0.2
