from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsdedup_lab.clusterings.cluster_scores import ClusterScore, b_cubed, cluster_score, pairwise
from newsdedup_lab.clusterings.cover import make_cover
from newsdedup_lab.scores import Score

TRUTH = make_cover([(1, 2, 3), (4, 5), (6,)])
FOUND = make_cover([(1, 2), (3, 4, 5), (6,)])


def test_the_four_scores_of_a_worked_example():
    # |R| = 6.  {1,2,3}: f = {1,2}, 2 shared: Pr 2/2, Re 2/3.  {4,5}: f = {3,4,5}: Pr 2/3, Re 2/2.
    # {6}: Pr 1, Re 1.   Pr = 3/6*1 + 2/6*2/3 + 1/6*1 = 8/9, Re = 3/6*2/3 + 2/6*1 + 1/6*1 = 5/6,
    # F1 = 2*(8/9)*(5/6)/(8/9+5/6) = 80/93.  CPr: {1,2} 1 of 1 pair, {3,4,5} 1 of 3; {6} has none:
    # (1 + 1/3)/2 = 2/3.
    expected = ClusterScore(0.8889, 0.8333, round(80 / 93, 4), 0.6667)
    assert cluster_score(TRUTH, FOUND) == expected


def test_of_clusters_that_share_as_much_the_smaller_is_compared():
    # {1,2} shares one node with both; in {2} it is the whole of it: Pr 1, Re 1/2, F1 2/3.
    # CPr: {1,3} holds one pair, which is not together in the truth.
    truth, found = make_cover([(1, 2)]), make_cover([(1, 3), (2,)])
    assert cluster_score(truth, found) == ClusterScore(1.0, 0.5, 0.6667, 0.0)


def test_clusters_may_overlap():
    # {1,2} is found whole, {3} best in {3}; CPr: {1,2} 1, {2,3} 0, {3} none.
    truth, found = make_cover([(1, 2), (3,)]), make_cover([(1, 2), (2, 3), (3,)])
    assert cluster_score(truth, found) == ClusterScore(1.0, 1.0, 1.0, 0.5)


def test_b_cubed_of_the_worked_example():
    # Precision of 1 and 2: 2/2; of 3: 1/3; of 4 and 5: 2/3; of 6: 1: (2 + 1/3 + 4/3 + 1)/6 = 7/9.
    # Recall of 1 and 2: 2/3; of 3: 1/3; of 4 and 5: 1; of 6: 1: (4/3 + 1/3 + 2 + 1)/6 = 7/9.
    assert b_cubed(TRUTH, FOUND) == Score(0.7778, 0.7778, 0.7778)


def test_pairwise_of_the_worked_example():
    # Found 12 34 35 45, true 12 13 23 45, both 12 45: 2/4 and 2/4.
    assert pairwise(TRUTH, FOUND) == Score(0.5, 0.5, 0.5)


def test_nothing_scores_nothing():
    assert cluster_score(make_cover([]), make_cover([])) == ClusterScore(0.0, 0.0, 0.0, 0.0)
    assert (
        b_cubed(make_cover([]), make_cover([]))
        == pairwise(make_cover([]), make_cover([]))
        == Score(0.0, 0.0, 0.0)
    )


@pytest.mark.parametrize("score", [b_cubed, pairwise])
def test_scores_of_partitions_refuse_what_is_none(score):
    with pytest.raises(ValueError, match="in several clusters"):
        score(make_cover([(1, 2)]), make_cover([(1, 2), (2,)]))
    with pytest.raises(ValueError, match="not of the same nodes"):
        score(make_cover([(1, 2)]), make_cover([(1,)]))


def partitions(size):
    labels = st.lists(st.integers(0, size), min_size=size, max_size=size)
    return labels.map(
        lambda of: make_cover([n for n, label in enumerate(of) if label == one] for one in set(of))
    )


pairs_of_partitions = st.integers(0, 7).flatmap(
    lambda size: st.tuples(partitions(size), partitions(size))
)


@given(pairs_of_partitions)
def test_the_truth_itself_is_perfect(both):
    truth, _ = both
    several = any(len(cluster) > 1 for cluster in truth.clusters)
    if truth.clusters:
        assert cluster_score(truth, truth) == ClusterScore(1.0, 1.0, 1.0, float(several))
        assert b_cubed(truth, truth) == Score(1.0, 1.0, 1.0)
        assert pairwise(truth, truth) == Score(*[float(several)] * 3)


@given(pairs_of_partitions)
def test_the_scores_are_those_of_the_formulas(both):
    truth, found = both
    records = sum(map(len, truth.clusters))
    if not records:
        return
    precision = recall = 0.0
    for g in truth.clusters:
        f = max(found.clusters, key=lambda c: (len(set(c) & set(g)), -len(c), [-n for n in c]))
        shared = len(set(f) & set(g))
        precision += len(g) / records * shared / len(f)
        recall += len(g) / records * shared / len(g)
    several = [c for c in found.clusters if len(c) > 1]
    shares = [
        sum(any({t, s} <= set(g) for g in truth.clusters) for t, s in combinations(c, 2))
        / len(list(combinations(c, 2)))
        for c in several
    ]
    scored = cluster_score(truth, found)
    assert scored.precision == pytest.approx(precision, abs=6e-5)
    assert scored.recall == pytest.approx(recall, abs=6e-5)
    clustering_precision = sum(shares) / len(shares) if shares else 0.0
    assert scored.clustering_precision == pytest.approx(clustering_precision, abs=6e-5)


@given(pairs_of_partitions)
def test_b_cubed_and_pairwise_are_those_of_their_definitions(both):
    truth, found = both
    nodes = [node for cluster in truth.clusters for node in cluster]
    if not nodes:
        return
    of = {n: set(c) for c in found.clusters for n in c}
    true = {n: set(c) for c in truth.clusters for n in c}
    scored = b_cubed(truth, found)
    precision = sum(len(of[n] & true[n]) / len(of[n]) for n in nodes) / len(nodes)
    recall = sum(len(of[n] & true[n]) / len(true[n]) for n in nodes) / len(nodes)
    assert scored.precision == pytest.approx(precision, abs=6e-5)
    assert scored.recall == pytest.approx(recall, abs=6e-5)
    ours = {pair for c in found.clusters for pair in combinations(c, 2)}
    theirs = {pair for c in truth.clusters for pair in combinations(c, 2)}
    right = len(ours & theirs)
    scored = pairwise(truth, found)
    assert scored.precision == pytest.approx(right / len(ours) if ours else 0.0, abs=6e-5)
    assert scored.recall == pytest.approx(right / len(theirs) if theirs else 0.0, abs=6e-5)
