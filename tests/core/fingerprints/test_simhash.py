from collections import Counter

from hypothesis import given
from hypothesis import strategies as st
from xxhash import xxh3_64_intdigest

from core.fingerprints.readings import CORPUS, near_copies, reading, readings
from newsdedup.core.fingerprints.corpus import NO_CORPUS, weigh_words
from newsdedup.core.fingerprints.method import NO_FINGERPRINT
from newsdedup.core.fingerprints.simhash import Simhash, blocks, majority_bits
from newsdedup.core.words.weights import TF_IDF

numbers = st.lists(st.integers(0, 2**64 - 1), min_size=1, max_size=20)


def plain(hashes: list[int], weights: list[int]) -> int:
    """Charikar's sum, bit by bit: plus the weight for a 1, minus it for a 0; 0 and more is 1."""
    found = 0
    for bit in range(64):
        total = 0
        for number, weight in zip(hashes, weights, strict=True):
            total += weight if number >> bit & 1 else -weight
        found |= (total >= 0) << bit
    return found


def test_a_majority_by_hand() -> None:
    # 0b110, 0b100, 0b011, each once. Bit 0: -1 -1 +1 = -1. Bit 1: +1 -1 +1 = 1. Bit 2: +1 +1 -1
    # = 1. Higher bits: -3.
    assert majority_bits([0b110, 0b100, 0b011], [1, 1, 1]) == 0b110
    # The third three times: bit 0: -1 -1 +3 = 1. Bit 1: +1 -1 +3 = 3. Bit 2: +1 +1 -3 = -1.
    assert majority_bits([0b110, 0b100, 0b011], [1, 1, 3]) == 0b011
    # Two against two is 0, which gives 1, here in every bit.
    assert majority_bits([0, 2**64 - 1], [2, 2]) == 2**64 - 1


@given(numbers, st.lists(st.integers(0, 10**6), min_size=20, max_size=20))
def test_a_majority_is_the_plain_sum(hashes: list[int], weights: list[int]) -> None:
    weights = weights[: len(hashes)]
    assert majority_bits(hashes, weights) == plain(hashes, weights)


@given(readings)
def test_words_count_as_often_as_they_stand_or_by_their_weight(one) -> None:
    signed = Simhash().sign(one, NO_CORPUS)
    if not one.words:
        assert signed == NO_FINGERPRINT
        return
    every = [xxh3_64_intdigest(word.encode()) for word in one.words]
    assert signed.body == plain(every, [1] * len(every)).to_bytes(8, "little")
    weights = weigh_words(one.words, CORPUS, TF_IDF)
    hashes = [xxh3_64_intdigest(word.encode()) for word in Counter(one.words)]
    millionths = [round(1_000_000 * weights[word]) for word in Counter(one.words)]
    weighted = Simhash(weighting=TF_IDF, name="simhash_tf_idf").sign(one, CORPUS)
    assert weighted.body == plain(hashes, millionths).to_bytes(8, "little")


def test_a_text_of_one_word_is_its_hash() -> None:
    bits = xxh3_64_intdigest("мост".encode())
    assert Simhash().sign(reading("Мост, мост"), NO_CORPUS).body == bits.to_bytes(8, "little")


@given(near_copies())
def test_the_match_is_the_share_of_agreeing_bits(pair) -> None:
    method = Simhash()
    one, other = (method.sign(said, NO_CORPUS) for said in pair)
    if NO_FINGERPRINT in (one, other):
        return
    here, there = (int.from_bytes(signed.body, "little") for signed in (one, other))
    agreeing = sum((here >> bit & 1) == (there >> bit & 1) for bit in range(64))
    assert method.match(one, other) == agreeing / 64
    assert (method.match(one, other) >= method.threshold) == (agreeing >= 61)


@given(st.integers(0, 2**64 - 1), st.sets(st.integers(0, 63), max_size=3))
def test_three_differing_bits_leave_a_block_equal(bits: int, indexes: set[int]) -> None:
    changed = bits
    for index in indexes:
        changed ^= 1 << index
    one, other = (number.to_bytes(8, "little") for number in (bits, changed))
    assert set(blocks(one)) & set(blocks(other))
