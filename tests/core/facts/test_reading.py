"""Numbers that look like something else than they are."""

import pytest

from core.facts.extracted import counted
from newsdedup.core.facts.fact import FactKind


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("Погибли 1950 шахтеров", 1_950, "шахтр"),
        ("Сгорело 2000 новых домов", 2_000, "дм"),
        ("killed 2000 miners", 2_000, "miner"),
        ("Some 1950 miners walked out", 1_950, "miner"),
        ("около 2000 жилищ", 2_000, "жилищ"),
    ],
)
def test_what_is_counted_is_no_year(text: str, value: float, unit: str) -> None:
    assert counted(text) == [(FactKind.NUMBER, value, unit)]


@pytest.mark.parametrize(
    "text",
    ["в 2024 году", "весна 2024 года", "не ранее 2024 годов", "у 2024 роках", "2024 годы",
     "Париж, 2024", "в 2024 миллионы уехали", "Евро 2024 завершилось", "the 2024 election",
     "in 2024 miners went home"],
)  # fmt: skip
def test_a_year_is_no_count(text: str) -> None:
    assert counted(text) == [(FactKind.YEAR, 2024, "")]


@pytest.mark.parametrize(
    "text",
    ["At least 5 may have died", "At least 5 May Have Died", "five may be dead", "5 MAY HAVE DIED"],
)
def test_the_verb_is_no_month(text: str) -> None:
    ((kind, value, _),) = counted(text)
    assert (kind, value) == (FactKind.NUMBER, 5)


@pytest.mark.parametrize("text", ["on 5 May", "May 5", "5 may 2024", "5 MAY", "5 May elections"])
def test_the_month_is_no_verb(text: str) -> None:
    assert [kind for kind, _, _ in counted(text)] == [FactKind.DAY]


@pytest.mark.parametrize(
    "text",
    ["sold 5 million last year", "sold 5 million a year", "5 млн прошлого года", "5 млн в год"],
)
def test_when_it_was_counted_is_not_what_was(text: str) -> None:
    ((_, value, unit),) = counted(text)
    assert value == 5_000_000
    assert unit not in ("year", "hour")


@pytest.mark.parametrize(
    ("text", "first", "second"),
    [
        ("с 10 до 7 млн тонн", 10_000_000, 7_000_000),
        ("с 7 до 10 млн тонн", 7_000_000, 10_000_000),
        ("с 500 до 2 тыс. тонн", 500, 2_000),
        ("с 5000 до 90 млн тонн", 5_000, 90_000_000),
        ("с 900 до 1 тыс. тонн", 900, 1_000),
    ],
)
def test_the_ends_of_a_range_share_its_scale_where_they_may(
    text: str, first: float, second: float
) -> None:
    assert counted(text) == [(FactKind.NUMBER, first, "ton"), (FactKind.NUMBER, second, "ton")]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("тысяча двести тонн", 1_200),
        ("две тысячи триста сорок пять тонн", 2_345),
        ("тисяча двісті тонн", 1_200),
        ("twenty-five thousand two hundred tons", 25_200),
        ("five thousand two hundred and five tons", 5_205),
        ("двести тысяч тонн", 200_000),
    ],
)
def test_thousands_and_what_follows_them_are_one_number(text: str, value: float) -> None:
    assert counted(text) == [(FactKind.NUMBER, value, "ton")]


def test_thousands_of_one_thing_are_not_added_to_another_number() -> None:
    assert [value for _, value, _ in counted("тысяча, двести тонн")] == [1_000, 200]


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("1 миллион 532 тысячи 618 гривен", 1_532_618, "uah"),
        ("1 млн 700 тыс. рублей", 1_700_000, "rub"),
        ("2 мільярди 40 мільйонів гривень", 2_040_000_000, "uah"),
        ("10 тысяч 581 человек", 10_581, "person"),
        ("1 million 700 thousand dollars", 1_700_000, "usd"),
        ("1 миллион двести тысяч рублей", 1_200_000, "rub"),
    ],
)
def test_millions_and_their_thousands_are_one_number(text: str, value: float, unit: str) -> None:
    ((_, found, counts),) = counted(text)
    assert (found, counts) == (value, unit)


