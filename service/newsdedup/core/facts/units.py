"""What stands behind a number: its scale, currency, unit, or the noun it counts."""

import re
from functools import lru_cache

from newsdedup.core.facts.fact import MILLION
from newsdedup.data.lang import numbered, words

STEM = 5
"""Letters that stand for a noun without its endings: "делегатов" and "делегаты" are "делег"."""

_LEAST = 3
"""Letters that endings leave of a word: "слов" is no "сл" with the ending of "домов"."""
_LONGEST = 24
"""Letters of the longest word whose endings are looked for: it takes longer, the more there are."""
_endings = re.compile(
    rf"([а-яіїєґ]{{{_LEAST},}}?)"
    r"(?:[аяоеиіїєыуюьй]|[оеіїє]в|[аяиіїы]х|[аяоиіїы]м|[аяиіїыь]ми|[оеє]го|[оеє]му)*"
)
_plural = re.compile(r"(?<=[a-z]{3})(?<![sui])s\Z")
"""The s of "goals", but not that of "class", "virus" and "crisis"."""
_fleeting = re.compile(r"(?<=[бвгґджзклмнпрстфхцчшщ])[оеі](?=[бвгґджзклмнпрстфхцчшщ]\Z)")
"""Vowels that come and go before the last consonant: "лодка" and "лодок", "село" and "сіл"."""


@lru_cache(maxsize=4_096)
def stem(word: str) -> str:
    """Return up to five letters that the forms of a lower-case noun have in common.

    No word by itself: Slavic nouns lose their endings, and a vowel that only some forms have;
    English ones the s of the plural.
    """
    if word.isascii():
        return (_plural.sub("", word) if word.endswith("s") else word)[:STEM]
    found = _endings.fullmatch(word.replace("ё", "е")) if len(word) <= _LONGEST else None
    bare = word if found is None else _fleeting.sub("", found[1].replace("ь", ""))
    return bare[:STEM]


def _table(rows: dict[str, str]) -> dict[str, str]:
    return {word: meaning for meaning, words in rows.items() for word in words.split()}


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


SCALES = {word: 10**zeros for word, zeros in numbered("numbers.scales").items()}
DOZENS = numbered("numbers.groups")
"""Scales only of small numbers: "в 2024 сотни людей"."""
ATTACHED_SCALES = {"k": 1_000, "к": 1_000}
"""Scales only where they touch the number: "5к"."""
MILLIONS_OF = _words(
    "people persons children users customers workers jobs homes households doses viewers voters"
    " passengers tourists visitors refugees migrants residents subscribers members patients pupils"
    " students followers americans britons ukrainians russians barrels bpd tons tonnes shares"
    " copies cars vehicles views votes tickets downloads crowns kroner kronor zloty pesos rand"
    " shekels lira reais forint dirhams ringgit baht riyals"
)
"""What an m that touches a number counts by the million: "2m people"."""
MONEY_SCALES = {"m": 10**6, "b": 10**9, "t": 10**12}
"""Scales only where money is spoken of: "5 m" are metres otherwise."""
ALONE = frozenset(words("numbers.alone"))
"""Scales that mean one of themselves when no number stands before."""

PERCENT = "%"
CENT = "cent"
"""A hundredth of whatever currency, kopecks too."""
CURRENCY_SIGNS = {
    "$": "usd",
    "€": "eur",
    "£": "gbp",
    "₽": "rub",
    "₴": "uah",
    "¥": "yen",
    "₸": "kzt",
}

CURRENCY_CODES = {
    **{code: code for code in ("usd", "eur", "rub", "uah", "gbp", "cny", "kzt", "inr")},
    "jpy": "yen",
    "chf": "franc",
    "rs": "inr",
}
"""What stands before a sum as a sign does: "USD 350 million"."""

