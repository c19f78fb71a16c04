from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st
from xxhash import xxh3_64_intdigest

from core.fingerprints.readings import WORDS, near_copies, reading
from newsdedup.core.fingerprints.corpus import NO_CORPUS, hash_shingles
from newsdedup.core.fingerprints.method import NO_FINGERPRINT
from newsdedup.core.fingerprints.shingles import ROWS, Minhash, seeded_functions

FAMILY = seeded_functions(128)


def slow_minima(hashes: list[int]) -> list[int]:
    """The definition: the least value of a * x + b mod 2^64, function by function."""
    pairs = zip(FAMILY.factors.tolist(), FAMILY.addends.tolist(), strict=True)
    return [min((a * x + b) % 2**64 for x in hashes) for a, b in pairs]


def hashes(*, of: int, shared: int, name: object) -> tuple[list[int], list[int]]:
    """Return two sets of hashes of that size, so many of them shared."""
    every = [xxh3_64_intdigest(f"{name} {at}".encode()) for at in range(2 * of - shared)]
    return every[:of], every[of - shared :]


def share(one: list[int], other: list[int]) -> float:
    return sum(a == b for a, b in zip(one, other, strict=True)) / len(one)


def test_a_fingerprint_by_hand() -> None:
    method = Minhash(functions=seeded_functions(4), rows=2, shingle=2)
    signed = method.sign(reading("мост через реку мост через"), NO_CORPUS)
    # Shingles: "мост через", "через реку", "реку мост", "мост через": three distinct ones.
    family = zip(method.functions.factors.tolist(), method.functions.addends.tolist(), strict=True)
    runs = [xxh3_64_intdigest(run.encode()) for run in ("мост через", "через реку", "реку мост")]
    least = [min((a * x + b) % 2**64 for x in runs) for a, b in family]
    # The high 32 bits of the four minima; two bands of two minima are two keys.
    assert signed.body == b"".join((one >> 32).to_bytes(4, "little") for one in least)
    assert len(signed.keys) == 2


def test_the_match_is_the_share_of_equal_minima() -> None:
    method = Minhash(functions=seeded_functions(4), rows=2, shingle=1)
    one, other = (method.sign(reading(said), NO_CORPUS) for said in ("мост река", "мост город"))
    equal = [one.body[at : at + 4] == other.body[at : at + 4] for at in range(0, 16, 4)]
    assert method.match(one, other) == sum(equal) / 4


@given(st.lists(st.integers(0, 2**64 - 1), min_size=1, max_size=50))
def test_minima_are_what_their_definition_says(numbers: list[int]) -> None:
    assert FAMILY.minima(numbers) == slow_minima(numbers)


def test_a_huge_text_is_read_in_parts() -> None:
    numbers = hash_shingles([str(at) for at in range(2 * ROWS + 7)], 1)
    small = seeded_functions(3)
    pairs = zip(small.factors.tolist(), small.addends.tolist(), strict=True)
    assert small.minima(numbers) == [min((a * x + b) % 2**64 for x in numbers) for a, b in pairs]


def test_functions_are_permutations_and_differ() -> None:
    assert all(factor % 2 == 1 for factor in FAMILY.factors.tolist())
    assert len(set(zip(FAMILY.factors.tolist(), FAMILY.addends.tolist(), strict=True))) == 128
    assert (
        seeded_functions(4, seed=2).factors.tolist() != seeded_functions(4, seed=1).factors.tolist()
    )


@pytest.mark.parametrize(("of", "shared"), [(20, 10), (60, 50), (60, 15), (300, 200)])
def test_estimates_have_the_mean_and_the_variance_of_the_formula(of: int, shared: int) -> None:
    # J = shared / (2 * of - shared); the share of m = 128 equal minima has mean J and variance
    # J * (1 - J) / m. The mean of 400 is within 4 standard errors; the variance of 400 fair draws
    # has a standard error of sqrt(2 / 399) = 7 % of itself: within 4 of them.
    jaccard = shared / (2 * of - shared)
    drawn = [
        share(FAMILY.minima(one), FAMILY.minima(other))
        for one, other in (hashes(of=of, shared=shared, name=at) for at in range(400))
    ]
    variance = jaccard * (1 - jaccard) / 128
    mean = sum(drawn) / 400
    assert mean == pytest.approx(jaccard, abs=4 * sqrt(variance / 400))
    spread = sum((one - mean) ** 2 for one in drawn) / 399
    assert spread == pytest.approx(variance, rel=4 * 0.07)


@pytest.mark.parametrize("shared", [5, 20, 38])
def test_datasketch_estimates_the_same(shared: int) -> None:
    from datasketch import MinHash  # noqa: PLC0415 - it imports SciPy

    jaccard = shared / (80 - shared)
    error = sqrt(jaccard * (1 - jaccard) / 128)
    for at in range(20):
        one, other = hashes(of=40, shared=shared, name=f"sketch {at}")
        theirs = [MinHash(num_perm=128, seed=1), MinHash(num_perm=128, seed=1)]
        for sketch, numbers in zip(theirs, (one, other), strict=True):
            sketch.update_batch([number.to_bytes(8, "little") for number in numbers])
        ours = share(FAMILY.minima(one), FAMILY.minima(other))
        # Two estimates of one number, each with this standard error.
        assert ours == pytest.approx(theirs[0].jaccard(theirs[1]), abs=4.5 * sqrt(2) * error)


@given(near_copies())
def test_a_shared_band_is_a_shared_key(pair) -> None:
    method = Minhash()
    one, other = (method.sign(said, NO_CORPUS) for said in pair)
    if NO_FINGERPRINT in (one, other):
        return
    bands = [one.body[at : at + 16] == other.body[at : at + 16] for at in range(0, 512, 16)]
    assert len(set(one.keys) & set(other.keys)) == sum(bands)


def test_equal_sets_of_shingles_match_wholly() -> None:
    method = Minhash(shingle=1)
    one = method.sign(reading(" ".join(WORDS)), NO_CORPUS)
    other = method.sign(reading(" ".join(reversed(WORDS))), NO_CORPUS)
    assert method.match(one, other) == 1.0
