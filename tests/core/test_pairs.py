from hypothesis import given
from hypothesis import strategies as st

from newsdedup.core.words.pairs import clusters, word_pairs


def test_a_word_becomes_the_pairs_of_its_neighbouring_characters() -> None:
    assert word_pairs("大桥重新") == ["大桥", "桥重", "重新"]
    assert word_pairs("大桥") == ["大桥"]
    assert word_pairs("桥") == ["桥"]


def test_words_of_ascii_stay_whole() -> None:
    assert word_pairs("iphone") == ["iphone"]


def test_marks_stay_with_their_character() -> None:
    assert clusters("ที่นี่") == ["ที่", "นี่"]
    assert word_pairs("สะพานที่") == ["สะ", "ะพ", "พา", "าน", "นที่"]
    assert clusters("हिन्दी") == ["हि", "न्", "दी"]


@given(st.text())
def test_nothing_of_a_word_is_lost(word: str) -> None:
    assert "".join(clusters(word)) == word
    assert all(character in "".join(word_pairs(word)) for character in word)
