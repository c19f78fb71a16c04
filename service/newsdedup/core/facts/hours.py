"""Times of day without a colon: "9 p.m.", "с 22.00 до 6.00", "3 часа ночи", "0147 GMT"."""

import re

from newsdedup.core.facts.context import Context
from newsdedup.core.facts.days import DAY_AND_MONTH
from newsdedup.core.facts.fact import MILLION
from newsdedup.core.facts.units import SCALES, measure_of
from newsdedup.data.lang import DAY_FIRST, affixes, any_of, meanings, pattern, rows, words

_HOUR, _MIDDAY = 60, 12 * 60
_LATEST = 24 * MILLION
_HALF_DAYS = frozenset(("a", "p", "am", "pm"))
MERIDIEM = re.compile(r" ?([ap])\.?m\b")
"""Matches "a.m." or "p.m." behind a number."""
_AFTERNOON = {"morning": (), "day": range(1, 8), "evening": range(1, 12), "night": range(9, 12)}
"""The hours of each part of a day that stand for hours after midday."""
_PARTS = meanings("times.parts")
_FEW = range(2, 5)
"""Numbers that are ambiguous before such a word: "3 дня" is 3 p.m. or a span of three days."""
_NEVER_COUNTED = words("times.never_counted")
_part = re.compile(rf" ?(?:([ap])\.?m\b|({any_of(_PARTS)}))")

_AT = words("times.at")
_AT_ORDINAL = words("times.at", folders=["uk"])
_FROM = words("times.from")
_FROM_ENGLISH = words("times.from", folders=["en"])
_TO = words("times.until", "times.towards")
ABOUT_TIMES = words("times.about")
"""Words before a vague time of day: "about 6" and 6:10 do not conflict."""
_CLOSE = ABOUT_TIMES.union(words("times.towards", "times.after"))
_NEAR = _AT | _FROM | _TO | _CLOSE
_ZONES = words("times.zones")
_LASTING_FOR = words("times.lasting_for")
_HOW_OFTEN = affixes("times.how_often")
_hour_word = re.compile(pattern("times.hour"))
_ordinal_hour = re.compile(pattern("times.ordinal_hour"))
_stated_on = re.compile(rf"{pattern('times.stated_on')} \Z")
_zone_or_day = re.compile(rf" \(?(?:{pattern('times.local_time')}|{DAY_AND_MONTH})")
"""What may follow a time of day but never a price: a time zone, or the day."""
HOUR_WORDS = _HALF_DAYS | _ZONES | frozenset(_PARTS)
"""Words of which one follows each whole number that names a time of day."""
_TIME = r"(?:[01]?[0-9]|2[0-3])\.[0-5][05]"
DOTTED_TIME = re.compile(r"(?:[01]?[0-9]|2[0-3])\.[0-5][0-9](?![0-9%]|[.,:][0-9])")
"""A time with a dot: "в 17.00", "о 10.30"; decimals have a comma in those languages."""
_AND = rf"(?: {pattern('times.hour')})?(?: ?- ?| {pattern('times.until')} )"
_ends = re.compile(
    rf"({_TIME}){_AND}({_TIME})(?![0-9%]|[.,:][0-9])(?: ?([^\W\d_]+|[^\w\s.,;:!?()\"'-]))?"
)
_begun = re.compile(rf"(?<!\w)([^\W\d_]+) ({_TIME}){_AND}\Z")
_value_moves = re.compile(pattern("times.values_move"))
"""Words for a change of value: the range of numbers that follows one is not a range of hours."""
_ROUND = frozenset(("00", "15", "30", "45"))
"""At least one end of a range of hours has these minutes; "с 10.05 по 12.05" may be two days, and
most prices end in other digits."""


