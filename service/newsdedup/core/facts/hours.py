"""Times of day without a colon: "9 p.m.", "с 22.00 до 6.00", "3 часа ночи", "0147 GMT"."""

import re

from newsdedup.core.facts.around import Context
from newsdedup.core.facts.days import DAY_AND_MONTH
from newsdedup.core.facts.fact import MILLION
from newsdedup.core.facts.units import SCALES, measure_of

_HOUR, _MIDDAY = 60, 12 * 60
_LATEST = 24 * MILLION
_MOST_HOURS = 13 * MILLION
_HALF_DAYS = frozenset(("a", "p", "am", "pm"))
_meridiem = re.compile(r" ?([ap])\.?m\b")
_PARTS = {
    **dict.fromkeys(("утра", "ранку"), range(0)),
    "дня": range(1, 8),
    **dict.fromkeys(("вечера", "вечора"), range(1, 12)),
    **dict.fromkeys(("ночи", "ночі"), range(9, 12)),
}
"""The parts of a day, and the hours that stand for those after midday in them."""
_MIDNIGHT = frozenset(("ночи", "ночі", "вечера", "вечора"))
"""Parts of a day whose twelfth hour is midnight."""
_FEW = range(2, 5)
"""So many evenings, nights and days are "2 вечера", "3 ночи", "4 дня", too."""
_NEVER_COUNTED = frozenset(("утра", "ранку", "вечора"))
_part = re.compile(rf" ?(?:([ap])\.?m\b|({'|'.join(_PARTS)})\b)")

_AT = frozenset(("в", "у", "о"))
_FROM = frozenset(("с", "со", "з", "із", "зі", "від", "from"))
_TO = frozenset(("до", "по", "к", "ко", "to", "till", "until"))
_NEAR = _AT | _FROM | _TO | {"после", "після", "около", "близько"}
_ZONES = frozenset(("gmt", "utc", "est", "edt", "cet"))
_MOSCOW = "мск"
ABOUT_TIMES = frozenset(("около", "близько"))
"""Words before a time of day that is told about: one minute more contradicts nothing."""
_CLOSE = ABOUT_TIMES | {"к", "ко", "после", "після"}
_stated_on = re.compile(r"(?:станом|состояни|назначен|запланир|перенес|признач|заплан)\w* на \Z")
_zone_or_day = re.compile(
    r" \(?(?:мск|по (?:моск|местн|киев)|за (?:моск|місц|київ|києв)"
    rf"|{DAY_AND_MONTH})"
)
"""What stands behind a time of day, but behind no price: a zone, or the day."""
HOUR_WORDS = _HALF_DAYS | _ZONES | frozenset(_PARTS)
"""Behind whole numbers that name a time of day stands one of these."""
_HHMM = 4
"""Digits of a time of day without a colon: "0147 GMT"."""
_TIME = r"(?:[01]?[0-9]|2[0-3])\.[0-5][05]"
_dotted = re.compile(r"(?:[01]?[0-9]|2[0-3])\.[0-5][0-9](?![0-9%]|[.,:][0-9])")
"""A time with a dot: "в 17.00", "о 10.30"; decimals have a comma in those languages."""
_AND = r"(?: часов)?(?: ?- ?| (?:до|по|to|till|until) )"
_ends = re.compile(
    rf"({_TIME}){_AND}({_TIME})(?![0-9%]|[.,:][0-9])(?: ?([^\W\d_]+|[^\w\s.,;:!?()\"'-]))?"
)
_begun = re.compile(rf"(?<!\w)([^\W\d_]+) ({_TIME}){_AND}\Z")
_moved = re.compile(
    r"\b(?:(?:вы|воз|під)рос|зріс|зрос|увелич|збільш|сниз|зниз|упа[лд]|впа[вл]|подорож|подешев|повы|підви"
    r"|сокра|скоро|rose|rise|risen|fell|grew|grow|drop|climb|slip|gain)"
)
"""What moves from one value to another is no time of day."""
_BEFORE = 32
"""Characters before a range of hours in which such a word stands."""
_ROUND = frozenset(("00", "15", "30", "45"))
"""One end of a range of hours has such minutes: the months that "с 10.05 по 12.05" names end
before them, and most prices have others."""
_LAST_MONTH = "12"


