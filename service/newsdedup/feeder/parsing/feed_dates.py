"""Dates as feeds write them: RFC 822 and ISO 8601 in all their spoilt forms, and months in words.

What the codec of items reads is read by it (adapters/formats/dates.py). Beyond that: names of
months in the languages of the word tables, "2 March 2026, 10:00 PM", "02.03.2026 10:00". What has
no zone is UTC.
"""

import re
from datetime import UTC, datetime, timedelta, timezone

from newsdedup.adapters.formats.dates import date_field
from newsdedup.adapters.formats.json_object import LIMITS
from newsdedup.data.lang import numbered
from newsdedup.ports.errors import InvalidItem

_LONGEST = 100
_MONTHS = {word.rstrip("."): month for word, month in numbered("days.months").items()}
_NOMINATIVE = numbered("feeds.months")
_DAY_MONTH = re.compile(
    r"(?<!\d)(\d{1,2})[\s.,/-]{1,3}([^\W\d_]{3,12})[\s.,/-]{1,3}(\d{4}|\d{2})\b"
)
_MONTH_DAY = re.compile(r"\b([^\W\d_]{3,12})[\s.]{1,2}(\d{1,2})(?:st|nd|rd|th)?[\s,]{1,2}(\d{4})\b")
_IN_DIGITS = re.compile(r"(?<!\d)(\d{1,2})[./](\d{1,2})[./](\d{4})(?!\d)")
_CLOCK = re.compile(
    r"(?<!\d)(\d{1,2}):(\d{2})(?::(\d{2}))?(?:[.,]\d{1,9})?(\s?[ap]\.?m\b)?", re.IGNORECASE
)
_OFFSET = re.compile(r"([+-])(\d{2}):?(\d{2})\b")
_ZONE = re.compile(r"\b([A-Z]{2,4})\s*$")
_ISO = re.compile(r"(?<!\d)(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?!\d)")
_YEARS = range(1900, 2101)


def parse_feed_date(text: str) -> datetime | None:
    """Return the moment that a text of a feed states, with its zone; None if it states none."""
    text = " ".join(text[: _LONGEST + 1].split())
    if not text or len(text) > _LONGEST:
        return None
    try:
        at = date_field({"date": text}, "date", LIMITS)
    except InvalidItem:
        at = _parse_worded(text)
    # Feeds write 0001-01-01 and 1970-01-01 for a date that they do not know.
    return at if at is not None and at.year in _YEARS and at.timestamp() > 0 else None


def _parse_worded(text: str) -> datetime | None:
    """Return the moment of a day with a month in words, or in digits with the day first."""
    day = _find_day(text.lower())
    if day is None:
        return None
    (year, month, number), behind = day
    rest = text[behind:]
    before = text[: behind - 1]
    behind_day = _CLOCK.search(rest)
    clock = behind_day or _CLOCK.search(before)
    hour, minute, second = _time_of(clock)
    zone = _zone_of(rest[behind_day.end() :] if behind_day else rest)
    days = 0
    if (hour, minute, second) == (24, 0, 0):
        # ISO 8601: the midnight at which the day ends.
        hour, days = 0, 1
    try:
        at = datetime(year, month, number, hour, minute, min(second, 59), tzinfo=zone)
        return at + timedelta(days=days)
    except (ValueError, OverflowError):
        return None


def _find_day(text: str) -> tuple[tuple[int, int, int], int] | None:
    """Return year, month and day of a text in small letters, and where what states them ends."""
    iso = _ISO.search(text)
    if iso:
        return (int(iso[1]), int(iso[2]), int(iso[3])), iso.end()
    for match in _DAY_MONTH.finditer(text):
        month_number = _month_number(match[2])
        if month_number:
            year = int(match[3]) + (2000 if len(match[3]) == 2 else 0)
            return (year, month_number, int(match[1])), match.end()
    for match in _MONTH_DAY.finditer(text):
        month_number = _month_number(match[1])
        if month_number:
            return (int(match[3]), month_number, int(match[2])), match.end()
    digits = _IN_DIGITS.search(text)
    return ((int(digits[3]), int(digits[2]), int(digits[1])), digits.end()) if digits else None


def _month_number(word: str) -> int:
    return _MONTHS.get(word) or _NOMINATIVE.get(word, 0)


def _time_of(clock: re.Match[str] | None) -> tuple[int, int, int]:
    if clock is None:
        return 0, 0, 0
    hour, minute, second = int(clock[1]), int(clock[2]), int(clock[3] or 0)
    if clock[4]:
        hour = hour % 12 + (12 if clock[4].strip().lower().startswith("p") else 0)
    return hour, minute, second


def _zone_of(rest: str) -> timezone:
    """Return the zone behind a time, UTC if none is known."""
    offset = _OFFSET.search(rest)
    if offset:
        minutes = int(offset[2]) * 60 + int(offset[3])
        if minutes < 24 * 60:
            return timezone(timedelta(minutes=-minutes if offset[1] == "-" else minutes))
    name = _ZONE.search(rest)
    if name:
        try:
            known = date_field({"date": f"1 Jan 2026 00:00:00 {name[1]}"}, "date", LIMITS)
        except InvalidItem:
            return UTC
        if known is not None:
            return timezone(known.utcoffset() or timedelta())
    return UTC