def time_of_day(context: Context) -> int | None:
    """Return the minutes since midnight of a number without a unit; None if it names no time."""
    start, end, value, _, plain = context.numeral
    word = context.words[0]
    if word in _ZONES and plain and end - start == 4:
        hours, minutes = divmod(value // MILLION, 100)
        return hours * _HOUR + minutes if minutes < _HOUR and value <= 2_400 * MILLION else None
    if value >= _LATEST:
        return None
    if value < 13 * MILLION and word in _HALF_DAYS:
        meridiem = MERIDIEM.match(context.lower, end)
        if meridiem is not None and value % MILLION < MILLION * _HOUR // 100:
            return _minutes(value, hours=12) + _MIDDAY * (meridiem[1] == "p")
    if context.lower[end - 3 : end - 2] == "." and DOTTED_TIME.match(context.lower, start):
        return _by_dot(context)
    if word in _PARTS or context.words[1] in _PARTS:
        return _by_part(context)
    return None


def with_part_of_day(lower: str, end: int, minutes: int) -> int:
    """Return the minutes since midnight of "9:30" in the half of the day that "pm" at `end` says.

    `minutes` is the time as written; without "pm" or a word like "вечера" it is returned as it is.
    """
    part = _part.match(lower, end)
    if part is None or part[1] is None:
        return minutes if part is None else _to_24_hours(minutes, part[2])
    return minutes % _MIDDAY + _MIDDAY * (part[1] == "p")


def _to_24_hours(minutes: int, part: str) -> int:
    """Return the minutes since midnight of a 12-hour time in minutes and a word like "вечера"."""
    hour = minutes // _HOUR
    if hour == 12 and _PARTS[part] in ("night", "evening"):
        return minutes - _MIDDAY
    return minutes + _MIDDAY if hour in _AFTERNOON[_PARTS[part]] else minutes


def _minutes(value: int, *, hours: int) -> int:
    """Return the minutes since midnight of a time written as a number: 570 of 9.30, 540 of 9.

    `value` is that number in millionths, `hours` what a clock counts: 12 or 24.
    """
    hour, hundredths = divmod(value // (MILLION // 100), 100)
    return hour % hours * _HOUR + hundredths % _HOUR


def _by_part(context: Context) -> int | None:
    """Return the minutes since midnight of "9 утра" or "3 часа ночи"; None for a span: "3 дня"."""
    hour, rest = divmod(context.numeral.value, MILLION)
    if rest or not 0 < hour < 13:
        return None
    (part, behind, _), label = context.words, context.label
    if part not in _PARTS:
        # "За 3 часа ночи" is how long it took.
        named = is_hour(part) and label not in _LASTING_FOR
        return _to_24_hours(hour * _HOUR, behind) if named else None
    if _PARTS[part] == "day":  # "С 1 дня" is from the first day on.
        named = hour >= _FEW.stop and label in _NEAR
    else:
        named = part in _NEVER_COUNTED or hour not in _FEW or label in _NEAR
    return _to_24_hours(hour * _HOUR, part) if named else None


def is_hour(word: str) -> bool:
    """Return whether a lower-case word means hour, abbreviations included."""
    return _hour_word.fullmatch(word) is not None or measure_of(word) == "hour"


def _by_dot(context: Context) -> int | None:
    """Return the minutes since midnight of "17.00", or None if it is a quantity or a date."""
    word, label = context.words[0], context.label
    minutes = _minutes(context.numeral.value, hours=24)
    if word in _PARTS:
        return _to_24_hours(minutes, word)
    ranged = label in _FROM or label in _TO
    if label in _AT:
        named = not word.startswith(_HOW_OFTEN)
    elif word in _ZONES:
        named = True
    elif is_hour(word):
        named = ranged and minutes % 5 == 0
    elif _ends_dotted_range(context):
        named = True
    elif measure_of(word) or word.startswith(_HOW_OFTEN):
        named = False
    elif label in _CLOSE:
        named = minutes % 5 == 0
    else:
        named = _stated_on.search(context.before) is not None or (
            ranged and _zone_or_day.match(context.lower, context.end) is not None
        )
    return minutes if named else None


def time_of_ordinal(context: Context) -> int | None:
    """Return the minutes since midnight of an ordinal ("о 9-й ранку"); None if it names no time."""
    value, (word, behind, _) = context.numeral.value, context.words
    if value >= _LATEST or context.label not in _NEAR:
        return None
    hour = value // MILLION
    if word in _PARTS:
        named = _PARTS[word] != "day" or context.label in _AT_ORDINAL
        return _to_24_hours(hour * _HOUR, word) if named else None
    if not _ordinal_hour.fullmatch(word):
        return None
    if behind in _PARTS:
        return _to_24_hours(hour * _HOUR, behind)
    return hour * _HOUR if hour >= _FEW.stop else None


def _ends_dotted_range(context: Context) -> bool:
    """Return whether a number with a dot is either end of a range of hours: "с 22.00 до 6.00"."""
    label, start = context.label, context.numeral.start
    if not label or label in _TO:
        begun = _begun.search(context.before)
        if begun is None:
            return False
        label, start = begun[1], start - len(context.before) + begun.start(2)
    if label not in _FROM and label not in _AT:
        return False
    ends = _ends.match(context.lower, start)
    if ends is None or _value_moves.search(context.lower, max(0, start - 32), start):
        return False
    behind = ends[3] or ""
    if measure_of(behind) not in ("", "hour") or behind in SCALES or behind.startswith(_HOW_OFTEN):
        return False
    minutes = {ends[1][-2:], ends[2][-2:]}
    # English has decimals with a dot.
    if label in _FROM_ENGLISH:
        return "00" in minutes
    # A price has no leading zero, and minutes above 12 rule out a date.
    led = "0" in (ends[1][0], ends[2][0]) and max(minutes) > "12"
    return led or not _ROUND.isdisjoint(minutes)


_EARLIEST = 5
"""Earlier hours are ambiguous: "в 2 часа" is 2 a.m., 2 p.m. or a span."""
_LATE_HOURS = 21
"""From this hour on the word for hour may be in the singular: "в 21 час"."""

_HOUR_FORMS, _LATE_HOUR_FORMS = [
    {(label, form) for form, labels in rows(table).items() for label in labels}
    for table in ("times.hour_forms", "times.late_hour_forms")
]
"""Pairs of a preposition and a form of "hour" that name a time: "в 10 часов"."""
_BEFORE_HOURS = frozenset(label for label, _ in _HOUR_FORMS)
_UNTIL_HOURS = words("times.until", folders=DAY_FIRST)
_FROM_HOURS = words("times.from", folders=DAY_FIRST)
_LASTS_IN = words("times.lasts_in")
_SPAN_FORMS = words("times.span_forms")
_SPENT = words("times.spent")
_lasting = re.compile(rf"{pattern('times.lasts')}(?: \w+)? {pattern('times.lasts_in')} \Z")
_span_changes = re.compile(pattern("times.span_changes"))
_SUFFIX = r"(?:-\w{1,2})?"
_range_begun = re.compile(
    rf"{any_of(_FROM_HOURS)} [0-9]{{1,2}}{_SUFFIX}(?: {pattern('times.hour')}\.?)?"
    rf" {any_of(_UNTIL_HOURS)} \Z"
)
_day_behind = re.compile(rf" ?[^\W\d_]+\.? {DAY_AND_MONTH}")
HOURS_ALONE = re.compile(
    rf"[0-9]{{1,2}}{_SUFFIX} ?(?>{pattern('times.hour')})\.?+(?! {any_of(_PARTS)})"
)
"""Matches "18 часов" without a part of the day behind it."""
_hyphened = re.compile(r"([01]?[0-9]|2[0-3])-(0[0-9])\Z")
_before_time = re.compile(rf"{any_of(_NEAR | _BEFORE_HOURS)} \Z")


def time_of_hours(context: Context) -> int | None:
    """Return the minutes since midnight of "в 10 часов"; None for a duration: "14 часов"."""
    hour, rest = divmod(context.numeral.value, MILLION)
    if rest or not 0 <= hour < 24:
        return None
    word, behind, _ = context.words
    if context.label not in _UNTIL_HOURS:
        named = _has_form_of_time(context, hour, word)
    else:  # "с 8 до 17 часов", or a day follows
        begun = word not in _SPAN_FORMS and _range_begun.search(context.before)
        named = bool(begun and not _is_span_change(context))
        named = named or _day_behind.match(context.lower, context.end) is not None
    return hour * _HOUR if named and behind not in _SPENT else None


def _has_form_of_time(context: Context, hour: int, word: str) -> bool:
    """Return whether the preposition and `word`, a form of "hour", name a time, no duration."""
    label = context.label
    if label not in _BEFORE_HOURS:
        return False
    if hour < _EARLIEST or (label, word) not in _HOUR_FORMS:
        return hour >= _LATE_HOURS and (label, word) in _LATE_HOUR_FORMS
    if label in _LASTS_IN:
        return _lasting.search(context.before) is None
    return label not in _FROM or not _is_span_change(context)


def _is_span_change(context: Context) -> bool:
    """Return whether the text before the number states a changed length: "увеличили смену с 8"."""
    start = context.numeral.start
    return _span_changes.search(context.lower, max(0, start - 48), start) is not None


def parse_hyphened(lower: str, literal: str, start: int) -> int | None:
    """Return the minutes since midnight of "19-00", or of "в 9-05", else None."""
    time = _hyphened.match(literal)
    if time is None:
        return None
    named = time[2] == "00" or _before_time.search(lower, max(0, start - 9), start)
    return int(time[1]) * _HOUR + int(time[2]) if named else None