WORD_ROWS = {
    PERCENT: "% percent pct pc percentage",
    "usd": "usd долл дол dlr dlrs dollar dollars buck bucks",
    "eur": "eur евро євро euro euros",
    "rub": "rub rur руб р rouble roubles ruble rubles",
    "uah": "uah грн hryvnia hryvnias",
    "gbp": "gbp pound pounds stg sterling",
    "yen": "jpy yen иен иены иена иену йен йены йена йену ієн ієни ієна ієну єн єни єна єну",
    "cny": "cny yuan rmb",
    "inr": "inr rs rupee rupees",
    "franc": "franc francs frf chf франк франка франков франки франків",
    "dem": "dem marks",
    "kzt": "kzt",
    "cent": "ct cts cent cents коп цент цента центы центов центи центів",
    "person": "человек человека людей люди людям людьми чел осіб особи особа особу чоловік"
    " людина людини людину людині людиною person people persons men women"
    " children",
    "year": "год года году годом годы годов годам годах лет рік року році роком роки років рокам"
    " роках year years yr yrs",
    "month": "мес міс month months",
    "day": "день дня дней дню дням днями днях дн днів дні сутки суток суткам сутках доба доби добу"
    " діб day days",
    # "год" is an hour in Ukrainian, but far oftener the year of Russian.
    "hour": "час часа часы часов часу часам часах година години годину годині годин hour hours hr"
    " hrs",
    "minute": "мин хв minute minutes min mins",
    "km": "км km kms kilometer kilometers kilometre kilometres",
    "m": "м m meter meters metre metres метр метра метры метров метру метрам метрах метри метрів",
    "cm": "см cm centimeter centimeters centimetre centimetres",
    "km/h": "kmh kph",
    "kg": "кг kg kgs kilo kilos",
    "ton": "т тонн тонны тонна тонну тоннам тоннами тоннах тонни ton tons tonne tonnes",
    "ha": "га ha hectares hectare",
    "degree": "° °c °с °f degree degrees",
    "point": "пункт пункта пункты пунктов пункту пунктам пункти пунктів point points",
    "barrel": "bpd barrel barrels",
}
"""The words of each unit: for one of it, for two and for five, in three languages."""
BEGINNING_ROWS = {
    PERCENT: "процен відсот",
    "usd": "доллар долар",
    "rub": "рубл",
    "uah": "гривен гривн",
    "cny": "юань юаня юани юане юані",
    "inr": "рупи рупі",
    "gbp": "фунт",
    "kzt": "тенге",
    "cent": "копейк копеек копійк копійо",
    "year": "летн річн летию летие летия річчя",
    "month": "месяц місяц",
    "hour": "часов",
    "minute": "минут хвили",
    "km": "киломе кіломе",
    "m": "метров",
    "cm": "сантим",
    "m3": "кубоме",
    "kg": "килогр кілогр kilogr",
    "ha": "гектар",
    "degree": "градус",
    "barrel": "баррел барел",
}
"""The first four to six letters of inflected words."""
HARM_ROWS = {
    "injured": "ранен ранил поран травм постра injur wound hurt hurts",
    "killed": "погиб убит убиты убито убили загиб загин вбито вбиті вбили жертв kille killi kills"
    " death dead died",
}
"""The first five or six letters of words that say what happened to people who are counted."""
_SHORTEST = 4
_WORDS = _table(WORD_ROWS) | CURRENCY_SIGNS
_BEGINNINGS = _table(BEGINNING_ROWS)
_HARM = _table(HARM_ROWS)
_HOSPITALIZED = ("госпитализ", "госпіталіз", "hospitaliz", "hospitalis")
_LONGEST_HOSPITAL = 11
"""Letters of "госпиталями": hospitals hurt nobody."""
LENGTH_UNITS = _words("m km cm")
COMPOUNDS = _words("m2 km2 cm2 m3 km3 cm3 km/h m/s km/s")
"""Areas, volumes and speeds, which `compounds` reads; rarer ones have no name."""
UNITS = frozenset((*_WORDS.values(), *_BEGINNINGS.values(), *_HARM.values(), *COMPOUNDS))
"""All units but nouns, which have their stems."""
CURRENCIES = _words("usd eur rub uah gbp yen cny inr dem franc cent kzt")
PEOPLE = frozenset(("person", "injured", "killed"))
YEARS = _words(
    "год года году годом годы годов годам годах г гг рік року році роки роком років рокам роках р"
    " рр"
)

_NO_NOUNS = _words(
    "после перед через около более менее против среди также когда чтобы если пока было были будет"
    " которые который которая також після який яка які серед проти близько понад коли"
    " почти всего лишь только примерно ровно минимум максимум майже лише тільки приблизно рівно"
    " орієнтовно мінімум"
    " about after against also among been before between during from have into more over said"
    " says since some than that their there they this under until were when where which while with"
)
CONJUNCTIONS = _words("and or but и й і та или або а но")
"""Words behind which another count begins: "killed 5 and injured 7"."""
_NOT_COUNTED = CONJUNCTIONS | _words(
    "last this next past previous per each every a an in on for прошлого минувшего текущего"
    " нынешнего минулого поточного цього этого в во на за у"
)
"""And those behind which stands when something was counted: "5 million last year"."""
_ADJECTIVE = ("ых", "их", "ого", "ой", "ий", "ый", "ые", "ие", "ая", "яя", "ую", "ными", "ним")
_SHORT_NOUN = 3
_NO_SHORT_NOUNS = _words(
    "или для как про без все всё под над при уже еще ещё его ему это эта эти так там тут тем тех"
    " тот той они она оно нас вас нам вам них ним где что кто был нет обе два две три сто"
    " або але від під вже цей ці цих тих той які яка яке він був"
)


