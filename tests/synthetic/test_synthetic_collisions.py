"""The made stream fills an index as real ones do.

Measured in November 2026 with synthetic_collisions.py and the shipped background on the 26,754
items of test_synthetic_measures.py, shuffled with Random(0): real stories of the hour would meet
more often than those of a stream whose events have nothing to do with each other.
"""

import msgspec
import pytest

from newsdedup.adapters.formats import item_json
from newsdedup.adapters.words.lemmatizers import shipped_vocabulary
from newsdedup.adapters.words.package_data import shipped_background
from newsdedup.core.document import Analyzer
from newsdedup.core.model import Document
from newsdedup.core.words.weights import signature
from newsdedup.synthetic.stream import generate_stream
from synthetic.synthetic_collisions import Collisions, collisions

pytestmark = pytest.mark.usefixtures("long")

ITEMS = 5_000
DISTINCT_LEMMAS = 43_185
POSTINGS = 5.49
CANDIDATES = 0.356
SIMILAR = 0.103


@pytest.fixture(scope="module")
def documents() -> list[Document]:
    analyzer = Analyzer(shipped_vocabulary(shipped_background()))
    items = (
        item_json.decode_item(msgspec.json.encode(planted.item))
        for planted in generate_stream(ITEMS)
    )
    return [analyzer.document(item) for item in items]


@pytest.fixture(scope="module")
def met(documents: list[Document]) -> Collisions:
    signatures = (signature(document.terms).terms for document in documents)
    return collisions([term.key for term in terms] for terms in signatures)


def test_the_lemmas_are_as_many_as_real_ones_within_a_quarter(documents: list[Document]) -> None:
    lemmas = {term.lemma for document in documents for term in document.terms}
    assert DISTINCT_LEMMAS / 1.25 < len(lemmas) < DISTINCT_LEMMAS * 1.25


def test_the_postings_read_for_an_item_are_at_most_twice_the_real_ones(met: Collisions) -> None:
    assert POSTINGS / 2 < met.postings < POSTINGS * 2


def test_the_candidates_of_an_item_are_at_most_twice_the_real_ones(met: Collisions) -> None:
    assert CANDIDATES / 2 < met.candidates < CANDIDATES * 2


def test_the_share_of_merely_similar_items_is_real_within_a_factor_of_2(met: Collisions) -> None:
    assert SIMILAR / 2 < met.similar < SIMILAR * 2


def test_the_duplicates_are_those_planted_and_the_near_misses_a_rule_of_terms_takes_for_them(
    met: Collisions,
) -> None:
    # About 10 % tell an earlier story, about 5 % are messages of one form or updates.
    assert 0.08 < met.duplicates < 0.16


def test_two_signatures_that_share_two_rare_terms_are_candidates() -> None:
    first, other = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12), (1, 2, 23, 24, 25, 26, 27, 28, 9, 30)
    assert collisions([first, other]) == Collisions(1.0, 0.5, 0.0, 0.5)
