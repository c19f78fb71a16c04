from math import log, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Indel

from newsdedup_lab.similarities import (
    SAME_TEXT,
    EditCosts,
    cosine,
    edit_similarity,
    text_similarity,
    tf_idf_vector,
    weighted_jaccard,
)

WEIGHTS = {"указ": 2.0, "подписан": 3.0, "вчера": 0.5, "сегодня": 1.0}
tokens = st.lists(st.sampled_from(["указ", "подписан", "вчера", "сегодня"]), max_size=8)
texts = st.text(alphabet="абв ", max_size=14)


def tf_idf_cosine(left, right, idf):
    return cosine(tf_idf_vector(left, idf), tf_idf_vector(right, idf))


def weight(token):
    return WEIGHTS[token]


def test_weighted_jaccard_of_a_worked_example():
    # Both: указ 2 + подписан 3 = 5; either: 5 + вчера .5 + сегодня 1 = 6.5.
    left, right = ["указ", "подписан", "вчера"], ["указ", "подписан", "сегодня", "указ"]
    assert weighted_jaccard(left, right, weight) == pytest.approx(5 / 6.5)


def test_tf_idf_cosine_of_a_worked_example():
    # w' left: указ 2*2 = 4, вчера .5; right: указ 2, подписан 3.
    # 4*2 / (sqrt(16.25) * sqrt(13)).
    left, right = ["указ", "указ", "вчера"], ["указ", "подписан"]
    assert tf_idf_cosine(left, right, weight) == pytest.approx(8 / (sqrt(16.25) * sqrt(13)))


def test_edit_similarity_of_worked_examples():
    # кошка -> кошки: one replacement of 5 characters.
    assert edit_similarity("кошка", "кошки") == pytest.approx(4 / 5)
    # One token replaced, one added, of 3 at most.
    assert edit_similarity(["указ", "вчера"], ["указ", "сегодня", "днём"]) == pytest.approx(1 / 3)
    # With a replacement at 2 it costs 2 + 1 = 3 of 3.
    costs = EditCosts(replace=2)
    assert edit_similarity(["указ", "вчера"], ["указ", "сегодня", "днём"], costs) == 0.0


def test_text_similarity_of_a_worked_example():
    # "2:0, матч" and "2:1, матч" share all 9 characters but one: 2*8/18.
    assert text_similarity("2:0, матч", "2:1, матч") == pytest.approx(16 / 18)


def test_a_text_of_exactly_the_bound_reaches_it():
    # 4 of 5 and 5 characters are common: 2*4/10 = .8.
    assert text_similarity("абвгд", "абвгж", least=SAME_TEXT) == 0.8
    assert text_similarity("абвгд", "абвгж", least=0.81) == 0.0


def test_what_is_empty():
    assert weighted_jaccard([], [], weight) == 0.0
    assert tf_idf_cosine([], ["указ"], weight) == 0.0
    assert tf_idf_vector(["и"], lambda _: 0.0) == {}
    assert edit_similarity("", "") == text_similarity("", "") == 1.0
    assert edit_similarity("", "а") == text_similarity("", "а") == 0.0


@given(tokens, tokens)
def test_similarities_of_tokens_are_symmetric_bounded_and_1_for_equal_ones(left, right):
    for similarity in (
        lambda one, other: weighted_jaccard(one, other, weight),
        lambda one, other: tf_idf_cosine(one, other, weight),
        edit_similarity,
    ):
        assert similarity(left, right) == similarity(right, left)
        assert 0.0 <= similarity(left, right) <= 1.0
        assert not left or similarity(left, left) == pytest.approx(1.0)


@given(tokens, tokens, st.randoms(use_true_random=False))
def test_the_order_of_tokens_never_shows_in_sets_and_vectors(left, right, random):
    shuffled = random.sample(left, len(left))
    assert weighted_jaccard(shuffled, right, weight) == weighted_jaccard(left, right, weight)
    assert tf_idf_cosine(shuffled, right, weight) == tf_idf_cosine(left, right, weight)


@given(tokens, tokens)
def test_cosine_and_jaccard_are_those_of_their_formulas(left, right):
    one, other = set(left), set(right)
    whole = sum(map(weight, one | other))
    assert weighted_jaccard(left, right, weight) == pytest.approx(
        sum(map(weight, one & other)) / whole if whole else 0.0
    )
    u = {t: left.count(t) * weight(t) for t in one}
    v = {t: right.count(t) * weight(t) for t in other}
    lengths = sqrt(sum(w * w for w in u.values())) * sqrt(sum(w * w for w in v.values()))
    product = sum(w * v.get(t, 0.0) for t, w in u.items())
    assert tf_idf_cosine(left, right, weight) == pytest.approx(product / lengths if lengths else 0)


def test_the_cosine_of_vectors_takes_idf_as_it_is():
    idf = {"а": log(2), "б": log(4)}
    vector = tf_idf_vector(["а", "б"], idf.__getitem__)
    assert cosine(vector, vector) == pytest.approx(1.0)


def cheapest(left, right, costs):
    """Return the transformation cost by the whole table."""
    row = [at * costs.insert for at in range(len(right) + 1)]
    for i, token in enumerate(left, 1):
        above, row = row, [i * costs.delete]
        for j, other in enumerate(right, 1):
            replaced = above[j - 1] + (0 if token == other else costs.replace)
            row.append(min(above[j] + costs.delete, row[j - 1] + costs.insert, replaced))
    return row[-1]


@given(
    tokens, tokens, st.builds(EditCosts, st.integers(1, 3), st.integers(1, 3), st.integers(1, 3))
)
def test_edit_similarity_is_that_of_the_cheapest_operations(left, right, costs):
    longest = max(len(left), len(right))
    cost = cheapest(left, right, costs)
    expected = max(0.0, 1 - cost / longest) if longest else 1.0
    assert edit_similarity(left, right, costs) == pytest.approx(expected)


def common(left, right):
    """Return the length of the longest common subsequence by the whole table."""
    row = [0] * (len(right) + 1)
    for character in left:
        above, row = row, [0]
        for j, other in enumerate(right, 1):
            row.append(above[j - 1] + 1 if character == other else max(above[j], row[j - 1]))
    return row[-1]


@given(texts, texts)
def test_text_similarity_is_twice_the_common_characters_of_all(left, right):
    characters = len(left) + len(right)
    expected = 2 * common(left, right) / characters if characters else 1.0
    assert text_similarity(left, right) == expected
    assert text_similarity(right, left) == expected
    assert Indel.normalized_similarity(left, right) == pytest.approx(expected)


@given(texts, texts, st.sampled_from([0.0, 0.1, 0.3, 0.5, 0.75, 0.8, 0.85, 0.9, 1.0]))
def test_a_bound_changes_only_what_lies_below_it(left, right, least):
    whole = text_similarity(left, right)
    assert text_similarity(left, right, least=least) == (whole if whole >= least else 0.0)
