"""How many have seen a page is no figure of its message."""

import pytest

from newsdedup.core.facts.extraction import extract_facts
from newsdedup.core.facts.fact import FactKind
from newsdedup.core.text.clean import clean
from newsdedup.core.text.words import tokens


def figures(text: str) -> list[float]:
    _, cleaned = clean("", text)
    facts = extract_facts(cleaned, tokens(cleaned))
    return [fact.value / 1_000_000 for fact in facts if fact.kind <= FactKind.MONEY]


@pytest.mark.parametrize(
    "line",
    [
        *("Просмотров: 125", "125 просмотров", "Комментарии (5)", "5 комментариев, 12 лайков"),
        *("Рейтинг 4,5 из 5 (12 голосов)", "Время чтения: 3 минуты", "3 хв читання"),
        *("Переглядів: 1 203", "Views: 1,203", "3 min read", "Share 15 Tweet 20", "1.2k views"),
    ],
)
def test_a_line_of_counters_states_nothing(line: str) -> None:
    assert figures(f"Сгорели 7 домов.\n{line}") == [7]
    assert figures(f"Сгорели 7 домов.\n{line}\nСпасли 9 коров.") == [7, 9]


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("Клип набрал 125 просмотров", [125]),
        ("Сгорели 7 домов.\nКлип о пожаре набрал 125 просмотров", [7, 125]),
        ("Сгорели 7 домов.\nПотушили за 3 минуты", [7, 3]),
        ("Сгорели 7 домов.\n3 минуты", [7, 3]),
        ("Итоги выборов\nИванов - 12 голосов", [12]),
        ("125 просмотров", [125]),
    ],
)
def test_a_sentence_about_such_numbers_does(text: str, stated: list[float]) -> None:
    assert figures(text) == stated
