"""Numbers that are said in parts: halves, dozens, kopecks, ranges of money."""

from datetime import date

import pytest

from newsdedup.core.facts.codes import encode_facts
from newsdedup.core.facts.comparison import compare_facts
from newsdedup.core.facts.extraction import extract_facts
from newsdedup.core.facts.fact import MILLION, FactKind
from newsdedup.core.text.words import tokens


def counted(text: str) -> list[tuple[FactKind, float, str]]:
    facts = extract_facts(text, tokens(text), published=date(2024, 10, 30))
    return [(fact.kind, fact.value / MILLION, fact.unit) for fact in facts]


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("два с половиной миллиона человек", 2_500_000, "person"),
        ("2 с половиной тысячи человек", 2_500, "person"),
        ("дві з половиною тисячі тонн", 2_500, "ton"),
        ("two and a half million tons", 2_500_000, "ton"),
        ("2 and a half hours", 2.5, "hour"),
        ("half a million people", 500_000, "person"),
        ("half a dozen people", 6, "person"),
        ("one and a half million people", 1_500_000, "person"),
        ("полмиллиона человек", 500_000, "person"),
        ("півмільйона тонн", 500_000, "ton"),
        ("пів мільйона тонн", 500_000, "ton"),
        ("пів сотні людей", 50, "person"),
        ("пол миллиона тонн", 500_000, "ton"),
        ("полтора десятка человек", 15, "person"),
        ("два десятка человек", 20, "person"),
        ("two dozen people", 24, "person"),
        ("a dozen people", 12, "person"),
        ("три сотни человек", 300, "person"),
        ("полсотни тысяч человек", 50_000, "person"),
        ("two dozen million tons", 24_000_000, "ton"),
    ],
)
def test_halves_and_dozens_are_numbers(text: str, value: float, unit: str) -> None:
    assert counted(text) == [(FactKind.NUMBER, value, unit)]


@pytest.mark.parametrize(
    "text", ["десятки людей", "dozens of people", "в первой десятке", "half of it", "пів року"]
)
def test_what_tells_no_number_is_none(text: str) -> None:
    assert counted(text) == []


def test_a_year_counts_no_hundreds() -> None:
    assert counted("В 2024 сотни людей")[0] == (FactKind.YEAR, 2024, "")


@pytest.mark.parametrize(
    ("text", "value", "currency"),
    [
        ("92 рубля 50 копеек", 92.5, "rub"),
        ("92 рубля и 50 копеек", 92.5, "rub"),
        ("92 руб. 50 коп.", 92.5, "rub"),
        ("41 гривня 5 копійок", 41.05, "uah"),
        ("5 dollars and 50 cents", 5.5, "usd"),
        ("$5.50", 5.5, "usd"),
    ],
)
def test_a_sum_goes_on_with_its_hundredths(text: str, value: float, currency: str) -> None:
    assert counted(text) == [(FactKind.MONEY, value, currency)]


def test_sums_of_two_things_are_two() -> None:
    assert counted("с 5 рублей до 50 копеек") == [
        (FactKind.MONEY, 5, "rub"),
        (FactKind.MONEY, 0.5, "cent"),
    ]
    assert len(counted("5 рублей, 50 копеек")) == 2


@pytest.mark.parametrize(
    "text",
    [
        "$2-3 billion",
        "won a $2-3 billion contract",
        "$2-$3 billion",
        "from $2 to $3 billion",
        "$2-3bn",
    ],
)
def test_a_sign_before_a_range_is_that_of_both_ends(text: str) -> None:
    assert counted(text) == [(FactKind.MONEY, 2e9, "usd"), (FactKind.MONEY, 3e9, "usd")]


def test_hundreds_that_rise_to_millions_are_hundreds() -> None:
    assert counted("from $900 to $2 million") == [
        (FactKind.MONEY, 900, "usd"),
        (FactKind.MONEY, 2e6, "usd"),
    ]


@pytest.mark.parametrize(
    ("cents", "whole"),
    [("35 cents a share", "$0.35 a share"), ("50 копеек", "0,5 рубля"), ("50 коп.", "0,50 ₴")],
)
def test_cents_are_hundredths_of_whatever_currency(cents: str, whole: str) -> None:
    ours, theirs = [encode_facts(extract_facts(text, tokens(text))) for text in (cents, whole)]
    assert compare_facts(ours, theirs)[:4] == (1, 0, 0, 0)
