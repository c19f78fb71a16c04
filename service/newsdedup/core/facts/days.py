"""Days in texts: the words that name one, and one number for a day."""

import re
from collections.abc import Collection, Iterator
from datetime import date

from newsdedup.data.lang import DAY_FIRST, any_of, numbered, pattern, words

MONTHS = numbered("days.months")
DAY_AND_MONTH = rf"[0-3]?[0-9] {any_of(numbered('days.months', DAY_FIRST))}"
"""A pattern of "14 мая"; English mostly has the month before the day."""
WEEKDAYS = {word: number - 1 for word, number in numbered("days.weekdays").items()}
DAYS_AGO = numbered("days.days_ago")
DAY_WORDS = frozenset(WEEKDAYS) | frozenset(DAYS_AGO)
WEEKDAY_UNIT = "weekday"
"""The unit of a day that a weekday names: taken for the last such day, it may be the next one."""
RELATIVE_UNIT = "relative"
"""The unit of a day that "yesterday" and the like name, far from midnight."""
LATE, EARLY = "late", "early"
"""How the units begin of days that are named within three hours before and after midnight.

"Yesterday" of a text of 23:50 and of its copy of 00:20 are two days. Further from midnight two such
days differ, most of all where a source says "today" every day.
"""

_MONTH, _YEAR = 32, 32 * 16
_HALF_A_YEAR = 183
_FIRST_YEAR = 1799
"""Year zero, kept for days whose year is not known."""
_AGES = 1 << 14
"""Added to years before the first one: an item of 1650 knows its "yesterday", too."""
_LEAP_YEAR = 2000
"""Replaces an unknown year while the day is checked."""
_ALSO_NOUNS = words("days.weekday_nouns")
_names_weekday = re.compile(
    rf"(?:{pattern('days.before_weekday')}(?: {pattern('days.which_weekday')})?"
    rf"|{pattern('days.which_weekday_alone')}) \Z"
)
_MONTH_NAME = any_of(MONTHS)
_SUFFIX = pattern("days.day_suffixes")
_DAY_OF_MONTH = rf"[0-9]{{1,2}}{_SUFFIX}?"
_AT = rf"(?:{pattern('days.at_weekday')} )?"
_OR = rf"(?: ?- ?| {pattern('grammar.and', 'grammar.or')} )"
_date_behind = re.compile(
    rf"(?:{_OR}{_AT}{any_of(WEEKDAYS)})?(?:,| -)? \(?"
    rf"(?:(?:the )?{_DAY_OF_MONTH}(?:{_OR}{_DAY_OF_MONTH})? {_MONTH_NAME}|{_MONTH_NAME}\.? [0-9]"
    r"|[0-9]{1,2}[./][0-9]{1,2}[./][0-9]{2})"
)
_date_before = re.compile(
    rf"(?:[0-9]{_SUFFIX}? {_MONTH_NAME}\.?|{_MONTH_NAME}\.? {_DAY_OF_MONTH})"
    rf"(?:,? [12][0-9]{{3}}(?: {pattern('days.year_behind')})?)?(?:,? \(|, ){_AT}\Z"
)
_bracketed_number = re.compile(r" \([0-3]?[0-9]\)")
_bracketed_day = re.compile(
    rf"{any_of((*WEEKDAYS, *DAYS_AGO, *words('days.before_day_of_month')))} \(([0-3]?[0-9])\)"
)
_before_name = re.compile(rf"{pattern('days.before_names')}[ -]\Z")
_NAMES = words("days.names")
_EVES = words("days.eves")
_eve_of = re.compile(rf" (?:[^\W\d_]+{pattern('days.eve_adjectives')} )?{pattern('days.eve_of')}")


def encode_day(day: date) -> int:
    """Return the number of a day; its lowest 9 bits are the month and the day of the month."""
    year = day.year - _FIRST_YEAR
    return (year if year > 0 else year + _AGES) * _YEAR + day.month * _MONTH + day.day


def _year_of(year: int) -> int:
    """Return the calendar year that the year part of a day number stands for."""
    return year + _FIRST_YEAR - (_AGES if 2 * year > _AGES else 0)


def format_day(day: int) -> str:
    """Return the number of a day as text: 2024-10-28, or --10-28 where the year is unknown."""
    year, rest = divmod(day, _YEAR)
    month, number = divmod(rest, _MONTH)
    return f"{_year_of(year) if year else '-'}-{month:02}-{number:02}"


def calendar_day(*, day: int, month: int, year: int | None, published: date | None) -> int | None:
    """Return the number of a written day, or None if the calendar has no such day.

    Without a year it is the one nearest to the publication; if that is unknown, too, the number is
    of unknown year. None also for a year before 1800 or after 2298, except near the publication.
    """
    if not 1 <= month <= 12:
        return None
    unknown = year is None and published is None
    if year is None:
        year = _LEAP_YEAR if published is None else _nearest_year(month, published)
    of_its_time = published is not None and abs(published.year - year) <= 1
    if not (of_its_time or _FIRST_YEAR < year < _FIRST_YEAR + 500):
        return None
    number = _day_number(year, month, day)
    return number % _YEAR if unknown and number is not None else number


def _day_number(year: int, month: int, day: int) -> int | None:
    """Return the number of a day, or None if the calendar has no such day."""
    try:
        return encode_day(date(year, month, day))
    except (ValueError, OverflowError):  # the latter for a number beyond any calendar
        return None


def day_in_month_of(day: int, of_month: int, *, month_before: bool) -> int | None:
    """Return the number of the day `of_month`, 1 to 31, in the month of `day` or `month_before`.

    None if that month has no such day. If the year of `day` is unknown, so is that of the result.
    """
    part, rest = divmod(day, _YEAR)
    year, month = _year_of(part) if part else _LEAP_YEAR, rest // _MONTH
    if month_before:
        year, month = (year, month - 1) if month > 1 else (year - 1, 12)
    number = _day_number(year, month, of_month)
    return number if part or number is None else number % _YEAR


