"""Dates that no standard defines: months in words, the day first, 12-hour clocks.

"Nov 20, 2026", "20 ноября 2026 г., 14:05", "20.11.2026 14:05", "2026/11/20 2:05 PM +0300". Names
of months and weekdays come from the word tables of all languages. Two numbers around a slash that
may both be the month ("03/04/2026") are read only by a caller that knows which one is the day. What
has no zone is UTC.
"""

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import cache
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from newsdedup.data.lang import numbered, words

ZONES: Final[Mapping[str, int | str]] = {
    **dict.fromkeys(("UTC", "GMT", "UT", "Z", "WET"), 0),
    **dict.fromkeys(("CET", "BST", "WEST", "MET", "MEZ", "WAT"), 60),
    **dict.fromkeys(("EET", "CEST", "MEST", "MESZ", "CAT", "SAST"), 120),
    **dict.fromkeys(("MSK", "EEST", "EAT", "TRT"), 180),
    **dict.fromkeys(("MSD", "SAMT", "AZT", "GST"), 240),
    **dict.fromkeys(("PKT", "UZT", "YEKT"), 300),
    **dict.fromkeys(("WIB", "ICT", "NOVT", "KRAT"), 420),
    **dict.fromkeys(("HKT", "SGT", "PHT", "MYT", "WITA", "AWST", "IRKT"), 480),
    **dict.fromkeys(("JST", "KST", "WIT", "YAKT"), 540),
    **dict.fromkeys(("AEST", "VLAT"), 600),
    "IRST": 210,
    "NPT": 345,
    "OMST": 360,
    "ACST": 570,
    "ACDT": 630,
    "AEDT": 660,
    "NZST": 720,
    "NZDT": 780,
    "NST": -210,
    "NDT": -150,
    "ADT": -180,
    **dict.fromkeys(("BRT", "ART", "CLST", "UYT"), -180),
    **dict.fromkeys(("EDT", "CLT", "VET", "AST"), -240),
    **dict.fromkeys(("EST", "CDT", "COT", "PET"), -300),
    **dict.fromkeys(("CST", "MDT"), -360),
    **dict.fromkeys(("MST", "PDT"), -420),
    "PST": -480,
    "AKDT": -480,
    "AKST": -540,
    "HST": -600,
    "ET": "America/New_York",
    "CT": "America/Chicago",
    "MT": "America/Denver",
    "PT": "America/Los_Angeles",
}
"""Names of zones that are read: minutes east of Greenwich, or the name of a region of IANA where
the zone has two offsets in a year. A name that several countries use has its commonest meaning."""
_MONTHS_OF_A_YEAR: Final = 12
_LAST_OF_2000S: Final = 68
_NAME = r"[^\s\d_.,:;/()+-]{3,12}"
"""Letters, and the signs that are parts of letters in Hindi."""
_ORDINAL = r"(?:st|nd|rd|th|er|[ºª°]|-?го|-?е|-?ше|-?є)?"
_OF = r"(?:\s(?:de|del|di|of))?"
_DAY_MONTH = re.compile(
    rf"(?<!\d)(\d{{1,2}}){_ORDINAL}{_OF}[\s.,/-]{{1,3}}({_NAME}){_OF}[\s.,/-]{{1,3}}"
    r"(\d{4}|\d{2})(?![\d:])"
)
_MONTH_DAY = re.compile(
    rf"(?<!\w)({_NAME})[\s.]{{1,2}}(\d{{1,2}}){_ORDINAL}[\s,]{{1,2}}(\d{{4}})(?![\d:])"
)
_CTIME = re.compile(
    rf"(?<!\w)({_NAME}) (\d{{1,2}}) (?=\d{{1,2}}:)[^a-z]{{4,24}}?\b(?:[a-z]{{2,4}} )?(\d{{4}})$"
)
"""As C's ctime() and Twitter write it: "Nov 20 14:05:00 +0300 2026"."""
_YEAR_MONTH_DAY = re.compile(rf"(?<!\d)(\d{{4}})[-\s.]{{1,2}}({_NAME})[-\s](\d{{1,2}})(?!\d)")
_EAST_ASIAN = re.compile(r"(?<!\d)(\d{4})\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일]?")
"""Year, month and day, as Chinese, Japanese and Korean write them."""
_VIETNAMESE = re.compile(r"(?<!\d)(\d{1,2}) tháng (\d{1,2}),? (?:năm )?(\d{4})(?!\d)")
_EAST_ASIAN_CLOCK = re.compile(r"(\d{1,2})\s?[時时点點시]\s?(\d{1,2})\s?[分분]")
_HALF_DAY = re.compile(r"(?:(上午|午前|오전)|下午|午後|오후)\s?(\d{1,2}:\d{2}(?::\d{2})?)")
"""The first group is there in the morning."""
_MONTH_IN_WORDS: Final = (
    (_YEAR_MONTH_DAY, 1, 2, 3),
    (_DAY_MONTH, 3, 2, 1),
    (_MONTH_DAY, 3, 1, 2),
    (_CTIME, 3, 1, 2),
)
"""Forms in the order in which they are tried, and their groups of year, month and day."""
_IN_DIGITS = re.compile(r"(?<!\d)(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?!\d)")
_YEAR_FIRST = re.compile(r"(?<!\d)(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d)")
_CLOCK = re.compile(
    r"(?<![\d:])(\d{1,2}):(\d{2})(?::(\d{2}))?(?:[.,](\d{1,9}))?(\s?[ap]\.?m\b\.?)?"
)
_OFFSET = re.compile(r"(?:(?:gmt|utc)\s?)?([+-])(\d{1,2}):?(\d{2})?(?![\d:])")
_COMMENT = re.compile(r"(z|[+-]\d{1,2}:?\d{2}) ?(?:\[[^\]]*\]|\([^)]*\))$")
"""A name of the zone behind its offset: "+03:00[Europe/Kiev]", "+0300 (Moscow Standard Time)"."""
_REST = re.compile(r"[^\W\d_]+|\d")