def time_of_day(around: Context) -> int | None:
    """Return the minutes since midnight that a number without unit names, or None."""
    start, end, value, _, plain = around.numeral
    word = around.words[0]
    if word in _ZONES and plain and end - start == _HHMM:
        hours, minutes = divmod(value // MILLION, 100)
        return hours * _HOUR + minutes
    if value >= _LATEST:
        return None
    if value < _MOST_HOURS and word in _HALF_DAYS:
        meridiem = _meridiem.match(around.lower, end)
        if meridiem is not None:
            return _minutes(value, hours=12) + _MIDDAY * (meridiem[1] == "p")
    if around.lower[end - 3 : end - 2] == "." and _dotted.match(around.lower, start):
        return _by_dot(around)
    if word in _PARTS or around.words[1] in _PARTS:
        return _by_part(around)
    return None


def looks_dotted(lower: str, start: int) -> bool:
    """Return whether what begins there looks like "17.00"."""
    return _dotted.match(lower, start) is not None


def has_meridiem(lower: str, end: int) -> bool:
    """Return whether "a.m." or "p.m." stands behind a number that ends there."""
    return _meridiem.match(lower, end) is not None


def with_part_of_day(lower: str, end: int, minutes: int) -> int:
    """Return the minutes since midnight of "9:30", as what stands behind tells: "pm", "вечера"."""
    part = _part.match(lower, end)
    if part is None:
        return minutes
    if part[1] is None:
        return _of_part(minutes, part[2])
    return minutes % _MIDDAY + _MIDDAY * (part[1] == "p")


def _of_part(minutes: int, part: str) -> int:
    hour = minutes // _HOUR
    if hour == 12 and part in _MIDNIGHT:
        return minutes - _MIDDAY
    return minutes + _MIDDAY if hour in _PARTS[part] else minutes


def _minutes(value: int, *, hours: int) -> int:
    """Return the minutes of "9" or of "12.50", which look like hundredths."""
    hour, hundredths = divmod(value // (MILLION // 100), 100)
    return hour % hours * _HOUR + hundredths % _HOUR


def _by_part(around: Context) -> int | None:
    """Return the minutes since midnight of "9 утра" and "3 часа ночи", but not of "3 дня"."""
    value = around.numeral.value
    hour, rest = divmod(value, MILLION)
    if rest or not 0 < value < _MOST_HOURS:
        return None
    part, behind, _ = around.words
    label = around.label
    if part not in _PARTS:
        # "За 3 часа ночи" is how long it took.
        named = _hour(part) and label != "за"
        return _of_part(hour * _HOUR, behind) if named else None
    if part == "дня":  # "С 1 дня" is from the first day on.
        named = hour >= _FEW.stop and label in _NEAR
    else:
        named = part in _NEVER_COUNTED or hour not in _FEW or label in _NEAR
    return _of_part(hour * _HOUR, part) if named else None


def _hour(word: str) -> bool:
    return word == "ч" or word.startswith("годин") or measure_of(word) == "hour"


def _by_dot(around: Context) -> int | None:
    """Return the minutes since midnight of "17.00" where a time of day is meant."""
    word, label = around.words[0], around.label
    minutes = _minutes(around.numeral.value, hours=24)
    if word in _PARTS:
        return _of_part(minutes, word)
    if label in _AT:
        return None if word.startswith("раз") else minutes
    if word in _ZONES or word == _MOSCOW:
        return minutes
    if _hour(word):
        return minutes if (label in _FROM or label in _TO) and minutes % 5 == 0 else None
    return minutes if _of_range(around) or _by_neighbours(around, minutes) else None


def _by_neighbours(around: Context, minutes: int) -> bool:
    """Return whether "15.00" is a time of day as what stands around it tells."""
    word, label = around.words[0], around.label
    if measure_of(word) or word.startswith("раз"):
        return False
    if label in _CLOSE:
        return minutes % 5 == 0
    if label == "на":
        return _stated_on.search(around.before) is not None
    return (label in _FROM or label in _TO) and _zone_or_day.match(
        around.lower, around.end
    ) is not None


def time_of_ordinal(around: Context) -> int | None:
    """Return the minutes since midnight of "о 9-й ранку" and "до 20-ї години", or None."""
    value, (word, behind, _) = around.numeral.value, around.words
    if value >= _LATEST or around.label not in _NEAR:
        return None
    hour = value // MILLION
    if word in _PARTS:
        return _of_part(hour * _HOUR, word) if word != "дня" or around.label == "о" else None
    if not word.startswith("годин"):
        return None
    if behind in _PARTS:
        return _of_part(hour * _HOUR, behind)
    return hour * _HOUR if hour >= _FEW.stop else None


def _of_range(around: Context) -> bool:
    """Return whether the number is an end of a range of hours: "с 22.00 до 6.00"."""
    label, start = around.label, around.numeral.start
    if not label or label in _TO:
        begun = _begun.search(around.before)
        if begun is None:
            return False
        label, start = begun[1], start - len(around.before) + begun.start(2)
    if label not in _FROM and label not in _AT:
        return False
    ends = _ends.match(around.lower, start)
    if ends is None or _moved.search(around.lower, max(0, start - _BEFORE), start):
        return False
    behind = ends[3] or ""
    if measure_of(behind) not in ("", "hour") or behind in SCALES or behind.startswith("раз"):
        return False
    minutes = {ends[1][-2:], ends[2][-2:]}
    # English has decimals with a dot.
    if label == "from":
        return "00" in minutes
    # Prices have no zero before them, and a year has no more months.
    led = "0" in (ends[1][0], ends[2][0]) and max(minutes) > _LAST_MONTH
    return led or not _ROUND.isdisjoint(minutes)


_HOUR = 60
_HOURS_OF_DAY = 24
_EARLIEST = 5
"""Of "в 2 часа" nobody knows which of two it is, or how long it takes."""
_IN_FULL = 21
"""From here on the day has "час" and "часа" behind a time that is not also a span: "в 21 час"."""
_HOUR_FORMS = {
    **dict.fromkeys(("в", "во"), ("часов", "ч")),
    **dict.fromkeys(("к", "ко"), ("часам", "ч")),
    **dict.fromkeys(("о", "об"), ("годині",)),
    **dict.fromkeys(("с", "со"), ("часов", "ч")),
    **dict.fromkeys(("з", "із", "зі"), ("години",)),
    "на": ("годину",),
}
"""Words before an hour, and how they have the word for it where no span is meant."""
_SINGULAR = frozenset(("час", "часа", "часу"))
_NO_TIMES = frozenset(
    (
        *("пути", "езды", "лета", "полета", "ходьбы", "работы", "подряд", "шляху", "їзди"),
        *("обязательных", "исправительных", "общественных", "громадських"),
    )
)
"""Words behind hours that were spent."""
_lasting = re.compile(
    r"(?:разниц|різниц|длит|продолж|протяж|опозд|задерж|затрим|запізн|срок|смен|интерв|пауз"
    r"|перерыв|очеред|рекорд|уложи|объем|стаж|лимит|ограничен)\w*(?: \w+)? (?:в|во) \Z"
)
_changed = re.compile(
    r"(?:рос|увелич|збільш|сниз|зниз|сокра|скоро|уменьш|зменш|продл|подовж|повы|удлин)"
)
_BEFORE_RANGE = 48
"""Characters before a range of hours in which is told that it grew or shrank."""
_range_begun = re.compile(
    r"(?<!\w)(?:с|со|з|із|зі) [0-9]{1,2}(?:-\w{1,2})?(?: ч\.?| час(?:ов|а)| години)? (?:до|по) \Z"
)
_day_behind = re.compile(rf" ?[^\W\d_]+\.? {DAY_AND_MONTH}")
_plain = re.compile(
    r"[0-9]{1,2}(?:-\w{1,2})? ?(?:ч\b|час|годин)\w*+\.?+"
    r"(?! (?:утра|дня|вечера|ночи|ранку|вечора|ночі))"
)
_hyphened = re.compile(r"([01]?[0-9]|2[0-3])-(0[0-9])\Z")
_at = re.compile(r"(?<!\w)(?:в|во|о|об|у|к|ко|с|со|з|із|до|по|на|после|після|около|близько) \Z")
_LONGEST = 9


def time_of_hours(around: Context) -> int | None:
    """Return the minutes since midnight of "в 10 часов", but not of "14 часов" that it took."""
    hour, rest = divmod(around.numeral.value, MILLION)
    if rest or not 0 <= hour < _HOURS_OF_DAY:
        return None
    word, behind, _ = around.words
    if behind in _NO_TIMES:
        return None
    named = _closed(around) if around.label in ("до", "по") else _named(around, hour, word)
    return hour * _HOUR if named else None


def _named(around: Context, hour: int, word: str) -> bool:
    """Return whether the word before the hour and the form of the word behind it name a time."""
    words = _HOUR_FORMS.get(around.label, ())
    if not words:
        return False
    if hour < _EARLIEST or word not in words:
        return hour >= _IN_FULL and word in _SINGULAR and "ч" in words
    if around.label in ("в", "во"):
        return _lasting.search(around.before) is None
    return around.label not in ("с", "со") or not _of_change(around)


def _closed(around: Context) -> bool:
    """Return whether the number ends a range of hours, or a day stands behind it."""
    if _day_behind.match(around.lower, around.end):
        return True
    if around.words[0].startswith("годин") and around.words[0] != "години":
        return False
    return _range_begun.search(around.before) is not None and not _of_change(around)


def _of_change(around: Context) -> bool:
    """Return whether a span grew or shrank: "увеличили смену с 8 до 12 часов"."""
    start = around.numeral.start
    return _changed.search(around.lower, max(0, start - _BEFORE_RANGE), start) is not None


def has_no_part_of_day(lower: str, start: int) -> bool:
    """Return whether the hour that begins there has no part of the day behind it: "18 часов"."""
    return _plain.match(lower, start) is not None


def parse_hyphened(lower: str, literal: str, start: int) -> int | None:
    """Return the minutes since midnight of "19-00", and of "9-05" behind a preposition."""
    found = _hyphened.match(literal)
    if found is None:
        return None
    if found[2] != "00" and not _at.search(lower, max(0, start - _LONGEST), start):
        return None
    return int(found[1]) * _HOUR + int(found[2])
