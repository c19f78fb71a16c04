from hypothesis import given
from hypothesis import strategies as st

from core.facts.extracted import codes
from newsdedup.core.facts.fact import (
    FIRST_EXACT,
    MILLION,
    Fact,
    FactKind,
    decode_fact,
    encode_facts,
    pack_codes,
    unit_code,
    unpack_codes,
)


def fact(kind: FactKind, value: int, *, step: int = MILLION, unit: str = "") -> Fact:
    return Fact(kind, value, step, unit, 0, 0)


def test_a_code_keeps_kind_value_and_the_hash_of_the_unit() -> None:
    (code,) = codes("1,2 тыс. рублей")
    assert decode_fact(code) == (FactKind.MONEY, 1_200 * MILLION, unit_code("rub"))


def test_codes_are_distinct_ascending_and_independent_of_the_order_of_the_text() -> None:
    assert codes("5 км, 7% и 5 км") == codes("7% и 5 км")
    assert list(codes("9 км и 2%")) == sorted(codes("2% и 9 км"))


def test_quantities_stand_by_value_and_before_scores_years_and_days() -> None:
    kinds = [decode_fact(code).kind for code in codes("28 октября 2:1, в 2019 году, 7% и 500 км")]
    assert kinds == [FactKind.PERCENT, FactKind.NUMBER, FactKind.SCORE, FactKind.YEAR, FactKind.DAY]


def test_an_item_keeps_24_facts_in_144_bytes() -> None:
    kept = codes(" км, ".join(map(str, range(100, 400))))
    assert len(kept) == 24
    assert len(pack_codes(kept)) == 144
    assert decode_fact(kept[0]).value == 100 * MILLION


def test_a_code_holds_the_code_of_its_unit() -> None:
    (code,) = codes("12 раненых")
    assert decode_fact(code).unit == unit_code("injured")


QUANTITIES = st.builds(
    fact,
    st.sampled_from([FactKind.NUMBER, FactKind.PERCENT, FactKind.MONEY]),
    st.integers(0, 9_999_999).flatmap(
        lambda digits: st.integers(0, 20).map(lambda zeros: digits * 10**zeros)
    ),
    unit=st.sampled_from(["", "person", "км", "\ud800"]),
)


@given(QUANTITIES)
def test_seven_digits_of_a_value_survive_freezing(quantity: Fact) -> None:
    (code,) = encode_facts([quantity])
    assert 0 <= code < 2**48
    assert decode_fact(code)[:2] == quantity[:2]


@given(QUANTITIES)
def test_what_is_below_zero_has_the_code_of_a_quantity_and_stands_behind_the_rest(
    quantity: Fact,
) -> None:
    value = -max(quantity.value % 10**26, 1)
    (above,), (below,) = encode_facts([quantity]), encode_facts([quantity._replace(value=value)])
    assert above < below < FIRST_EXACT
    assert (
        decode_fact(below).value
        == -decode_fact(encode_facts([quantity._replace(value=-value)])[0]).value
    )


@given(QUANTITIES, QUANTITIES)
def test_the_order_of_values_is_the_order_of_their_codes(left: Fact, right: Fact) -> None:
    if left.value != right.value:
        (smaller,), (greater,) = encode_facts([left]), encode_facts([right])
        assert (smaller < greater) == (left.value < right.value)


@given(st.lists(st.integers(0, 2**48 - 1)))
def test_packing_loses_nothing(numbers: list[int]) -> None:
    assert list(unpack_codes(pack_codes(numbers))) == numbers
