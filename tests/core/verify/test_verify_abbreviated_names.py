"""Another name behind an abbreviation or an initial is as another name behind the whole word."""

import pytest

from core.verify.retold import judged

FIRE = (
    "{} на складе лакокрасочного завода загорелась кровля, сообщили спасатели. Огонь тушили всю "
    "ночь, сторожа увезли в больницу с ожогами, причину выясняют."
)
BRIDGE = (
    "Ремонт моста начнется весной, сообщил депутат {}. Деньги выделит область, подрядчика "
    "выберут на торгах, движение грузовиков запретят до осени, объезд проложат по дамбе."
)
STORE = (
    "{} згорів склад меблів. Рятувальники гасили вогонь усю ніч, покрівля завалилася, сторожа з "
    "опіками забрали до лікарні, причину з'ясовують."
)
LAW = (
    "{} signed a law that bans phones in schools, his office said. The law takes effect in the "
    "autumn and teachers will collect devices before the first lesson of the day."
)


@pytest.mark.parametrize(
    ("text", "one", "other"),
    [
        (FIRE, "В г. Заозерске", "В г. Верхнекамске"),
        (FIRE, "На ул. Лесной", "На ул. Камышинской"),
        (BRIDGE, "О. Рябинин", "О. Гайдук"),
        (BRIDGE, "О. П. Рябинин", "О. П. Гайдук"),
        (STORE, "У м. Кременівка", "У м. Вільногірськ"),
        (LAW, "Gov. Lind", "Gov. Oland"),
    ],
)
def test_a_text_with_another_abbreviated_name_is_no_copy(text: str, one: str, other: str) -> None:
    match = judged(text.format(one), text.format(other))
    assert match is not None
    assert match.relation == "similar"


@pytest.mark.parametrize("whole", ["В городе Заозерске", "В Заозерске"])
def test_an_abbreviation_written_out_makes_no_other_name(whole: str) -> None:
    match = judged(FIRE.format("В г. Заозерске"), FIRE.format(whole))
    assert match is not None
    assert match.duplicate
