"""Degrees above and below zero, with a sign, a word or a mark."""

import pytest

from newsdedup.core.facts.codes import encode_facts
from newsdedup.core.facts.comparison import compare_facts
from newsdedup.core.facts.extraction import extract_facts
from newsdedup.core.facts.fact import MILLION, Fact
from newsdedup.core.text.clean import clean
from newsdedup.core.text.words import tokens


def facts(text: str) -> tuple[Fact, ...]:
    _, cleaned = clean("", text)
    return extract_facts(cleaned, tokens(cleaned))


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
        *(("вночі 1-3° морозу", -1, -3), ("+20…+25 °C", 20, 25), ("8-13° тепла", 8, 13)),
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