class _Day(NamedTuple):
    """A day in a text, and the spans of the text that state it."""

    year: int
    month: int
    day: int
    spans: tuple[tuple[int, int], ...]


def read_worded_date(
    text: str,
    *,
    strict: bool = True,
    day_first: bool | None = None,
    zones: Mapping[str, int | str] = ZONES,
) -> datetime | None:
    """Return the moment that a text states, with its zone; None if it states none, or several.

    The text must be short: the caller bounds it. If `strict`, a word that is neither a weekday,
    a zone nor a filler makes the text unreadable; else such words are ignored, and an unknown
    zone counts as UTC, as feeds need it. `day_first` says whether "03/04/2026" is in April; None
    makes it unreadable. `zones` is as `ZONES`.
    """
    text = _COMMENT.sub(r"\1", " ".join(text.lower().split()))
    if not text.isascii():
        text = _EAST_ASIAN_CLOCK.sub(r"\1:\2", text)
        text = _HALF_DAY.sub(lambda half: f"{half[2]} {'am' if half[1] else 'pm'}", text)
    day = _find_day(text, day_first)
    if day is None:
        return None
    # The words of the day are blanked, so that its digits are not read as a time or an offset.
    for begin, end in day.spans:
        text = text[:begin] + " " * (end - begin) + text[end:]
    offset = None
    if clock := _CLOCK.search(text):
        text = text[: clock.start()] + " " + text[clock.end() :]
        if offset := _OFFSET.search(text):
            text = text[: offset.start()] + " " + text[offset.end() :]
    zone, unknown = _zone_of(text, offset, zones)
    if strict and unknown:
        return None
    return _moment(day, clock, zone)


def slashed_day_first(text: str) -> bool | None:
    """Return whether the day comes before the month in a date such as "20/11/2026".

    None if the text holds no such date, or one in which either number may be the month.
    """
    match = _IN_DIGITS.search(text)
    if match is None or match[2] == ".":
        return None
    first, second = int(match[1]), int(match[3])
    if (first > _MONTHS_OF_A_YEAR) == (second > _MONTHS_OF_A_YEAR):
        return None
    return first > _MONTHS_OF_A_YEAR