@pytest.mark.parametrize(
    "text",
    [
        *("1,5 млн 300 человек", "5 млн и 300 тыс.", "3 млн рублей 200 человек", "5 млн, 300 тыс."),
        *("12 тысяч 12 тысяч", "5 тыс. 2 млн", "2 млн 5 %"),
    ],
)
def test_millions_and_another_number_are_two(text: str) -> None:
    assert len(counted(text)) == 2


@pytest.mark.parametrize(
    "text",
    [
        *("+7 (914) 544-55-32", "8 (8212) 29-99-99", "8-800-555-35-35", "+7 914 544-55-32"),
        *("+38(044)123-45-67", "(495) 123-45-67", "тел. 29-99-99", "8 800 555-35-35"),
    ],
)
def test_a_telephone_number_is_no_quantity(text: str) -> None:
    assert counted(f"Звоните: {text}.") == []


def test_a_quantity_before_a_telephone_number_is_one() -> None:
    assert counted("До 2024 года 544-55-32") == [(FactKind.YEAR, 2024, "")]
    assert counted("Осталось 5 дней: (914) 544-55-32") == [(FactKind.NUMBER, 5, "day")]
    assert counted("В 2024 544-55-32") == [(FactKind.YEAR, 2024, "")]


@pytest.mark.parametrize(
    "text",
    ["у 2024 р.", "з 2024 р.", "у 2024 р", "протягом 2024 р. зібрали",
     "в 2024 р. у Києві їх було багато"],
)  # fmt: skip
def test_a_ukrainian_year_is_no_sum_of_roubles(text: str) -> None:
    assert counted(text) == [(FactKind.YEAR, 2024, "")]


@pytest.mark.parametrize("text", ["продал за 2000 р.", "в 2000 р. оценили товар", "2000 р."])
def test_a_sum_of_roubles_is_no_year(text: str) -> None:
    assert counted(text) == [(FactKind.MONEY, 2_000, "rub")]


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("2m people", 2_000_000, "person"),
        ("2m barrels a day", 2_000_000, "barrel"),
        ("5bn people", 5_000_000_000, "person"),
        ("2m high", 2, "m"),
        ("100m hurdles", 100, "m"),
    ],
)
def test_an_m_before_who_is_counted_is_a_million(text: str, value: float, unit: str) -> None:
    assert counted(text) == [(FactKind.NUMBER, value, unit)]


@pytest.mark.parametrize(
    "text",
    [
        "call 020 7946 0958",
        "call 0800 555 111 or (555) 123-4567",
        "call +44 20 7946 0958",
        "call +44 (0)20 7946 0958",
        "тел. 8 800 555 35 35",
        "тел. 8 (800) 555 35 35",
        "тел. +380 67 123 45 67, 0 800 123 456",
        "тел. (044) 123 45 67",
    ],
)
def test_a_telephone_number_in_groups_is_no_quantity(text: str) -> None:
    assert counted(text) == []


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("8 800 500 рублей", [8_800_500]),
        ("+1 200 000 рублей", [1_200_000]),
        ("08 15 23 38 41", [8, 15, 23, 38, 41]),
        ("0.5 to 0.7 percent", [0.5, 0.7]),
        ("(20 years, 800 pages)", [20, 800]),
        ("call 0800 555 111 before 5 others do", [5]),
    ],
)
def test_what_is_counted_is_no_telephone_number(text: str, values: list[float]) -> None:
    assert [value for _, value, _ in counted(text)] == values


@pytest.mark.parametrize(
    "text",
    ["the 2024-25 season", "the 2024/25 season", "the 2024/2025 season", "в сезоне 2024/25"],
)
def test_a_season_is_the_year_in_which_it_begins(text: str) -> None:
    assert counted(text) == [(FactKind.YEAR, 2024, "")]


def test_other_pairs_of_years_are_two_and_ranges_are_counted() -> None:
    assert [value for _, value, _ in counted("в 2024-2030 годах")] == [2024, 2030]
    assert [value for _, value, _ in counted("1250-1251 people")] == [1250, 1251]
