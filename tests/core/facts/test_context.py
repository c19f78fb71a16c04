"""Numbers below zero are not those above it."""

import pytest

from core.facts.extracted import codes, facts
from newsdedup.core.facts.comparison import compare_facts
from newsdedup.core.facts.context import find_signed_numbers
from newsdedup.core.facts.extraction import extract_facts
from newsdedup.core.facts.fact import MILLION, FactKind, decode_fact, encode_facts
from newsdedup.core.facts.moves import describe_moves, find_moves
from newsdedup.core.text.clean import clean
from newsdedup.core.text.tokens import tokens


def values(text: str) -> list[float]:
    return [fact.value / MILLION for fact in extract_facts(text, tokens(text))]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("-5 градусов", -5),
        ("ночью до -5 градусов", -5),
        ("ночью\n-5 градусов", -5),
        ("юань подешевел (-0,17)", -0.17),
        ("growth was -1.2 percent", -1.2),
        ("прибыль -$5 млн", -5_000_000),
        ("минус 15 градусов", -15),
        ("Ночью до минус 15", -15),
        ("мінус 15 градусів", -15),
        ("minus 15 degrees", -15),
        ("минус пятнадцать градусов", -15),
        ("убыток -2 тыс. рублей", -2_000),
    ],
)
def test_a_sign_or_a_word_before_a_number_puts_it_below_zero(text: str, value: float) -> None:
    assert values(text) == [value]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *(("- 5 градусов", 5), ("слово - 5 градусов", 5), ("плюс 15", 15), ("+5 градусов", 5)),
        *(("погрешность плюс-минус 5 %", 5), ("plus or minus 3 percent", 3), ("-5 человек", 5)),
        *(("цена-5 рублей;\n6-", 6), ("OnePlus 7 Pro", 7), ("5-летняя", 5), ("-0 градусов", 0)),
    ],
)
def test_other_dashes_and_signs_do_not(text: str, value: float) -> None:
    assert values(text) == [value]


@pytest.mark.parametrize("text", ["COVID-19", "Су-57", "МИ-8", "школа N -25"])
def test_a_name_with_a_number_is_no_quantity(text: str) -> None:
    assert values(text) == []


@pytest.mark.parametrize("text", ["— 5 человек", "- 5 домов", "–\u00a05 машин"])
def test_the_dash_of_a_list_is_no_minus(text: str) -> None:
    assert values(clean("", f"Итоги дня\n{text}")[1]) == [5]


@pytest.mark.parametrize(
    ("text", "first", "second"),
    [
        ("5-7 градусов", 5, 7),
        ("5 -7 градусов", 5, 7),
        ("от -5 до -7 градусов", -5, -7),
        ("от -5 до 7 градусов", -5, 7),
        ("до -5...-7 градусов", -5, -7),
        ("до -5-7 градусов", -5, -7),
        ("до -5 -7 градусов", -5, -7),
        ("минус 5 плюс 7", -5, 7),
    ],
)
def test_each_end_of_a_range_has_its_sign(text: str, first: float, second: float) -> None:
    assert values(text) == [first, second]


def test_scores_years_and_days_are_never_below_zero() -> None:
    kinds = {fact.kind for fact in extract_facts("счет 2:1, 2019-2020, 3-1, -5 мая", ("счет",))}
    assert kinds == {FactKind.SCORE, FactKind.YEAR, FactKind.DAY}
    assert all(value > 0 for value in values("счет 2:1, 2019-2020, 3-1, -5 мая"))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("-5 градусов", "5 градусов"),
        ("ночью минус 15", "ночью плюс 15"),
        ("минус 15", "15"),
        ("-15", "плюс 15"),
        ("growth of 1.2 percent", "growth of -1.2 percent"),
        ("-5 градусов", "-7 градусов"),
        ("-5 градусов", "7 градусов"),
        ("прибыль 2 млн рублей", "прибыль минус 2 млн рублей"),
    ],
)
def test_a_value_of_the_other_sign_is_a_conflict(left: str, right: str) -> None:
    assert compare_facts(codes(left), codes(right)) == (0, 1, 1, 1)
    assert compare_facts(codes(right), codes(left)) == (0, 1, 1, 1)


