"""Days: the names of months and of days near the publication, and one number for a day."""

import re
from collections.abc import Collection, Iterator
from datetime import date, timedelta

_MONTHS = (
    "января янв січня січ january jan",
    "февраля фев февр лютого лют february feb",
    "марта мар березня бер march mar",
    "апреля апр квітня квіт april apr",
    "мая травня трав may",
    "июня июн червня черв june jun",
    "июля июл липня лип july jul",
    "августа авг серпня серп august aug",
    "сентября сен сент вересня вер september sep sept",
    "октября окт жовтня жовт october oct",
    "ноября ноя нояб листопада лист november nov",
    "декабря дек грудня груд december dec",
)
MONTHS = {name: month for month, names in enumerate(_MONTHS, 1) for name in names.split()}
DAY_AND_MONTH = rf"[0-3]?[0-9] (?:{'|'.join([name for name in MONTHS if not name.isascii()])})\b"
"""A pattern of "14 мая"; English mostly has the month before the day."""
_WEEKDAYS = (
    "понедельник понедельника понеділок понеділка monday",
    "вторник вторника вівторок вівторка tuesday",
    "среду среды середу середи wednesday",
    "четверг четверга четвер четверга thursday",
    "пятницу пятницы п'ятницю п'ятниці friday",
    "субботу субботы суботу суботи saturday",
    "воскресенье воскресенья неділю неділі sunday",
)
WEEKDAYS = {name: day for day, names in enumerate(_WEEKDAYS) for name in names.split()}
DAYS_AGO = {
    "позавчера": 2,
    "позавчора": 2,
    "вчера": 1,
    "вчора": 1,
    "накануне": 1,
    "напередодні": 1,
    "yesterday": 1,
    "сегодня": 0,
    "сьогодні": 0,
    "today": 0,
    "завтра": -1,
    "tomorrow": -1,
    "послезавтра": -2,
    "післязавтра": -2,
}
DAY_WORDS = frozenset(WEEKDAYS) | frozenset(DAYS_AGO)
_MONTH, _YEAR = 32, 32 * 16
_HALF_A_YEAR = 183
_WEEK, _DAY = timedelta(days=7), timedelta(days=1)
_FIRST_YEAR = 1799
"""Year zero, kept for days whose year is not known."""
_LEAP_YEAR = 2000
"""Stands for an unknown year while the day is checked."""


def resolve_day(word: str, published: date) -> int:
    """Return the day that a word means in a text of that day; a weekday is the last such one."""
    ago = DAYS_AGO.get(word)
    if ago is None:
        ago = (published.weekday() - WEEKDAYS[word]) % 7
    # Clamped, because the first and the last day of the calendar have no neighbours.
    ordinal = min(max(published.toordinal() - ago, 1), date.max.toordinal())
    return encode_day(date.fromordinal(ordinal))


def encode_day(day: date) -> int:
    """Return the number of a day; its lowest 9 bits are the month and the day of the month."""
    return (day.year - _FIRST_YEAR) * _YEAR + day.month * _MONTH + day.day


def calendar_day(*, day: int, month: int, year: int | None, published: date | None) -> int | None:
    """Return the number of a written day, or None if the calendar has no such day.

    Without a year it is the one nearest to the publication, and of unknown year if that is unknown.
    """
    if not 1 <= month <= 12:
        return None
    unknown = year is None and published is None
    if year is None:
        year = _LEAP_YEAR if published is None else _nearest_year(month, published)
    if not _FIRST_YEAR < year < _FIRST_YEAR + 500:
        return None
    try:
        found = encode_day(date(year, month, day))
    except ValueError:
        return None
    return found % _YEAR if unknown else found


def _nearest_year(month: int, published: date) -> int:
    """Return the year that puts the middle of the month nearest to the publication."""
    days = (published - date(published.year, month, 15)).days
    return published.year + (days > _HALF_A_YEAR) - (days < -_HALF_A_YEAR)


def may_be_same_day(left: int, right: int) -> bool:
    """Return whether two days may be one: equal, or equal but for a year that one leaves open."""
    unknown = left < _YEAR or right < _YEAR
    return left == right or (unknown and left % _YEAR == right % _YEAR)


def are_a_week_apart(one: int, other: int) -> bool:
    """Return whether seven days lie between two days whose years are known."""
    return abs(_date(other) - _date(one)) == _WEEK


def is_day_after(one: int, other: int) -> bool:
    """Return whether the other day, of a known year as the one is, comes right behind it."""
    return _date(other) - _date(one) == _DAY


def _date(day: int) -> date:
    year, rest = divmod(day, _YEAR)
    return date(year + _FIRST_YEAR, *divmod(rest, _MONTH))


def format_day(day: int) -> str:
    """Return a day as text: 2024-10-28, or --10-28 where the year is unknown."""
    year, rest = divmod(day, _YEAR)
    month, number = divmod(rest, _MONTH)
    return f"{year + _FIRST_YEAR if year else '-'}-{month:02}-{number:02}"


WEEKDAY_UNIT = "weekday"
"""The unit of a day that a weekday names: taken for the last such day, it may be the next one."""

LATE, EARLY = "late", "early"
"""How the units begin of days that are told within three hours before and after midnight.

"Yesterday" of a text of 23:50 and of its copy of 00:20 are two days. Past these hours it is another
day, most of all where a source says "today" every day.
"""
_LATE, _EARLY = 21, 3

