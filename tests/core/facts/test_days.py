"""Days that are derived from a publication near midnight."""

from datetime import date, datetime

import pytest

from core.facts.extracted import WEDNESDAY
from core.verify.viewing import seen_as
from newsdedup.core.facts.days import (
    calendar_day,
    days_between,
    encode_day,
    format_day,
    may_be_same_day,
    resolve_day,
)
from newsdedup.core.facts.extraction import extract_facts
from newsdedup.core.facts.fact import FactKind, encode_facts
from newsdedup.core.facts.moves import describe_moves
from newsdedup.core.matching.verify.features import find_view_moves, other_days_share
from newsdedup.core.matching.verify.view import TextView
from newsdedup.core.text.tokens import tokens


def days(text: str, published: date | None = WEDNESDAY) -> list[str]:
    facts = extract_facts(text, tokens(text), published=published)
    assert all(fact.kind is FactKind.DAY for fact in facts)
    return [format_day(fact.value) for fact in facts]


@pytest.mark.parametrize(
    "text",
    ["28 октября", "28 октября 2024 года", "28 октября 2024, днем", "28-го октября", "28 жовтня",
     "October 28", "(Oct. 28)", "October 28, 2024, at noon", "28 October 2024", "28th October",
     "28.10.2024", "28.10.24", "28/10/2024", "10/28/2024", "2024-10-28",
     "28-10-2024", "2024/10/28", "2024.10.28",
     "позавчера", "позавчора", "в понедельник", "у понеділок", "on Monday"],
)  # fmt: skip
def test_a_day_is_the_same_in_every_spelling(text: str) -> None:
    assert days(text) == ["2024-10-28"]


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("сегодня", "2024-10-30"),
        ("in Kyiv today", "2024-10-30"),
        ("в среду", "2024-10-30"),
        ("вчера", "2024-10-29"),
        ("yesterday", "2024-10-29"),
        ("накануне", "2024-10-29"),
        ("завтра", "2024-10-31"),
        ("в четверг", "2024-10-24"),
        ("5 января", "2025-01-05"),
        ("5 травня", "2024-05-05"),
    ],
)
def test_a_day_is_derived_from_the_publication(text: str, day: str) -> None:
    assert days(text) == [day]


@pytest.mark.parametrize(
    "text",
    ["окружающей среды", "в окружающую среду", "городской среды", "неділі тому",
     "Завтрак чемпионов", "послезавтрашний", "Mondays"],
)  # fmt: skip
def test_what_only_looks_like_a_day_is_none(text: str) -> None:
    assert days(text) == []


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("в среду", "2024-10-30"),
        ("до среды", "2024-10-30"),
        ("в прошлую среду", "2024-10-30"),
        ("в ночь на среду", "2024-10-30"),
        ("Утром среды", "2024-10-30"),
        ("минулої неділі", "2024-10-27"),
        ("у неділю", "2024-10-27"),
        ("Завтрак будет завтра", "2024-10-31"),
        ("окружающей среды. Откроют в среду", "2024-10-30"),
    ],
)
def test_a_day_is_a_whole_word_and_a_noun_is_one_only_behind_a_preposition(
    text: str, day: str
) -> None:
    assert days(text) == [day]


@pytest.mark.parametrize(
    "text",
    ["в субботу, 2 ноября", "в субботу 2 ноября, и в субботу вечером", "on Saturday, November 2",
     "Saturday (Nov. 2)", "Saturday, 2nd November", "2 ноября, в субботу,", "у суботу, 02.11.2024",
     "(2 листопада, у суботу)", "November 2, a Saturday, in Kyiv", "завтра, 2 ноября"],
)  # fmt: skip
def test_a_written_day_says_which_weekday_is_meant(text: str) -> None:
    assert days(text) == ["2024-11-02"]


def test_two_weekdays_have_their_two_written_days() -> None:
    assert days("в субботу и воскресенье, 2 и 3 ноября") == ["2024-11-02", "2024-11-03"]


@pytest.mark.parametrize(
    "text",
    ["USA Today", "the Sunday Times", "Mail on Sunday", "Black Friday", "в черную пятницу",
     'агентство "Россия сегодня"', "накануне праздника", "накануне нового сезона",
     "напередодні свята", "накануне президентских выборов"],
)  # fmt: skip
def test_a_name_and_the_eve_of_something_are_no_days(text: str) -> None:
    assert days(text) == []


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Good today", "2024-10-30"),
        ("Накануне президент сообщил", "2024-10-29"),
        ("Black Friday began on Friday", "2024-10-25"),
        ("Мы видели сегодня", "2024-10-30"),
        ("в субботу, вечером", "2024-10-26"),
    ],
)
def test_the_same_words_elsewhere_are_days(text: str, day: str) -> None:
    assert days(text) == [day]


def test_a_day_stands_where_its_word_does() -> None:
    text = "Завтрак прошел. Игра завтра"
    (fact,) = extract_facts(text, tokens(text), published=WEDNESDAY)
    assert text[fact.start :] == "завтра"


TUESDAY = date(2024, 10, 29)


