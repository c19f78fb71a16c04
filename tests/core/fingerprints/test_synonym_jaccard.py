from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.fingerprints.readings import CORPUS, SYNONYMS, counted, near_copies, reading
from newsdedup.core.fingerprints.method import NO_FINGERPRINT
from newsdedup.core.fingerprints.synonym_jaccard import (
    NO_SYNONYMS,
    SynonymJaccard,
    build_synonyms,
    count_couples,
    word_hash,
)

METHOD = SynonymJaccard(synonyms=SYNONYMS, lowest=0.0)


def test_the_band_by_hand() -> None:
    # TotalLemms = 1,000 documents * 50 words = 50,000. ICF: мост 50,000 / 100 = 500, the lowest
    # that stays; город 50,000 / 101 = 495 is too common; щенок 50,000 / 1 stays below 191,703.
    corpus = counted(1_000, 50.0, мост=(90, 100), город=(90, 101), щенок=(1, 1))
    method = SynonymJaccard()
    signed = method.sign(reading("Мост, город, щенок, мост"), corpus)
    numbers = sorted([word_hash("мост"), word_hash("щенок")])
    assert signed.body == b"".join(number.to_bytes(8, "little") for number in numbers)
    # Of ten times as many lemmas, щенок has an ICF of 500,000: too rare.
    wider = counted(10_000, 50.0, мост=(900, 1_000), щенок=(1, 1))
    assert method.sign(reading("Щенок"), wider) == NO_FINGERPRINT


def test_a_synonym_counts_as_a_match_once() -> None:
    one = METHOD.sign(reading("Завод, мост, берег"), CORPUS)
    # берег is shared, завод and фабрика are synonyms: (1 + 1) / (3 + 3 - 2) = 0.5.
    other = METHOD.sign(reading("Фабрика, берег, облако"), CORPUS)
    assert METHOD.match(one, other) == 2 / 4
    # завод has two synonyms there and takes one: (1 + 1) / (3 + 4 - 2) = 0.4.
    two = METHOD.sign(reading("Фабрика, работа, берег, облако"), CORPUS)
    assert METHOD.match(one, two) == METHOD.match(two, one) == 2 / 5
    # Without synonyms: 1 / (3 + 3 - 1) = 0.2.
    plain = SynonymJaccard(lowest=0.0)
    assert plain.match(one, other) == 1 / 5


def test_words_of_two_rows_do_not_make_the_rows_one() -> None:
    both = build_synonyms([("мост", "переход"), ("переход", "смена")])
    assert not set(both.of(word_hash("мост"))) & set(both.of(word_hash("смена")))
    assert len(both.of(word_hash("переход"))) == 2


def test_the_version_of_synonyms_depends_on_what_rows_hold_and_not_on_their_order() -> None:
    one = build_synonyms([("мост", "переход"), ("река", "поток")])
    assert one == build_synonyms([("поток", "река", "река"), ("переход", "мост")])
    assert one.version != NO_SYNONYMS.version


def test_a_row_of_one_word_says_nothing() -> None:
    assert build_synonyms([("мост",)]).rows == {}


@given(near_copies())
def test_without_synonyms_it_is_the_jaccard_similarity(pair) -> None:
    method = SynonymJaccard(lowest=0.0)
    one, other = (method.sign(said, CORPUS) for said in pair)
    here, there = (set(said.words) for said in pair)
    if here and there:
        assert method.match(one, other) == len(here & there) / len(here | there)


graphs = st.dictionaries(
    st.integers(0, 5), st.lists(st.integers(10, 15), unique=True, min_size=1, max_size=4)
)


@given(graphs)
def test_couples_are_as_many_as_any_order_of_choosing_gives(partners) -> None:
    most = 0
    for order in permutations(range(10, 16)):
        couples = zip(sorted(partners), order, strict=False)
        most = max(most, sum(partner in partners[one] for one, partner in couples))
    assert count_couples(partners) == most


@given(graphs)
def test_couples_are_as_many_from_either_side(partners) -> None:
    turned: dict[int, list[int]] = {}
    for one, others in partners.items():
        for other in others:
            turned.setdefault(other, []).append(one)
    assert count_couples(partners) == count_couples(turned)


def test_couples_that_stand_in_the_way_change_partners() -> None:
    # 1 takes 10; 2 accepts 10 only, so 1 changes to 11; 3 accepts 11 only, so 1 changes to 12.
    assert count_couples({1: [10, 11, 12], 2: [10], 3: [11]}) == 3
    assert count_couples({1: [10], 2: [10]}) == 1


@pytest.mark.parametrize("size", [3_000])
def test_a_long_row_of_changes_is_no_deep_recursion(size: int) -> None:
    # Each takes its own; the last needs the first's, and all move on by one.
    partners = {at: [at, at + 1] for at in range(size)}
    assert count_couples({**partners, size: [0]}) == size + 1
