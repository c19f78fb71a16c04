"""Numbers of houses and planes, which count nothing, and points of percentages, which do."""

import pytest

from core.facts.extracted import facts
from newsdedup.core.facts.comparison import compare_facts
from newsdedup.core.facts.extraction import extract_facts
from newsdedup.core.facts.fact import MILLION, FactKind, encode_facts
from newsdedup.core.facts.units import stem
from newsdedup.core.text.clean import clean
from newsdedup.core.text.tokens import tokens


@pytest.mark.parametrize(
    "text",
    [
        *("На улице Ленина, 25, загорелась квартира", "по адресу: ул. Мира, 10", "ул. Мира, д. 10"),
        *("на улице Ленина, 25 загорелась квартира", "на вул. Городоцькій, 211. Дитину"),
        *("на пр. Мира, 14а нашли снаряд", "В доме 25 по улице Ленина", "у будинку 7 на вулиці"),
        *("Boeing 737-500 сел в Тюмени", "в Тюмени сел Boeing 737 рейса", "самолет Боинг 777"),
        "на проспекті Перемоги, 9",
    ],
)
def test_the_number_of_a_house_or_a_plane_is_no_quantity(text: str) -> None:
    assert facts(text) == ()


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *(("на улице Мира, 10 человек пострадали", 10), ("на улице Мира, 10 домов без света", 10)),
        *(
            ("в доме 25 квартир", 25),
            ("лежал дома 3 дня", 3),
            ("в Твери, 15 погибших", 15),
            ("На площади, 900", 900),
        ),
    ],
)
def test_what_is_counted_behind_a_town_is_a_quantity(text: str, value: float) -> None:
    assert [fact.value / MILLION for fact in facts(text)] == [value]


@pytest.mark.parametrize(
    ("text", "percent"),
    [
        *(("снизил ставку на 100 б.п.", 1), ("на 50 базисных пунктов", 0.5), ("на 0,3 п.п.", 0.3)),
        *(("на 2 п. п., до 8%", 2), ("на 2 процентных пункта", 2), ("by 25 basis points", 0.25)),
        *(("на 0,5 в.п.", 0.5), ("на 50 базових пунктів", 0.5), ("by 25 bps", 0.25)),
    ],
)
def test_points_of_a_percentage_are_percents(text: str, percent: float) -> None:
    first = facts(text)[0]
    assert (first.kind, first.value / MILLION) == (FactKind.PERCENT, percent)


def test_points_of_an_index_are_none() -> None:
    assert [
        (fact.kind, fact.unit) for fact in facts("до 2700 пунктов, на 5 больше, 3 в плену")
    ] == [
        (FactKind.NUMBER, "point"),
        (FactKind.NUMBER, stem("больше")),
        (FactKind.NUMBER, ""),
    ]


def test_a_cut_agrees_in_points_and_in_percents() -> None:
    ours, theirs = (
        encode_facts(facts(f"снизил ставку на {cut}")) for cut in ("100 б.п.", "1 п.п.")
    )
    assert compare_facts(ours, theirs) == (1, 0, 0, 0)


def quantities(text: str) -> list[float]:
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
    assert quantities(f"Сгорели 7 домов.\n{line}") == [7]
    assert quantities(f"Сгорели 7 домов.\n{line}\nСпасли 9 коров.") == [7, 9]


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
    assert quantities(text) == stated
