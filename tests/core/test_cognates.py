import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsdedup.core.words.cognates import (
    _MOST_RESPELLINGS,
    respellings,
    skeleton,
    skeletons,
)

ALPHABET = "абвгґдеєжзиіїйклмнопрстуфхцчшщьюяыэъ'-"
lemmas = st.text(ALPHABET, min_size=1, max_size=14)
words = lemmas | st.text(st.characters(exclude_characters="\n"), min_size=1, max_size=8)


@given(words)
def test_a_skeleton_is_its_own_skeleton(lemma):
    assert skeleton(skeleton(lemma)) == skeleton(lemma)


@given(st.lists(words))
def test_skeletons_of_many_words_are_those_of_each(many):
    assert skeletons(many) == [skeleton(word) for word in many]


@given(words)
def test_something_is_left_of_every_word(lemma):
    assert skeleton(lemma)
    assert all(spelled for tried in respellings(lemma) for spelled in tried)


@given(lemmas)
def test_respellings_are_skeletons_and_bounded(lemma):
    tried = list(respellings(lemma))
    assert 1 <= len(tried) <= 3
    for spelled in tried:
        assert 1 <= len(spelled) <= 4 * _MOST_RESPELLINGS
        assert all(each == skeleton(each) for each in spelled)


@given(lemmas)
def test_respellings_are_the_same_every_time(lemma):
    assert list(respellings(lemma)) == list(respellings(lemma))


@pytest.mark.parametrize(
    ("ukrainian", "russian"),
    [
        ("об'єкт", "объект"),
        ("європа", "европа"),
        ("ґрунт", "грунт"),
        ("програма", "программа"),
        ("чорний", "черный"),
        ("чужий", "чужой"),
        ("зеленський", "зеленский"),
        ("порошенко", "порошенко"),
        ("тимошенко", "тимошенко"),
        ("корольов", "королев"),
        ("путін", "путин"),
    ],
)
def test_one_word_of_two_spellings_has_one_skeleton_or_is_respelled(ukrainian, russian):
    assert any(skeleton(russian) in spelled for spelled in respellings(ukrainian))


@pytest.mark.parametrize(
    ("ukrainian", "russian"),
    [
        ("засідання", "заседание"),
        ("відкриття", "открытие"),
        ("новість", "новость"),
        ("вулиця", "улица"),
        ("поліція", "полиция"),
        ("планувати", "планировать"),
        ("голосування", "голосование"),
        ("повернутися", "повернуться"),
        ("інформаційний", "информационный"),
        ("політичний", "политический"),
        ("запорізький", "запорожский"),
        ("учасник", "участник"),
        ("розмір", "размер"),
        ("зібрати", "собрать"),
        ("вчений", "ученый"),
        ("київ", "киев"),
        ("харків", "харьков"),
        ("львів", "львов"),
        ("чернігів", "чернигов"),
        ("мільйон", "миллион"),
        ("серйозний", "серьезный"),
    ],
)
def test_endings_prefixes_and_vowels_are_respelled(ukrainian, russian):
    assert any(skeleton(russian) in spelled for spelled in respellings(ukrainian))


def test_a_brother_is_not_to_take():
    assert skeleton("брат") != skeleton("брать")
    assert skeleton("брать") in next(iter(respellings("брати")))


def test_the_prefix_as_it_is_comes_before_its_translation_but_for_vid():
    assert skeleton("зараза") in next(iter(respellings("зараза")))
    assert skeleton("отдел") in next(iter(respellings("відділ")))
