"""The words of the units, in three languages and in the forms for one, two and five."""

import pytest

from newsdedup.core.facts.codes import encode_facts
from newsdedup.core.facts.comparison import compare_facts
from newsdedup.core.facts.extraction import extract_facts
from newsdedup.core.facts.fact import MILLION
from newsdedup.core.facts.units import SCALES, measure_of
from newsdedup.core.text.words import tokens
from newsdedup.data.lang import meanings

FORMS = {
    "%": "1 процент, 2 процента, 5 процентов, 1 відсоток, 2 відсотки, 5 відсотків, 1 percent,"
    " 5 pct, 5 pc, 5pc",
    "usd": "1 доллар, 2 доллара, 5 долларов, 2 долари, 5 доларів, 1 dollar, 5 dollars",
    "rub": "1 рубль, 2 рубля, 5 рублей, 5 руб., 2 рублі, 5 рублів, 1 ruble, 5 rubles",
    "uah": "1 гривна, 2 гривны, 5 гривен, 1 гривня, 2 гривні, 5 гривень, 5 hryvnias",
    "cny": "1 юань, 2 юаня, 5 юаней, 2 юані, 5 юанів, 5 yuan",
    "yen": "1 иена, 2 иены, 5 иен, 1 єна, 2 єни, 5 єн, 5 yen",
    "franc": "1 франк, 2 франка, 5 франков, 2 франки, 5 франків, 1 franc, 5 francs",
    "cent": "1 цент, 2 цента, 5 центов, 2 центи, 5 центів, 1 cent, 5 cents, 1 копейка,"
    " 2 копейки, 5 копеек, 1 копійка, 2 копійки, 5 копійок",
    "person": "1 человек, 2 человека, 5 человек, 5 людей, 5 чел., 1 людина, 1 людину,"
    " 4 людини, 5 осіб, 2 особи, 1 person, 5 people, 5 men, 5 women, 5 children",
    "year": "1 год, 21 год., 2 года, 5 лет, 1 рік, 1 року, 2 роки, 5 років, 1 year, 5 years",
    "month": "1 месяц, 2 месяца, 5 месяцев, 1 місяць, 2 місяці, 5 місяців, 5 months",
    "day": "1 день, 2 дня, 5 дней, 2 дні, 5 днів, 5 суток, 1 доба, 1 добу, 2 доби, 5 діб,"
    " 1 day, 5 days",
    "hour": "1 час, 2 часа, 5 часов, 1 година, 1 годину, 2 години, 5 годин, 1 hour, 5 hours",
    "minute": "1 минута, 1 минуту, 2 минуты, 5 минут, 1 хвилина, 2 хвилини, 5 хвилин,"
    " 1 minute, 5 minutes",
    "km": "1 километр, 2 километра, 5 километров, 2 кілометри, 5 кілометрів, 1 kilometer,"
    " 5 kilometres",
    "m": "1 метр, 2 метра, 5 метров, 2 метри, 5 метрів, 1 meter, 5 metres",
    "cm": "1 сантиметр, 2 сантиметра, 5 сантиметров, 5 сантиметрів, 5 centimetres",
    "kg": "1 килограмм, 5 килограммов, 5 кілограмів, 1 kilogram, 5 kilograms",
    "ton": "1 тонна, 1 тонну, 2 тонны, 5 тонн, 2 тонни, 1 ton, 5 tonnes",
    "ha": "1 гектар, 2 гектара, 5 гектаров, 5 гектарів, 1 hectare, 5 hectares",
    "point": "1 пункт, 2 пункта, 5 пунктов, 2 пункти, 5 пунктів, 1 point, 5 points",
    "barrel": "1 баррель, 5 баррелей, 5 барелів, 1 barrel, 5 barrels",
}


def units(text: str) -> list[tuple[float, str]]:
    facts = extract_facts(text, tokens(text))
    return [(fact.value / MILLION, fact.unit) for fact in facts]


def conflicts(left: str, right: str) -> int:
    ours, theirs = [encode_facts(extract_facts(text, tokens(text))) for text in (left, right)]
    return compare_facts(ours, theirs).conflicts


def test_no_word_of_a_unit_is_a_scale() -> None:
    assert SCALES.keys() & meanings("units.words").keys() == set()


@pytest.mark.parametrize("table", ["units.words", "units.harm"])
def test_a_word_and_its_beginning_never_mean_two_units(table: str) -> None:
    for word, unit in meanings(table).items():
        assert measure_of(word.rstrip("*")) == unit


@pytest.mark.parametrize(("unit", "said"), FORMS.items(), ids=FORMS)
def test_one_two_and_five_of_a_unit_are_of_that_unit(unit: str, said: str) -> None:
    assert {found for _, found in units(said)} == {unit}
    assert len(units(said)) == said.count(",") + 1


@pytest.mark.parametrize("scale", ["5 тыс. тонн", "5 тысяч тонн", "5 тис. тонн", "5 тисячами тонн"])
def test_thousands_in_every_form_are_thousands(scale: str) -> None:
    assert units(scale) == [(5_000, "ton")]


def test_years_of_age_conflict_however_many_they_are() -> None:
    assert conflicts("Ему 21 год", "Ему 23 года") == 1
    assert conflicts("Ему 21 год.", "Ему 22 року") == 1


def test_people_in_ukrainian_conflict_in_every_number() -> None:
    assert conflicts("загинуло 4 людини", "загинуло 5 людей") == 1
    assert conflicts("евакуювали 4 людини", "евакуювали 5 людей") == 1
    assert conflicts("евакуювали 1 людину", "евакуювали двоє людей") == 1


def test_the_underground_is_no_metre() -> None:
    assert units("у 5 метро Киева") != units("у 5 метров Киева") == [(5, "m")]