def begun(text: str, published: date) -> TextView:
    """Return the codes of a text that is all beginning."""
    codes = encode_facts(extract_facts(text, tokens(text), published=published))
    return seen_as("")._replace(facts=codes, opening=codes)


@pytest.mark.parametrize(
    ("one", "other"),
    [("в среду", "в среду"), ("on Wednesday", "Opens on Wednesday"), ("до среды", "на среду")],
)  # fmt: skip
def test_a_weekday_is_one_on_both_sides_of_its_midnight(one: str, other: str) -> None:
    left, right = begun(one, TUESDAY), begun(other, WEDNESDAY)
    assert other_days_share(left, right) == other_days_share(right, left) == 0


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("The notice was issued this morning (29).", "2024-10-29"),
        ("He will speak on Friday (1).", "2024-11-01"),
        ("He spoke on Thursday (24) in Halden.", "2024-10-24"),
        ("It was said today (30)", "2024-10-30"),
    ],
)
def test_a_day_of_the_month_in_brackets_says_which_day_a_word_means(text: str, day: str) -> None:
    assert days(text) == [day]
    assert all(fact.kind is FactKind.DAY for fact in extract_facts(
        text, tokens(text), published=WEDNESDAY
    ))  # fmt: skip


@pytest.mark.parametrize("text", ["Группа (30) и флаг (5)", "a group of (29)", "on Friday (45)"])
def test_another_number_in_brackets_is_no_day_of_the_month(text: str) -> None:
    found = extract_facts(text, tokens(text), published=WEDNESDAY)
    named = [format_day(fact.value) for fact in found if fact.kind is FactKind.DAY]
    assert not {"2024-10-29", "2024-10-30", "2024-11-05"} & set(named)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("on Friday", "on 1 November"),
        ("в пятницу", "25 октября"),
        ("yesterday", "on 28 October"),
        ("сегодня", "29 октября"),
        ("today", "tomorrow"),
    ],
)
def test_between_two_sources_a_day_that_a_word_names_is_an_interval(one: str, other: str) -> None:
    left, right = begun(one, WEDNESDAY), begun(other, WEDNESDAY)
    assert other_days_share(left, right, same_source=False) == 0
    assert other_days_share(right, left, same_source=False) == 0


@pytest.mark.parametrize(
    ("one", "other"),
    [("on Friday", "on 2 November"), ("today", "on 28 October"), ("1 ноября", "2 ноября")],
)
def test_days_are_other_ones_where_their_intervals_are_apart(one: str, other: str) -> None:
    left, right = begun(one, WEDNESDAY), begun(other, WEDNESDAY)
    assert other_days_share(left, right, same_source=False) == 1


def test_written_days_a_week_apart_and_other_weekdays_are_two() -> None:
    def apart(one: str, other: str) -> float:
        return other_days_share(begun(one, WEDNESDAY), begun(other, WEDNESDAY))

    assert apart("23 октября", "30 октября") == 1
    assert apart("в понедельник", "во вторник") == 1
    assert apart("в понедельник", "21 октября") == 1
    assert apart("в понедельник", "4 ноября") == 1
    assert apart("в среду и четверг", "в четверг") == 1 / 2


def test_a_day_moved_where_each_text_begins_with_one_that_the_other_lacks() -> None:
    def described_moves(one: str, other: str) -> list[tuple[str | None, str, str]]:
        return [
            tuple(each)
            for each in describe_moves(
                find_view_moves(begun(one, WEDNESDAY), begun(other, TUESDAY)), ()
            )
        ]

    assert described_moves("на 8 ноября", "на 9 ноября") == [("date", "2024-11-08", "2024-11-09")]
    assert described_moves("8 ноября, 1 мая", "1 мая и 9 ноября") == [
        ("date", "2024-11-08", "2024-11-09")
    ]
    assert described_moves("сегодня", "30 октября") == described_moves("в среду", "в среду") == []
    assert described_moves("17 и 15 мая", "15 мая") == described_moves("17 мая", "тихо") == []


def test_days_that_share_a_month_are_two_days() -> None:
    assert days("23-24 ноября") == ["2024-11-23", "2024-11-24"]
    assert days("с 14 по 16 ноября") == ["2024-11-14", "2024-11-16"]
    assert days("8 и 9 декабря") == ["2024-12-08", "2024-12-09"]


def test_without_a_publication_a_day_keeps_its_month_and_spoken_days_are_no_facts() -> None:
    assert days("вчера, 28 октября, on Monday", None) == ["--10-28"]
    assert days("29 февраля", None) == ["--02-29"]
    assert days("28.10.2024", None) == ["2024-10-28"]


@pytest.mark.parametrize("year", [1599, 1650, 1799, 1800, 2026, 2100])
def test_days_of_all_centuries_have_numbers_of_their_own(year: int) -> None:
    last, first = date(year, 12, 31), date(year + 1, 1, 1)
    assert resolve_day("yesterday", first) == encode_day(last) > 0
    assert days_between(encode_day(last), encode_day(first)) == 1
    assert format_day(encode_day(last)) == f"{year}-12-31"
    assert calendar_day(day=31, month=12, year=None, published=first) == encode_day(last)


