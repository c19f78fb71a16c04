from math import gcd

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsdedup.synthetic.chance import zipf
from newsdedup.synthetic.lexicon import RANK_STRIDE, ZIPF_SHIFT
from newsdedup.synthetic.lexicon_file import read_lexicon
from synthetic.seeded import seeded

LANGUAGES = ("ru", "uk", "en")


@pytest.mark.parametrize("language", LANGUAGES)
def test_composed_names_do_not_repeat_before_long(language: str) -> None:
    villages = read_lexicon(language).villages
    names = {villages.at(rank) for rank in range(2_000)}
    assert len(names) > 1_300


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", ["surnames", "villages", "firms", "agencies", "brands"])
def test_there_are_names_for_a_long_stream(language: str, kind: str) -> None:
    known = getattr(read_lexicon(language), kind)
    assert known.composed > 20_000
    assert gcd(RANK_STRIDE, known.composed) == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_name_drawn_is_one_of_the_ranked(language: str) -> None:
    lexicon = read_lexicon(language)
    for number, known in enumerate((lexicon.surnames, lexicon.things, lexicon.agencies)):
        size = len(known.common) + known.composed
        rank = zipf(seeded(number), size, ZIPF_SHIFT)
        assert known.draw(seeded(number)) == known.at(rank)


@given(st.integers(0, 2**32), st.integers(1, 10**6), st.integers(1, 500))
def test_a_zipf_rank_is_below_the_size(seed: int, size: int, shift: int) -> None:
    assert 0 <= zipf(seeded(seed), size, shift) < size


def test_the_first_ranks_are_drawn_most() -> None:
    rng = seeded(6)
    ranks = [zipf(rng, 1_000) for _ in range(4_000)]
    assert sum(rank < 10 for rank in ranks) > 3 * sum(100 <= rank < 110 for rank in ranks)
