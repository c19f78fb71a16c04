import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.facts.extracted import codes
from newsdedup.core.facts.comparison import (
    compare_days,
    compare_facts,
    count_shared,
    differs_in_measure,
    is_rounding,
)
from newsdedup.core.facts.fact import MILLION, MOST_CODES, Fact, FactKind, encode_facts
from newsdedup.core.facts.moves import find_moves
from newsdedup.core.facts.units import rounding_step


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("продали 1,234 билета", "sold 1.2 thousand tickets"),
        ("продали 1234 билета", "продали 1,2 тыс. билетов"),
        ("пострадали 5 человек", "пострадали пять человек"),
        ("5 injured", "five were injured"),
        ("двоє загиблих", "2 погибших"),
        ("рост 40%", "рост на 40 процентов"),
        ("$1,5 млн", "1.5 million dollars"),
        ("24,6 млн тонн", "почти 25 млн тонн"),
        ("счет 2:1", "lost the match 1-2"),
        ("евро - 116", "116 рублей"),
        ("8-1/2 pct", "8.5 percent"),
        ("погибли 5 человек", "5 человек"),
        ("5 раненых", "5 рабочих"),
        ("5%", "5 процентных пунктов"),
        ("5 сел", "5 тонн"),
    ],
)
def test_rounding_and_spelling_make_no_difference(left: str, right: str) -> None:
    assert compare_facts(codes(left), codes(right)) == (1, 0, 0, 0)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("курс 107 рублей", "курс 111 рублей"),
        ("курс 110 рублей", "курс 107 рублей"),
        ("5 раненых", "7 раненых"),
        ("5 injured", "7 people were injured"),
        ("20 раненых", "21 раненый"),
        ("рост 0,3%", "рост 0,4%"),
        ("счет 1:0", "счет 2:1"),
        ("Shr 31 cts", "Shr 20 cts"),
        ("Net 1,234,567", "Net 1,434,567"),
        ("5 тыс. тонн", "9 тыс. тонн"),
    ],
)
def test_another_value_of_the_same_thing_is_a_conflict(left: str, right: str) -> None:
    assert compare_facts(codes(left), codes(right)) == (0, 1, 1, 1)


def test_values_of_different_things_lack_without_a_conflict() -> None:
    assert compare_facts(codes("5 раненых"), codes("70 км")) == (0, 1, 1, 0)
    assert compare_facts(codes("5 раненых"), codes("тихо")) == (0, 1, 0, 0)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("100 млн долларов", "100 млн рублей"),
        ("5 тонн", "5 кг"),
        ("5%", "5 рублей"),
        ("погибли 5 человек", "5 раненых"),
        ("около 100 рублей", "101 доллар"),
    ],
)
def test_one_value_of_what_is_known_to_be_different_is_two(left: str, right: str) -> None:
    assert compare_facts(codes(left), codes(right))[:3] == (0, 1, 1)


def test_one_value_of_two_measures_is_a_conflict() -> None:
    assert compare_facts(codes("5%"), codes("5 рублей")) == (0, 1, 1, 1)
    assert compare_facts(codes("5%"), codes("6 рублей")) == (0, 1, 1, 0)


def test_numbers_that_are_swapped_contradict_each_other() -> None:
    left, right = codes("погибли 5, ранены 7"), codes("погибли 7, ранены 5")
    assert compare_facts(left, right) == (0, 2, 2, 2)
    assert [(move.was, move.now) for move in find_moves(left, right)] == [
        (5 * MILLION, 7 * MILLION),
        (7 * MILLION, 5 * MILLION),
    ]


def test_a_value_agrees_if_anything_it_counts_does() -> None:
    assert compare_facts(codes("5 тонн, 5 кг"), codes("5 кг")) == (1, 0, 0, 0)
    assert compare_facts(codes("5 кг"), codes("5 км, 5 тонн")) == (0, 1, 1, 1)


def test_the_arithmetic_of_agreement() -> None:
    """5 and 40% agree, the left lacks nothing, the right alone has 300: (2 + 1) / (2 + 1 + 1)."""
    found = compare_facts(codes("5 раненых, 40%"), codes("пятеро раненых, 40%, 300 км"))
    assert found == (2, 0, 1, 0)
    assert found.agreement == 3 / 4


def test_times_days_years_and_ordinals_do_not_count() -> None:
    left = codes("в 10:40 28 октября 2019 года, на 10-й минуте")
    assert compare_facts(left, codes("в 10:40 1 мая, с 2014 года")) == (0, 0, 0, 0)


def test_times_of_day_conflict_once_where_each_text_names_one_that_the_other_lacks() -> None:
    assert compare_facts(codes("на 19:00"), codes("на 20:00")) == (0, 0, 0, 1)
    assert compare_facts(codes("с 10:00 до 18:00"), codes("с 9:00 до 17:00")) == (0, 0, 0, 1)
    assert compare_facts(codes("с 10:00 до 18:00"), codes("с 10:00")) == (0, 0, 0, 0)
    assert compare_facts(codes("на 19:00"), codes("вечером")) == (0, 0, 0, 0)


def test_numbers_are_counted_alike_with_one_value_and_one_unit() -> None:
    left = codes("1,2 тыс. метров, 40%, счет 2:1, а также 17")
    assert count_shared(left, codes("1200 метров, рост 40%, счет 2:1, а также 17")) == 3
    assert count_shared(left, codes("1200 рублей, 40 км, счет 2:2, а также 17")) == 0