_ALSO_NOUNS = frozenset(("среду", "среды", "середу", "середи", "неділю", "неділі"))
"""Weekdays that also mean surroundings ("окружающей среды") or, in older texts, a week."""
_of_the_week = re.compile(
    r"(?:(?<!\w)(?:в|во|у|на|до|с|со|з|із|зі|по|утром|вечером|днем|днём|ночью|вранці|ввечері|вдень)"
    r"(?: (?:эту|прошлую|минувшую|ближайшую|следующую|цю|минулу|найближчу|наступну))?"
    r"|(?<!\w)(?:этой|прошлой|минувшей|следующей|цієї|минулої|наступної)) \Z"
)
_BEFORE = 24
"""Characters before a word in which its preposition stands."""


def find_day_words(
    lower: str, words: Collection[str], published: date, hour: int | None
) -> Iterator[tuple[int, int, str]]:
    """Yield the place, the day and the unit of each such word, at its first place by itself."""
    for word in sorted(words):
        start = _place(lower, word)
        if start is not None:
            yield start, resolve_day(word, published), _unit(word, hour)


def _unit(word: str, hour: int | None) -> str:
    """Return how the word names its day: as a weekday, or from an hour that is near midnight."""
    if word in WEEKDAYS:
        return WEEKDAY_UNIT
    if hour is None or _EARLY <= hour < _LATE:
        return ""
    return f"{EARLY if hour < _EARLY else LATE} {DAYS_AGO[word]}"


def _place(lower: str, word: str) -> int | None:
    """Return where the word first stands by itself and names a day, or None.

    Where a written day follows, that is the day, also of the same word further on.
    """
    start = lower.find(word)
    while start >= 0:
        end = start + len(word)
        alone = not (lower[start - 1 : start].isalnum() or lower[end : end + 1].isalnum())
        if (
            alone
            and (word not in _ALSO_NOUNS or _names_a_day(lower, start))
            and not names_no_day(lower, word, start, end)
        ):
            return None if has_date_beside(lower, start, end) else start
        start = lower.find(word, end)
    return None


def _names_a_day(lower: str, start: int) -> bool:
    return _of_the_week.search(lower, max(0, start - _BEFORE), start) is not None


_MONTH_NAME = rf"(?:{'|'.join(MONTHS)})\b"
_DAY_OF_MONTH = r"[0-9]{1,2}(?:-?(?:го|е|st|nd|rd|th))?"
_OR = r"(?: ?- ?| (?:и|й|і|та|and|or) )"
_dated = re.compile(
    rf"(?:{_OR}(?:(?:в|во|у|on) )?(?:{'|'.join(WEEKDAYS)}))?(?:,| -)? \(?"
    rf"(?:(?:the )?{_DAY_OF_MONTH}(?:{_OR}{_DAY_OF_MONTH})? {_MONTH_NAME}|{_MONTH_NAME}\.? [0-9]"
    r"|[0-9]{1,2}[./][0-9]{1,2}[./][0-9]{2})"
)
_date_before = re.compile(
    rf"(?:[0-9](?:-го|st|nd|rd|th)? {_MONTH_NAME}\.?|{_MONTH_NAME}\.? {_DAY_OF_MONTH})"
    r"(?:,? [12][0-9]{3}(?: года| року| г\.| р\.)?)?(?:,? \(|, )(?:(?:в|во|у|on|a) )?\Z"
)
_LONGEST_DATE = 40
"""Characters before a weekday in which its date stands."""
_names_before = re.compile(
    r"(?:\b(?:black|good|easter|palm|holy|super|cyber|ash|maundy|shrove|bloody"
    r"|(?:mail|independent) on)|\b(?:черн|чорн|страстн|вербн|прощен|кибер|кібер)\w*)[ -]\Z"
)
_LONGEST_NAME = 16
_papers = re.compile(r" (?:times|mail|telegraph|mirror|express|herald|tribune|independent)\b")
_EVES = frozenset(("накануне", "напередодні"))
_eve_of = re.compile(
    r" (?:[^\W\d_]+(?:ого|его|их|ых|ої|ей|ой) )?(?:праздник(?:а|ов)|свята?|выборов|виборів"
    r"|матч[ау]|игры|гри|финала|фіналу|турнира|турніру|сезона|сезону|старта|старту|визита|візиту|поездки"
    r"|поїздки|саммита|саміту|встречи|зустрічі|переговор(?:ов|ів)|заседания|засідання|голосования"
    r"|голосування|референдума|референдуму|рождества|різдва|пасхи|великодня|дня|нового|года|року"
    r"|годовщины|річниці|съезда|з'їзду|суда|суду|концерта|концерту|инаугурации|інавгурації)\b"
)


def has_date_beside(lower: str, start: int, end: int) -> bool:
    """Return whether a written day says which one a word means: "в субботу, 17 мая"."""
    if _dated.match(lower, end):
        return True
    closed = lower[end : end + 1] in (",", ")")
    return closed and _date_before.search(lower, max(0, start - _LONGEST_DATE), start) is not None


def names_no_day(lower: str, word: str, start: int, end: int) -> bool:
    """Return whether the word is a part of a name, or tells on the eve of what something was."""
    if word in WEEKDAYS:
        if _names_before.search(lower, max(0, start - _LONGEST_NAME), start):
            return True
        return word == "sunday" and _papers.match(lower, end) is not None
    if word == "today":
        return lower.endswith("usa ", 0, start)
    if word == "сегодня":
        return lower.endswith("россия ", 0, start) and lower.startswith('"', end)
    return word in _EVES and _eve_of.match(lower, end) is not None
