"""Moments as news items write them.

ISO 8601 and RFC 3339 in any precision from the day down, RFC 2822 ("Mon, 06 Jan 2025 10:00:00
+0300"), the time since 1970 in seconds down to nanoseconds, as a number or in digits, and the forms
of worded_dates.py. What has no zone is UTC.
"""

import re
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Any

from newsdedup.adapters.formats.json_object import Fields, Limits, json_type
from newsdedup.adapters.formats.worded_dates import read_worded_date
from newsdedup.core.moments import EPOCH
from newsdedup.ports.errors import InvalidItem

_DATE_CHARS = 100
"""Characters of a date; the parsers see no more, whatever a hostile line holds."""
_MILLISECONDS_FROM = 10**11
"""Of either sign: as seconds no year from 1600 to 2100, as milliseconds not 1967 to 1973."""
_MICROSECONDS_FROM = 10**14
"""As milliseconds the year 5138; as microseconds 1973."""
_NANOSECONDS_FROM = 10**17
_COMPACT_DATE = len("20250106")
_SECONDS_FROM = 10**_COMPACT_DATE
"""Nearer to 0 a number is no time but an unknown one (0, -1), a year or a day (20250106)."""
_BEHIND_HOUR = len("2025-01-06T14")
_FRACTION = frozenset(".,")
_NUMBER = re.compile(r"-?\d{9,20}(?:\.\d{1,9})?")
_COMPACT_TIME = re.compile(r"(?:19|20)\d{12}")
"""A day and a time without signs, "20260302100000": as milliseconds it would be the year 2612."""
_DOT_NET = re.compile(r"/Date\((-?\d{9,14})(?:[+-]\d{4})?\)/")


def date_field(fields: Fields, name: str, limits: Limits) -> datetime | None:
    """Return the moment in a field, with its zone; None if it is missing, null or blank.

    Raise InvalidItem for anything else that is no date, or one outside the years of the limits.
    """
    value = fields.get(name)
    if value is None or value == "":
        return None
    if type(value) is str:
        at = _parse_text(value, name)
    elif type(value) is int or type(value) is float:
        at = _from_epoch(value, name)
    else:
        raise InvalidItem("bad_field", f"{name} must be a date or a number, not {json_type(value)}")
    if at is not None and not limits.earliest_year <= at.year <= limits.latest_year:
        raise _absurd_date(name, value)
    return at


def optional_date(fields: Fields, name: str, limits: Limits, unread: list[str]) -> datetime | None:
    """Return the moment in a field, None without one; add `name` to `unread` if it is no date."""
    try:
        return date_field(fields, name, limits)
    except InvalidItem:
        unread.append(name)
        return None


def _parse_text(value: str, name: str) -> datetime | None:
    """Return the moment of a text, None if it is blank; raise InvalidItem about the field."""
    if len(value) > _DATE_CHARS:
        raise InvalidItem("bad_date", f"{name} is no date: it has {len(value)} characters")
    if value.isascii() and value.isdigit() and len(value) > _COMPACT_DATE:
        with suppress(ValueError):
            if _COMPACT_TIME.fullmatch(value):
                return datetime.strptime(value, "%Y%m%d%H%M%S").replace(tzinfo=UTC)
        return _from_epoch(int(value), name)
    try:
        at = datetime.fromisoformat(value)
    except ValueError:
        if value.isspace():
            return None
        at = _parse_unusual(value, name)
    if value[_BEHIND_HOUR : _BEHIND_HOUR + 1] in _FRACTION:
        # Python reads "14.05" as 14 hours and 5 hundredths of a second.
        raise InvalidItem("bad_date", f"{name} is no date: {value!r}")
    return at.replace(tzinfo=UTC) if at.tzinfo is None else at


def _parse_unusual(value: str, name: str) -> datetime:
    """Return a date of RFC 2822, one of ISO 8601 in lower case or with spaces, or a worded one."""
    stripped = value.strip()
    if _NUMBER.fullmatch(stripped):
        return _from_epoch(float(stripped) if "." in stripped else int(stripped), name)
    if dot_net := _DOT_NET.fullmatch(stripped):
        return _from_epoch(int(dot_net[1]), name)
    text = stripped.upper()
    with suppress(ValueError):
        return datetime.fromisoformat(text.replace(" +", "+").replace(" -", "-"))
    if worded := read_worded_date(value):
        return worded
    try:
        # Of RFC 2822, with an odd weekday or comments.
        at = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError, OverflowError) as error:
        raise InvalidItem("bad_date", f"{name} is no date: {value!r}") from error
    if at.tzinfo is None:
        # The parser drops a zone that it does not know: the date would be hours wrong.
        raise InvalidItem("bad_date", f"{name}: the zone of {value!r} is unknown")
    return at


def _from_epoch(value: float, name: str) -> datetime:
    """Return the moment that much time after 1970 began; the unit follows from the size."""
    size = abs(value)
    if size < _SECONDS_FROM:
        raise _absurd_date(name, value)
    try:
        if size < _MILLISECONDS_FROM:
            since = timedelta(seconds=value)
        elif size < _MICROSECONDS_FROM:
            since = timedelta(milliseconds=value)
        else:
            nanoseconds = size >= _NANOSECONDS_FROM
            since = timedelta(microseconds=value // 1000 if nanoseconds else value)
        return EPOCH + since
    except OverflowError as error:
        raise _absurd_date(name, value) from error


def _absurd_date(name: str, value: Any) -> InvalidItem:
    """Return the error for a date outside the years in which news can be published."""
    shown = str(value)[:_DATE_CHARS]
    return InvalidItem("absurd_date", f"{name}: nothing was published at {shown}")
