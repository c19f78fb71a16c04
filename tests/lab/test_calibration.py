from hypothesis import given
from hypothesis import strategies as st

from newsdedup_lab.calibrate.calibration import (
    Closeness,
    duplicates_curve,
    recommend_terms,
    similar_curve,
)

signatures = st.lists(st.sets(st.integers(0, 6), max_size=4), max_size=7)
documents = st.lists(
    st.tuples(st.sets(st.integers(0, 6), max_size=4), st.sets(st.integers(0, 9), max_size=6)),
    max_size=7,
)


def test_duplicates_of_a_worked_example():
    # Shared terms: 0-1 two, 1-2 two, 0-2 one, 3 none.
    # t = 1: 01 10 12 21 02 20 are pairs; each of the 6 orders of 0, 1, 2 is a path and closed.
    # t = 2: 01 10 12 21; the paths 0-1-2 and 2-1-0 are not closed.
    curve = duplicates_curve([{1, 2, 3}, {2, 3, 4}, {3, 4, 5}, {9}])
    assert curve[0] == Closeness(shared=1, pairs=6, mutual=6, paths=6, closed=6)
    assert curve[1] == Closeness(shared=2, pairs=4, mutual=4, paths=2, closed=0)
    assert curve[2] == Closeness(shared=3, pairs=0, mutual=0, paths=0, closed=0)
    assert (curve[0].asymmetry, curve[0].transitivity, curve[0].closed_share) == (0, 1.0, 1.0)
    assert (curve[1].asymmetry, curve[1].transitivity, curve[1].closed_share) == (0, 0.0, 0.0)
    assert (curve[2].asymmetry, curve[2].transitivity, curve[2].closed_share) == (0, 0.0, 1.0)


def test_a_digest_is_similar_to_its_parts_and_they_are_not_to_it():
    # The signatures of both parts are in the digest (document 2), whose signature is in neither.
    # t = 2: 0-2 and 1-2 only: sum |a_ij - a_ji| = 4 over 2 pairs.
    signatures = [{1, 2}, {3, 4}, {7, 8}]
    texts = [{1, 2, 5}, {3, 4, 6}, {1, 2, 3, 4, 7, 8}]
    curve = similar_curve(signatures, texts)
    assert curve[1] == Closeness(shared=2, pairs=2, mutual=0, paths=0, closed=0)
    assert curve[1].asymmetry == 2.0


def test_no_documents_have_no_curve():
    assert duplicates_curve([]) == []
    assert recommend_terms([]) == 0


def test_empty_signatures_are_related_to_nothing():
    assert duplicates_curve([set(), {1}, set()])[0].pairs == 0


def relation(signatures, documents, shared):
    size = len(signatures)
    return [
        [i != j and len(set(signatures[i]) & set(documents[j])) >= shared for j in range(size)]
        for i in range(size)
    ]


def counted(a, shared):
    every = range(len(a))
    return Closeness(
        shared,
        pairs=sum(a[i][j] for i in every for j in every),
        mutual=sum(a[i][j] and a[j][i] for i in every for j in every),
        paths=sum(a[i][j] and a[j][k] and i != k for i in every for j in every for k in every),
        closed=sum(a[i][j] and a[j][k] and a[i][k] for i in every for j in every for k in every),
    )


@given(documents)
def test_the_counts_are_those_of_the_sums(drawn):
    signatures, texts = [sign for sign, _ in drawn], [text for _, text in drawn]
    for curve, compared in (
        (similar_curve(signatures, texts), texts),
        (duplicates_curve(signatures), signatures),
    ):
        assert len(curve) == max(map(len, signatures), default=0)
        for one in curve:
            a = relation(signatures, compared, one.shared)
            assert one == counted(a, one.shared)
            differing = sum(a[i][j] != a[j][i] for i in range(len(a)) for j in range(len(a)))
            assert one.asymmetry == (round(differing / one.pairs, 6) if one.pairs else 0.0)


@given(signatures)
def test_duplicates_are_symmetric_and_fewer_with_every_term(drawn):
    curve = duplicates_curve(drawn)
    assert all(one.asymmetry == 0 for one in curve)
    assert [one.pairs for one in curve] == sorted((one.pairs for one in curve), reverse=True)
    assert all(0 <= one.closed <= one.paths for one in curve)


@given(documents, st.randoms(use_true_random=False))
def test_the_order_of_the_documents_never_shows(drawn, random):
    shuffled = random.sample(drawn, len(drawn))
    assert similar_curve(*halves(drawn)) == similar_curve(*halves(shuffled))


def halves(drawn):
    return [sign for sign, _ in drawn], [text for _, text in drawn]


def test_the_recommended_number_is_the_knee_of_the_balance():
    # Closed shares .2 .5 .8 .9 1.0; the line from .2 to 1.0 rises by .2: above it by
    # 0, .1, .2, .1, 0.
    shares = [2, 5, 8, 9, 10]
    curve = [
        Closeness(shared=t, pairs=10, mutual=10, paths=10, closed=share)
        for t, share in enumerate(shares, 1)
    ]
    assert [one.balance for one in curve] == [0.2, 0.5, 0.8, 0.9, 1.0]
    assert recommend_terms(curve) == 3
