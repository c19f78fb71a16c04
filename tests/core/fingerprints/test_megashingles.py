from itertools import combinations
from math import comb
from struct import pack

import pytest
from hypothesis import given
from xxhash import xxh3_64_digest

from core.fingerprints.readings import near_copies, reading
from newsdedup.core.fingerprints.corpus import NO_CORPUS, hash_shingles
from newsdedup.core.fingerprints.method import NO_FINGERPRINT
from newsdedup.core.fingerprints.shingles import Megashingles, megashingles_84, seeded_functions

SMALL = Megashingles(functions=seeded_functions(4), groups=2, shingle=2)
METHODS = [SMALL, Megashingles(), megashingles_84()]


def minima(method: Megashingles, words: tuple[str, ...]) -> list[int]:
    """The definition: for every function the least of its values, one by one."""
    family = method.functions
    pairs = zip(family.factors.tolist(), family.addends.tolist(), strict=True)
    hashes = hash_shingles(words, method.shingle)
    return [min((a * x + b) % 2**64 for x in hashes) for a, b in pairs]


def supershingles(method: Megashingles, words: tuple[str, ...]) -> list[bytes]:
    found = minima(method, words)
    size = len(found) // method.groups
    groups = [found[at * size : (at + 1) * size] for at in range(method.groups)]
    return [xxh3_64_digest(pack(f"<{size}Q", *group)) for group in groups]


def test_a_fingerprint_by_hand() -> None:
    one = reading("мост через реку ждали")
    # Three shingles of two words; four functions have four minima; two groups of two make two
    # supershingles; there is one pair of them.
    m1, m2, m3, m4 = minima(SMALL, ("мост", "через", "реку", "ждали"))
    first, second = xxh3_64_digest(pack("<2Q", m1, m2)), xxh3_64_digest(pack("<2Q", m3, m4))
    signed = SMALL.sign(one, NO_CORPUS)
    assert signed.body == first + second
    assert signed.keys == SMALL.keys_of([b"\x00\x01" + first + second])


def test_six_supershingles_make_fifteen_megashingles() -> None:
    signed = Megashingles().sign(reading("мост через реку ждали долго"), NO_CORPUS)
    assert len(signed.body) == 6 * 8
    assert len(signed.keys) == comb(6, 2) == 15


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.version)
@given(pair=near_copies())
def test_duplicates_agree_in_two_supershingles(method: Megashingles, pair) -> None:
    left, right = pair
    one, other = method.sign(left, NO_CORPUS), method.sign(right, NO_CORPUS)
    if NO_FINGERPRINT in (one, other):
        return
    here, there = supershingles(method, left.words), supershingles(method, right.words)
    assert (one.body, other.body) == (b"".join(here), b"".join(there))
    agreeing = [at for at in range(method.groups) if here[at] == there[at]]
    assert method.match(one, other) == len(agreeing) / method.groups
    common = len(set(one.keys) & set(other.keys))
    assert common == len(list(combinations(agreeing, 2)))
    assert (method.match(one, other) >= method.threshold) == (common > 0)


def test_a_supershingle_is_shared_as_often_as_the_formula_says() -> None:
    # 600 pairs of sets of 40 shingles with 30 in common: p = 30 / 50 = 0.6. Six minima of a group
    # agree with probability 0.6^6 = 0.0467; 600 * 6 groups, one standard error 0.0035.
    family = seeded_functions(36)
    agreed = 0
    for at in range(600):
        words = [f"{at} {word}" for word in range(50)]
        hashes = hash_shingles(words, 1)
        here, there = family.minima(hashes[:40]), family.minima(hashes[10:])
        agreed += sum(here[g : g + 6] == there[g : g + 6] for g in range(0, 36, 6))
    assert agreed / 3600 == pytest.approx(0.6**6, abs=3 * 0.0035)