def day_of_month(day: int) -> int:
    """Return the day of the month of a day number, 1 to 31."""
    return day % _MONTH


def day_a_year_before(day: int) -> int | None:
    """Return the number of the same day one year before, or None if the calendar lacks it."""
    year, rest = divmod(day, _YEAR)
    return _day_number(_year_of(year) - 1, *divmod(rest, _MONTH))


def is_calendar_day(day: int) -> bool:
    """Return whether the calendar has the day of a number, as of all that this module returns."""
    year, rest = divmod(day, _YEAR)
    return _day_number(_year_of(year) if year else _LEAP_YEAR, *divmod(rest, _MONTH)) is not None


def _nearest_year(month: int, published: date) -> int:
    """Return the year that puts the middle of the month nearest to the publication."""
    days = (published - date(published.year, month, 15)).days
    return published.year + (days > _HALF_A_YEAR) - (days < -_HALF_A_YEAR)


def may_be_same_day(left: int, right: int) -> bool:
    """Return whether two day numbers are equal, or equal but for a year that one leaves open."""
    unknown = left < _YEAR or right < _YEAR
    return left == right or (unknown and left % _YEAR == right % _YEAR)


def days_between(one: int, other: int) -> int:
    """Return by how many days `other` is later; the years of both day numbers are known."""
    return (_date(other) - _date(one)).days


def has_year(day: int) -> bool:
    """Return whether the year of a day number is known."""
    return day >= _YEAR


def _date(day: int) -> date:
    """Return the calendar date of a day number whose year is known."""
    year, rest = divmod(day, _YEAR)
    return date(_year_of(year), *divmod(rest, _MONTH))


def resolve_day(word: str, published: date) -> int:
    """Return the number of the latest day that one of `DAY_WORDS` may mean in a text of this date.

    A weekday is the last such day, the date of publication included.
    """
    ago = DAYS_AGO.get(word)
    if ago is None:
        ago = (published.weekday() - WEEKDAYS[word]) % 7
    return day_ago(ago, published)


def day_ago(ago: int, published: date) -> int:
    """Return the number of the day so many days before the publication."""
    # Clamped, because the first and the last day of the calendar have no neighbours.
    ordinal = min(max(published.toordinal() - ago, 1), date.max.toordinal())
    return encode_day(date.fromordinal(ordinal))


def find_bracketed_days(lower: str, published: date) -> Iterator[tuple[int, int]]:
    """Yield (index, day number) of each "on Wednesday (30)": the nearest 30th to `published`."""
    if _bracketed_number.search(lower) is None:
        return
    for match in _bracketed_day.finditer(lower):
        day = nearest_day(int(match[1]), published)
        if day is not None:
            yield match.start(1), encode_day(day)


def nearest_day(of_month: int, published: date) -> date | None:
    """Return the date nearest to the publication that is day `of_month` of its month.

    None if it is none of the 15 days before and 16 days after: a 31st is not near every date.
    """
    today, last = published.toordinal(), date.max.toordinal()
    around = range(max(today - 15, 1), min(today + 16, last) + 1)
    days = [day for day in map(date.fromordinal, around) if day.day == of_month]
    return min(days, key=lambda day: abs((day - published).days), default=None)


def find_day_words(
    lower: str, day_words: Collection[str], published: date, hour: int | None
) -> Iterator[tuple[int, int, str]]:
    """Yield (index, day number, unit) of each of these `DAY_WORDS`, where it first names a day.

    `hour` is that of the publication, None if unknown; near midnight it goes into the unit.
    """
    for word in sorted(day_words):
        start = _find_word(lower, word)
        if start is not None:
            named = word in WEEKDAYS
            unit = WEEKDAY_UNIT if named else relative_unit(DAYS_AGO[word], hour)
            yield start, resolve_day(word, published), unit


def relative_unit(ago: int, hour: int | None) -> str:
    """Return the unit of "yesterday" and the like; near midnight it is "late N" or "early N".

    N is how many days ago the word means. `hour` is that of the publication, None if unknown.
    """
    if hour is None or 3 <= hour < 21:
        return RELATIVE_UNIT
    return f"{EARLY if hour < 3 else LATE} {ago}"


def _find_word(lower: str, word: str) -> int | None:
    """Return the index at which a word first names a day; None if it never does.

    None also where a written date next to the word says which day it is.
    """
    start = lower.find(word)
    while start >= 0:
        end = start + len(word)
        alone = not (lower[start - 1 : start].isalnum() or lower[end : end + 1].isalnum())
        if alone and _names_day(lower, word, start, end):
            return None if _has_date(lower, start, end) else start
        start = lower.find(word, end)
    return None


def _names_day(lower: str, word: str, start: int, end: int) -> bool:
    """Return whether the word from `start` to `end` means a day, not a name or an eve."""
    if word in _ALSO_NOUNS and not _names_weekday.search(lower, max(0, start - 24), start):
        return False
    if word in WEEKDAYS and _before_name.search(lower, max(0, start - 16), start):
        return False
    if word in _EVES:
        return _eve_of.match(lower, end) is None
    return not any(
        word in name and lower.startswith(name, max(0, start - name.index(word))) for name in _NAMES
    )


def _has_date(lower: str, start: int, end: int) -> bool:
    """Return whether a written day says which one a word means: "в субботу, 17 мая"."""
    if _date_behind.match(lower, end) or _bracketed_number.match(lower, end):
        return True
    closed = lower[end : end + 1] in (",", ")")
    return closed and _date_before.search(lower, max(0, start - 40), start) is not None
