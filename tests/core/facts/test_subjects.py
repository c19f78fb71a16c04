"""What happened to the people who are counted is said in their own clause."""

import pytest

from core.facts.extracted import counted, quantities
from newsdedup.core.facts.comparison import compare_facts
from newsdedup.core.facts.extraction import extract_facts
from newsdedup.core.facts.fact import FactKind, encode_facts
from newsdedup.core.text.tokens import tokens


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("На пожаре двое погибли. 40 человек вывезли автобусом", 40, "person"),
        ("погибли 2 человека, 300 человек эвакуированы", 300, "person"),
        ("Двое погибли, 300 человек эвакуированы", 300, "person"),
        ("загинули 2 людини, 300 людей евакуювали", 300, "person"),
        ("2 people died, 300 people fled", 300, "person"),
        ("Кто погиб? 40 человек ищут", 40, "person"),
        ("Есть погибшие\n40 человек вывезли", 40, "person"),
        ("На месте 40 человек. Погибших нет", 40, "person"),
        ("Сгорело 40 домов. Погибших нет", 40, "дм"),
        ("Стоят 40 машин. Люди не пострадали", 40, "машин"),
        ("40 trucks. People fled", 40, "truck"),
    ],
)
def test_what_another_clause_says_is_not_said_of_them(text: str, value: float, unit: str) -> None:
    assert (value, unit) in quantities(text)


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("ранены 12 человек", "injured"),
        ("погибли 5, ранены 12 человек", "injured"),
        ("погибли, сообщает МЧС, 12 человек", "killed"),
        ("ранены ок. 12 человек", "injured"),
        ("12 чел. погибли", "killed"),
        ("12 тыс. чел. погибли", "killed"),
        ("killed at least 12 people", "killed"),
        ("Сгорел дом. Погибли 12 человек", "killed"),
        ("12 women were killed", "killed"),
        ("wounded 12 children", "injured"),
    ],
)
def test_what_their_own_clause_says_is_said_of_them(text: str, unit: str) -> None:
    assert quantities(text)[-1][1] == unit


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("Число пострадавших при взрыве в торговом центре возросло до 51 человека", "injured"),
        ("Общее количество погибших в результате удара достигло 51", "killed"),
        ("Число жертв наводнения на востоке Испании превысило 51", "killed"),
        ("The number of people injured in the blast near Kyiv rose to 51", "injured"),
        ("The number of injured in the blast near Kyiv has reached 51", "injured"),
        ("The death toll of the flood in eastern Spain rises to 51", "killed"),
        ("Кількість загиблих унаслідок удару по Дніпру зросла до 51 людини", "killed"),
        ("Количество раненых в Киеве, по данным полиции, составляет пятьдесят один", "injured"),
    ],
)
def test_the_number_of_the_injured_may_stand_far_behind_them(text: str, unit: str) -> None:
    assert quantities(text) == [(51, unit)]


@pytest.mark.parametrize(
    "text",
    [
        "Число погибших при взрыве растет. Из больницы выписали до 51 человека",
        "Число погибших при взрыве 2 домов в городе возросло до 51 человека",
        "Число погибших при взрыве двух домов в городе возросло до 51 человека",
        "Число погибших при обвале шахты, в которой работали 51 человек",
        "Число погибших среди раненых за эти сутки возросло до 51 человека",
        "Число погибших при взрыве в городе за сутки возросло на 51 человека",
        "Число гостей фестиваля, где погиб певец, за сутки возросло до 51 человека",
    ],
)
def test_where_that_is_not_said_of_them_they_are_people(text: str) -> None:
    assert quantities(text)[-1] == (51, "person")


def test_the_number_of_the_injured_that_grew_contradicts_the_former_one() -> None:
    was = "Число пострадавших при взрыве в торговом центре возросло до 51 человека"
    ours, theirs = [
        encode_facts(extract_facts(text, tokens(text))) for text in (was, "Пострадали 48")
    ]
    assert compare_facts(ours, theirs).conflicts == 1


@pytest.mark.parametrize(
    "text",
    [
        "killed 5 and injured 7",
        "killing five and wounding seven",
        "A crash kills 5 and hurts 7",
        "Погибли 5 и ранены 7 человек",
        "Погибли пятеро и пострадали семеро",
        "Загинули 5 та поранені 7 людей",
        "Убили 5 и ранили 7",
        "Погибли пятеро, семеро госпитализированы",
        "5 died, 7 were hospitalised",
    ],
)
def test_the_killed_and_the_injured_of_one_sentence_are_each_their_own(text: str) -> None:
    assert quantities(text) == [(5, "killed"), (7, "injured")]


