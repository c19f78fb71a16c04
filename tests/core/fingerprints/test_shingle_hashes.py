import pytest
from hypothesis import given
from hypothesis import strategies as st
from xxhash import xxh3_64_intdigest

from core.fingerprints.readings import WORDS
from newsdedup.core.fingerprints.corpus import hash_shingles, hash_wrapped_shingles

words = st.lists(st.sampled_from(WORDS), min_size=1, max_size=20)


def hashes(*runs: str) -> list[int]:
    return [xxh3_64_intdigest(run.encode()) for run in runs]


def test_three_words_at_a_time() -> None:
    assert hash_shingles(["раз", "два", "три", "раз", "два"], 3) == hashes(
        "раз два три", "два три раз", "три раз два"
    )


def test_a_text_shorter_than_a_shingle_is_one() -> None:
    assert hash_shingles(["раз", "два"], 3) == hashes("раз два")
    assert hash_shingles([], 3) == hash_wrapped_shingles([], 3) == []


def test_wrapped_shingles_go_on_at_the_beginning() -> None:
    assert hash_wrapped_shingles(["раз", "два", "три", "четыре"], 3) == hashes(
        "раз два три", "два три четыре", "три четыре раз", "четыре раз два"
    )
    assert hash_wrapped_shingles(["раз", "два"], 5) == hashes(
        "раз два раз два раз", "два раз два раз два"
    )


@pytest.mark.parametrize("size", [1, 2, 5])
@given(said=words)
def test_shingles_are_runs_of_neighbours(size: int, said: list[str]) -> None:
    runs = [" ".join(said[at : at + size]) for at in range(len(said) - size + 1)]
    assert hash_shingles(said, size) == hashes(*runs or [" ".join(said)])
    around = [
        " ".join(said[(at + step) % len(said)] for step in range(size)) for at in range(len(said))
    ]
    assert hash_wrapped_shingles(said, size) == hashes(*around)
