"""Numbers that hyphens put in a row: the numbers of a draw, hours and days of English texts."""

from datetime import date

import pytest

from newsdedup.core.facts.extraction import extract_facts
from newsdedup.core.facts.fact import MILLION, FactKind
from newsdedup.core.facts.ranges import IN_A_ROW
from newsdedup.core.text.words import tokens


def units(text: str) -> set[str]:
    facts = extract_facts(text, tokens(text), published=date(2031, 5, 15))
    return {fact.unit for fact in facts if fact.kind is FactKind.NUMBER}


def values(text: str, kind: FactKind = FactKind.NUMBER) -> list[float]:
    facts = extract_facts(text, tokens(text), published=date(2031, 5, 15))
    return [fact.value / MILLION for fact in facts if fact.kind is kind]


def hours(text: str) -> list[str]:
    facts = extract_facts(text, tokens(text), published=date(2031, 5, 15))
    assert {fact.kind for fact in facts} == {FactKind.CLOCK}
    return [f"{fact.value // 60}:{fact.value % 60:02}" for fact in facts]


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("The numbers were 04-11-23-29-38-44", [4, 11, 23, 29, 38, 44]),
        ("Выпали числа 4-11-23-29-38", [4, 11, 23, 29, 38]),
    ],
)
def test_the_numbers_of_a_draw_are_numbers(text: str, numbers: list[float]) -> None:
    assert values(text) == numbers


@pytest.mark.parametrize(
    "text",
    [
        "The numbers were 04-11-23-29",
        "The numbers were 4, 11, 23 and 29.",
        "Вот: 04 11 23 29",
        "Це 4, 11, 23 та 29",
    ],
)
def test_the_numbers_of_a_row_count_one_thing_however_they_are_written(text: str) -> None:
    assert units(text) == {IN_A_ROW}


def test_three_numbers_are_no_row() -> None:
    assert units("Won in 4, 11 and 23.") == {""}


@pytest.mark.parametrize(
    "text", ["call 45-67-89", "тел. 245-67-89", "ISBN 978-5-17-118366-6", "8-912-345-67-89"]
)
def test_a_telephone_number_is_no_row(text: str) -> None:
    assert values(text) == []


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("open 9am-5pm", ["9:00", "17:00"]),
        ("open 9.30am-5.15pm", ["9:30", "17:15"]),
        ("open 9-5pm", ["9:00", "17:00"]),
        ("open 11-1 p.m.", ["11:00", "13:00"]),
        ("open 7-9pm", ["19:00", "21:00"]),
    ],
)
def test_both_ends_of_a_range_of_hours_are_times_of_day(text: str, named: list[str]) -> None:
    assert hours(text) == named


def test_both_ends_of_a_range_that_names_its_unit_twice_are_counted() -> None:
    assert values("a walk of 5km-10km") == [5, 10]


@pytest.mark.parametrize("text", ["the Su-57", "МиГ-29", "a b2b-3 deal"])
def test_what_a_hyphen_joins_to_a_name_is_none(text: str) -> None:
    assert values(text) == []
