from math import ceil, log2
from struct import pack

from hypothesis import given
from hypothesis import strategies as st
from xxhash import xxh3_64_digest, xxh3_64_intdigest

from core.fingerprints.readings import reading, readings
from newsdedup.core.fingerprints.corpus import NO_CORPUS
from newsdedup.core.fingerprints.method import NO_FINGERPRINT
from newsdedup.core.fingerprints.shingles import LogShingles, sample_hashes

hashes = st.sets(st.integers(0, 2**64 - 1) | st.integers(0, 64), min_size=1, max_size=60)


def by_definition(numbers: set[int]) -> list[int]:
    """The highest power of 2, tried downwards, that leaves at least log2 of the number."""
    enough = max(1, ceil(log2(len(numbers))))
    for exponent in range(64, -1, -1):
        kept = sorted(number for number in numbers if number % 2**exponent == 0)
        if len(kept) >= enough:
            return kept
    raise AssertionError


def test_a_sample_by_hand() -> None:
    # Eight hashes: log2(8) = 3 are enough. Divide by 2: 2, 4, 6, 8, 12. By 4: 4, 8, 12. By 8: 8.
    assert sample_hashes({1, 2, 3, 4, 6, 7, 8, 12}) == [4, 8, 12]
    # Five hashes: log2(5) = 2.3, so three; only one divides by 2, so all are kept.
    assert sample_hashes({1, 3, 5, 7, 8}) == [1, 3, 5, 7, 8]
    # One hash is enough of one.
    assert sample_hashes({48}) == [48]


def test_zero_divides_by_everything_and_ends_nothing() -> None:
    assert sample_hashes({0}) == [0]
    assert sample_hashes({0, 6}) == [0]
    assert sample_hashes({0, 4, 3, 5}) == [0, 4]


@given(hashes)
def test_a_sample_is_what_its_definition_says(numbers: set[int]) -> None:
    assert sample_hashes(numbers) == by_definition(numbers)


@given(readings)
def test_the_signature_is_the_hash_of_the_sample_of_wrapped_shingles(one) -> None:
    signed = LogShingles().sign(one, NO_CORPUS)
    if not one.words:
        assert signed == NO_FINGERPRINT
        return
    count = len(one.words)
    runs = {" ".join(one.words[(at + step) % count] for step in range(5)) for at in range(count)}
    kept = by_definition({xxh3_64_intdigest(run.encode()) for run in runs})
    assert signed.body == xxh3_64_digest(pack(f"<{len(kept)}Q", *kept))


def test_a_text_turned_around_its_end_is_the_same() -> None:
    one, other = reading("мост через реку ждали"), reading("реку ждали мост через")
    assert LogShingles().sign(one, NO_CORPUS) == LogShingles().sign(other, NO_CORPUS)
