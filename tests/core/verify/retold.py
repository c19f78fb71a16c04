"""News of three languages that nobody published, and what may be done to a text."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from newsdedup import ItemKey, NewsItem
from newsdedup.bootstrap.rules import item_analyzer, make_rule
from newsdedup.config import Settings
from newsdedup.core.model import Entry, Match
from newsdedup.core.moments import to_micros
from newsdedup.engine.analyzer import entry_of

BEGIN = datetime(2031, 5, 15, 9, tzinfo=UTC)
RULE = make_rule(Settings())
ANALYZER = item_analyzer(Settings())


@dataclass(frozen=True, slots=True)
class Report:
    """A report with what a test may change in it."""

    name: str
    text: str
    quantity: tuple[str, str]
    """What its first sentences count, and another count."""
    subject: tuple[str, str]
    """Whom or what it is about, and another one; every occurrence is changed."""
    tail: str
    """What a channel puts under its posts."""
    other: str
    """Another message about the same."""


REPORTS = (
    Report(
        "ru fire",
        "Пожар на складе в Заозерске: пострадали 5 рабочих\n"
        "На складе лакокрасочного завода в Заозерске загорелась кровля. Пострадали 5 рабочих, "
        "сообщил начальник гарнизона Олег Рябинин.\n"
        "Площадь пожара составила 1,2 тысячи квадратных метров. Причиной возгорания стала "
        "неисправная проводка.\nЗавод остановил два цеха, работы возобновят в понедельник.",
        quantity=("5 рабочих", "9 рабочих"),
        subject=("Заозерск", "Верхнекамск"),
        tail="\nПодписывайтесь на наш канал",
        other="Жители Заозерска требуют перенести лакокрасочный завод за черту города\n"
        "Около 300 жителей Заозерска собрались у администрации. Они требуют вынести завод из "
        "города и опубликовать данные о качестве воздуха. Мэр обещал ответить до конца месяца.",
    ),
    Report(
        "ru bank",
        "Банк «Камавест» повысил ставку по вкладам до 14 процентов\n"
        "Банк «Камавест» повысил ставку по рублевым вкладам до 14 процентов годовых, сообщила "
        "пресс-служба кредитной организации.\nНовые условия действуют для вкладов от 50 тысяч "
        "рублей на срок от шести месяцев. Предыдущее повышение было в феврале.",
        quantity=("14 процентов", "17 процентов"),
        subject=("Камавест", "Приморье-Капитал"),
        tail="\nПрислать новость: @redaktsia",
        other="Банк «Камавест» закрыл двенадцать отделений в малых городах\nКлиентов переведут на "
        "обслуживание в мобильном приложении, сообщил банк. Сотрудникам предложили другую работу.",
    ),
    Report(
        "uk bridge",
        "У Кременівці відкрили міст через річку після ремонту\n"
        "У Кременівці відкрили для руху міст через річку Самарку, який ремонтували 14 місяців, "
        "повідомила голова громади Олена Гайдук.\nРемонт коштував 32 мільйони гривень. Рух "
        "вантажівок важчих за 20 тонн поки що заборонили.",
        quantity=("14 місяців", "27 місяців"),
        subject=("Кременівц", "Вільногірц"),
        tail="\nБільше новин у нашому телеграмі",
        other="На ремонт мосту в Кременівці витратили вдвічі більше за план\nДержаудитслужба "
        "перевірила тендери громади. Підрядник завищив ціну бетону, матеріали передали поліції.",
    ),
    Report(
        "uk storm",
        "Негода залишила без світла 120 сіл на Полтавщині\n"
        "Через негоду без світла залишилися 120 сіл Полтавської області, повідомило "
        "обленерго.\nВітер пошкодив лінії електропередачі та дахи будинків. Аварійні бригади "
        "працюють з ночі, відновити живлення обіцяють до вечора.",
        quantity=("120 сіл", "45 сіл"),
        subject=("Полтавщин", "Черкащин"),
        tail="\nПідписатися на канал",
        other="На Полтавщині через негоду перенесли матчі чемпіонату області\nФедерація футболу "
        "перенесла всі ігри туру на наступні вихідні. Поля залиті водою, квитки дійсні.",
    ),
    Report(
        "en strike",
        "Miners end strike at Altmere copper pit\n"
        "Workers at the Altmere copper mine voted to end a strike of 5 weeks, a union said.\n"
        "The 1,200 miners accepted a three-year contract that raises wages by 6 percent. Output "
        "will resume on Monday, the owner, Kettle Corp, said.",
        quantity=("5 weeks", "9 weeks"),
        subject=("Altmere", "Brantford"),
        tail="\nFollow us for more news",
        other="Copper prices fall as Altmere strike ends\nCopper lost 3 percent in London as "
        "traders expected supply from the Altmere mine to return. Analysts see prices lower.",
    ),
    Report(
        "en court",
        "Court fines Halden Rail 4 million crowns over bridge collapse\n"
        "A court in Halden fined Halden Rail 4 million crowns on Thursday over the collapse of a "
        "footbridge that injured 11 passengers.\nJudge Marta Lind said the company ignored three "
        "warnings from its own engineers. The company said it would appeal.",
        quantity=("4 million", "7 million"),
        subject=("Halden", "Osterby"),
        tail="\nRead more on our website",
        other="Halden Rail names new chief executive\nThe board of Halden Rail chose Peter Oland, "
        "who ran the port authority for nine years. He succeeds Ida Berg, who resigned in March.",
    ),
)


def entry(text: str, *, name: str = "1", source: str = "a", hours: float = 0) -> Entry:
    """Return the entry of a text whose first line is its headline."""
    at = BEGIN + timedelta(hours=hours)
    title, _, body = text.partition("\n")
    item = NewsItem(ItemKey(source, name), title, body, published_at=at)
    return entry_of(ANALYZER.analyze(item, b""), at=to_micros(at))


def judged(earlier: str, later: str, *, hours: float = 1) -> Match | None:
    """Return what the rule says of two texts of two sources; it has learned nothing."""
    return RULE.match(entry(earlier), entry(later, source="b", name="2", hours=hours))


def duplicate(earlier: str, later: str, *, hours: float = 1) -> bool:
    """Return whether the later text is a duplicate of the earlier one."""
    match = judged(earlier, later, hours=hours)
    return match is not None and match.duplicate
