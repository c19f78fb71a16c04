from itertools import pairwise
from math import e, exp, isclose, log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsdedup.core.words.background import Frequency
from newsdedup.core.words.weights import (
    OPT_FREQ,
    TF_IDF,
    TF_RIDF,
    Weighting,
    augmented_tf,
    idf,
    optimal_idf,
    probabilistic_idf,
    residual_idf,
    saturated_tf,
)


def test_optimal_idf_by_hand_below_and_above_the_optimum() -> None:
    # 18 documents of 1,000: idf = -ln(0.018) = 4.0174; below 9: sqrt(4.0174 / 9) = 0.6681
    assert round(idf(df=18, documents=1_000), 4) == 4.0174
    assert round(optimal_idf(df=18, documents=1_000, optimum=9.0), 4) == 0.6681
    # 1 document of a million: idf = ln(1,000,000) = 13.8155; above 9: 9 / 13.8155 = 0.6514
    assert round(optimal_idf(df=1, documents=1_000_000, optimum=9.0), 4) == 0.6514
    # the seed's own optimum: 10 documents of a million, -ln(0.00001) = 11.5129, taken as 11.5
    assert round(optimal_idf(df=10, documents=1_000_000, optimum=11.5), 3) == 0.999


def test_optimal_idf_is_highest_at_the_optimum() -> None:
    documents = round(e**9)
    assert isclose(optimal_idf(df=1, documents=documents, optimum=9.0), 1.0, abs_tol=1e-4)
    common = [optimal_idf(df=df, documents=documents) for df in (1, 10, 100, 1_000, documents)]
    assert all(left > right for left, right in pairwise(common))
    rare = [optimal_idf(df=1, documents=documents * 10**n) for n in range(5)]
    assert all(left > right for left, right in pairwise(rare))


def test_a_lemma_of_every_document_weighs_nothing() -> None:
    assert idf(df=50, documents=50) == 0.0
    assert optimal_idf(df=50, documents=50) == 0.0
    assert probabilistic_idf(df=50, documents=50) == 0.0


def test_residual_idf_is_near_zero_for_a_lemma_scattered_at_random() -> None:
    # A Poisson lemma of 100 occurrences in 1,000 documents stands in 1000 * (1 - e**-0.1) = 95.2.
    scattered = residual_idf(df=1_000 * (1 - exp(-0.1)), cf=100, documents=1_000)
    clustered = residual_idf(df=10, cf=100, documents=1_000)
    assert isclose(scattered, 0.0, abs_tol=1e-12)
    # -ln(0.01) + ln(1 - e**-0.1) = 4.6052 - 2.3522 = 2.2530
    assert round(clustered, 4) == 2.2530


def test_probabilistic_idf_by_hand() -> None:
    # (1000 - 100 + 0.5) / (100 + 0.5) = 8.9602, its logarithm 2.1928
    assert round(probabilistic_idf(df=100, documents=1_000), 4) == 2.1928


def test_shares_of_frequency_by_hand() -> None:
    assert augmented_tf(3, 4) == 0.5 + 0.5 * 3 / 4
    # 3 / (2 * (0.25 + 0.75 * 2) + 3) = 3 / 6.5
    assert saturated_tf(3, 4, 2.0) == 3 / 6.5


@pytest.mark.parametrize("weighting", [OPT_FREQ, TF_IDF, TF_RIDF], ids=lambda w: w.name)
class TestEveryWeighting:
    @given(df=st.integers(1, 10_000), more=st.integers(0, 10_000), extra=st.integers(0, 10**6))
    def test_the_worth_of_a_lemma_is_finite(
        self, weighting: Weighting, df: int, more: int, extra: int
    ) -> None:
        worth = weighting.worth(Frequency(df, df + more, df + extra))
        assert -1.0 < worth < log(10**7)

    @given(tf=st.integers(1, 50), more=st.integers(0, 50), length=st.floats(0.01, 100))
    def test_a_word_said_more_often_never_weighs_less(
        self, weighting: Weighting, tf: int, more: int, length: float
    ) -> None:
        highest = tf + more
        assert weighting.share(tf, highest, length) <= weighting.share(highest, highest, length)
