import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsdedup_lab.score.sweep import (
    average_precision,
    best_score,
    critical_interval,
    threshold_scores,
)

counts = st.lists(st.integers(0, 5), min_size=4, max_size=4)


def test_scores_at_each_threshold_by_hand() -> None:
    # Duplicates at .2, .4 (two) and .6; others at .2 (three) and .4. At .4: 3 right of 4 found.
    low, middle, high = threshold_scores([1, 2, 1], [3, 1, 0], [0.2, 0.4, 0.6])
    assert (low.precision, low.recall, low.f1) == (4 / 8, 1.0, 2 * 4 / (8 + 4))
    assert (middle.precision, middle.recall, middle.f1) == (3 / 4, 3 / 4, 3 / 4)
    assert (high.precision, high.recall, high.f1) == (1.0, 1 / 4, 2 / 5)
    assert best_score([low, middle, high]) == middle
    # From the highest down: a quarter of recall at 1, half at 3/4, a quarter at 4/8.
    assert average_precision([low, middle, high]) == 0.25 * 1 + 0.5 * 0.75 + 0.25 * 0.5


def test_duplicates_that_no_threshold_reaches_lower_recall() -> None:
    (only,) = threshold_scores([2], [0], [0.5], whole=8)
    assert (only.precision, only.recall, only.f1) == (1.0, 0.25, 2 * 2 / (2 + 8))


def test_the_critical_interval_is_where_f_is_as_good() -> None:
    curve = threshold_scores([0, 0, 100, 0], [9, 1, 1, 9], [0.1, 0.2, 0.3, 0.4])
    # F at .1 is 200 / 220, at .2 200 / 211, at .3 200 / 210 (best): .2 is within a hundredth.
    assert best_score(curve).threshold == 0.3
    assert critical_interval(curve) == (0.2, 0.3)


@given(counts, counts)
def test_recall_falls_with_the_threshold_and_all_is_within_bounds(same, other) -> None:
    curve = threshold_scores(same, other, [0.1, 0.2, 0.3, 0.4])
    recalls = [one.recall for one in curve]
    assert recalls == sorted(recalls, reverse=True)
    for one in curve:
        assert 0 <= one.f1 <= 1
        assert one.precision is None or 0 <= one.precision <= 1
    low, high = critical_interval(curve)
    assert low <= best_score(curve).threshold <= high
    assert 0 <= average_precision(curve) <= 1 + 1e-9


def test_nothing_found_has_no_precision() -> None:
    (only,) = threshold_scores([0], [0], [0.5], whole=3)
    assert (only.precision, only.recall, only.f1) == (None, 0.0, 0.0)
    assert pytest.approx(average_precision([only])) == 0
