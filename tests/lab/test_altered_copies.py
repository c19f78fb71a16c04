"""Copies that the lab alters on purpose: what is done to a text, and how the stream judges it."""

from collections import Counter
from datetime import UTC, datetime, timedelta

from newsdedup import ItemKey, NewsItem
from newsdedup_lab.score.altered import (
    ALTERATIONS,
    AlteredCopy,
    alter_items,
    change_digits,
    cut_words,
    drop_every_third,
    is_suited,
    judge_altered,
)

RATES = (
    "Kettle Bank sells dollars at 9.81 crowns, euros at 10.62 crowns and pounds at 12.44 crowns. "
    "It buys dollars at 9.55 crowns, euros at 10.31 crowns and pounds at 12.05 crowns, it said."
)
BEGIN = datetime(2031, 5, 15, tzinfo=UTC)


def news(number: int, text: str) -> NewsItem:
    at = BEGIN + timedelta(hours=number)
    return NewsItem(ItemKey("a.example", str(number)), f"Rates {number}", text, published_at=at)


def test_texts_are_cut_between_words_and_sentences() -> None:
    assert change_digits("9 of 102") == "2 of 213"
    assert cut_words("one two  three four", 0.3) == "two  three four"
    assert cut_words("one two three four", 0, 0.5) == "one two"
    assert drop_every_third("One. Two.\nThree. Four. Five.") == "One. Three. Four."


def test_numbers_in_addresses_make_no_bulletin() -> None:
    links = " ".join(f"https://news.example/{number} and so on" for number in range(8))
    assert not is_suited("all digits changed", links)
    assert is_suited("second half", links)
    assert is_suited("all digits changed", RATES)


def test_each_alteration_is_made_in_turn_by_another_source() -> None:
    copies = list(alter_items([news(number, RATES) for number in range(22)], one_in=2))
    assert [copy.alteration for copy in copies] == list(ALTERATIONS)
    assert {copy.item.key.source for copy in copies} == {"other.example"}
    assert len({copy.item.text for copy in copies}) > 8


def test_a_copy_is_found_in_the_story_of_its_item_and_a_bulletin_of_other_digits_is_none() -> None:
    item, later = news(0, RATES), BEGIN + timedelta(minutes=40)
    copies = [
        AlteredCopy(NewsItem(ItemKey("b", name), "", text, published_at=later), name, item.key)
        for name, text in (("HTML", f"<p>{RATES}</p>"), ("digits", change_digits(RATES)))
    ]
    judged = judge_altered([item], copies)
    assert judged == {"HTML": Counter(found=1), "digits": Counter(update=1)}
