"""Rows of finished collections, whichever format they come from."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from numbers import Integral, Real
from pathlib import Path
from typing import Any

import msgspec

from newsdedup.adapters.formats.field_names import is_blank
from newsdedup.adapters.formats.item_json import decode_item
from newsdedup.adapters.formats.json_object import INTEGER_IDS, Limits
from newsdedup.core.model import NewsItem
from newsdedup.ports.errors import InvalidItem

_NAME_FIELDS = ("id", "source")


@dataclass(frozen=True, slots=True)
class TableRow:
    """One row of a dataset, its values under our own names."""

    input: str
    number: int
    """Counted from 0 within its file, as data frames count; a header or blank line is no row."""
    fields: Mapping[str, Any]
    line: int | None = None
    """The line on which it ends, in formats that have lines."""


@dataclass(frozen=True, slots=True)
class BadTableRow:
    """A row that cannot become an item, and why."""

    input: str
    row: int
    line: int | None
    code: str
    reason: str


def bad_row(row: TableRow, error: InvalidItem) -> BadTableRow:
    """Return what is listed of a row that was refused."""
    return BadTableRow(row.input, row.number, row.line, error.code, str(error))


def decode_row(row: TableRow, *, limits: Limits) -> NewsItem:
    """Return the item of a row; raise InvalidItem if it is none.

    A row without an id is called by its number, so that it can be found again in the table.
    """
    fields = dict(row.fields)
    for name in _NAME_FIELDS:
        fields[name] = _whole(fields.get(name))
    if is_blank(fields["id"]):
        fields["id"] = str(row.number)
    line = encode_fields(fields)
    source = Path(row.input).name.partition(".")[0]
    decoded = decode_item(line, limits=limits, source=source)
    if not isinstance(decoded, NewsItem):
        raise InvalidItem("act", "an act is no item")
    return decoded


def encode_fields(fields: Mapping[str, Any]) -> bytes:
    """Return fields as a line of JSON; raise InvalidItem if their text is none."""
    try:
        return msgspec.json.encode(dict(fields))
    except UnicodeEncodeError as error:
        raise InvalidItem("not_utf8", f"half of a surrogate pair stands alone: {error}") from error


def plain_value(value: Any) -> Any:
    """Return what JSON can say of a value of a table; not-a-number and not-a-time are missing."""
    if value is None or isinstance(value, bool | list | dict):
        return value
    if isinstance(value, str):
        return str(value)
    if isinstance(value, Integral):
        number = int(value)
        return number if -INTEGER_IDS < number < INTEGER_IDS else str(number)
    return _measured(value)


def _measured(value: Any) -> Any:
    """Return a fraction, a moment or something stranger."""
    if _is_missing(value):
        return None
    if isinstance(value, date):
        return value.isoformat()
    return float(value) if isinstance(value, Real) else str(value)


def _is_missing(value: Any) -> bool:
    try:
        return bool(value != value)  # noqa: PLR0124 - true of NaN and NaT alone
    except TypeError:  # of the missing value of pandas even this is unknown
        return True


def _whole(value: Any) -> Any:
    """Return an id that a table keeps as 17.0, because others are missing, as 17."""
    return int(value) if isinstance(value, float) and value.is_integer() else value
