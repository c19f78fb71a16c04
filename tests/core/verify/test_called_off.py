"""An alert and its all-clear are two messages, however alike their words are."""

import pytest

from core.verify.retold import RULE, duplicate, entry, judged
from newsdedup.core.matching.explanation import give_reasons

BELGOROD = "{} в Белгороде и Белгородском районе, сообщил губернатор Пётр Ласточкин"
KHARKIV = "{} у Харківській області. {}!"
DECLARED = BELGOROD.format("Ракетная опасность объявлена")
OVER = BELGOROD.format("Отбой ракетной опасности")
ALERTS = (
    (DECLARED, OVER),
    ("Повітряна тривога в Києві", "Відбій повітряної тривоги в Києві"),
    (
        KHARKIV.format("Повітряна тривога", "Перейдіть в укриття"),
        KHARKIV.format("Відбій повітряної тривоги", "Слідкуйте за повідомленнями"),
    ),
    ("Воздушная тревога в Киеве", "Відбій повітряної тривоги в Києві"),
)


@pytest.mark.parametrize(("alert", "clear"), ALERTS)
def test_an_all_clear_is_no_copy_of_its_alert(alert: str, clear: str):
    assert not duplicate(alert, clear)
    assert not duplicate(clear, alert)
    assert duplicate(clear, f"{clear}\nПодписывайтесь на наш канал", hours=0.1)


def test_an_all_clear_updates_its_alert():
    match = judged(DECLARED, OVER)
    assert match is not None
    assert match.relation == "update"


def test_the_reason_is_reported():
    why = give_reasons(entry(DECLARED), entry(OVER, name="2"), RULE).why
    said = "They contradict each other: one says that the alert is over. This alone decides."
    assert why[0] == said


def test_two_ways_to_say_that_it_is_over_do_not_contradict_each_other():
    why = give_reasons(
        entry(OVER), entry(BELGOROD.format("Ракетная опасность отменена"), name="2"), RULE
    ).why
    assert not any("contradict" in line for line in why)


def test_a_report_that_tells_of_both_is_no_all_clear():
    story = (
        "Ракетную опасность объявили в Белгороде\n"
        "Жители Белгорода и Белгородского района провели ночь в укрытиях. Губернатор Пётр "
        "Ласточкин сообщил, что школы перешли на дистанционное обучение, автобусы ходят по другому "
        "расписанию, а больницы принимают только срочных пациентов. Спасатели обследуют дворы."
    )
    assert duplicate(story, f"{story} Отбой прозвучал под утро.")
