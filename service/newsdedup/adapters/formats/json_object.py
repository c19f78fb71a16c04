"""Bytes to a JSON object that is safe to read, and its fields by their types.

An object is bounded in size and depth and all of it is Unicode. Accepted: a byte order mark in
front, white space around, a name that occurs twice (the last value counts, as in most readers).

Dates are ISO 8601 and RFC 3339 in any precision from the day down, RFC 2822 ("Mon, 06 Jan 2025
10:00:00 +0300"), the time since 1970 in seconds down to nanoseconds, as a number or in digits, and
the forms of worded_dates.py. What has no zone is UTC.
"""

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Any

from msgspec import DecodeError, ValidationError
from msgspec.json import Decoder

from newsdedup.adapters.formats.worded_dates import read_worded_date
from newsdedup.core.moments import EPOCH
from newsdedup.ports.errors import InvalidItem

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
INTEGER_IDS = 2**63
"""Ids that are numbers stay below it: what databases and other languages can hold."""

Fields = Mapping[str, Any]
_DECODER = Decoder()
_CONTAINERS = frozenset({dict, list})
_JSON_TYPES = {
    bool: "a boolean",
    str: "a string",
    int: "a number",
    float: "a number",
    list: "a list",
}
# Each escape is consumed whole, so that an escaped backslash before a "u" starts none.
_ESCAPE = re.compile(
    rb"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F]|(?P<half>u[dD][89a-fA-F])|.)", re.DOTALL
)
_YEARS = range(1600, 2101)
"""Of items: newspapers begin a little after the first."""
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


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of anything a record may hold before it is refused."""

    line_bytes: int = 16 * 2**20
    title_chars: int = 10_000
    text_chars: int = 1_000_000
    id_chars: int = 2_000
    """Also of the source and the language."""
    url_chars: int = 8_000
    links: int = 1_000
    depth: int = 64
    """Of objects and lists within each other; the record itself is the first."""
    shows_something: bool = True
    """Whether title and text together must show a character."""


LIMITS = Limits()
UNLIMITED = Limits(
    line_bytes=2**40,
    title_chars=2**40,
    text_chars=2**40,
    id_chars=2**40,
    url_chars=2**40,
    depth=2**40,
    shows_something=False,
)
"""What is published or stored was accepted before, perhaps under wider limits than today's."""


def decode_object(line: bytes, limits: Limits) -> dict[str, Any]:
    """Return the JSON object of a line; raise InvalidItem if it holds none or a limit is passed."""
    if len(line) > limits.line_bytes:
        raise InvalidItem("too_long", f"{len(line)} bytes are more than {limits.line_bytes}")
    line = line.removeprefix(BYTE_ORDER_MARK)
    try:
        value = _DECODER.decode(line)
    except RecursionError as error:
        raise _too_deep(limits) from error
    except ValidationError as error:
        # The syntax is right, but the number fits into no float or integer.
        raise InvalidItem("bad_field", f"a number is beyond all bounds: {error}") from error
    except (DecodeError, UnicodeDecodeError) as error:
        raise why_no_json(line, error) from error
    if type(value) is not dict:
        raise InvalidItem("not_object", f"a record is a JSON object, not {json_type(value)}")
    # With so few brackets none can be nested deeper: most values need no visit.
    brackets = line.count(b"{") + line.count(b"[")
    if brackets > limits.depth and _is_deeper(value, limits.depth):
        raise _too_deep(limits)
    return value


def json_type(value: Any) -> str:
    """Return what JSON calls a value, with its article, for messages."""
    return "null" if value is None else _JSON_TYPES.get(type(value), "an object")


def string_field(fields: Fields, name: str, *, most: int) -> str:
    """Return a string of up to `most` characters, "" if missing or null; else raise InvalidItem."""
    value = fields.get(name)
    if value is None:
        return ""
    if type(value) is not str:
        raise InvalidItem("bad_field", f"{name} must be a string, not {json_type(value)}")
    if len(value) > most:
        raise InvalidItem("too_long", f"{name} has {len(value)} characters, more than {most}")
    return value


def string_list_field(fields: Fields, name: str, *, count: int, most: int) -> tuple[str, ...]:
    """Return the strings of a list, () if it is missing or null; empty entries are left out.

    Raise InvalidItem for another type, more than `count` entries, or one over `most` characters.
    """
    value = fields.get(name)
    if value is None:
        return ()
    if type(value) is not list:
        raise InvalidItem("bad_field", f"{name} must be a list of strings, not {json_type(value)}")
    if len(value) > count:
        raise InvalidItem("too_long", f"{name} has {len(value)} entries, more than {count}")
    strings = (string_field({name: one}, name, most=most) for one in value)
    return tuple(one for one in strings if one)


def name_field(fields: Fields, name: str, *, most: int) -> str:
    """Return an id or a source: "" if it is missing or blank, a number as its digits.

    Raise InvalidItem for another type, a NUL, or more than `most` characters.
    """
    value = fields.get(name)
    if type(value) is float and value.is_integer():
        value = int(value)  # in JSON 1.0 is the integer 1
    if type(value) is int:
        if not -INTEGER_IDS < value < INTEGER_IDS:
            raise InvalidItem("bad_field", f"{name} is a number of more than 63 bits")
        return str(value)
    text = string_field(fields, name, most=most)
    if "\0" in text:
        raise InvalidItem("bad_field", f"{name} holds a NUL character")
    return "" if text.isspace() else text


def _too_deep(limits: Limits) -> InvalidItem:
    """Return the error for a record that is nested deeper than the limits allow."""
    return InvalidItem("too_deep", f"objects and lists are nested more than {limits.depth} deep")


def _is_deeper(value: dict[str, Any], depth: int) -> bool:
    """Return whether objects and lists in a value are nested more than `depth` deep."""
    level: list[Any] = [value]
    for _ in range(depth):
        level = [
            inner
            for outer in level
            for inner in (outer.values() if type(outer) is dict else outer)
            if type(inner) in _CONTAINERS
        ]
        if not level:
            return False
    return True


def why_no_json(line: bytes, error: Exception) -> InvalidItem:
    """Return the error that says why bytes are no JSON; `error` is that of the parser."""
    if not line.strip():
        return InvalidItem("not_json", "there is nothing but white space")
    try:
        line.decode()
    except UnicodeDecodeError as wrong:
        return InvalidItem("not_utf8", f"the byte at {wrong.start} is not UTF-8: {wrong.reason}")
    if any(escape["half"] for escape in _ESCAPE.finditer(line)):
        return InvalidItem("not_utf8", "a lone surrogate (\\ud800 to \\udfff) is no character")
    return InvalidItem("not_json", str(error))


def date_field(fields: Fields, name: str) -> datetime | None:
    """Return the moment in a field, with its zone; None if it is missing, null or blank.

    Raise InvalidItem for anything else that is no date, or one before 1600 or after 2100.
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
    if at is not None and at.year not in _YEARS:
        raise _absurd_date(name, value)
    return at


def optional_date(fields: Fields, name: str, unread: list[str]) -> datetime | None:
    """Return the moment in a field, None without one; add `name` to `unread` if it is no date."""
    try:
        return date_field(fields, name)
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
    """Return a date in RFC 2822, loose ISO 8601, words or time since 1970; or raise InvalidItem."""
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
    """Return the moment of a time since 1970, its size telling the unit; or raise InvalidItem."""
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