def test_a_value_below_zero_of_another_thing_is_no_conflict() -> None:
    assert compare_facts(codes("-5 градусов"), codes("5 тонн")) == (0, 1, 1, 0)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("-5 градусов", "минус пять градусов"),
        ("-5", "минус 5"),
        ("−5 °C", "-5 °C"),
        ("-1,2 тыс. рублей", "-1234 рубля"),
        ("-24,6 млн тонн", "минус 25 млн тонн"),
        ("-0 градусов", "0 градусов"),
    ],
)
def test_a_value_below_zero_agrees_with_itself(left: str, right: str) -> None:
    ours, theirs = [codes(clean("", text)[1]) for text in (left, right)]
    assert compare_facts(ours, theirs) == (1, 0, 0, 0)


def test_a_code_keeps_the_sign_of_the_least_values_too() -> None:
    for text, value in (("-5 км", -5), ("-999999 трлн км", -999_999 * 10**12), ("-0.5 км", -0.5)):
        (code,) = codes(text)
        assert code < 2**47
        assert decode_fact(code)[:2] == (FactKind.NUMBER, value * MILLION)


def test_what_fell_below_zero_is_reported_with_its_sign() -> None:
    found = describe_moves(
        find_moves(codes("ночью 5 градусов"), codes("ночью -5 градусов")), ("градус",)
    )
    assert [tuple(each) for each in found] == [("degree", "5", "-5")]
    found = describe_moves(find_moves(codes("-5 км"), codes("-82345678 км")), ())
    assert [tuple(each) for each in found] == [("kilometre", "-5", "about -82345670")]


def test_the_numbers_of_a_text_have_their_signs() -> None:
    assert find_signed_numbers("-5, 5-7, (-0,50) и - 8, COVID-19") == [
        "-5",
        "5",
        "7",
        "-0.5",
        "8",
        "19",
    ]


def degrees(text: str) -> list[float]:
    return [fact.value / MILLION for fact in facts(text) if fact.unit == "degree"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *(("днем до +25°", 25), ("до 17°С тепла", 17), ("ночью -17 °C", -17), ("21 градус", 21)),
        *(("35 градусов мороза", -35), ("12 градусов ниже нуля", -12), ("3° морозу", -3)),
        *(("5 градусів нижче нуля", -5), ("морозы до 30 градусов", -30), ("5 degrees", 5)),
        *(("мороз усилится до 28 градусов", -28), ("морозы до минус 35 градусов", -35)),
        *(("5 degrees below zero", -5), ("после морозов потеплеет до 10 градусов", 10)),
        *(("10 градусов тепла после мороза", 10), ("30-градусный мороз", -30)),
    ],
)
def test_degrees_are_below_zero_where_a_word_says_so(text: str, value: float) -> None:
    assert degrees(text) == [value]


@pytest.mark.parametrize(
    ("text", "first", "second"),
    [
        *(("3-5 градусов мороза", -3, -5), ("от 3 до 5 градусов мороза", -3, -5)),
        *(("вночі 1-3° морозу", -1, -3), ("+20...+25 °C", 20, 25), ("8-13° тепла", 8, 13)),
        *(("-1...-3 °С", -1, -3), ("от 5° тепла до 3° мороза", 5, -3), ("+3..+5°", 3, 5)),
        ("от 3 градусов мороза до 2 градусов тепла", -3, 2),
    ],
)
def test_both_ends_of_a_range_are_degrees(text: str, first: float, second: float) -> None:
    assert degrees(text) == [first, second]


def test_frost_of_other_things_is_none() -> None:
    assert [fact.value // MILLION for fact in facts("погибли 5 человек, мороз не ослабевает")] == [
        5
    ]
    assert all(fact.value > 0 for fact in facts("морозы до 20 февраля, мороз 3 дня"))


def test_other_degrees_are_a_conflict_and_the_same_are_none() -> None:
    one, same, other = (
        encode_facts(facts(text)) for text in ("до +22°C", "до 22 градусов тепла", "до +25 °C")
    )
    assert compare_facts(one, same) == (1, 0, 0, 0)
    assert compare_facts(one, other) == (0, 1, 1, 1)


def test_a_sign_in_brackets_says_again_that_a_value_fell() -> None:
    fell = encode_facts(facts("индекс опустился до 2682,1 пункта (-2,4%)"))
    assert compare_facts(
        fell, encode_facts(facts("индекс на уровне 2682,1 пункта, он снизился на 2,4%"))
    ) == (*(2, 0, 0, 0),)
    grown = encode_facts(facts("индекс вырос до 2682,1 пункта (+2,4%)"))
    stands = encode_facts(facts("индекс на уровне 2682,1 пункта (-2,4%)"))
    assert compare_facts(grown, stands).conflicts == 1
