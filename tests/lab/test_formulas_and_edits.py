from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest

from core.fingerprints.readings import ANALYZER
from newsdedup.core.fingerprints.corpus import hash_shingles
from newsdedup_lab.compare.predicted_curves import (
    edit_to_similarity,
    jaccard,
    mean_point,
    recall,
    remove_words,
    share_point,
    stability,
    synthesize_texts,
    variance,
)

pytestmark = pytest.mark.usefixtures("long")

TRIALS = 120
SEED = 1


@pytest.fixture(scope="module")
def texts():
    return synthesize_texts(ANALYZER, 80, seed=SEED)


@pytest.mark.parametrize("curve", [stability, recall, variance])
def test_what_the_formulas_foretell_lies_inside_the_intervals_of_what_happens(curve, texts):
    points = curve(texts, TRIALS, SEED)
    # Of right predictions one in twenty lies outside of its 95 %; none lies far outside.
    assert sum(not point.inside for point in points) <= 1
    assert all(
        2 * point.low - point.measured <= point.predicted <= 2 * point.high - point.measured
        for point in points
    )
    # The intervals are narrow enough to tell a wrong formula from a right one.
    assert max(point.high - point.low for point in points) < 0.2
    assert len({round(point.measured, 4) for point in points}) >= len(points) - 1


def test_the_intervals_tell_another_formula_from_the_right_one(texts):
    points = stability(texts, TRIALS, SEED)
    # One edit more than there was: p^(n + 1) instead of p^n.
    shifted = [replace(point, predicted=after.predicted) for point, after in pairwise(points)]
    assert sum(not point.inside for point in shifted) >= 3


def test_the_same_seed_measures_the_same(texts):
    assert recall(texts, 10, SEED) == recall(texts, 10, SEED) != recall(texts, 10, SEED + 1)


def test_the_interval_of_a_share_is_that_of_wilson():
    # 8 of 10: (.8 + 3.84/20 -+ 1.96 * sqrt(.016 + 3.84/400)) / (1 + .384).
    point = share_point(1.0, [0.5] * 10, 8)
    assert point.low == pytest.approx(0.4902, abs=1e-4)
    assert point.high == pytest.approx(0.9433, abs=1e-4)
    assert point.inside
    none, all_of_them = share_point(1.0, [0.0] * 10, 0), share_point(1.0, [1.0] * 10, 10)
    assert (none.low, all_of_them.high) == (0.0, 1.0)
    assert none.inside
    assert all_of_them.inside


def test_the_interval_of_a_mean_of_a_worked_example():
    # Mean 2, deviation 1: 2 -+ 1.96 / sqrt(3).
    point = mean_point(0.5, [3.0, 3.0, 3.0], [1.0, 2.0, 3.0])
    assert point.measured == 2.0
    assert point.low == pytest.approx(2 - 1.96 / 3**0.5)
    assert point.inside


def test_edits_reach_the_similarity_they_are_asked_for(texts):
    words = texts.readings[0].words
    changed = edit_to_similarity(words, 0.8, 5, texts.words, Random(1))  # noqa: S311 - an edit, no secret
    assert 0.7 < jaccard(set(hash_shingles(words, 5)), set(hash_shingles(changed, 5))) <= 0.8
    assert remove_words(("a", "b", "a", "c"), ["a"]) == ("b", "c")
