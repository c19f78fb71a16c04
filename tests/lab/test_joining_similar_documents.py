from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsdedup import ItemKey
from newsdedup_lab.cluster.measures import _DIGITS, MEASURES, similar_pairs
from newsdedup_lab.collections.corpora import Documents

lemmas = st.lists(st.sampled_from("абвгдежзик"), max_size=12).map(tuple)
collections = st.lists(lemmas, max_size=12)


def collated(documents) -> Documents:
    keys = tuple(ItemKey("source", str(number)) for number in range(len(documents)))
    return Documents(keys, tuple(documents), tuple(map(" ".join, documents)))


def joined(name, documents, threshold):
    return similar_pairs(MEASURES[name](collated(documents)), threshold, lambda _: None)


@pytest.mark.parametrize("name", MEASURES)
@given(documents=collections, threshold=st.sampled_from([0.1, 0.2, 0.5, 0.8, 1.0]))
def test_no_pair_is_lost_that_comparing_all_would_find(name, documents, threshold):
    measure = MEASURES[name](collated(documents))
    wanted = {
        (left, right): similarity
        for left, right in combinations(range(len(documents)), 2)
        if documents[left]
        and documents[right]
        and (similarity := round(measure.similarity(left, right), _DIGITS)) >= threshold
    }
    found = similar_pairs(measure, threshold, lambda _: None)
    assert {(left, right): similarity for left, right, similarity in found} == wanted
    assert len(found) == len(wanted)


@pytest.mark.parametrize("name", MEASURES)
@given(documents=collections)
def test_a_document_that_reaches_a_threshold_is_possible_at_it(name, documents):
    measure = MEASURES[name](collated(documents))
    for index in range(len(documents)):
        elements, weights = measure.vectors.elements_of(index)
        rest = measure.remaining_score(weights)
        assert len(rest) == len(elements) + 1
        assert rest[-1] == 0.0
        assert all(rest[:-1] >= rest[1:])


def test_similar_documents_by_hand():
    documents = [("a", "b", "c"), ("a", "b", "d"), ("e",), ("f",)]
    # Edit: one of three words replaced, 1 - 1/3. Jaccard: idf(a) = idf(b) = ln(4/2), idf(c) =
    # idf(d) = ln 4 = 2 ln 2; shared 2 ln 2, in either 2 ln 2 + 4 ln 2: 1/3. Cosine: squares
    # 1 + 1 + 4 in units of ln 2, shared 1 + 1: 2/6.
    assert joined("edit", documents, 0.2) == [(0, 1, 0.666667)]
    assert joined("jaccard", documents, 0.2) == [(0, 1, 0.333333)]
    assert joined("cosine", documents, 0.2) == [(0, 1, 0.333333)]


@pytest.mark.parametrize("name", MEASURES)
def test_of_nothing_there_are_no_pairs(name):
    assert joined(name, [], 0.2) == []
    assert joined(name, [(), ()], 0.2) == []
