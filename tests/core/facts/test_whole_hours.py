"""Times of day that are told in hours: "в 10 часов", "до 20-ї години", "в 19-00"."""

from datetime import date

import pytest

from newsdedup.core.facts.codes import encode_facts
from newsdedup.core.facts.comparison import compare_facts
from newsdedup.core.facts.extraction import extract_facts
from newsdedup.core.facts.fact import Fact, FactKind
from newsdedup.core.text.clean import clean
from newsdedup.core.text.words import tokens


def facts(text: str) -> tuple[Fact, ...]:
    _, cleaned = clean("", text)
    return extract_facts(cleaned, tokens(cleaned), published=date(2031, 5, 30))


def hours(text: str) -> list[str]:
    found = [fact.value for fact in facts(text) if fact.kind is FactKind.CLOCK]
    return [f"{minutes // 60:02}:{minutes % 60:02}" for minutes in found]


@pytest.mark.parametrize(
    ("text", "time"),
    [
        *(("Собрание начнется в 10 часов в клубе", "10:00"), ("в 21 час", "21:00")),
        *(("закроют в 20 часов по местному времени", "20:00"), ("к 15 часам", "15:00")),
        *(("о 14 годині почалася нарада", "14:00"), ("о 14-й годині", "14:00")),
        *(("до 20-ї години", "20:00"), ("після 18-ї години", "18:00"), ("о 9-й ранку", "09:00")),
        *(("о 4-й ранку", "04:00"), ("о 7-й вечора", "19:00"), ("о 3-й ночі", "03:00")),
        *(("на 18 годину відбили 45 атак", "18:00"), ("до 6 часов 18 мая", "06:00")),
        *(("в 18 часов 47 минут", "18:47"), ("о 5 годині 20 хвилин", "05:20")),
        *(("сбор в 9 ч 30 мин у входа", "09:30"), ("в 9 ч. утра", "09:00")),
        *(("начнется в 19-00", "19:00"), ("с 9-05", "09:05")),
    ],
)
def test_an_hour_at_which_something_is_told_is_a_time_of_day(text: str, time: str) -> None:
    assert hours(text) == [time]


@pytest.mark.parametrize(
    ("text", "first", "second"),
    [
        *(("с 9 до 18 часов", "09:00", "18:00"), ("с 23 до 5 часов", "23:00", "05:00")),
        *(("з 9-ї до 18-ї години", "09:00", "18:00"), ("с 5 до 23 часов", "05:00", "23:00")),
        *(("с 22 часов 17 мая до 6 часов 18 мая", "22:00", "06:00"),),
        *(("прием с 9-00 до 17-00", "09:00", "17:00"), ("с 8 ч. до 17 ч.", "08:00", "17:00")),
    ],
)
def test_hours_from_which_and_to_which_are_two_times(text: str, first: str, second: str) -> None:
    assert hours(text) == [first, second]


@pytest.mark.parametrize(
    "text",
    [
        *("пожар тушили 14 часов", "осталось 14 часов до старта", "на 5 годин", "за 10 часов"),
        *("разница в 7 часов", "с опозданием в 9 часов", "задержка рейса в 10 часов"),
        *("в 24 часа", "в 5 часах езды", "в 3 часа", "к 15 часам обязательных работ"),
        *("увеличили смену с 8 до 12 часов", "от 8 до 12 часов", "в 12 часов полета"),
        *("ждали до 6 часов", "счет 9-0", "уехали в 10-15 км от города", "на 5-й день"),
        *("по 2 ч. 4 ст. 159", "близько 5 годин", "в 8 квартале"),
    ],
)
def test_how_long_it_took_is_no_time_of_day(text: str) -> None:
    assert hours(text) == []


@pytest.mark.parametrize(
    ("text", "time"),
    [
        *(("станом на 8.30 підтверджено", "08:30"), ("по состоянию на 15.00 явка", "15:00")),
        *(("к 15.00 проголосовали", "15:00"), ("в 14.20 по московскому времени", "14:20")),
        *(("о 13.30 на вулиці", "13:30"), ("з 20.00 14 травня", "20:00")),
        *(("заседание назначено на 11.30.", "11:30"), ("після 22.00 рух заборонять", "22:00")),
        *(("с 08.30 по местному времени", "08:30"), ("до 20.00 по московскому времени", "20:00")),
    ],
)
def test_a_time_with_a_dot_is_known_by_what_stands_around_it(text: str, time: str) -> None:
    assert hours(text) == [time]


@pytest.mark.parametrize(
    "text",
    [
        *("вырос на 12.30 пункта", "около 10.50 метра", "близько 2.50 тис. тонн", "до 5.20"),
        *("к 1.50 рубля", "на 11.30 больше", "в 2.10 раза", "около 8.30 %"),
    ],
)
def test_decimals_with_a_dot_are_no_times_of_day(text: str) -> None:
    assert hours(text) == []


def test_a_range_of_minutes_that_are_not_round_needs_the_zero_before_its_hours() -> None:
    assert hours("сирени лунали з 03.05 до 05.20") == ["03:05", "05:20"]
    assert hours("с 10.05 по 12.05") == []
    assert hours("з 01.06 до 05.06") == []


def test_one_hour_agrees_however_it_is_told() -> None:
    for one, other in (("в 10 часов", "в 10:00"), ("до 20-ї години", "до 20.00 за Києвом")):
        ours, theirs = (encode_facts(facts(f"двери закроют {text}")) for text in (one, other))
        assert compare_facts(ours, theirs) == (0, 0, 0, 0)


@pytest.mark.parametrize(
    "text",
    [
        *("близько 4-ї ранку", "около 14.20 по московскому времени", "близько 13.30 на вулиці"),
        *("около 6 утра", "близько 22-ї години", "около 3 часов ночи"),
    ],
)
def test_a_time_that_is_told_about_is_no_fact(text: str) -> None:
    assert facts(text) == ()
