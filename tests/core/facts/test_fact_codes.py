from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from newsdedup.core.facts import Fact, Kind, frozen, packed, said_facts, unit_names, unpacked
from newsdedup.core.facts.codes import EXACT, decoded, unit_code
from newsdedup.core.facts.fact import MILLION
from newsdedup.core.text.words import tokens


def codes(text: str) -> tuple[int, ...]:
    return frozen(said_facts(text, tokens(text), published=date(2024, 10, 30)))


def fact(kind: Kind, value: int, *, step: int = MILLION, unit: str = "") -> Fact:
    return Fact(kind, value, step, unit, 0, 0)


def test_a_code_keeps_kind_value_place_and_the_hash_of_the_unit() -> None:
    (code,) = codes("1,2 тыс. рублей")
    assert decoded(code) == (Kind.MONEY, 1_200 * MILLION, 100 * MILLION, unit_code("rub"))


def test_codes_are_distinct_ascending_and_independent_of_the_order_of_the_text() -> None:
    assert codes("5 км, 7% и 5 км") == codes("7% и 5 км")
    assert list(codes("9 км и 2%")) == sorted(codes("2% и 9 км"))


def test_quantities_stand_by_value_and_before_scores_years_and_days() -> None:
    kinds = [decoded(code).kind for code in codes("28 октября 2:1, в 2019 году, 7% и 500 км")]
    assert kinds == [Kind.PERCENT, Kind.NUMBER, Kind.SCORE, Kind.YEAR, Kind.DAY]


def test_an_item_keeps_24_facts_in_144_bytes() -> None:
    kept = codes(" км, ".join(map(str, range(100, 400))))
    assert len(kept) == 24
    assert len(packed(kept)) == 144
    assert decoded(kept[0]).value == 100 * MILLION


def test_the_word_of_a_unit_is_found_again_in_the_text_that_says_it() -> None:
    text = "12 раненых"
    (code,) = codes(text)
    names = unit_names(said_facts(text, tokens(text)))
    assert names[decoded(code).unit] == "injured"


QUANTITIES = st.builds(
    fact,
    st.sampled_from([Kind.NUMBER, Kind.PERCENT, Kind.MONEY]),
    st.integers(0, 9_999_999).flatmap(
        lambda digits: st.integers(0, 20).map(lambda zeros: digits * 10**zeros)
    ),
    unit=st.sampled_from(["", "person", "км", "\ud800"]),
)


@given(QUANTITIES)
def test_seven_digits_of_a_value_survive_freezing(quantity: Fact) -> None:
    (code,) = frozen([quantity])
    assert 0 <= code < 2**48
    assert decoded(code)[:2] == quantity[:2]


@given(QUANTITIES)
def test_what_is_below_zero_has_the_code_of_a_quantity_and_stands_behind_the_rest(
    quantity: Fact,
) -> None:
    value = -max(quantity.value % 10**26, 1)
    (above,), (below,) = frozen([quantity]), frozen([quantity._replace(value=value)])
    assert above < below < EXACT
    assert decoded(below).value == -decoded(frozen([quantity._replace(value=-value)])[0]).value


@given(QUANTITIES, QUANTITIES)
def test_the_order_of_values_is_the_order_of_their_codes(left: Fact, right: Fact) -> None:
    if left.value != right.value:
        (smaller,), (greater,) = frozen([left]), frozen([right])
        assert (smaller < greater) == (left.value < right.value)


@given(st.lists(st.integers(0, 2**48 - 1)))
def test_packing_loses_nothing(numbers: list[int]) -> None:
    assert list(unpacked(packed(numbers))) == numbers
