import pytest
from hypothesis import given
from xxhash import xxh3_64_intdigest

from core.fingerprints.readings import near_copies, reading
from newsdedup.core.fingerprints.corpus import NO_CORPUS, hash_shingles
from newsdedup.core.fingerprints.method import NO_FINGERPRINT
from newsdedup.core.fingerprints.shingles import Decomposition

METHOD = Decomposition()


def test_a_match_by_hand() -> None:
    method = Decomposition(shingle=2)
    one = method.sign(reading("мост через реку ждали долго"), NO_CORPUS)
    other = method.sign(reading("мост через реку ждали недолго"), NO_CORPUS)
    # Shingles: мост через, через реку, реку ждали are in both; ждали долго, ждали недолго in one.
    # J = 3 / 5; 2J / (1 + J) = 1.2 / 1.6 = 0.75; its cube root is 0.909.
    assert method.match(one, other) == pytest.approx(0.75 ** (1 / 3))
    assert len(one.keys) == 4
    # 5 words: 4 bytes of length, 8 for each shingle.
    assert one.body[:4] == b"\x05\x00\x00\x00"
    assert len(one.body) == 4 + 4 * 8


def test_a_sample_keeps_the_smallest_hashes() -> None:
    method = Decomposition(sample=2, shingle=1)
    words = ["мост", "через", "реку", "ждали"]
    least = sorted(xxh3_64_intdigest(word.encode()) for word in words)[:2]
    body = method.sign(reading(" ".join(words)), NO_CORPUS).body
    assert body[4:] == b"".join(number.to_bytes(8, "little") for number in least)


def test_texts_of_very_different_length_do_not_match() -> None:
    # All shingles of the one are in the other: 15 / 10 words is the ratio, 16 / 10 is more.
    ten = METHOD.sign(reading("слово " * 10), NO_CORPUS)
    assert METHOD.match(ten, METHOD.sign(reading("слово " * 15), NO_CORPUS)) == 1.0
    assert METHOD.match(ten, METHOD.sign(reading("слово " * 16), NO_CORPUS)) == 0.0


@given(near_copies())
def test_short_texts_have_the_jaccard_similarity_of_all_their_shingles(pair) -> None:
    method = Decomposition(sample=1_000, ratio=1_000.0)
    one, other = (method.sign(said, NO_CORPUS) for said in pair)
    if NO_FINGERPRINT in (one, other):
        return
    here, there = (set(hash_shingles(said.words, 5)) for said in pair)
    jaccard = len(here & there) / len(here | there)
    assert method.match(one, other) == pytest.approx((2 * jaccard / (1 + jaccard)) ** (1 / 3))


def test_a_sample_estimates_the_jaccard_similarity_without_bias() -> None:
    # 300 pairs of 90 words each, 60 of them common: J = 60 / 120 = 0.5, of 32 sampled ones each
    # common with that probability; one standard error of the mean is
    # sqrt(0.25 / 32 / 300) = 0.005. A root of 1 leaves 2J / (1 + J), from which J = D / (2 - D).
    method = Decomposition(shingle=1, root=1.0)
    characters = [chr(0x430 + at) for at in range(32)]
    drawn = []
    for at in range(300):
        name = characters[at % 32] + characters[at // 32]
        words = [f"слово{name}{characters[to % 32]}{characters[to // 32]}" for to in range(120)]
        one = method.sign(reading(" ".join(words[:90])), NO_CORPUS)
        other = method.sign(reading(" ".join(words[30:])), NO_CORPUS)
        share = method.match(one, other)
        drawn.append(share / (2 - share))
    assert sum(drawn) / 300 == pytest.approx(0.5, abs=4 * 0.005)
