"""Times of day, and ranges of them and of days."""

from datetime import date

import pytest

from newsdedup.core.clean import clean
from newsdedup.core.facts import Fact, Kind, said_facts
from newsdedup.core.facts.days import shown
from newsdedup.core.words import tokens


def facts(text: str) -> tuple[Fact, ...]:
    _, cleaned = clean("", text)
    return said_facts(cleaned, tokens(cleaned), published=date(2031, 5, 30))


def hours(text: str) -> list[str]:
    found = facts(text)
    assert all(fact.kind is Kind.CLOCK for fact in found)
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
    assert [shown(fact.value) for fact in facts(text)] == ["2031-06-01", "2031-06-05"]


@pytest.mark.parametrize("text", ["5-2-1", "8-800-555-35-35", "1234-09:00", "счет 21:15-15:21"])
def test_what_is_no_range_of_hours_or_days_is_read_as_nothing(text: str) -> None:
    assert facts(text) == ()
