"""Times of day, and ranges of them and of days."""

from datetime import date

import pytest

from newsdedup.core.facts.days import format_day
from newsdedup.core.facts.extraction import extract_facts
from newsdedup.core.facts.fact import Fact, FactKind
from newsdedup.core.text.clean import clean
from newsdedup.core.text.words import tokens


def facts(text: str) -> tuple[Fact, ...]:
    _, cleaned = clean("", text)
    return extract_facts(cleaned, tokens(cleaned), published=date(2031, 5, 30))


def hours(text: str) -> list[str]:
    found = facts(text)
    assert all(fact.kind is FactKind.CLOCK for fact in found)
    return [f"{fact.value // 60:02}:{fact.value % 60:02}" for fact in found]


@pytest.mark.parametrize(
    "text",
    [
        *("отключат в 09:00-17:00", "отключат в 9:00–17:00 по Москве", "open 09:00 — 17:00"),
        "Матч и концерт 09:00-17:00",
    ],
)
def test_a_range_of_hours_is_both_its_ends(text: str) -> None:
    assert hours(text) == ["09:00", "17:00"]


@pytest.mark.parametrize(
    "text",
    [
        *("с 01.06.2031-05.06.2031", "01.06.2031–05.06.2031", "01.06-05.06.2031"),
        *("1-5.06.2031", "матч 01.06.2031-05.06.2031"),
    ],
)
def test_a_range_of_days_is_both_its_ends(text: str) -> None:
    assert [format_day(fact.value) for fact in facts(text)] == ["2031-06-01", "2031-06-05"]


@pytest.mark.parametrize("text", ["5-2-1", "8-800-555-35-35", "1234-09:00", "счет 21:15-15:21"])
def test_what_is_no_range_of_hours_or_days_is_read_as_nothing(text: str) -> None:
    assert facts(text) == ()


@pytest.mark.parametrize(
    "text",
    [
        *("перекроют с 22.00 до 6.00", "перекроют с 22.00 до 06.00 часов", "с 22.00 часов до 6.00"),
        *(
            "закроют в 22.00-6.00",
            "з 22.00 до 6.00",
            "closed from 22.00 to 6.00",
            "с 22.00-6.00 мск",
        ),
        *("с 22-00 до 6-00", "с 22-00 до 06-00 мск", "from 22-00 to 6-00", "игры с 22-00 до 6-00"),
        *("с 10 вечера до 6 утра", "с 10 часов вечера до 6 часов утра", "10 p.m. to 6 a.m."),
        *("с 10 до 6 утра", "с десяти до шести часов утра", "from 10 to 6 a.m."),
        *("с 10:00 вечера до 6:00 утра", "10:00 pm - 6:00 am", "від 10 вечора до 6 ранку"),
    ],
)
def test_hours_without_a_colon_are_times_of_day(text: str) -> None:
    assert hours(text) == ["22:00", "06:00"]


@pytest.mark.parametrize(
    ("text", "first", "second"),
    [
        ("с 3 до 5 часов дня", "15:00", "17:00"),
        ("в 5-6 утра", "05:00", "06:00"),
        ("from 9 to 11 a.m.", "09:00", "11:00"),
        ("с 10 до 2 часов дня", "10:00", "14:00"),
        ("с 8 до 6 вечера", "08:00", "18:00"),
        ("from 12 to 2 p.m.", "12:00", "14:00"),
    ],
)
def test_the_first_hour_is_the_latest_before_the_second(text: str, first: str, second: str) -> None:
    assert hours(text) == [first, second]


@pytest.mark.parametrize(
    ("text", "time"),
    [
        *(("9 утра", "09:00"), ("9 вечера", "21:00"), ("о 9 вечора", "21:00")),
        *(("3 часа ночи", "03:00"), ("3 часа дня", "15:00"), ("о 3 годині ночі", "03:00")),
        *(("в 12 дня", "12:00"), ("в 12 ночи", "00:00"), ("в 2 ночи", "02:00")),
        *(("в 11 ночи", "23:00"), ("в девять утра", "09:00"), ("до 17.00 часов", "17:00")),
        *(("в 17.00, сообщил", "17:00"), ("Начало в 17.00. Вход", "17:00")),
        *(("at 9:30 pm", "21:30"), ("at 12:15 a.m.", "00:15"), ("0000 GMT", "00:00")),
    ],
)
def test_the_part_of_the_day_tells_the_hour(text: str, time: str) -> None:
    assert hours(text) == [time]


@pytest.mark.parametrize(
    "text",
    [
        *("вырос с 5.20 до 6.10 рублей", "выросла с 5.00 до 6.30", "с 5.00 до 6.30 млн тонн"),
        *("с 10.05 по 12.05", "rose from 5.00 to 6.30", "с 5.00 до 6.30 %", "from 1.30 to 1.45"),
        *(
            "за 3 дня",
            "3 дня",
            "с 1 дня регистрации",
            "3 ночи в отеле",
            "два вечера",
            "работали 12 часов",
        ),
        *("10-00 руб.", "матч окончен, счет 2-0", "120-00", "в 10-20 раз"),
    ],
)
def test_prices_days_and_how_long_it_took_are_no_times_of_day(text: str) -> None:
    assert all(fact.kind is not FactKind.CLOCK for fact in facts(text))