def test_two_texts_without_numbers_agree() -> None:
    assert compare_facts((), ()).agreement == 1


def test_a_football_match_at_minute_10_and_at_minute_40() -> None:
    match = "Динамо принимает Шахтер. Идет {}-я минута матча, счет {}. На трибунах 15 тыс. зрителей"
    early, late = codes(match.format(10, "0:1")), codes(match.format(40, "2:1"))
    assert compare_facts(early, late) == (1, 1, 1, 1)
    assert compare_facts(early, early) == (2, 0, 0, 0)


def test_texts_share_a_day_or_name_other_days_or_none() -> None:
    monday = codes("28 октября")
    assert compare_days(monday, codes("позавчера")) == (1, 0)
    assert compare_days(monday, codes("28 октября", None)) == (1, 0)
    assert compare_days(monday, codes("on Friday")) == (0, 1)
    assert compare_days(monday, codes("28 октября, on Friday")) == (1, 0)
    assert compare_days(codes("28 октября, on Friday"), monday) == (1, 1)
    assert compare_days(monday, codes("в 10:40")) is None


def test_only_quantities_are_rounded() -> None:
    (score,), (quantity,) = codes("счет 2:1"), codes("5 км")
    assert not is_rounding(score, quantity)
    assert not is_rounding(quantity, score)


VALUES = st.one_of(
    st.integers(0, 130).map(lambda n: n * MILLION),
    st.integers(900, 1_300).map(lambda n: n * MILLION),
    st.integers(0, 10**15),
    st.sampled_from([995, 996, 999.6, 1_000, 1_234, 1_200]).map(lambda n: int(n * MILLION)),
)


def quantity(kind: FactKind, value: int, scale: int, unit: str) -> Fact:
    return Fact(kind, value * scale, rounding_step(value, scale=abs(scale)), unit, 0, 0)


FACTS = st.one_of(
    st.builds(
        quantity,
        st.sampled_from([FactKind.NUMBER, FactKind.PERCENT, FactKind.MONEY]),
        VALUES,
        st.sampled_from([1, 1_000, -1]),
        st.sampled_from(["", "person", "km", "killed", "usd", "делег"]),
    ),
    st.builds(
        lambda kind, value: Fact(kind, value, 1, "", 0, 0),
        st.sampled_from([FactKind.SCORE, FactKind.CLOCK, FactKind.DAY]),
        st.integers(0, 5_000),
    ),
)


ITEMS = st.lists(FACTS, max_size=10).map(encode_facts)


@given(ITEMS, ITEMS)
def test_swapping_the_texts_swaps_left_and_right(
    left: tuple[int, ...], right: tuple[int, ...]
) -> None:
    agreed, ours, theirs, conflicts = compare_facts(left, right)
    assert compare_facts(right, left) == (agreed, theirs, ours, conflicts)


@given(ITEMS, ITEMS)
def test_a_day_that_is_named_too_is_so_from_both_sides(
    left: tuple[int, ...], right: tuple[int, ...]
) -> None:
    ours, theirs = compare_days(left, right), compare_days(right, left)
    assert [found and found.shared > 0 for found in (ours, theirs)] in (
        [None, None],
        [False, False],
        [True, True],
    )


@given(ITEMS)
def test_a_text_agrees_with_itself(item: tuple[int, ...]) -> None:
    found = compare_facts(item, item)
    assert found.agreement == 1
    assert found[1:] == (0, 0, 0)


@given(st.lists(FACTS, max_size=10), st.lists(FACTS, max_size=10), FACTS)
def test_adding_an_equal_fact_never_lowers_the_agreement(
    left: list[Fact], right: list[Fact], added: Fact
) -> None:
    before = compare_facts(encode_facts(left), encode_facts(right))
    after = compare_facts(encode_facts([*left, added]), encode_facts([*right, added]))
    assert after.agreement >= before.agreement
    assert after.conflicts <= before.conflicts


@given(ITEMS, ITEMS)
def test_the_comparison_is_that_of_every_value_with_every_value(
    left: tuple[int, ...], right: tuple[int, ...]
) -> None:
    """The slow way: a value is lacking unless some value of the other text equals or rounds it.

    And unless all that the one counts is known to be another thing than all that the other does.
    """

    def values(codes: tuple[int, ...]) -> dict[int, int]:
        return {code >> 18: code for code in codes if code < 2**47 + (4 << 44)}

    def alike(one: int, here: tuple[int, ...], other: int, there: tuple[int, ...]) -> bool:
        return any(
            not differs_in_measure(code, near)
            for code in here if code >> 18 == one
            for near in there if near >> 18 == other
        )  # fmt: skip

    def lacking(here: tuple[int, ...], there: tuple[int, ...]) -> int:
        ours, theirs = values(here), values(there)
        return sum(
            not any(
                (value == near or is_rounding(code, other)) and alike(value, here, near, there)
                for near, other in theirs.items()
            )
            for value, code in ours.items()
        )

    ours, theirs = values(left), values(right)
    found = compare_facts(left, right)
    assert (found.left, found.right) == (lacking(left, right), lacking(right, left))
    assert found.agreed == min(len(ours) - found.left, len(theirs) - found.right)
    assert len(left) <= MOST_CODES
