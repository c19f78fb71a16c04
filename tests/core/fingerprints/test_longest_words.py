from hashlib import md5
from zlib import crc32

import pytest
from hypothesis import assume, given

from core.fingerprints.readings import CORPUS, WORDS, counted, near_copies, reading
from newsdedup.core.fingerprints.longest_words import LongestWords
from newsdedup.core.fingerprints.method import NO_FINGERPRINT

METHOD = LongestWords()
LONG = [f"{'а' * 9}{chr(0x430 + at)}" for at in range(1, 30)]


def checksum(word: str) -> bytes:
    return crc32(word.encode()).to_bytes(4, "little")


def signed(*words: str):
    return METHOD.sign(reading(" ".join(words)), CORPUS)


def test_a_fingerprint_by_hand() -> None:
    corpus = counted(100, мост=(40, 40), лестница=(1, 1), город=(9, 9), берег=(2, 2))
    # Lengths: мост 4, лестница 8, город 5, берег 5. The three longest: лестница, берег, город
    # (equal lengths by alphabet); kept rare first: лестница 1, берег 2, город 9.
    method = LongestWords(words=3)
    one = method.sign(reading("Город, мост, лестница, берег, город"), corpus)
    whole = md5("город мост лестница берег город".encode(), usedforsecurity=False).digest()
    assert one.body == whole + checksum("лестница") + checksum("берег") + checksum("город")


@pytest.mark.parametrize(("shared", "duplicate"), [(15, True), (13, True), (12, False)])
def test_more_than_eighty_percent_of_fifteen_are_thirteen(shared: int, duplicate: bool) -> None:
    # 12 / 15 = 80 %, not more; 13 / 15 = 87 %.
    match = METHOD.match(signed(*LONG[:15]), signed(*LONG[15 - shared : 30 - shared]))
    assert match == shared / 15
    assert (match >= METHOD.threshold) == duplicate


def test_the_shorter_text_is_the_measure_and_one_word_is_not_enough() -> None:
    # All three of three words are among fifteen: 3 / 3. One of one: not two, so nothing.
    assert METHOD.match(signed(*LONG[:15]), signed(*LONG[:3])) == 1.0
    assert METHOD.match(signed(*LONG[:15]), signed(LONG[0])) == 0.0


def test_the_same_text_matches_whatever_its_length() -> None:
    assert METHOD.match(signed("мост"), signed("мост")) == 1.0


@given(near_copies())
def test_the_match_is_what_the_article_says(pair) -> None:
    one, other = (METHOD.sign(said, CORPUS) for said in pair)
    if NO_FINGERPRINT in (one, other):
        return
    here, there = (
        set(sorted(set(said.words), key=lambda word: (-len(word), word))[:15]) for said in pair
    )
    intersects, length = len(here & there), min(len(here), len(there))
    expected = intersects / length if intersects > 1 else 0.0
    assert METHOD.match(one, other) == (1.0 if pair[0].words == pair[1].words else expected)


@given(near_copies())
def test_a_pair_of_about_equally_many_words_is_found(pair) -> None:
    sizes = [min(15, len(set(said.words))) for said in pair]
    assume(abs(sizes[0] - sizes[1]) <= METHOD.spare)
    one, other = (METHOD.sign(said, CORPUS) for said in pair)
    if METHOD.match(one, other) >= METHOD.threshold:
        assert set(one.keys) & set(other.keys)


def test_fifteen_words_have_six_keys_and_the_whole_another() -> None:
    # 13 of 15 must be shared: 15 - 13 + 1 = 3 keys cannot all miss; 3 are spare; 1 is the MD5.
    assert len(signed(*LONG[:15]).keys) == 3 + 3 + 1
    # Two words must both be shared: one key is enough, and no more are filed.
    assert len(signed(*WORDS[:2]).keys) == 1 + 1
