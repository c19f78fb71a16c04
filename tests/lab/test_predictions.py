from itertools import product
from math import isclose

import pytest

from newsdedup_lab.compare.predicted_curves import (
    MEGASHINGLE_RECALL_PRINTED,
    i_match_stability,
    megashingle_recall,
    minhash_variance,
    supershingle_agreement,
)


def test_i_match_stability_of_a_worked_example():
    # p^2 = .25; 1 - .75^3 = 1 - .421875.
    assert i_match_stability(2, removed=0.5, lexicons=3) == 0.578125


def test_an_unchanged_text_keeps_its_i_match_signatures():
    assert i_match_stability(0) == 1.0
    # One edit, the parameters of the paper: 1 - .67^10.
    assert i_match_stability(1) == pytest.approx(1 - 0.67**10)


def test_megashingle_recall_gives_what_the_paper_prints_for_14_functions():
    # .95^14 = .49, 1 - .51^6 - 6*.49*.51^5 = .88, printed as ~.90; .80^14 = .044: .026.
    assert supershingle_agreement(0.95, functions=14) == pytest.approx(0.49, abs=0.005)
    assert megashingle_recall(0.95, functions=14) == pytest.approx(0.88, abs=0.005)
    assert megashingle_recall(0.80, functions=14) == pytest.approx(0.026, abs=0.0005)


@pytest.mark.parametrize(("jaccard", "recall"), [(0.75, 0.29), (0.80, 0.49), (0.85, 0.73)])
def test_megashingle_recall_for_6_functions_is_not_what_the_paper_prints(jaccard, recall):
    assert megashingle_recall(jaccard) == pytest.approx(recall, abs=0.005)
    assert abs(MEGASHINGLE_RECALL_PRINTED[jaccard] - recall) > 0.03


@pytest.mark.parametrize("jaccard", [0.0, 0.3, 0.8, 1.0])
def test_megashingle_recall_is_the_sum_over_all_outcomes(jaccard):
    q = jaccard**6
    total = 0.0
    for outcome in product((True, False), repeat=6):
        chance = 1.0
        for agrees in outcome:
            chance *= q if agrees else 1 - q
        total += chance * (sum(outcome) >= 2)
    assert isclose(megashingle_recall(jaccard), total, abs_tol=1e-12)


def test_minhash_variance_of_a_worked_example():
    # .8 * .2 / 100.
    assert minhash_variance(0.8, functions=100) == pytest.approx(0.0016)
    assert minhash_variance(1.0, functions=10) == 0.0