def test_a_day_of_unknown_year_may_be_that_day_of_any_year() -> None:
    known, other = encode_day(date(2024, 10, 28)), encode_day(date(2023, 10, 28))
    unknown = known % 512
    assert may_be_same_day(known, unknown)
    assert may_be_same_day(unknown, other)
    assert not may_be_same_day(known, other)
    assert not may_be_same_day(known, encode_day(date(2024, 10, 29)))


@pytest.mark.parametrize("text", ["31.02.2024", "99.99.9999", "31 февраля", "2024-13-01"])
def test_what_no_calendar_has_is_no_day(text: str) -> None:
    assert all(fact.kind is not FactKind.DAY for fact in extract_facts(text, tokens(text)))


def test_the_first_and_the_last_day_of_the_calendar_have_no_neighbours() -> None:
    for day in (date.min, date.max):
        text = "вчера, сегодня, завтра, в понедельник, 31 декабря, 1 января"
        assert extract_facts(text, tokens(text), published=day)


@pytest.mark.parametrize(
    "text",
    [
        *("October 28-November 5", "Oct. 28-Nov. 5", "28 October-5 November"),
        *("28 октября-5 ноября", "28 October to 5 November"),
    ],
)
def test_a_range_over_two_months_is_both_its_days(text: str) -> None:
    assert days(text) == ["2024-10-28", "2024-11-05"]


@pytest.mark.parametrize(
    "text", ["October 28-30", "Oct. 28 - 30", "October 28th-30th", "28-30 October", "28-30 октября"]
)
def test_a_range_in_one_month_is_both_its_days(text: str) -> None:
    assert days(text) == ["2024-10-28", "2024-10-30"]


def test_the_month_may_stand_behind_of() -> None:
    assert days("the 28th of October") == days("the 28th of October, 2024") == ["2024-10-28"]


@pytest.mark.parametrize("text", ["5 МиГ-29", "in May 5 Su-57 flew"])
def test_what_a_hyphen_joins_to_a_name_is_no_day(text: str) -> None:
    assert len(extract_facts(text, tokens(text), published=WEDNESDAY)) == 1


def apart(one: tuple[str, str], other: tuple[str, str]) -> float:
    left, right = begun_at(*one), begun_at(*other)
    assert other_days_share(left, right) == other_days_share(right, left)
    return other_days_share(left, right)


def begun_at(text: str, published: str) -> TextView:
    at = datetime.fromisoformat(published)
    codes = encode_facts(extract_facts(text, tokens(text), published=at.date(), hour=at.hour))
    return seen_as("")._replace(facts=codes, opening=codes)


@pytest.mark.parametrize("word", ["вчера", "сегодня", "завтра", "today", "позавчора"])
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("2031-05-30T23:50:00+00:00", "2031-05-31T00:20:00+00:00"),
        ("2031-05-30T21:40:00+00:00", "2031-05-31T00:30:00+03:00"),
    ],
)
def test_a_day_is_the_same_in_a_copy_past_midnight(word: str, one: str, other: str) -> None:
    assert apart((word, one), (word, other)) == 0


@pytest.mark.parametrize(
    ("one", "other"),
    [
        # The daily template, and what another word or the calendar tells apart.
        (("сегодня", "2031-05-30T07:00:00+00:00"), ("сегодня", "2031-05-31T07:00:00+00:00")),
        (("сегодня", "2031-05-30T23:50:00+00:00"), ("сегодня", "2031-05-31T07:00:00+00:00")),
        (("сегодня", "2031-05-30T20:00:00+00:00"), ("сегодня", "2031-05-31T00:20:00+00:00")),
        (("сегодня", "2031-05-30T23:50:00+00:00"), ("сегодня", "2031-05-31T23:50:00+00:00")),
        (("сегодня", "2031-05-30T00:20:00+00:00"), ("сегодня", "2031-05-31T00:20:00+00:00")),
        (("сегодня", "2031-05-30T00:20:00+00:00"), ("сегодня", "2031-05-31T23:50:00+00:00")),
        (("завтра", "2031-05-30T23:50:00+00:00"), ("вчера", "2031-06-02T00:20:00+00:00")),
        (("30 мая", "2031-05-30T23:50:00+00:00"), ("сегодня", "2031-05-31T00:20:00+00:00")),
        (("в пятницу", "2031-05-30T23:50:00+00:00"), ("сегодня", "2031-05-31T00:20:00+00:00")),
        (("сегодня", "2031-05-30T23:50:00+00:00"), ("сегодня", "2031-06-01T00:20:00+00:00")),
        (
            ("сегодня, 30 мая", "2031-05-30T23:50:00+00:00"),
            ("сегодня, 31 мая", "2031-05-31T00:20:00+00:00"),
        ),
    ],
)
def test_other_days_stay_apart(one: tuple[str, str], other: tuple[str, str]) -> None:
    assert apart(one, other) == 1


def test_yesterday_of_one_day_is_today_of_the_day_before() -> None:
    late, early = "2031-05-30T23:50:00+00:00", "2031-05-31T00:20:00+00:00"
    assert apart(("сегодня", late), ("вчера", early)) == 0
