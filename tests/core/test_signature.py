from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from newsdedup.core.model import Signature, Term
from newsdedup.core.words.weights import augmented_tf, signature


def term(number: int, *, weight: float) -> Term:
    return Term(f"lemma{number:03}", (number * 7919) % 997 + 1, weight)


VOCABULARY = [term(n, weight=round(0.2 + (n % 9) * 0.1, 6)) for n in range(60)]
texts = st.lists(st.sampled_from(VOCABULARY), max_size=150)


def naive(terms: list[Term], size: int) -> Signature:
    """The definition, word for word: weigh all, order all, take the first."""
    if not terms:
        return Signature((), ())
    highest = max(terms.count(t) for t in terms)
    weighed = {t: augmented_tf(terms.count(t), highest) * t.weight for t in dict.fromkeys(terms)}
    first = sorted(weighed, key=lambda t: (-weighed[t], t.lemma))[:size]
    ordered = sorted(first, key=lambda t: (t.key, t.lemma))
    return Signature(tuple(ordered), tuple(weighed[t] for t in ordered))


@given(texts, st.integers(1, 20))
def test_a_signature_is_what_its_definition_says(terms: list[Term], size: int) -> None:
    assert signature(terms, size=size) == naive(terms, size)


@given(texts)
def test_keys_ascend_are_unique_and_at_most_twelve(terms: list[Term]) -> None:
    signed = signature(terms)
    keys = [t.key for t in signed.terms]
    assert all(left < right for left, right in pairwise(keys))
    assert len(keys) == len(signed.weights) == min(12, len(set(terms)))


@given(texts, st.randoms(use_true_random=False))
def test_the_order_of_the_words_does_not_matter(terms: list[Term], random: object) -> None:
    shuffled = list(terms)
    random.shuffle(shuffled)  # type: ignore[attr-defined]  # hypothesis hands out a Random
    assert signature(shuffled) == signature(terms)


def test_an_empty_text_has_an_empty_signature() -> None:
    assert signature([]) == Signature((), ())


def test_weights_by_hand() -> None:
    ukaz, podpisat, gazeta = Term("указ", 5, 0.8), Term("подписать", 9, 0.6), Term("газета", 2, 0.9)
    # tf: указ 3, подписать 2, газета 1; tf_max 3
    # указ      (0.5 + 0.5 * 3/3) * 0.8 = 0.8
    # подписать (0.5 + 0.5 * 2/3) * 0.6 = 0.5
    # газета    (0.5 + 0.5 * 1/3) * 0.9 = 0.6
    signed = signature([ukaz, podpisat, ukaz, gazeta, podpisat, ukaz], size=2)
    assert signed.terms == (gazeta, ukaz)
    assert [round(weight, 9) for weight in signed.weights] == [0.6, 0.8]


def test_equal_weights_are_ordered_by_lemma() -> None:
    words = [Term(lemma, key, 0.5) for key, lemma in enumerate("вагдб", 1)]
    assert {t.lemma for t in signature(words, size=2).terms} == {"а", "б"}
