"""Moments as news items write them.

ISO 8601 and RFC 3339 in any precision from the day down, RFC 2822 ("Mon, 06 Jan 2025 10:00:00
+0300"), and seconds or milliseconds since 1970, as numbers or in digits. What has no zone is UTC.
"""

import re
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Any

from newsdedup.adapters.formats.json_object import Fields, Limits, json_type
from newsdedup.core.moments import EPOCH
from newsdedup.ports.errors import InvalidItem

_DATE_CHARS = 64
"""Characters of a date; the parsers see no more, whatever a hostile line holds."""
_MILLISECONDS_FROM = 10**11
"""Of either sign: as seconds no year from 1600 to 2100, as milliseconds not 1967 to 1973."""
_COMPACT_DATE = len("20250106")
_SECONDS_FROM = 10**_COMPACT_DATE
"""Nearer to 0 a number is no time but an unknown one (0, -1), a year or a day (20250106)."""
_OFFSET = re.compile(r"(:\d{2}(?:\.\d{1,9})?)\s?(?:GMT|UTC|UT)?\s?([+-])(\d{1,2})(?::?(\d{2}))?$")
"""As feeds spell it: "+02:00", "+5:30", "GMT+2"; the parser of RFC 2822 drops such a one."""
_ZONES = {
    "MSK": "+0300",
    "EET": "+0200",
    "EEST": "+0300",
    "CET": "+0100",
    "CEST": "+0200",
    "WET": "+0000",
    "WEST": "+0100",
    "BST": "+0100",
}
"""Zones that RFC 2822 does not know but feeds of our languages write."""


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


def _parse_text(value: str, name: str) -> datetime | None:
    """Return the moment of a text, None if it is blank; raise InvalidItem if it is no date.

    `name` is the field, for messages. What has no zone is UTC.
    """
    if len(value) > _DATE_CHARS:
        raise InvalidItem("bad_date", f"{name} is no date: it has {len(value)} characters")
    if value.isascii() and value.isdigit() and len(value) > _COMPACT_DATE:
        return _from_epoch(int(value), name)
    try:
        at = datetime.fromisoformat(value)
    except ValueError:
        if value.isspace():
            return None
        at = _parse_unusual(value, name)
    return at.replace(tzinfo=UTC) if at.tzinfo is None else at


def _parse_unusual(value: str, name: str) -> datetime:
    """Return a date of RFC 2822, or one of ISO 8601 in small letters or with spaces.

    Raise InvalidItem if it is none of these, or in an unknown zone.
    """
    text = _OFFSET.sub(_spell_offset, value.strip().upper())
    words, _, zone = text.rpartition(" ")
    if zone in ("UTC", "GMT"):
        text = f"{words} +0000"
    try:
        return datetime.fromisoformat(text.replace(" +", "+").replace(" -", "-"))
    except ValueError:
        pass
    try:
        at = parsedate_to_datetime(f"{words} {_ZONES[zone]}" if zone in _ZONES else text)
    except (ValueError, TypeError, IndexError, OverflowError) as error:
        raise InvalidItem("bad_date", f"{name} is no date: {value!r}") from error
    if at.tzinfo is None and zone.isalpha():
        # The parser drops a zone that it does not know: the date would be hours wrong.
        raise InvalidItem("bad_date", f"{name}: the zone of {value!r} is unknown")
    return at


def _spell_offset(offset: re.Match[str]) -> str:
    """Return an offset behind a time as RFC 2822 spells it."""
    before, sign, hours, minutes = offset.groups()
    return f"{before} {sign}{hours:0>2}{minutes or '00'}"


def _from_epoch(value: float, name: str) -> datetime:
    """Return the moment that many seconds, or from 10^11 on milliseconds, after 1970 began.

    Raise InvalidItem for a number too small or too large to be a time.
    """
    if abs(value) < _SECONDS_FROM:
        raise _absurd_date(name, value)
    in_milliseconds = abs(value) >= _MILLISECONDS_FROM
    try:
        since = timedelta(milliseconds=value) if in_milliseconds else timedelta(seconds=value)
        return EPOCH + since
    except OverflowError as error:
        raise _absurd_date(name, value) from error


def _absurd_date(name: str, value: Any) -> InvalidItem:
    """Return the error about a date at which no news can have been published."""
    shown = str(value)[:_DATE_CHARS]
    return InvalidItem("absurd_date", f"{name}: nothing was published at {shown}")
