"""Twins in two languages, and a text that went through the other language and back.

Paper 003 tells of reprints translated from Russian to Ukrainian and to Russian again. All texts are
made up for these tests.
"""

from datetime import UTC, datetime, timedelta

import pytest

from newsdedup import ItemKey, NewsItem
from newsdedup.bootstrap.rules import item_analyzer, make_rule
from newsdedup.config import Settings
from newsdedup.core.matching.index_keys import are_candidates
from newsdedup.core.matching.statistics_recorder import StatisticsRecorder
from newsdedup.core.moments import to_micros
from newsdedup.core.stories.records import Record
from newsdedup.engine.analyzer import entry_of

BEGIN = datetime(2031, 5, 15, 9, tzinfo=UTC)
RULE = make_rule(Settings())
ANALYZER = item_analyzer(Settings())

BRIDGE = """В Заозерске открыли новый мост через реку Светлую
Городские власти Заозерска открыли движение по новому мосту через реку Светлую. Об этом сообщил
заместитель мэра Виктор Лозинский на встрече с журналистами в среду. Строительство продолжалось 14
месяцев и стоило 320 миллионов гривен. По словам чиновника, мост сможет пропускать 18 тысяч
автомобилей в сутки. Старый мост, который построили в 1962 году, закроют на ремонт до конца года.
Полиция просит водителей выбирать скорость внимательно: на съезде еще не установили освещение."""

BRIDGE_UK = """У Заозерську відкрили новий міст через річку Світлу
Міська влада Заозерська відкрила рух новим мостом через річку Світлу. Про це повідомив заступник
мера Віктор Лозинський на зустрічі з журналістами у середу. Будівництво тривало 14 місяців і
коштувало 320 мільйонів гривень. За словами чиновника, міст зможе пропускати 18 тисяч автомобілів на
добу. Старий міст, який збудували 1962 року, закриють на ремонт до кінця року. Поліція просить
водіїв обирати швидкість уважно: на з'їзді ще не встановили освітлення."""

BRIDGE_BACK = """В Заозерске открыли новый мост через речку Светлую
Городская власть Заозерска открыла движение новым мостом через речку Светлую. Об этом уведомил
заместитель мэра Виктор Лозинский на встрече с журналистами в среду. Строительство длилось 14
месяцев и стоило 320 миллионов гривен. По словам чиновника, мост сумеет пропускать 18 тысяч
автомобилей в сутки. Старый мост, возведенный в 1962 году, закроют на ремонт до конца года. Полиция
просит водителей избирать скорость внимательно: на съезде еще не установили освещения."""

COURT = """Суд в Залужье отменил решение горсовета о застройке парка
Окружной административный суд в Залужье отменил решение городского совета, который разрешил строить
жилой дом на краю парка Дружбы. Иск подали 43 жителя соседних домов. Судья Оксана Горенко указала,
что депутаты не провели общественное обсуждение. Застройщик намерен подать апелляцию в течение 30
дней."""

COURT_UK = """Суд у Залужжі скасував рішення міськради про забудову парку
Окружний адміністративний суд у Залужжі скасував рішення міської ради, яка дозволила будувати
житловий будинок на краю парку Дружби. Позов подали 43 мешканці сусідніх будинків. Суддя Оксана
Горенко вказала, що депутати не провели громадського обговорення. Забудовник має намір подати
апеляцію протягом 30 днів."""

COURT_BACK = """Суд в Залужье упразднил решение горсовета о застройке парка
Окружной административный суд в Залужье упразднил решение городского совета, позволившего строить
жилой дом на краю парка Дружбы. Иск подали 43 жителя соседних зданий. Судья Оксана Горенко указала,
что депутаты не проводили общественного обсуждения. Застройщик намеревается подать апелляцию на
протяжении 30 дней."""

SHIP_UK = """У порту Лисогірська на судні спалахнула пожежа, двоє моряків у лікарні
Пожежа сталася вночі у машинному відділенні вантажного судна «Аделаїда» в порту Лисогірська. Двоє
моряків отруїлися димом, їх доправили до лікарні. Вогонь загасили за 3 години, повідомила речниця
рятувальників Ірина Савчук."""


def entry(name: str, text: str, *, minutes: int = 0, source: str = ""):
    at = BEGIN + timedelta(minutes=minutes)
    item = NewsItem(ItemKey(source or name, name), "", text, published_at=at)
    return entry_of(ANALYZER.analyze(item, b""), at=to_micros(at))


@pytest.mark.parametrize(("russian", "ukrainian"), [(BRIDGE, BRIDGE_UK), (COURT, COURT_UK)])
@pytest.mark.parametrize("source", ["", "one site"])
def test_a_translation_is_found_and_is_a_duplicate(russian, ukrainian, source):
    first = entry("ru", russian, source=source)
    second = entry("uk", ukrainian, minutes=7, source=source)
    assert (first.lang, second.lang) == ("ru", "uk")
    assert are_candidates(RULE.index_keys(first), RULE.index_keys(second))
    assert RULE.match(first, second).duplicate
    assert RULE.match(first, second) == RULE.match(second, first)


@pytest.mark.parametrize(("text", "back"), [(BRIDGE, BRIDGE_BACK), (COURT, COURT_BACK)])
def test_a_text_translated_there_and_back_is_a_duplicate(text, back):
    first, second = entry("first", text), entry("second", back, minutes=40)
    assert are_candidates(RULE.index_keys(first), RULE.index_keys(second))
    assert RULE.match(first, second).duplicate


@pytest.mark.parametrize(("back", "between"), [(BRIDGE_BACK, BRIDGE_UK), (COURT_BACK, COURT_UK)])
def test_the_retranslation_is_a_duplicate_of_the_translation_too(back, between):
    first, second = entry("between", between), entry("back", back, minutes=40)
    assert are_candidates(RULE.index_keys(first), RULE.index_keys(second))
    assert RULE.match(first, second).duplicate


@pytest.mark.parametrize("russian", [BRIDGE, COURT])
def test_another_message_in_the_other_language_is_no_duplicate(russian):
    match = RULE.match(entry("ru", russian), entry("uk", SHIP_UK, minutes=7))
    assert match is None or not match.duplicate


def test_a_translation_with_other_quantities_is_no_duplicate():
    moved = BRIDGE_UK.replace("14 місяців", "26 місяців").replace("320 мільйонів", "510 мільйонів")
    moved = moved.replace("18 тисяч", "35 тисяч")
    match = RULE.match(entry("ru", BRIDGE), entry("uk", moved, minutes=7))
    assert match is None or not match.duplicate


def test_the_terms_of_an_item_are_shown_in_its_own_language():
    item = NewsItem(ItemKey("uk", "uk"), "", COURT_UK)
    terms = {one.term for one in ANALYZER.analyze(item).terms}
    assert terms & {"міськрада", "забудова", "забудовник", "апеляція", "мешканець"}
    assert not terms & {"горсовет", "застройка", "застройщик", "апелляция"}


def observed(one, near):
    recorder = StatisticsRecorder(RULE)
    recorder.learn(one, [Record(other) for other in near])
    return recorder.take_observations()


def test_a_site_in_two_languages_teaches_nothing_about_who_repeats_himself():
    russian = entry("ru", BRIDGE, source="one site")
    ukrainian = entry("uk", BRIDGE_UK, minutes=7, source="one site")
    again = entry("again", BRIDGE_BACK, minutes=9, source="one site")
    assert observed(ukrainian, [russian]) == observed(ukrainian, [])
    assert observed(again, [russian]) != observed(again, [])
