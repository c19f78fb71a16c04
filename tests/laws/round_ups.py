"""Invented reports in three languages, and the digests that were made of them."""

from datetime import UTC, datetime, timedelta

from newsdedup import ItemKey, NewsItem
from newsdedup.bootstrap.rules import item_analyzer, make_rule
from newsdedup.config import Settings
from newsdedup.engine.analyzer import Analyzed

BEGIN = datetime(2026, 3, 2, 6, tzinfo=UTC)
RULE = make_rule(Settings())
ANALYZER = item_analyzer(Settings())

REPORTS = {
    "ru": (
        (
            "В Зареченске после ремонта открыли мост через реку Велну. Работы заняли 14"
            " месяцев и обошлись в 32 миллиона рублей, сообщил мэр Игнат Холмин. Автобусы"
            " пустят в пятницу."
        ),
        (
            "Сборная Норланда по хоккею обыграла соперников из Остерии со счетом 4:1. Две"
            " шайбы забросил нападающий Андрис Вейде. Следующую игру команда проведет 9"
            " марта."
        ),
        (
            "Ученые Лунинского университета нашли в пещере рисунки возрастом 19 тысяч лет. На"
            " стенах изображены зубры и рыбы, рассказала археолог Майя Сторк журналу"
            " института."
        ),
    ),
    "uk": (
        (
            "У Заріченську після ремонту відкрили міст через річку Велну. Роботи тривали 14"
            " місяців і коштували 32 мільйони гривень, повідомив мер Гнат Холмін. Автобуси"
            " пустять у п'ятницю."
        ),
        (
            "Збірна Норланду з хокею обіграла суперників з Остерії з рахунком 4:1. Дві шайби"
            " закинув нападник Андріс Вейде. Наступну гру команда проведе 9 березня."
        ),
        (
            "Вчені Лунінського університету знайшли в печері малюнки віком 19 тисяч років. На"
            " стінах зображено зубрів і риб, розповіла археологиня Майя Сторк журналу"
            " інституту."
        ),
    ),
    "en": (
        (
            "The bridge over the river Velna in Marstad reopened on Monday after a repair"
            " that took 14 months and cost 32 million crowns, mayor Ida Holm said. Buses"
            " follow on Friday."
        ),
        (
            "The hockey players of Norland beat their guests from Osteria 4:1. Forward Andris"
            " Veide scored two of the goals. The team plays again on March 9."
        ),
        (
            "Scientists of Lunin university found cave drawings that are 19,000 years old."
            " The walls show bison and fish, archaeologist Maya Stork told the journal of the"
            " institute."
        ),
    ),
}
"""Three unrelated reports of each language."""

TITLES = {
    "ru": "Главное к утру понедельника",
    "uk": "Підсумки дня: 2 березня",
    "en": "The day in brief: Monday, March 2",
}


def digest(lang: str, *, bullet: str = "", title: str = "") -> str:
    """Return a round-up of the three reports of a language."""
    messages = [f"{bullet}{text}" for text in REPORTS[lang]]
    return "\n\n".join((title or TITLES[lang], *messages))


def analyzed(name: str, text: str, *, minutes: int, source: str = "s") -> Analyzed:
    """Return an item as it is when it has just been analyzed."""
    at = BEGIN + timedelta(minutes=minutes)
    return ANALYZER.analyze(NewsItem(ItemKey(source, name), "", text, published_at=at), b"{}")
