"""Days: the names of months and of days near the publication, and one number for a day."""

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
AGO = {
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
SPOKEN = frozenset(WEEKDAYS) | frozenset(AGO)
_MONTH, _YEAR = 32, 32 * 16
_HALF_A_YEAR = 183
_WEEK, _DAY = timedelta(days=7), timedelta(days=1)
_FIRST_YEAR = 1799
"""Year zero, kept for days whose year is not known."""
_LEAP_YEAR = 2000
"""Stands for an unknown year while the day is checked."""


def spoken(word: str, published: date) -> int:
    """Return the day that a word means in a text of that day; a weekday is the last such one."""
    ago = AGO.get(word)
    if ago is None:
        ago = (published.weekday() - WEEKDAYS[word]) % 7
    # Clamped, because the first and the last day of the calendar have no neighbours.
    ordinal = min(max(published.toordinal() - ago, 1), date.max.toordinal())
    return coded(date.fromordinal(ordinal))


def coded(day: date) -> int:
    """Return the number of a day; its lowest 9 bits are the month and the day of the month."""
    return (day.year - _FIRST_YEAR) * _YEAR + day.month * _MONTH + day.day


def written(*, day: int, month: int, year: int | None, published: date | None) -> int | None:
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
        found = coded(date(year, month, day))
    except ValueError:
        return None
    return found % _YEAR if unknown else found


def _nearest_year(month: int, published: date) -> int:
    """Return the year that puts the middle of the month nearest to the publication."""
    days = (published - date(published.year, month, 15)).days
    return published.year + (days > _HALF_A_YEAR) - (days < -_HALF_A_YEAR)


def same(left: int, right: int) -> bool:
    """Return whether two days may be one: equal, or equal but for a year that one leaves open."""
    unknown = left < _YEAR or right < _YEAR
    return left == right or (unknown and left % _YEAR == right % _YEAR)


def a_week_apart(one: int, other: int) -> bool:
    """Return whether seven days lie between two days whose years are known."""
    return abs(_date(other) - _date(one)) == _WEEK


def the_day_after(one: int, other: int) -> bool:
    """Return whether the other day, of a known year as the one is, comes right behind it."""
    return _date(other) - _date(one) == _DAY


def _date(day: int) -> date:
    year, rest = divmod(day, _YEAR)
    return date(year + _FIRST_YEAR, *divmod(rest, _MONTH))


def shown(day: int) -> str:
    """Return a day as text: 2024-10-28, or --10-28 where the year is unknown."""
    year, rest = divmod(day, _YEAR)
    month, number = divmod(rest, _MONTH)
    return f"{year + _FIRST_YEAR if year else '-'}-{month:02}-{number:02}"
