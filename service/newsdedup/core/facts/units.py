"""What stands behind a number: its scale, currency, unit, or the noun it counts."""

from newsdedup.core.facts.fact import MILLION


def _table(rows: dict[str, str]) -> dict[str, str]:
    return {word: meaning for meaning, words in rows.items() for word in words.split()}


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


_SCALES = {
    3: "тыс тысяч тысячи тысяча тысячу тысячам тысячами тысячах тис тисяч тисячі тисяча тисячу"
    " тисячам thousand thousands",
    6: "млн миллион миллиона миллионов миллионам миллионами миллионах мільйон мільйона мільйони"
    " мільйонів мільйонам million millions mln mn mio",
    9: "млрд миллиард миллиарда миллиардов миллиардам миллиардами миллиардах мільярд мільярда"
    " мільярди мільярдів мільярдам billion billions bln bn",
    12: "трлн триллион триллиона триллионов трильйон трильйона трильйони трильйонів trillion"
    " trillions trln tn",
}
SCALES = {word: 10**zeros for zeros, words in _SCALES.items() for word in words.split()}
DOZENS = {
    **dict.fromkeys(_words("десяток десятка десятков десятки десятків"), 10),
    **dict.fromkeys(_words("dozen дюжина дюжины дюжин"), 12),
    **dict.fromkeys(_words("сотня сотню сотни сотен сотні сотень"), 100),
}
"""Scales only of small numbers: "в 2024 сотни людей"."""
ATTACHED_SCALES = {"k": 1_000, "к": 1_000}
"""Scales only where they touch the number: "5к"."""
MILLIONS_OF = _words(
    "people persons children users customers workers jobs homes households doses viewers voters"
    " passengers tourists visitors refugees migrants residents subscribers members patients pupils"
    " students followers americans britons ukrainians russians barrels bpd tons tonnes shares"
    " copies cars vehicles views votes tickets downloads"
)
"""What an m that touches a number counts by the million: "2m people"."""
MONEY_SCALES = {"m": 10**6, "b": 10**9, "t": 10**12}
"""Scales only where money is spoken of: "5 m" are metres otherwise."""
ALONE = _words("тысяча тысячу тисяча тисячу миллион мільйон миллиард мільярд million billion dozen")
"""Scales that mean one of themselves when no number stands before."""

PERCENT = "%"
SIGNS = {"$": "usd", "€": "eur", "£": "gbp", "₽": "rub", "₴": "uah", "¥": "yen", "₸": "kzt"}

_WORDS = _table(
    {
        PERCENT: "% percent pct percentage",
        "usd": "usd долл дол dlr dlrs dollar dollars buck bucks",
        "eur": "eur евро євро euro euros",
        "rub": "rub rur руб р rouble roubles ruble rubles",
        "uah": "uah грн hryvnia hryvnias",
        "gbp": "gbp pound pounds stg sterling",
        "yen": "jpy yen иен иены ієн",
        "cny": "cny yuan rmb",
        "franc": "franc francs frf chf",
        "dem": "dem marks",
        "cent": "ct cts cent cents cents коп цент центов",
        "person": "человек человека людей люди людям осіб особи чоловік people person persons",
        "year": "год года году лет годам год год рік року років роки year years yr yrs",
        "month": "мес month months",
        "day": "день дня дней днів дні day days сутки суток",
        "hour": "час часа часов часу год годин hour hours hr hrs",
        "minute": "мин хв minute minutes min mins",
        "km": "км km kms kilometers kilometres",
        "m": "м m meters metres",
        "cm": "см cm",
        "kg": "кг kg kgs",
        "ton": "т тонн тонны тонна ton tons tonne tonnes",
        "ha": "га ha hectares hectare",
        "point": "пункт пункта пунктов пунктів point points",
        "barrel": "bpd barrel barrels",
    }
)
_WORDS |= SIGNS
# The first four to six letters of inflected words.
_BEGINNINGS = _table(
    {
        PERCENT: "процен відсот",
        "usd": "доллар долар",
        "rub": "рубл",
        "uah": "гривен гривн",
        "cny": "юан",
        "gbp": "фунт",
        "kzt": "тенге",
        "cent": "копеек копейк копійк копійо",
        "year": "летн річн летию летие",
        "month": "месяц місяц",
        "hour": "часов",
        "minute": "минут хвили",
        "km": "киломе кіломе",
        "m": "метр",
        "kg": "килогр кілогр",
        "ha": "гектар",
        "barrel": "баррел барел",
    }
)
_SHORTEST = 4
_HARM = _table(
    {
        "injured": "ранен поран травм постра injur wound hurt",
        "killed": "погиб убит убиты убито загиб загин вбито вбиті жертв kille death dead died",
    }
)
"""The first five or six letters of words that say what happened to people who are counted."""
UNITS = frozenset((*_WORDS.values(), *_BEGINNINGS.values(), *_HARM.values()))
"""All units but nouns, which are their own beginnings."""
CURRENCIES = _words("usd eur rub uah gbp yen cny dem franc cent kzt")
PEOPLE = frozenset(("person", "injured", "killed"))
YEARS = _words("год года году годом годов г гг рік року році роки роком р рр")

