import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given

from core.fingerprints.readings import (
    CORPUS,
    NOTHING_SAID,
    PIVOTS,
    SYNONYMS,
    WORDS,
    near_copies,
    reading,
    readings,
)
from newsdedup.core.fingerprints.catalogue import load_methods
from newsdedup.core.fingerprints.method import NO_FINGERPRINT, Method
from newsdedup.core.fingerprints.synonym_jaccard import SynonymJaccard

# The corpus of the tests is too small for the band of paper 004.
METHODS = {
    **load_methods(pivots=PIVOTS),
    "synonym_jaccard": SynonymJaccard(synonyms=SYNONYMS, lowest=0.0),
}
every = pytest.mark.parametrize("method", METHODS.values(), ids=METHODS.keys())


@given(near_copies())
def test_a_match_is_symmetric_and_no_duplicate_is_lost_by_an_exact_method(pair) -> None:
    for name, method in METHODS.items():
        left, right = (method.sign(one, CORPUS) for one in pair)
        score = method.match(left, right)
        assert score == method.match(right, left), name
        assert 0.0 <= score <= 1.0, name
        if method.exact and score >= method.threshold:
            assert set(left.keys) & set(right.keys), name


@given(readings)
def test_what_is_signed_matches_itself_and_has_distinct_keys_of_63_bits(one) -> None:
    for name, method in METHODS.items():
        signed = method.sign(one, CORPUS)
        assert method.match(signed, signed) == float(signed != NO_FINGERPRINT), name
        assert bool(signed.keys) == bool(signed.body) == (signed != NO_FINGERPRINT), name
        assert len(set(signed.keys)) == len(signed.keys), name
        assert all(0 <= key < 2**63 for key in signed.keys), name


@every
def test_an_empty_text_signs_nothing_and_nothing_matches_nothing(method: Method) -> None:
    signed = method.sign(reading("Мост", " ".join(WORDS)), CORPUS)
    assert method.sign(NOTHING_SAID, CORPUS) == NO_FINGERPRINT
    assert signed != NO_FINGERPRINT
    assert method.match(NO_FINGERPRINT, NO_FINGERPRINT) == 0.0
    assert method.match(signed, NO_FINGERPRINT) == method.match(NO_FINGERPRINT, signed) == 0.0


@every
def test_a_threshold_can_be_reached(method: Method) -> None:
    assert 0.0 < method.threshold <= 1.0


def test_every_name_is_the_name_of_its_method_and_every_version_is_one_line() -> None:
    assert {name: method.name for name, method in METHODS.items()} == {
        name: name for name in METHODS
    }
    assert all(method.version.isprintable() for method in METHODS.values())


def test_no_two_methods_share_a_key() -> None:
    one = reading("Мост", " ".join(WORDS))
    keys = [key for method in METHODS.values() for key in method.sign(one, CORPUS).keys]
    assert len(set(keys)) == len(keys)


SIGN_ALL = """
from core.fingerprints.test_fingerprint_laws import signed
print(signed())
"""


def signed() -> str:
    """Return all keys and bodies of a few texts as text."""
    said = [
        reading(" ".join(WORDS[at : at + 9]), ". ".join([" ".join(WORDS[at % 5 :])] * 2))
        for at in range(0, len(WORDS), 4)
    ]
    return repr([method.sign(one, CORPUS) for method in METHODS.values() for one in said])


@pytest.mark.usefixtures("process")
@pytest.mark.parametrize("seed", ["0", "1", "4711"])
def test_another_process_signs_the_same(seed: str) -> None:
    here = Path(__file__).parents[2]
    path = os.pathsep.join([str(here), *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": path}
    answer = subprocess.run(
        [sys.executable, "-c", SIGN_ALL], capture_output=True, check=True, env=environment
    )
    assert answer.stdout.decode().strip() == signed()
