"""The laws of a Rule, tested over every rule and over thresholds that a user may set."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laws.streams import entries, entry
from newsdedup.core.matching.candidates import COMMON_TERM, are_candidates
from newsdedup.core.matching.rules import TermsRule

RULES = [
    TermsRule(duplicate=4, similar=2, window=20),
    TermsRule(duplicate=3, similar=3, window=20),
    TermsRule(duplicate=5, similar=4, window=5),
    TermsRule(),
]
rules = st.sampled_from(RULES)


@given(rules, entries(), entries())
def test_a_match_is_symmetric(rule, left, right):
    assert rule.match(left, right) == rule.match(right, left)


@given(rules, entries())
def test_an_entry_matches_itself_wholly(rule, item):
    match = rule.match(item, item)
    assert match.duplicate
    assert match.score == 1.0


@given(rules, entries(), entries())
def test_scores_are_bounded_and_the_window_is_kept(rule, left, right):
    match = rule.match(left, right)
    if match is not None:
        assert 0 < match.score <= 1
        assert abs(left.effective_at - right.effective_at) <= rule.window


@given(rules, entries(), entries())
def test_the_filings_of_duplicates_meet(rule, left, right):
    match = rule.match(left, right)
    if match is not None and match.duplicate:
        assert are_candidates(rule.index_keys(left), rule.index_keys(right))


@given(rules, entries(), entries())
def test_filings_meet_from_both_sides(rule, left, right):
    ours, theirs = rule.index_keys(left), rule.index_keys(right)
    assert are_candidates(ours, theirs) == are_candidates(theirs, ours)


@given(rules, entries(), entries())
def test_what_is_asked_of_many_is_what_is_asked_of_two(rule, left, right):
    assert rule.matcher(left)(right) == rule.match(left, right)


signatures = st.sets(st.integers(1, 24), min_size=6, max_size=12)
with_common_terms = st.sets(
    st.one_of(st.integers(1, 12), st.integers(COMMON_TERM, COMMON_TERM + 12)),
    min_size=6,
    max_size=12,
)


@given(with_common_terms, with_common_terms, st.integers(2, 6))
def test_no_duplicate_is_lost_however_common_its_terms(left, right, similar):
    rule = TermsRule(similar=similar)
    a, b = entry("a", left, at=0), entry("b", right, at=0)
    if len(left & right) >= rule.duplicate:
        assert are_candidates(rule.index_keys(a), rule.index_keys(b))


@given(signatures, signatures, st.integers(2, 6))
def test_without_common_terms_what_is_similar_is_found_at_every_threshold(left, right, similar):
    rule = TermsRule(similar=similar)
    a, b = entry("a", left, at=0), entry("b", right, at=0)
    if len(left & right) >= similar:
        assert are_candidates(rule.index_keys(a), rule.index_keys(b))


def test_what_is_similar_by_common_terms_only_is_not_looked_for():
    rule = TermsRule()
    common = range(COMMON_TERM, COMMON_TERM + 4)
    a = entry("a", [*range(1, 9), *common], at=0)
    b = entry("b", [*range(11, 19), *common], at=0)
    assert rule.match(a, b).relation == "similar"
    assert not are_candidates(rule.index_keys(a), rule.index_keys(b))
    assert len(rule.index_keys(a).counted) == 8


@pytest.mark.parametrize(
    ("shared", "relation"),
    [(12, "reprint"), (11, "rewrite"), (6, "rewrite"), (5, "similar"), (3, "similar"), (2, None)],
)
def test_twelve_terms_are_judged_by_the_numbers_of_the_paper(shared, relation):
    rule = TermsRule()
    left = entry("a", range(12), at=0)
    right = entry("b", [*range(shared), *range(100, 112 - shared)], at=0)
    match = rule.match(left, right)
    assert (None if match is None else match.relation) == relation


def test_a_short_item_matches_only_the_same_terms_with_the_same_numbers():
    rule = TermsRule()
    one = entry("a", {1, 2, 3}, at=0, numbers=("1:0",))
    same = entry("b", {1, 2, 3}, at=1, numbers=("1:0",))
    later = entry("c", {1, 2, 3}, at=2, numbers=("2:0",))
    longer = entry("d", {1, 2, 3, 4}, at=3, numbers=("1:0",))
    assert rule.match(one, same).duplicate
    assert rule.match(one, later) is None
    assert rule.match(one, longer) is None


@pytest.mark.parametrize("thresholds", [(6, 7), (6, 1), (1, 1)])
def test_thresholds_that_contradict_each_other_are_refused(thresholds):
    with pytest.raises(ValueError, match="similar <= duplicate"):
        TermsRule(duplicate=thresholds[0], similar=thresholds[1])
