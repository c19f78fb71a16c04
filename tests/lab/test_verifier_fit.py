import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsdedup.core.matching.verify.features import Features
from newsdedup.core.matching.verify.model import probability
from newsdedup_lab.fit.logistic import fit_offset, fit_table, group_stories, split_folds

NONE = Features(*(0.0,) * len(Features._fields))


def row(*, duplicate, **values):
    return NONE._replace(**values), duplicate


def fit_rows(rows):
    table = np.array([[*features, 0.0] for features, _ in rows])
    truth = np.array([duplicate for _, duplicate in rows], dtype=np.float64)
    return fit_table(table, truth, np.ones(len(rows)), version="1")


def test_a_feature_that_tells_duplicates_gets_weight():
    rows = [row(duplicate=True, head=1.0), row(duplicate=False, head=0.0)] * 50
    model = fit_rows(rows)
    assert probability(model.logit(NONE._replace(head=1.0))) > 0.8
    assert probability(model.logit(NONE)) < 0.2
    assert model.base == 0.5


def test_a_feature_that_would_speak_the_wrong_way_is_left_out():
    rows = [
        row(duplicate=True, head=1.0, dates=1.0),
        row(duplicate=False, head=0.0),
        row(duplicate=False, head=1.0),
    ]
    weights = dict(zip(Features._fields, fit_rows(rows * 30).weights, strict=True))
    assert weights["dates"] == 0.0
    assert weights["head"] > 0.0


def test_the_same_rows_give_the_same_model():
    rows = [row(duplicate=i % 3 == 0, head=i % 5 / 4, mass=i % 7) for i in range(60)]
    assert fit_rows(rows) == fit_rows(rows)


def test_pairs_that_share_an_item_are_one_story():
    found = group_stories([("a", "b"), ("c", "d"), ("b", "c"), ("x", "y")])
    assert found == ["a", "a", "a", "x"]


@given(st.lists(st.sampled_from("abcdefgh"), max_size=40), st.integers(1, 5))
def test_folds_hold_every_row_once_and_split_no_story(groups, count):
    found = split_folds(groups, count)
    assert sorted(position for fold in found for position in fold) == list(range(len(groups)))
    for group in set(groups):
        assert sum(any(groups[position] == group for position in fold) for fold in found) == 1


def test_folds_of_two_turns_differ_and_those_of_one_do_not():
    groups = [f"story {number}" for number in range(20)]
    assert (
        split_folds(groups, 5, turn=1)
        == split_folds(groups, 5, turn=1)
        != split_folds(groups, 5, turn=2)
    )


def test_what_is_added_for_some_pairs_is_what_they_lack_compared_with_others():
    truth = np.array([1.0] * 30 + [0.0] * 10)
    assert fit_offset(np.zeros(40), truth) == pytest.approx(np.log(3), abs=0.15)
    # Where the model is right on the whole nothing is added.
    assert fit_offset(np.full(40, np.log(3)), truth) == pytest.approx(0, abs=0.01)
