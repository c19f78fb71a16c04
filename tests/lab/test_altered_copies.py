"""Copies that the lab alters on purpose: what is done to a text, and how the rule judges it."""

from datetime import UTC, datetime

import pytest

from core.verify.retold import ANALYZER, RULE
from newsdedup import ItemKey, NewsItem
from newsdedup_lab.score.altered import (
    change_digits,
    is_suited,
    judge_altered,
    second_half,
    without_beginning,
)

RATES = (
    "Kettle Bank sells dollars at 9.81 crowns, euros at 10.62 crowns and pounds at 12.44 crowns. "
    "It buys dollars at 9.55 crowns, euros at 10.31 crowns and pounds at 12.05 crowns, it said."
)


def test_digits_change_into_others_and_a_cut_keeps_whole_words() -> None:
    assert change_digits("9 of 102") == "2 of 213"
    assert without_beginning("one two three four") == "three four"
    assert second_half("one two three four") == "four"


@pytest.mark.parametrize("name", ["all digits changed", "the same, numbers outside addresses"])
def test_a_bulletin_with_other_digits_is_judged_an_update(name: str) -> None:
    item = NewsItem(
        ItemKey("a", "1"), "Rates", RATES, published_at=datetime(2031, 5, 15, tzinfo=UTC)
    )
    assert is_suited(name, item.text)
    assert judge_altered([item], name, ANALYZER, RULE) == {"update": 1}


def test_numbers_in_addresses_make_no_bulletin() -> None:
    links = " ".join(f"https://news.example/{number}" for number in range(6))
    assert is_suited("all digits changed", links)
    assert not is_suited("the same, numbers outside addresses", links)
