"""What stands behind a number: its scale, currency, unit, or the noun it counts."""

from newsdedup.core.facts.fact import MILLION
from newsdedup.core.facts.stems import STEM, stem


def _table(rows: dict[str, str]) -> dict[str, str]:
    return {word: meaning for meaning, words in rows.items() for word in words.split()}


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


_SCALES = {
    3: "тыс тысяч тысячи тысяча тысячу тысячам тысячами тысячах тис тисяч тисячі тисяча тисячу"
    " тисячам тисячами тисячах thousand thousands",
    5: "lakh lakhs",
    6: "млн миллион миллиона миллионов миллионам миллионами миллионах мільйон мільйона мільйони"
    " мільйонів мільйонам мільйонами мільйонах million millions mln mn mio",
    7: "crore crores",
    9: "млрд миллиард миллиарда миллиардов миллиардам миллиардами миллиардах мільярд мільярда"
    " мільярди мільярдів мільярдам мільярдами мільярдах billion billions bln bn",
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
    " copies cars vehicles views votes tickets downloads crowns kroner kronor zloty pesos rand"
    " shekels lira reais forint dirhams ringgit baht riyals"
)
"""What an m that touches a number counts by the million: "2m people"."""
MONEY_SCALES = {"m": 10**6, "b": 10**9, "t": 10**12}
"""Scales only where money is spoken of: "5 m" are metres otherwise."""
ALONE = _words("тысяча тысячу тисяча тисячу миллион мільйон миллиард мільярд million billion dozen")
"""Scales that mean one of themselves when no number stands before."""

PERCENT = "%"
CENT = "cent"
"""A hundredth of whatever currency, kopecks too."""
SIGNS = {"$": "usd", "€": "eur", "£": "gbp", "₽": "rub", "₴": "uah", "¥": "yen", "₸": "kzt"}

CODES = {
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
_WORDS = _table(WORD_ROWS) | SIGNS
_BEGINNINGS = _table(BEGINNING_ROWS)
_HARM = _table(HARM_ROWS)
_HOSPITALIZED = ("госпитализ", "госпіталіз", "hospitaliz", "hospitalis")
_LONGEST_HOSPITAL = 11
"""Letters of "госпиталями": hospitals hurt nobody."""
LENGTHS = _words("m km cm")
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
AND = _words("and or but и й і та или або а но")
"""Words behind which another count begins: "killed 5 and injured 7"."""
_NOT_COUNTED = AND | _words(
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
    found = _HARM.get(word[:5]) or _HARM.get(word[:6])
    if found is None and len(word) > _LONGEST_HOSPITAL and word.startswith(_HOSPITALIZED):
        return "injured"
    return found or ""


def unit_of(first: str, second: str, third: str) -> str:
    """Return what the words behind a number say that is counted, or ""."""
    if not first:
        return ""
    unit = known(first)
    if unit:
        return unit
    if first == "per" and second == "cent":
        return PERCENT
    if first in _NOT_COUNTED:
        return ""
    if adjective(first) and second:
        return known(second) or (_counted(third) if adjective(second) else "") or _counted(second)
    # "7 people" and "7 more people" count the same.
    return _WORDS.get(second) or harm(second) or _counted(first)


def _counted(word: str) -> str:
    """Return what `noun` does, behind a number also of three Cyrillic letters: "17 дач"."""
    if len(word) == _SHORT_NOUN and word >= "а" and word not in _NO_SHORT_NOUNS:
        return stem(word)
    return noun(word)


def noun(word: str) -> str:
    """Return the stem of a lower-case word that may be a noun, or ""."""
    return "" if len(word) < _SHORTEST or word in _NO_NOUNS else stem(word)


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