def _find_day(text: str, day_first: bool | None) -> _Day | None:
    """Return a day that a text names: year first, else a month in words, else digits alone."""
    if match := _YEAR_FIRST.search(text):
        return _Day(int(match[1]), int(match[3]), int(match[4]), (match.span(),))
    if match := _EAST_ASIAN.search(text):
        return _Day(int(match[1]), int(match[2]), int(match[3]), (match.span(),))
    if match := _VIETNAMESE.search(text):
        return _Day(int(match[3]), int(match[2]), int(match[1]), (match.span(),))
    for pattern, year, month, day in _MONTH_IN_WORDS:
        for match in pattern.finditer(text):
            if number := _months().get(match[month]):
                spans: tuple[tuple[int, int], ...] = (match.span(),)
                if pattern is _CTIME:
                    spans = ((match.start(1), match.end(2)), match.span(3))
                full = int(match[year])
                if len(match[year]) == 2:  # as mail has them: 1969 to 2068
                    full += 2000 if full <= _LAST_OF_2000S else 1900
                return _Day(full, number, int(match[day]), spans)
    match = _IN_DIGITS.search(text)
    return None if match is None else _day_in_digits(match, day_first)


def _day_in_digits(match: re.Match[str], day_first: bool | None) -> _Day | None:
    """Return the day of "20.11.2026" or "11/20/2026"; None if either number may be the month.

    Dots separate day, month and year, in this order, wherever they are written.
    """
    first, second = int(match[1]), int(match[3])
    if match[2] != ".":
        ambiguous = first != second and max(first, second) <= _MONTHS_OF_A_YEAR
        if ambiguous and day_first is None:
            return None
        if second > _MONTHS_OF_A_YEAR or (ambiguous and not day_first):
            first, second = second, first
    return _Day(int(match[4]), second, first, (match.span(),))


def _moment(day: _Day, clock: re.Match[str] | None, zone: tzinfo) -> datetime | None:
    """Return the moment of a day at a time of `clock`, at midnight without; None if none exists."""
    hour, minute, second, micros = 0, 0, 0, 0
    if clock is not None:
        hour, minute, second = int(clock[1]), int(clock[2]), int(clock[3] or 0)
        micros = int((clock[4] or "0").ljust(6, "0")[:6])
        if clock[5]:
            hour = hour % 12 + (12 if clock[5].strip().startswith("p") else 0)
    # ISO 8601 has an hour 24: the midnight at which the day ends.
    days, hour = divmod(hour, 24) if (hour, minute, second) == (24, 0, 0) else (0, hour)
    second = 59 if second == 60 else second  # a leap second
    try:
        at = datetime(day.year, day.month, day.day, hour, minute, second, micros, tzinfo=zone)
        at += timedelta(days=days)
        return at.astimezone(timezone(at.utcoffset() or timedelta()))
    except (ValueError, OverflowError):
        return None


def _zone_of(
    rest: str, offset: re.Match[str] | None, zones: Mapping[str, int | str]
) -> tuple[tzinfo, bool]:
    """Return the zone of a time, UTC without one, and whether unknown words remain in `rest`."""
    named: int | str | None = None
    unknown = False
    for word in _REST.findall(rest):
        if word.upper() in zones:
            named = zones[word.upper()] if named is None else named
        elif word not in _silent_words():
            unknown = True
    if offset is not None:
        minutes = int(offset[2]) * 60 + int(offset[3] or 0)
        named = -minutes if offset[1] == "-" else minutes
    if isinstance(named, str):
        return ZoneInfo(named), unknown
    if named is None or abs(named) >= 24 * 60:
        return UTC, unknown or named is not None
    return timezone(timedelta(minutes=named)), unknown


@cache
def _months() -> Mapping[str, int]:
    """Return the numbers of months, 1 to 12, by their names in all languages."""
    words = {word.rstrip("."): month for word, month in numbered("days.months").items()}
    return {**numbered("feeds.months"), **words}


@cache
def _silent_words() -> frozenset[str]:
    """Return the words around a date that change nothing: weekdays, "at", "года"."""
    return words("feeds.date_words")
