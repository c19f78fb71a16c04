"""What another quantity, time or day does to the verdict on a text that is the same but for it."""

from datetime import UTC, datetime

import pytest

from core.verify.retold import ANALYZER, RULE, judged
from newsdedup import ItemKey, NewsItem
from newsdedup.core.model import Entry
from newsdedup.core.moments import to_micros
from newsdedup.engine.analyzer import entry_of

FINE = (
    "Дума Заозерска приняла закон о штрафах за выгул собак без намордника. Теперь владельцам "
    "грозит штраф до {} за первое нарушение, сообщил депутат Иван Рябинин журналистам."
)
MINE = (
    "Авария на шахте в Верхнекамске. {}, сообщили в штабе. Спасатели продолжают поиски под "
    "завалами, губернатор вылетел на место вместе с министром."
)
GRAIN = (
    "Экспорт зерна из порта Самарки вырос на {}, говорится в отчете. Министр Павел Гайдук назвал "
    "результат ожидаемым для сезона."
)
MEETING = (
    "Встреча жителей Заозерска с мэром назначена на {}. Обсудят ремонт моста, новую школу и "
    "тарифы на воду, сообщила пресс-служба администрации."
)


@pytest.mark.parametrize(
    ("text", "one", "other"),
    [
        (FINE, "500 ₽", "700 ₽"),
        (FINE, "5 млн ₽", "7 млн ₽"),
        (FINE, "100 млн долларов", "100 млн рублей"),
        (MINE, "Погибли 5, ранены 7", "Погибли 7, ранены 5"),
        (GRAIN, "5 тонн", "5 кг"),
        (GRAIN, "5%", "5 тонн"),
        (MEETING, "19:00", "20:00"),
    ],
)
def test_a_text_with_another_quantity_is_no_copy(text: str, one: str, other: str) -> None:
    match = judged(text.format(one), text.format(other))
    assert match is not None
    assert match.relation == "update"


@pytest.mark.parametrize(
    ("text", "one", "other"),
    [
        (FINE, "500 ₽", "500 рублей"),
        (GRAIN, "5 млн тонн", "пять миллионов тонн"),
        (MEETING, "19:00", "19.00"),
    ],
)
def test_a_text_with_its_quantity_spelled_otherwise_is_a_copy(
    text: str, one: str, other: str
) -> None:
    match = judged(text.format(one), text.format(other))
    assert match is not None
    assert match.duplicate


FESTIVAL = (
    "Фестиваль ледовых скульптур откроется в среду в парке Верхнекамска. Организаторы ждут пять "
    "тысяч гостей, вход свободный, {} директор департамента культуры Олег Рябинин."
)


def at(text: str, source: str, *, day: int, hour: int) -> Entry:
    moment = datetime(2031, 5, day, hour, tzinfo=UTC)
    item = NewsItem(ItemKey(source, "1"), "", text, published_at=moment)
    return entry_of(ANALYZER.analyze(item, b""), at=to_micros(moment))


def test_copies_on_both_sides_of_the_midnight_of_their_weekday_are_copies() -> None:
    tuesday = at(FESTIVAL.format("рассказал"), "a", day=20, hour=22)
    wednesday = at(FESTIVAL.format("сообщил журналистам"), "b", day=21, hour=1)
    match = RULE.match(tuesday, wednesday)
    assert match is not None
    assert match.duplicate


WORKSHOP = (
    "{} О. П. Рябинин откроет цех площадью 1,2 тыс. кв. м и примет на работу {} рабочих, сообщил "
    "директор. Новое производство заработает осенью, станки уже закупили."
)
RESCUE = (
    "{} Lind said a destroyer rescued {} sailors from a burning cargo ship near the Altmere coast. "
    "Two of them were treated for burns and the ship was towed to port."
)
STREET = (
    "{} під час пожежі врятували {} мешканців, повідомили рятувальники. Вогонь гасили всю ніч, "
    "покрівля завалилася, причину з'ясовують дізнавачі поліції."
)


@pytest.mark.parametrize(
    ("text", "begin"),
    [
        (WORKSHOP, "В г. Заозерске на ул. Лесной"),
        (RESCUE, "U.S. Sen. Marta"),
        (RESCUE, "Mr. Oland and Dr. Marta"),
        (STREET, "У м. Кременівка на вул. Лісовій"),
    ],
)
def test_a_quantity_behind_abbreviations_is_one_of_the_opening(text: str, begin: str) -> None:
    match = judged(text.format(begin, 15), text.format(begin, 35))
    assert match is not None
    assert match.relation == "update"
