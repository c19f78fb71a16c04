"""Numbers that are said in parts: halves, dozens, kopecks, ranges of money."""

from datetime import date

import pytest

from core.facts.extracted import counted
from newsdedup.core.facts.comparison import compare_facts
from newsdedup.core.facts.extraction import IN_A_ROW, extract_facts
from newsdedup.core.facts.fact import MILLION, FactKind, encode_facts
from newsdedup.core.text.tokens import tokens


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


def units(text: str) -> set[str]:
    facts = extract_facts(text, tokens(text), published=date(2031, 5, 15))
    return {fact.unit for fact in facts if fact.kind is FactKind.NUMBER}


def values(text: str, kind: FactKind = FactKind.NUMBER) -> list[float]:
    facts = extract_facts(text, tokens(text), published=date(2031, 5, 15))
    return [fact.value / MILLION for fact in facts if fact.kind is kind]


def only_hours(text: str) -> list[str]:
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
    assert only_hours(text) == named


@pytest.mark.parametrize(
    ("text", "kind", "ends", "unit"),
    [
        ("closed at 290.15/30 rupees", FactKind.MONEY, (290.15, 290.3), "inr"),
        ("closed at 9.35/50 percent", FactKind.PERCENT, (9.35, 9.5), "%"),
        ("closed at 10.10/15 percent", FactKind.PERCENT, (10.1, 10.15), "%"),
        ("closed at 9.95/10.10 percent", FactKind.PERCENT, (9.95, 10.1), "%"),
        ("курс 92,50/93,10 рубля", FactKind.MONEY, (92.5, 93.1), "rub"),
        ("курс 41,2/41,75 грн", FactKind.MONEY, (41.2, 41.75), "uah"),
        ("spot was 7.1530/35 yuan", FactKind.MONEY, (7.153, 7.1535), "cny"),
    ],
)
def test_what_is_bid_and_what_is_asked_are_two_numbers(
    text: str, kind: FactKind, ends: tuple[float, float], unit: str
) -> None:
    assert counted(text) == [(kind, end, unit) for end in ends]


@pytest.mark.parametrize("text", ["rated 4.5/5", "act 12.5/66", "on 9.10/15 and 10/9.15"])
def test_decimals_before_a_slash_are_no_day_and_seldom_a_quote(text: str) -> None:
    assert FactKind.DAY not in {kind for kind, _, _ in counted(text)}


def test_both_ends_of_a_range_that_names_its_unit_twice_are_counted() -> None:
    assert values("a walk of 5km-10km") == [5, 10]


@pytest.mark.parametrize("text", ["the Su-57", "МиГ-29", "a b2b-3 deal"])
def test_what_a_hyphen_joins_to_a_name_is_none(text: str) -> None:
    assert values(text) == []