@pytest.mark.parametrize("text", ["5 hospitals", "5 госпиталей", "5 госпиталям", "5 госпіталів"])
def test_a_hospital_is_nobody_who_is_hurt(text: str) -> None:
    assert quantities(text)[0][1] not in ("injured", "killed")


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("sold for USD 350 million", 350_000_000, "usd"),
        ("saves USD 350m", 350_000_000, "usd"),
        ("paid EUR 5 million in cash", 5_000_000, "eur"),
        ("paid EUR5m", 5_000_000, "eur"),
        ("сделка на USD 350 млн", 350_000_000, "usd"),
        ("worth Rs 500 crore", 5_000_000_000, "inr"),
        ("worth Rs. 5 lakh", 500_000, "inr"),
        ("worth Rs500", 500, "inr"),
        ("500 rupees", 500, "inr"),
        ("worth ₹500 crore", 5_000_000_000, "inr"),
        ("padded by N12bn", 12_000_000_000, "naira"),
        ("₦12 billion is missing", 12_000_000_000, "naira"),
        ("12 billion naira", 12_000_000_000, "naira"),
        ("stole N500,000 in cash", 500_000, "naira"),
        ("a R2.5m fine", 2_500_000, "rand"),
        ("a R150-million fund", 150_000_000, "rand"),
        ("the P1.2 billion bridge", 1_200_000_000, "peso"),
        ("costs Sh500 million", 500_000_000, "shilling"),
        ("a RM2.5 million house", 2_500_000, "ringgit"),
        ("fined Dh500m", 500_000_000, "dirham"),
        ("a loan of Tk500 crore", 5_000_000_000, "taka"),
        ("a GH₵5m grant", 5_000_000, "cedi"),
        ("worth Rs 5,000cr", 50_000_000_000, "inr"),
        ("worth Rs 5 thousand crore", 50_000_000_000, "inr"),
        ("a plan of Rs 3 lakh crore", 3_000_000_000_000, "inr"),
        ("worth 350m euros", 350_000_000, "eur"),
        ("worth 350m pounds", 350_000_000, "gbp"),
    ],
)
def test_a_sum_has_the_currency_that_is_named_before_or_behind_it(
    text: str, value: float, unit: str
) -> None:
    assert counted(text) == [(FactKind.MONEY, value, unit)]


def test_both_ends_of_a_range_of_sums_have_their_letter() -> None:
    ends = [(FactKind.MONEY, value, "naira") for value in (2_500_000, 3_000_000)]
    assert counted("N2.5m-N3m") == ends


@pytest.mark.parametrize(
    ("lang", "text"), [("et", "mees, kes 2024. aastal võitis"), ("pl", "Sejm RP 12 ustaw przyjął")]
)
def test_words_of_other_languages_are_no_currencies(lang: str, text: str) -> None:
    facts = extract_facts(text, tokens(text), published=None, lang=lang)
    assert FactKind.MONEY not in {fact.kind for fact in facts}


@pytest.mark.parametrize("text", ["N95 masks", "an R22 helicopter", "the P500 note", "PN12bn"])
def test_a_letter_before_a_number_that_is_no_sum_makes_a_name(text: str) -> None:
    assert counted(text) == []


def test_millions_that_touch_an_m_may_be_of_a_currency_without_a_code() -> None:
    assert counted("a jackpot of 5.2m crowns") == [(FactKind.NUMBER, 5_200_000, "crown")]
    assert counted("a wall of 5.2m") == [(FactKind.NUMBER, 5.2, "m")]


@pytest.mark.parametrize("text", ["USD 92,50 EUR 100,10", "USD: 92,50 EUR: 100,10"])
def test_a_list_of_rates_gives_each_currency_its_own(text: str) -> None:
    assert counted(text) == [(FactKind.MONEY, 92.5, "usd"), (FactKind.MONEY, 100.1, "eur")]


def test_the_next_currency_of_a_list_is_not_that_of_the_number_before_it() -> None:
    assert [unit for *_, unit in counted("доллар 92,50 евро 100,10 юань 12,74")] == [
        *("долла", "евр", "юан"),
    ]
    assert [unit for *_, unit in counted("EUR 5 million and GBP 3.2bn")] == ["eur", "gbp"]


def test_the_price_of_a_currency_is_in_what_stands_behind_it() -> None:
    assert counted("USD - 92,50 руб.") == [(FactKind.MONEY, 92.5, "rub")]
    assert counted("Доллар 92,50 рубля 3 мая")[0] == (FactKind.MONEY, 92.5, "rub")


@pytest.mark.parametrize("text", ["зарплата 60 т.р.", "60 т. р.", "60 т.руб.", "60 тыс. руб."])
def test_thousands_of_roubles_may_be_cut_to_two_characters(text: str) -> None:
    assert counted(text) == [(FactKind.MONEY, 60_000, "rub")]


def test_a_ton_is_no_thousand() -> None:
    assert counted("вывезли 60 т. Работы идут") == [(FactKind.NUMBER, 60, "ton")]


def test_percents_of_a_currency_are_percents() -> None:
    assert counted("EUR 5% up") == [(FactKind.PERCENT, 5, "%")]
