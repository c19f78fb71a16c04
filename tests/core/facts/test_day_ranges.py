"""Ranges of days of which only the last one has its month, or its year."""

from datetime import date
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsdedup.core.facts.days import (
    MONTHS,
    day_a_year_before,
    day_in_month_of,
    encode_day,
    format_day,
    is_calendar_day,
)
from newsdedup.core.facts.extraction import extract_facts
from newsdedup.core.facts.fact import FactKind, decode_fact, encode_facts
from newsdedup.core.text.tokens import tokens

NOVEMBER = date(2031, 11, 2)
JANUARY = date(2031, 1, 2)


def days(text: str, published: date | None) -> list[str]:
    facts = extract_facts(text, tokens(text), published=published)
    return [format_day(fact.value) for fact in facts if fact.kind is FactKind.DAY]


@pytest.mark.parametrize(
    "text",
    [
        *("Ярмарка открыта с 31 по 3 ноября", "с 31-го по 3-е ноября", "31 - 3 ноября"),
        *("31-3 ноября", "31..3 ноября", "31 до 3 ноября", "31-03.11.2031", "31.10-03.11.2031"),
        *("Ярмарок триває з 31 по 3 листопада", "з 31 до 3 листопада", "31-3 листопада"),
        *("The fair is open from 31 to 3 November", "31-3 November", "31 - 3 November 2031"),
    ],
)
def test_a_range_over_the_end_of_a_month_begins_in_the_month_before(text: str) -> None:
    assert days(text, NOVEMBER) == ["2031-10-31", "2031-11-03"]


@pytest.mark.parametrize(
    "text",
    [
        *("с 28 по 3 января", "с 28 по 3 января 2031 года", "з 28 до 3 січня", "28-3 January"),
        *("from 28 to 3 January", "28.12-03.01.2031", "28-03.01.2031"),
    ],
)
def test_a_range_over_the_end_of_a_year_begins_in_the_year_before(text: str) -> None:
    assert days(text, JANUARY) == ["2030-12-28", "2031-01-03"]


@pytest.mark.parametrize("text", ["с 28 по 3 января", "з 28 до 3 січня", "from 28 to 3 January"])
def test_without_a_year_both_ends_have_their_months(text: str) -> None:
    assert days(text, None) == ["--12-28", "--01-03"]


@pytest.mark.parametrize(
    "text", ["с 30 по 2 марта", "з 30 до 2 березня", "from 30 to 2 March", "30-2 марта",
             "30-02.03.2031", "30.02-02.03.2031"]
)  # fmt: skip
def test_no_day_is_made_up_where_the_month_before_lacks_it(text: str) -> None:
    assert days(text, date(2031, 3, 1)) in (["2031-03-02"], [])


def test_the_29th_of_february_begins_a_range_in_leap_years_and_where_no_year_is_known() -> None:
    assert days("с 29 по 2 марта", date(2028, 3, 1)) == ["2028-02-29", "2028-03-02"]
    assert days("с 29 по 2 марта", None) == ["--02-29", "--03-02"]
    assert days("с 29 по 2 марта", date(2031, 3, 1)) == ["2031-03-02"]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("28 и 3 ноября", ["2031-11-28"]),
        ("с 8 по 11 и с 1 по 4 ноября", ["2031-11-08", "2031-11-11", "2031-11-01"]),
        ("31 и 3 ноября", []),
        ("31 или 3 листопада", []),
        ("0 - 3 ноября", []),
        ("31 and 3 November", []),
    ],
)
def test_days_that_are_listed_are_of_one_month(text: str, first: list[str]) -> None:
    assert days(text, NOVEMBER)[:-1] == first


@pytest.mark.parametrize(
    "text", ["won 31-3 November 2", "won 21-3 November 2", "won the match 28-3, November rain"]
)
def test_a_score_before_a_date_is_no_range_of_days(text: str) -> None:
    facts = extract_facts(text, tokens(text), published=NOVEMBER)
    assert facts[0].kind is FactKind.SCORE


def real_days(years: tuple[int, ...]) -> list[date]:
    found = []
    for year, month, day in product(years, range(1, 13), range(1, 32)):
        try:
            found.append(date(year, month, day))
        except ValueError:
            continue
    return found


def test_a_number_of_any_length_before_a_date_is_no_day() -> None:
    for digits in (5, 10, 15, 30):
        assert days(f"{'9' * digits}–28 ноября 2031", NOVEMBER) == ["2031-11-28"]


def test_a_day_of_the_calendar_has_a_number_and_no_other_number_is_one() -> None:
    known = {encode_day(day) for day in real_days((2028, 2031, 1650))}
    unknown = {day % 512 for day in map(encode_day, real_days((2028,)))}
    of_years = {day >> 9 for day in known}
    every = [year << 9 | rest for year in of_years for rest in range(512)]
    assert {day for day in every if is_calendar_day(day)} == known
    assert {day for day in range(512) if is_calendar_day(day)} == unknown


@given(st.dates(), st.integers(-1, 99), st.booleans())
def test_a_day_in_the_month_of_another_one_is_of_the_calendar_or_none(
    day, of_month, month_before
) -> None:
    alongside = day_in_month_of(encode_day(day), of_month, month_before=month_before)
    undated = day_in_month_of(encode_day(day) % 512, of_month, month_before=month_before)
    before = day_a_year_before(encode_day(day))
    assert all(found is None or is_calendar_day(found) for found in (alongside, undated, before))
    if 1 <= of_month <= 28 and day.year > 1:
        assert format_day(alongside)[-3:] == f"-{of_month:02}"
        assert format_day(undated)[0] == "-"


FORMS = (
    *("с {a} по {b} {m}", "{a}-{b} {m}", "{a} - {b} {m} {y}", "{a} и {b} {m}", "{m} {a}-{b}"),
    *("з {a} до {b} {m} {y} року", "from {a} to {b} {m} {y}", "{a}th-{b}th of {m}", "{a} {m} {y}"),
    *("{a}.{n}-{b}.{n}.{y}", "{a}-{b}.{n}.{y}", "{y}-{n}-{a}", "{a}/{n}/{y}", "в среду ({a})"),
)


written_days = st.builds(
    lambda form, **parts: form.format(**parts),
    st.sampled_from(FORMS),
    a=st.integers(0, 40),
    b=st.integers(0, 40),
    m=st.sampled_from(sorted(MONTHS)),
    n=st.integers(0, 13).map("{:02}".format),
    y=st.sampled_from([0, 26, 1799, 1800, 1900, 2028, 2031, 2298, 9999]),
)


@given(written_days, st.none() | st.dates())
def test_no_text_names_a_day_that_the_calendar_lacks(text, published) -> None:
    facts = extract_facts(text, tokens(text), published=published)
    codes = map(decode_fact, encode_facts(facts))
    days_of_facts = [fact.value for fact in (*facts, *codes) if fact.kind is FactKind.DAY]
    assert all(map(is_calendar_day, days_of_facts))