def measure_of(word: str) -> str:
    """Return the unit of a lower-case word if it is a measure, a currency or people, or ""."""
    unit = _WORDS.get(word)
    if unit is not None or len(word) < _SHORTEST:
        return unit or ""
    return (
        harm_of(word)
        or _BEGINNINGS.get(word[:4])
        or _BEGINNINGS.get(word[:5])
        or _BEGINNINGS.get(word[:6])
        or ""
    )


def harm_of(word: str) -> str:
    """Return "injured" or "killed" if a lower-case word says so, or ""."""
    found = _HARM.get(word[:5]) or _HARM.get(word[:6])
    if found is None and len(word) > _LONGEST_HOSPITAL and word.startswith(_HOSPITALIZED):
        return "injured"
    return found or ""


def unit_of(first: str, second: str, third: str) -> str:
    """Return what the words behind a number say that is counted, or ""."""
    if not first:
        return ""
    unit = measure_of(first)
    if unit:
        return unit
    if first == "per" and second == "cent":
        return PERCENT
    if first in _NOT_COUNTED:
        return ""
    if is_adjective(first) and second:
        return (
            measure_of(second)
            or (_counted(third) if is_adjective(second) else "")
            or _counted(second)
        )
    # "7 people" and "7 more people" count the same.
    return _WORDS.get(second) or harm_of(second) or _counted(first)


def _counted(word: str) -> str:
    """Return what `noun` does, behind a number also of three Cyrillic letters: "17 дач"."""
    if len(word) == _SHORT_NOUN and word >= "а" and word not in _NO_SHORT_NOUNS:
        return stem(word)
    return noun_stem(word)


def noun_stem(word: str) -> str:
    """Return the stem of a lower-case word that may be a noun, or ""."""
    return "" if len(word) < _SHORTEST or word in _NO_NOUNS else stem(word)


def is_adjective(word: str) -> bool:
    """Return whether a lower-case word has the ending of a Slavic adjective."""
    return len(word) >= STEM and word.endswith(_ADJECTIVE)


def rounding_step(value: int, *, scale: int = 1) -> int:
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


BEFORE_LENGTHS = frozenset(("кв", "куб", "sq", "cu"))
"""Words that may touch the length behind them: "кв.м"."""
_THIRD = ("куб", "cu")
_HOURS = frozenset(("час", "ч", "год", "годину", "hour", "h", "hr"))
_compound = re.compile(
    r"\.?[ -]?(?:(кв|квадрат\w{1,6}|sq|square|куб|куб[иі]ч\w{1,6}|cu|cubic)(?:\. ?| ))?"
    r"([^\W\d_]{1,14})([23]?)(?!\w)"
    r"(?: ?/ ?(час|ч|год|hour|hr|h|сек|с|sec|s)(?!\w)"
    r"| (?:в|за|на|per|an?) (час|годину|hour|секунду|second)(?!\w))?"
)


def compound_unit(lower: str, end: int, unit: str) -> str:
    """Return the area, the volume or the speed behind the end of a number, else the unit.

    "120 кв. метров" are "m2", "90 km/h" are "km/h".
    """
    found = _compound.match(lower, end)
    if found is None:
        return unit
    before, word, behind, by, said = found.groups()
    length = measure_of(word)
    if length not in LENGTH_UNITS:
        return unit
    power = behind
    if before is not None:
        power = "3" if before.startswith(_THIRD) else "2"
    time = by or said
    per = "" if time is None else "/h" if time in _HOURS else "/s"
    return f"{length}{power}{per}"


_points = re.compile(
    r"[ -]?(?:(?P<base>б\. ?п\b|бп\b|(?:базисн|базов)\w+ пункт|bps?\b|basis point)"
    r"|[пв]\. ?п\b|пп\b)"
)
POINTS = ("б", "п", "в", "bp", "bas")
"""How words begin of which such points may be told."""
_BASE = 100


def points_to_percent(
    lower: str, end: int, value: int, step: int, unit: str
) -> tuple[int, int, str]:
    """Return value, step and unit of a number in percents if it ends before points of them."""
    found = _points.match(lower, end)
    if found is None:
        return value, step, unit
    if found["base"] is None:
        return value, step, PERCENT
    return value // _BASE, max(1, step // _BASE), PERCENT
