"""Dates that no standard defines: months in words, the day first, 12-hour clocks.

"Nov 20, 2026", "20 ноября 2026 г., 14:05", "20.11.2026 14:05", "2026/11/20 2:05 PM +0300". Names
of months and weekdays come from the word tables of all languages. Two numbers around a slash that
may both be the month ("03/04/2026") are not guessed. What has no zone is UTC.
"""

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import cache
from typing import Final, NamedTuple

from newsdedup.data.lang import numbered, words

ZONES: Final[Mapping[str, int]] = {
    **dict.fromkeys(("UTC", "GMT", "UT", "Z", "WET"), 0),
    **dict.fromkeys(("CET", "BST", "WEST"), 60),
    **dict.fromkeys(("EET", "CEST"), 120),
    **dict.fromkeys(("MSK", "EEST"), 180),
    "EDT": -240,
    **dict.fromkeys(("EST", "CDT"), -300),
    **dict.fromkeys(("CST", "MDT"), -360),
    **dict.fromkeys(("MST", "PDT"), -420),
    "PST": -480,
}
"""Names of zones that are read, in minutes east of Greenwich."""
_MONTHS_OF_A_YEAR: Final = 12
_LAST_OF_2000S: Final = 68
_DAY_MONTH = re.compile(
    r"(?<!\d)(\d{1,2})(?:st|nd|rd|th)?[\s.,/-]{1,3}([^\W\d_]{3,12})[\s.,/-]{1,3}(\d{4}|\d{2})(?![\d:])"
)
_MONTH_DAY = re.compile(
    r"(?<!\w)([^\W\d_]{3,12})[\s.]{1,2}(\d{1,2})(?:st|nd|rd|th)?[\s,]{1,2}(\d{4})(?![\d:])"
)
_CTIME = re.compile(
    r"(?<!\w)([^\W\d_]{3,12}) (\d{1,2}) (?=\d{1,2}:)[^a-z]{4,24}?\b(?:[a-z]{2,4} )?(\d{4})$"
)
"""As C's ctime() and Twitter write it: "Nov 20 14:05:00 +0300 2026"."""
_YEAR_MONTH_DAY = re.compile(r"(?<!\d)(\d{4})[-\s]([^\W\d_]{3,12})[-\s](\d{1,2})(?!\d)")
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


def read_worded_date(text: str, *, strict: bool = True) -> datetime | None:
    """Return the moment that a text states, with its zone; None if it states none, or several.

    The text must be short: the caller bounds it. If `strict`, a word that is neither a weekday,
    a zone nor a filler makes the text unreadable; else such words are ignored, and an unknown
    zone counts as UTC, as feeds need it.
    """
    text = _COMMENT.sub(r"\1", " ".join(text.lower().split()))
    day = _find_day(text)
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
    zone, unknown = _zone_of(text, offset)
    if strict and unknown:
        return None
    return _moment(day, clock, zone)


def _find_day(text: str) -> _Day | None:
    """Return a day that a text names: year first, else a month in words, else digits alone."""
    if match := _YEAR_FIRST.search(text):
        return _Day(int(match[1]), int(match[3]), int(match[4]), (match.span(),))
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
    return None if match is None else _day_in_digits(match)


def _day_in_digits(match: re.Match[str]) -> _Day | None:
    """Return the day of "20.11.2026" or "11/20/2026"; None if either number may be the month.

    Dots separate day, month and year, in this order, wherever they are written.
    """
    first, second = int(match[1]), int(match[3])
    if match[2] != ".":
        if first != second and max(first, second) <= _MONTHS_OF_A_YEAR:
            return None
        if second > _MONTHS_OF_A_YEAR:
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
        return at + timedelta(days=days)
    except (ValueError, OverflowError):
        return None


def _zone_of(rest: str, offset: re.Match[str] | None) -> tuple[tzinfo, bool]:
    """Return the zone of a time, UTC without one, and whether unknown words remain in `rest`."""
    named: int | None = None
    unknown = False
    for word in _REST.findall(rest):
        if word.upper() in ZONES:
            named = ZONES[word.upper()] if named is None else named
        elif word not in _silent_words():
            unknown = True
    if offset is not None:
        minutes = int(offset[2]) * 60 + int(offset[3] or 0)
        named = -minutes if offset[1] == "-" else minutes
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
