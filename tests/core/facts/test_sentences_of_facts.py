"""The sentence of a fact: of the first ones alone, divided as core/text/sentences.py divides."""

import pytest

from newsdedup.core.facts.extraction import extract_facts
from newsdedup.core.facts.fact import OPENING
from newsdedup.core.text.sentences import sentences
from newsdedup.core.text.words import tokens


def places(text: str) -> list[int]:
    return [fact.sentence for fact in extract_facts(text, tokens(text))]


@pytest.mark.parametrize(
    "text",
    [
        "В г. Заозерске на ул. Лесной сгорели 5 домов",
        "О. П. Рябинин и И. Гайдук открыли 5 школ",
        "О.П. Рябинин и И.В. Гайдук открыли 5 школ",
        "У м. Кременівка на вул. Лісовій та вул. Садовій згоріли 5 хат",
        "U.S. Sen. Lind met 5 miners",
        "Mr. Oland and Dr. Berg of St. Halden treated 5 miners",
    ],
)
def test_the_stop_of_an_abbreviation_ends_no_sentence(text: str) -> None:
    assert places(text) == [0]
    assert places(f"Завод горел. {text}") == [1]


def test_the_stop_of_an_abbreviated_unit_ends_no_sentence() -> None:
    assert places("Цех в 1,2 тыс. кв. м и 150 рабочих") == [0, 0]


@pytest.mark.parametrize("end", [". ", "! ", '?" ', "... ", "\n", ".\n", " 2024 г. "])
def test_what_ends_a_sentence_for_its_reader_ends_it_for_its_facts(end: str) -> None:
    assert places(f"Завод горел{end}Ранены 5 рабочих")[-1] == 1


def test_sentences_are_counted_as_far_as_the_opening() -> None:
    text = "Сгорел 1 дом. Ранены 2 рабочих. Пришли 3 отряда. Спасли 4 сторожей"
    assert [min(number, OPENING) for number in range(len(sentences(text)))] == places(text)


def test_a_letter_that_grows_in_lower_case_moves_no_fact_back() -> None:
    assert places("İİİİ пришли. Ранены 5 рабочих. Спасли 4 сторожей") == [1, 2]
