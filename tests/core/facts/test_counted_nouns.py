"""Which noun a number counts where it is an adjective, and which words before it are none."""

import pytest

from newsdedup.core.facts.extraction import extract_facts
from newsdedup.core.facts.fact import MILLION, Fact
from newsdedup.core.facts.units import stem
from newsdedup.core.text.clean import clean
from newsdedup.core.text.words import tokens


def facts(text: str) -> tuple[Fact, ...]:
    _, cleaned = clean("", text)
    return extract_facts(cleaned, tokens(cleaned))


def counted(text: str) -> list[tuple[float, str]]:
    return [(fact.value / MILLION, fact.unit) for fact in facts(text)]


@pytest.mark.parametrize(
    "text", ["тушили 100 пожарных и 31 машина", "тушили почти 100 пожарных в лесу"]
)
def test_an_adjective_that_stands_for_a_noun_is_counted(text: str) -> None:
    assert counted(text)[0] == (100, stem("пожарных"))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *(("Почти 100", 100), ("собрали почти 100, сказал мэр", 100), ("З 9 до", 9), ("На 15", 15)),
        *(("евакуювали майже 40", 40), ("До 20 -", 20), ("сложили всего 7", 7)),
    ],
)
def test_prepositions_and_adverbs_are_nothing_that_is_counted(text: str, value: float) -> None:
    assert counted(text) == [(value, "")]


def test_what_happened_to_people_is_told_before_what_they_are() -> None:
    assert counted("погибли четверо - двое взрослых и двое детей")[1] == (2, "killed")
