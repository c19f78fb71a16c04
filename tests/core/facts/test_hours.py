"""Times of day, and ranges of them and of days."""

import pytest

from core.facts.extracted import facts, hours
from newsdedup.core.facts.comparison import compare_facts
from newsdedup.core.facts.days import format_day
from newsdedup.core.facts.fact import FactKind, encode_facts


def only_hours(text: str) -> list[str]:
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
    assert only_hours(text) == ["09:00", "17:00"]


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
    assert only_hours(text) == ["22:00", "06:00"]


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
    assert only_hours(text) == [first, second]


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
    assert only_hours(text) == [time]


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
        *("at 9999 GMT", "в 2575 мск", "in 1984 UTC", "2401 GMT", "at 9.75 p.m."),
    ],
)
def test_prices_days_and_how_long_it_took_are_no_times_of_day(text: str) -> None:
    assert all(fact.kind is not FactKind.CLOCK for fact in facts(text))


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
def test_an_hour_at_which_something_is_reported_is_a_time_of_day(text: str, time: str) -> None:
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


def test_one_hour_agrees_however_it_is_written() -> None:
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
def test_a_time_that_is_only_spoken_of_is_no_fact(text: str) -> None:
    assert facts(text) == ()
