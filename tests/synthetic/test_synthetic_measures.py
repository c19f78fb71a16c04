"""The made stream behaves like real ones.

Measured in November 2026 with synthetic_measures.py on 26,754 items: 22,099 posts of 24
messenger channels (ru, 2023-08 to 2024-12) and 4,655 articles of about 600 sites (ru, uk, en,
2019-11 to 2020-04). Vocabulary growth in an order shuffled with Random(0), all else in the
order of time. The levels of the vocabulary are the channels' alone: our texts have the channels'
length, and articles four times as long bring more words each.
"""

import pytest

from newsdedup.synthetic.stream import generate_stream
from synthetic.synthetic_measures import (
    Growth,
    growth,
    heaps_exponent,
    nearest,
    quantile,
    short_share,
    words,
)

pytestmark = pytest.mark.usefixtures("long")

ITEMS = 10_000
LENGTHS = {0.1: 130, 0.5: 400, 0.9: 1588}
HEAPS_EXPONENT = 0.622  # between 1,000 and 10,000 items, for channels and for all alike
DISTINCT_FORMS = {1_000: 18_631, 5_000: 52_183, 10_000: 78_135}
NEAR_DUPLICATES = 0.062  # an earlier item with Jaccard >= 0.5 of word 3-grams
NEAR_MISSES = 0.078  # Jaccard 0.2 to 0.5
SHORT = 0.092  # fewer than 12 words of four characters or more

Words = list[list[str]]


@pytest.fixture(scope="module")
def texts() -> Words:
    return [words(planted.item) for planted in generate_stream(ITEMS)]


@pytest.fixture(scope="module")
def grown(texts: Words) -> list[Growth]:
    return growth(texts, tuple(DISTINCT_FORMS))


@pytest.fixture(scope="module")
def similarities(texts: Words) -> list[float]:
    return nearest(texts)


def within(value: float, reference: float, factor: float) -> bool:
    return reference / factor <= value <= reference * factor


@pytest.mark.parametrize(("share", "characters"), LENGTHS.items())
def test_texts_are_as_long_as_real_ones_within_a_factor_of_1_5(
    share: float, characters: int
) -> None:
    lengths = [len(str(planted.item["text"])) for planted in generate_stream(3_000)]
    assert within(quantile(lengths, share), characters, 1.5)


def test_the_vocabulary_grows_by_heaps_law_with_the_exponent_of_news(grown: list[Growth]) -> None:
    assert heaps_exponent(grown[0], grown[-1]) == pytest.approx(HEAPS_EXPONENT, abs=0.12)


def test_the_vocabulary_does_not_run_dry_late_in_the_stream(grown: list[Growth]) -> None:
    assert heaps_exponent(grown[1], grown[2]) > 0.5


@pytest.mark.parametrize("index", range(3))
def test_the_vocabulary_is_as_large_as_a_real_one_within_a_quarter(
    grown: list[Growth], index: int
) -> None:
    assert within(grown[index].distinct, list(DISTINCT_FORMS.values())[index], 1.25)


def test_the_share_of_near_duplicates_is_real_within_a_factor_of_1_5(
    similarities: list[float],
) -> None:
    share = sum(best >= 0.5 for best in similarities) / ITEMS
    assert within(share, NEAR_DUPLICATES, 1.5)


def test_the_share_of_near_misses_is_real_within_a_factor_of_1_5(
    similarities: list[float],
) -> None:
    share = sum(0.2 <= best < 0.5 for best in similarities) / ITEMS
    assert within(share, NEAR_MISSES, 1.5)


def test_the_share_of_short_items_is_real_within_a_factor_of_1_5(texts: Words) -> None:
    assert within(short_share(texts), SHORT, 1.5)
