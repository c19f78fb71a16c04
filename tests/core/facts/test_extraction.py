"""The sentence of a fact: of the first ones alone, divided as core/text/tokens.py divides."""

import pytest

from core.facts.extracted import counted, facts
from newsdedup.core.facts.extraction import extract_facts
from newsdedup.core.facts.fact import MILLION, OPENING, FactKind
from newsdedup.core.text.tokens import sentences, tokens


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("продали 1234 билета", 1_234),
        ("sold 1,234 tickets", 1_234),
        ("продали 1 234 билета", 1_234),
        ("sold 1,234,567.5 shares", 1_234_567.5),
        ("sold 12,34,567.5 shares", 1_234_567.5),
        ("1,2 тыс. билетов", 1_200),
        ("1,2 тис. квитків", 1_200),
        ("1.2 thousand tickets", 1_200),
        ("25 тысяч жителей", 25_000),
        ("двадцать пять тысяч жителей", 25_000),
        ("двадцять п'ять тисяч жителів", 25_000),
        ("twenty-five thousand residents", 25_000),
        ("two hundred and thirty-four boats", 234),
        ("двести тридцать четыре лодки", 234),
        ("двоє дітей", 2),
        ("five million tons", 5_000_000),
        ("миллион тонн", 1_000_000),
        ("a million tons", 1_000_000),
        ("полтора миллиона тонн", 1_500_000),
        ("1,389 миллиона тонн", 1_389_000),
        ("1,389 million tons", 1_389_000_000),
        ("12.3 mln tonnes", 12_300_000),
        ("3 bln barrels", 3_000_000_000),
        ("2-х раненых", 2),
        ("в 2.15 раза", 2.15),
        ("около 5к билетов", 5_000),
    ],
)
def test_a_number_has_one_value_in_every_spelling(text: str, value: float) -> None:
    ((kind, found, _),) = counted(text)
    assert (kind, found) == (FactKind.NUMBER, value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("40%", 40),
        ("40 %", 40),
        ("40 процентов", 40),
        ("40 відсотків", 40),
        ("40 percent", 40),
        ("40 per cent of oil", 40),
        ("40per cent of oil", 40),
        ("8-1/2 pct", 8.5),
        ("7 3/4 pct", 7.75),
        ("сорок процентов", 40),
    ],
)
def test_a_percentage_has_one_value_in_every_spelling(text: str, value: float) -> None:
    assert counted(text) == [(FactKind.PERCENT, value, "%")]


@pytest.mark.parametrize(
    ("text", "value", "currency"),
    [
        ("$85 тыс.", 85_000, "usd"),
        ("US$10 billion", 10_000_000_000, "usd"),
        ("$ 12 млрд", 12_000_000_000, "usd"),
        ("$7.9-million", 7_900_000, "usd"),
        ("£5m", 5_000_000, "gbp"),
        ("€3,5 млн", 3_500_000, "eur"),
        ("106 рублей", 106, "rub"),
        ("50 тыс. долларов США", 50_000, "usd"),
        ("10 млрд гривень", 10_000_000_000, "uah"),
        ("1.2 mln dlrs", 1_200_000, "usd"),
        ("31 cts", 0.31, "cent"),
        ("500 ₽", 500, "rub"),
        ("500₽ за штуку", 500, "rub"),
        ("5 млн ₽", 5_000_000, "rub"),
        ("5 млн. € прибыли", 5_000_000, "eur"),
        ("5к₴", 5_000, "uah"),
        ("12 новых $", 12, "usd"),
        ("60 млрд ₸ долга", 60_000_000_000, "kzt"),
    ],
)
def test_money_has_its_currency_before_or_behind(text: str, value: float, currency: str) -> None:
    assert counted(text) == [(FactKind.MONEY, value, currency)]


@pytest.mark.parametrize("text", ["500₽ 700", "500 ₽ 700", "5 тыс. ₽ 700"])
def test_a_sign_behind_a_number_is_not_that_of_the_next_one(text: str) -> None:
    first, second = counted(text)
    assert (first[0], first[2]) == (FactKind.MONEY, "rub")
    assert second[0] is FactKind.NUMBER


def test_a_sign_that_touches_the_next_number_is_its_own() -> None:
    assert counted("в 2024 $5 млрд") == [(FactKind.YEAR, 2024, ""), (FactKind.MONEY, 5e9, "usd")]


def test_both_ends_of_a_range_count_the_same() -> None:
    ten, fifteen = (FactKind.MONEY, 1e10, "uah"), (FactKind.MONEY, 1.5e10, "uah")
    assert counted("10-15 млрд гривень") == [ten, fifteen]
    assert counted("10-15 ₽") == [(FactKind.MONEY, 10, "rub"), (FactKind.MONEY, 15, "rub")]
    assert counted("от пяти до 10 человек") == [
        (FactKind.NUMBER, 5, "person"),
        (FactKind.NUMBER, 10, "person"),
    ]
    assert counted("135 of 176 delegates") == [
        (FactKind.NUMBER, 135, "deleg"),
        (FactKind.NUMBER, 176, "deleg"),
    ]
    assert counted("снег 2-3 см") == [(FactKind.NUMBER, 2, "cm"), (FactKind.NUMBER, 3, "cm")]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Счет стал 2:1", 2_001),
        ("2:1 ведет Динамо", 2_001),
        ("рахунок 2:1", 2_001),
        ("won the match 2-1", 2_001),
        ("lost the match 1-2", 2_001),
        ("The court ruled 5-4", 5_004),
        ("со счетом 10:10", 10_010),
    ],
)
def test_a_score_is_the_same_for_winner_and_loser(text: str, value: int) -> None:
    assert [(fact.kind, fact.value) for fact in facts(text)] == [(FactKind.SCORE, value)]


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("начало в 10:40", 640),
        ("Счет 2:1, начало в 10:40", 640),
        ("at 9 p.m. on the square", 21 * 60),
        ("around 12.50 pm", 12 * 60 + 50),
        ("at 12:30:15", 12 * 60 + 30),
        ("by 0147 GMT", 107),
        ("в 17.00 возгорание", 17 * 60),
        ("о 10.30 окупанти", 10 * 60 + 30),
    ],
)
def test_a_time_of_day_is_no_score(text: str, minutes: int) -> None:
    assert (FactKind.CLOCK, minutes) == (facts(text)[-1].kind, facts(text)[-1].value)


