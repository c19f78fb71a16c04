"""What happened to the people who are counted is said in their own clause."""

import pytest

from newsdedup.core.facts.codes import encode_facts
from newsdedup.core.facts.comparison import compare_facts
from newsdedup.core.facts.extraction import extract_facts
from newsdedup.core.facts.fact import MILLION
from newsdedup.core.text.words import tokens


def counted(text: str) -> list[tuple[float, str]]:
    facts = extract_facts(text, tokens(text))
    return [(fact.value / MILLION, fact.unit) for fact in facts]


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
    assert (value, unit) in counted(text)


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
    assert counted(text)[-1][1] == unit


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
def test_the_number_of_the_injured_may_be_told_far_behind_them(text: str, unit: str) -> None:
    assert counted(text) == [(51, unit)]


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
    assert counted(text)[-1] == (51, "person")


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
    assert counted(text) == [(5, "killed"), (7, "injured")]


@pytest.mark.parametrize("text", ["5 hospitals", "5 госпиталей", "5 госпиталям", "5 госпіталів"])
def test_a_hospital_is_nobody_who_is_hurt(text: str) -> None:
    assert counted(text)[0][1] not in ("injured", "killed")
