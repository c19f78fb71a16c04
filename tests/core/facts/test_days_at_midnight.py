"""Days that are told from a publication near midnight."""

from datetime import datetime

import pytest

from newsdedup.core.facts.codes import encode_facts
from newsdedup.core.facts.extraction import extract_facts
from newsdedup.core.matching.verify.opening import Stated, other_days
from newsdedup.core.text.words import tokens


def apart(one: tuple[str, str], other: tuple[str, str]) -> float:
    left, right = begun(*one), begun(*other)
    assert other_days(left, right) == other_days(right, left)
    return other_days(left, right)


def begun(text: str, published: str) -> Stated:
    at = datetime.fromisoformat(published)
    codes = encode_facts(extract_facts(text, tokens(text), published=at.date(), hour=at.hour))
    return Stated(codes, codes)


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