@pytest.mark.parametrize(
    "text",
    ["двадцать пятый раз", "twenty-fifth", "один из них", "one of them", "самолет Су-57", "F-16",
     "ст. 135 УК", "школа N 25", "МИ-8", "без чисел", "Спектакль (16+)", "9" * 30, "1:2:3:4"],
)  # fmt: skip
def test_ordinals_in_words_pronouns_and_names_are_no_facts(text: str) -> None:
    assert facts(text) == ()


@pytest.mark.parametrize("text", ["на 40-й минуте", "на 40-ій хвилині", "in the 40th minute"])
def test_ordinals_in_digits_are_no_quantities(text: str) -> None:
    assert counted(text) == [(FactKind.ORDINAL, 40, "minute")]


@pytest.mark.parametrize(
    ("text", "number"),
    [("1-ше місце", 1), ("2-ге місце", 2), ("3-тє місце", 3), ("7-ї місця", 7)],
)
def test_ukrainian_ordinals_are_no_quantities(text: str, number: int) -> None:
    assert counted(text) == [(FactKind.ORDINAL, number, "місц")]


def test_one_is_a_quantity_of_people_only() -> None:
    assert counted("погиб один человек") == [(FactKind.NUMBER, 1, "killed")]
    assert counted("one person was hurt") == [(FactKind.NUMBER, 1, "injured")]


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("ранены 12 человек", "injured"),
        ("12 раненых", "injured"),
        ("12 постраждалих", "injured"),
        ("injuring 12 people", "injured"),
        ("12 people were injured", "injured"),
        ("погибли 12 человек", "killed"),
        ("12 загиблих", "killed"),
        ("killed 12", "killed"),
        ("12 новых серий", "ср"),
        ("Brent - 12", "brent"),
        ("12-летняя", "year"),
        ("12 лет", "year"),
        ("прошло 12 км", "km"),
    ],
)
def test_what_is_counted_has_one_name_in_every_language(text: str, unit: str) -> None:
    assert counted(text) == [(FactKind.NUMBER, 12, unit)]


def test_a_row_of_a_table_is_counted_by_its_first_word() -> None:
    assert counted("Quarter\nNet 1,234,567 vs 987,654\nShr 31 cts vs 20 cts") == [
        (FactKind.NUMBER, 1_234_567, "net"),
        (FactKind.NUMBER, 987_654, ""),
        (FactKind.MONEY, 0.31, "cent"),
        (FactKind.MONEY, 0.2, "cent"),
    ]


def test_what_is_built_is_not_hurt() -> None:
    assert counted("построили 12 домов") == [(FactKind.NUMBER, 12, "дм")]


def test_a_year_is_no_quantity_unless_it_counts_something_known() -> None:
    assert counted("в 2024-м") == [(FactKind.YEAR, 2024, "")]
    assert counted("в 2024 году") == counted("in 2024") == [(FactKind.YEAR, 2024, "")]
    assert counted("2000 человек") == [(FactKind.NUMBER, 2000, "person")]


def test_the_digit_to_which_a_number_is_stated_gives_its_bounds() -> None:
    (rounded,) = facts("1,2 тыс. билетов")
    assert (rounded.value, rounded.step) == (1_200 * MILLION, 100 * MILLION)
    (exact,) = facts("10 билетов")
    assert exact.step == MILLION


def test_a_fact_knows_its_sentence_and_its_position() -> None:
    text = "Было 5 машин. Стало семь машин.\nИ 9 лодок"
    assert [(fact.sentence, text[fact.start]) for fact in facts(text)] == [
        (0, "5"),
        (1, "с"),
        (2, "9"),
    ]


def test_at_most_32_facts_are_found() -> None:
    assert len(facts(" лодок, ".join(map(str, range(100, 400))))) == 32


def sentence_indexes(text: str) -> list[int]:
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
    assert sentence_indexes(text) == [0]
    assert sentence_indexes(f"Завод горел. {text}") == [1]


def test_the_stop_of_an_abbreviated_unit_ends_no_sentence() -> None:
    assert sentence_indexes("Цех в 1,2 тыс. кв. м и 150 рабочих") == [0, 0]


@pytest.mark.parametrize("end", [". ", "! ", '?" ', "... ", "\n", ".\n", " 2024 г. "])
def test_what_ends_a_sentence_for_its_reader_ends_it_for_its_facts(end: str) -> None:
    assert sentence_indexes(f"Завод горел{end}Ранены 5 рабочих")[-1] == 1


def test_sentences_are_counted_as_far_as_the_opening() -> None:
    text = "Сгорел 1 дом. Ранены 2 рабочих. Пришли 3 отряда. Спасли 4 сторожей"
    assert [
        min(number, OPENING) for number in range(len(list(sentences(text))))
    ] == sentence_indexes(text)


def test_a_character_that_grows_in_lower_case_moves_no_fact_back() -> None:
    assert sentence_indexes("İİİİ пришли. Ранены 5 рабочих. Спасли 4 сторожей") == [1, 2]
