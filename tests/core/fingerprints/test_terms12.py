import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.fingerprints.readings import near_copies, reading
from newsdedup import ItemKey
from newsdedup.core.fingerprints.corpus import NO_CORPUS, PreparedText, TextPart
from newsdedup.core.fingerprints.heavy_words import Terms12
from newsdedup.core.fingerprints.method import NO_FINGERPRINT
from newsdedup.core.matching.rules import TermsRule
from newsdedup.core.model import Entry, Stamp, Term, Version
from newsdedup.core.words.weights import signature

METHOD = Terms12()
EMPTY = TextPart((), ())
VOCABULARY = [Term(f"слово{number:02}", 100 + number, 1.0) for number in range(26)]


def with_terms(*numbers: int, facts: tuple[str, ...] = ()) -> PreparedText:
    terms = tuple(VOCABULARY[number] for number in numbers)
    return PreparedText("", EMPTY, EMPTY, EMPTY, (), len(terms), terms, facts)


def entry(one: PreparedText) -> Entry:
    keys = tuple(term.key for term in signature(one.terms).terms)
    return Entry(ItemKey("a", "b"), Version("v"), Stamp(0, 0), 0, "ru", keys, one.facts, ())


@pytest.mark.parametrize(("shared", "match"), [(12, 1.0), (6, 6 / 12), (5, 5 / 12), (0, 0.0)])
def test_twelve_terms_by_hand(shared: int, match: float) -> None:
    # Terms 0 to 11 against 12 - shared to 23 - shared: so many are common.
    one = METHOD.sign(with_terms(*range(12)), NO_CORPUS)
    other = METHOD.sign(with_terms(*range(12 - shared, 24 - shared)), NO_CORPUS)
    assert METHOD.match(one, other) == match
    assert (match >= METHOD.threshold) == (shared >= 6)


def test_the_rarest_seven_of_twelve_are_keys() -> None:
    # 12 - 6 + 1 = 7: behind the seventh stand five, too few to hold six shared terms.
    one = METHOD.sign(with_terms(*range(12)), NO_CORPUS)
    other = METHOD.sign(with_terms(*range(6, 18)), NO_CORPUS)
    assert len(one.keys) == len(other.keys) == 7
    # 6 to 11 are common; the seven keys of the one are 0 to 6, of the other 6 to 12: 6 meets.
    assert len(set(one.keys) & set(other.keys)) == 1


def test_a_short_signature_needs_six_of_its_own() -> None:
    # Eight terms against six, all of them among the eight: 6 / 8.
    eight = METHOD.sign(with_terms(*range(8)), NO_CORPUS)
    assert METHOD.match(eight, METHOD.sign(with_terms(*range(6)), NO_CORPUS)) == 6 / 8
    # Five of seven are more than half, and still not six: 5 / 12.
    seven = METHOD.sign(with_terms(*range(3, 10)), NO_CORPUS)
    assert METHOD.match(eight, seven) == 5 / 12


def test_fewer_than_six_terms_match_as_a_whole_with_equal_numbers() -> None:
    one = METHOD.sign(with_terms(1, 2, 3, facts=("2:1",)), NO_CORPUS)
    assert METHOD.match(one, METHOD.sign(with_terms(3, 2, 1, facts=("2:1",)), NO_CORPUS)) == 1.0
    assert METHOD.match(one, METHOD.sign(with_terms(1, 2, 3, facts=("2:2",)), NO_CORPUS)) == 0.0
    assert METHOD.match(one, METHOD.sign(with_terms(1, 2, facts=("2:1",)), NO_CORPUS)) == 0.0


drawn = st.builds(
    lambda numbers, facts: with_terms(*numbers, facts=facts),
    st.lists(st.integers(0, 16), max_size=24),
    st.sampled_from([(), ("1",)]),
)


@given(st.tuples(drawn, drawn) | near_copies())
def test_the_rule_of_the_engine_decides_the_same(pair: tuple[PreparedText, PreparedText]) -> None:
    one, other = (METHOD.sign(said, NO_CORPUS) for said in pair)
    if NO_FINGERPRINT in (one, other):
        return
    by_rule = TermsRule().match(*map(entry, pair))
    assert (METHOD.match(one, other) >= METHOD.threshold) == bool(by_rule and by_rule.duplicate)


def test_the_terms_are_those_of_the_engine() -> None:
    one = reading("Новый мост открыт", "Город ждал моста долго и получил")
    expected = [term.key for term in signature(one.terms, size=12).terms]
    body = METHOD.sign(one, NO_CORPUS).body
    found = [int.from_bytes(body[at : at + 8], "little") for at in range(0, len(body), 8)]
    assert found == expected