_NO_NOUNS = _words(
    "после перед через около более менее против среди также когда чтобы если пока было были будет"
    " которые который которая також після який яка які серед проти близько понад коли"
    " about after against also among been before between during from have into more over said"
    " says since some than that their there they this under until were when where which while with"
)
_WHEN = _words(
    "last this next past previous per each every a an in on for прошлого минувшего текущего"
    " нынешнего минулого поточного цього этого в во на за у"
)
"""Words behind which stands when something was counted: "5 million last year"."""
_ADJECTIVE = ("ых", "их", "ого", "ой", "ий", "ый", "ые", "ие", "ая", "яя", "ую", "ными", "ним")
STEM = 5
"""Letters that stand for a noun without its endings: "делегатов" and "делегаты" are "делег"."""


def known(word: str) -> str:
    """Return the unit of a lower-case word if it is a measure, a currency or people, or ""."""
    unit = _WORDS.get(word)
    if unit is not None or len(word) < _SHORTEST:
        return unit or ""
    return (
        harm(word)
        or _BEGINNINGS.get(word[:4])
        or _BEGINNINGS.get(word[:5])
        or _BEGINNINGS.get(word[:6])
        or ""
    )


def harm(word: str) -> str:
    """Return "injured" or "killed" if a lower-case word says so, or ""."""
    return _HARM.get(word[:5]) or _HARM.get(word[:6]) or ""


def unit_of(first: str, second: str, third: str) -> str:
    """Return what the words behind a number say that is counted, or ""."""
    if not first:
        return ""
    unit = known(first)
    if unit:
        return unit
    if first == "per" and second == "cent":
        return PERCENT
    if first in _WHEN:
        return ""
    if adjective(first) and second:
        return known(second) or (noun(third) if adjective(second) else "") or noun(second)
    # "7 people" and "7 more people" count the same.
    return _WORDS.get(second) or harm(second) or noun(first)


def noun(word: str) -> str:
    """Return the beginning that stands for a lower-case word that may be a noun, or ""."""
    return "" if len(word) < _SHORTEST or word in _NO_NOUNS else word[:STEM]


def adjective(word: str) -> bool:
    """Return whether a lower-case word has the ending of a Slavic adjective."""
    return len(word) >= STEM and word.endswith(_ADJECTIVE)


def stated(value: int, *, scale: int = 1) -> int:
    """Return the place to which a whole number of millionths was stated.

    Below 1,000 every digit counts: 10 is ten, not about ten. From 1,000 on, or before a scale,
    final zeros are taken for rounding.
    """
    if scale == 1 and value < 1_000 * MILLION:
        least = MILLION
        while value % least:
            least //= 10
        return least
    written = str(value * scale)
    return int(10 ** (len(written) - len(written.rstrip("0")))) if value else MILLION
