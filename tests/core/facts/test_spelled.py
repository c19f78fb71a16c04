"""Numbers in rarer forms: "чотирнадцятьох", "более тысячи", "с 1 по 4 и с 8 по 11 мая"."""

import pytest

from core.facts.extracted import facts
from newsdedup.core.facts.days import format_day
from newsdedup.core.facts.fact import MILLION, FactKind
from newsdedup.core.facts.units import stem


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *(("поранено чотирнадцятьох людей", 14), ("травмовано одинадцятеро людей", 11)),
        *(("звільнили двадцятьох полонених", 20), ("чотирма голосами", 4), ("п'ятьма дронами", 5)),
        *(("двенадцатью голосами", 12), ("тридцятьох осіб", 30), ("пятнадцатью домами", 15)),
        *(("более тысячи домов", 1_000), ("понад тисячі будинків", 1_000)),
        *(("около миллиона человек", 10**6), ("свыше миллиарда рублей", 10**9)),
        *(("более сотни домов", 100), ("понад сотню дронів", 100), ("около десятка машин", 10)),
        *(
            ("почти сотня машин", 100),
            ("близько десятка авто", 10),
            ("більше мільйона осіб", 10**6),
        ),
    ],
)
def test_a_number_word_is_read_in_its_rarer_forms(text: str, value: float) -> None:
    assert [fact.value / MILLION for fact in facts(text)] == [value]


@pytest.mark.parametrize(
    "text",
    [
        *("тысячи людей вышли", "сотни домов", "десятки раненых", "десяток лет", "до сотни"),
        *("сотня лучших", "в первой десятке", "миллионы рублей", "тисячі людей", "одна из сотни"),
    ],
)
def test_words_that_tell_no_number_stay_none(text: str) -> None:
    assert facts(text) == ()


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("отдыхать будут с 1 по 4 и с 8 по 11 мая", (1, 4, 8, 11)),
        ("вихідні з 1 по 4 та з 8 по 11 травня", (1, 4, 8, 11)),
        ("с 17-го по 19-е мая", (17, 19)),
        ("выходные 17-го и 18-го мая", (17, 18)),
    ],
)
def test_a_month_behind_several_days_is_that_of_all(text: str, days: tuple[int, ...]) -> None:
    assert [format_day(fact.value) for fact in facts(text)] == [f"2024-05-{day:02}" for day in days]


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        *(("гол на 87 минуте", 87, "minute"), ("на 87-й минуте", 87, "minute")),
        *(("у 28 турі чемпіонату", 28, stem("турі")), ("в 27 туре", 27, stem("тура"))),
        *(("на 234 километре трассы", 234, "km"), ("на 3 месте", 3, stem("место"))),
        *(("на 5 этаже", 5, stem("этаж")), ("на 56 кілометрі", 56, "km")),
    ],
)
def test_a_rank_in_an_order_is_an_ordinal_without_its_ending(
    text: str, value: int, unit: str
) -> None:
    (found,) = facts(text)
    assert (found.kind, found.value // MILLION, found.unit) == (FactKind.ORDINAL, value, unit)


def test_the_time_of_a_race_is_no_time_of_day() -> None:
    assert facts("выиграла с результатом 1:42.53") == ()
    assert facts("в 1:42:53")[0].kind is FactKind.CLOCK
