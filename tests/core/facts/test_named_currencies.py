"""Currencies that are named before their sum, or behind millions."""

import pytest

from newsdedup.core.facts.extraction import extract_facts
from newsdedup.core.facts.fact import MILLION, FactKind
from newsdedup.core.text.words import tokens


def counted(text: str) -> list[tuple[FactKind, float, str]]:
    facts = extract_facts(text, tokens(text))
    return [(fact.kind, fact.value / MILLION, fact.unit) for fact in facts]


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("sold for USD 350 million", 350_000_000, "usd"),
        ("saves USD 350m", 350_000_000, "usd"),
        ("paid EUR 5 million in cash", 5_000_000, "eur"),
        ("paid EUR5m", 5_000_000, "eur"),
        ("сделка на USD 350 млн", 350_000_000, "usd"),
        ("worth Rs 500 crore", 5_000_000_000, "inr"),
        ("worth Rs. 5 lakh", 500_000, "inr"),
        ("worth Rs500", 500, "inr"),
        ("500 rupees", 500, "inr"),
        ("worth 350m euros", 350_000_000, "eur"),
        ("worth 350m pounds", 350_000_000, "gbp"),
    ],
)
def test_a_sum_has_the_currency_that_is_named_before_or_behind_it(
    text: str, value: float, unit: str
) -> None:
    assert counted(text) == [(FactKind.MONEY, value, unit)]


def test_millions_that_touch_an_m_may_be_of_a_currency_without_a_code() -> None:
    assert counted("a jackpot of 5.2m crowns") == [(FactKind.NUMBER, 5_200_000, "crown")]
    assert counted("a wall of 5.2m") == [(FactKind.NUMBER, 5.2, "m")]


@pytest.mark.parametrize("text", ["USD 92,50 EUR 100,10", "USD: 92,50 EUR: 100,10"])
def test_a_list_of_rates_gives_each_currency_its_own(text: str) -> None:
    assert counted(text) == [(FactKind.MONEY, 92.5, "usd"), (FactKind.MONEY, 100.1, "eur")]


def test_the_next_currency_of_a_list_is_not_that_of_the_number_before_it() -> None:
    assert [unit for *_, unit in counted("доллар 92,50 евро 100,10 юань 12,74")] == [
        *("долла", "евр", "юан"),
    ]
    assert [unit for *_, unit in counted("EUR 5 million and GBP 3.2bn")] == ["eur", "gbp"]


def test_the_price_of_a_currency_is_in_what_stands_behind_it() -> None:
    assert counted("USD - 92,50 руб.") == [(FactKind.MONEY, 92.5, "rub")]
    assert counted("Доллар 92,50 рубля 3 мая")[0] == (FactKind.MONEY, 92.5, "rub")


@pytest.mark.parametrize("text", ["зарплата 60 т.р.", "60 т. р.", "60 т.руб.", "60 тыс. руб."])
def test_thousands_of_roubles_may_be_cut_to_two_letters(text: str) -> None:
    assert counted(text) == [(FactKind.MONEY, 60_000, "rub")]


def test_a_ton_is_no_thousand() -> None:
    assert counted("вывезли 60 т. Работы идут") == [(FactKind.NUMBER, 60, "ton")]


def test_percents_of_a_currency_are_percents() -> None:
    assert counted("EUR 5% up") == [(FactKind.PERCENT, 5, "%")]
