"""Rows of tables, whichever format they come from, and their values as JSON."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from numbers import Integral, Real
from pathlib import Path
from typing import Any

import msgspec

from newsdedup.adapters.formats.item_json import decode_item, is_blank
from newsdedup.adapters.formats.json_object import INTEGER_IDS, Limits
from newsdedup.core.model import NewsItem
from newsdedup.ports.errors import InvalidItem


@dataclass(frozen=True, slots=True)
class TableRow:
    """One row of a dataset, its values under our own names."""

    input: str
    number: int
    """Counted from 0 within its file, as data frames count; a header or blank line is no row."""
    fields: Mapping[str, Any]
    line: int | None = None
    """The line on which it ends, in formats that have lines."""
    offset: int = field(default=0, compare=False)
    """The byte at which it begins in the content of its file, in formats that have lines."""


@dataclass(frozen=True, slots=True)
class BadTableRow:
    """A row that cannot become an item, and why."""

    input: str
    row: int
    line: int | None
    code: str
    reason: str
    offset: int = field(default=0, compare=False)
    """The byte at which it begins in the content of its file, in formats that have lines."""
    received: bytes = field(default=b"", compare=False)
    """The row as it was read, or its beginning; empty where it was not read as bytes."""


def bad_row(row: TableRow, error: InvalidItem, received: bytes = b"") -> BadTableRow:
    """Return the entry for a refused row in the list of rejected rows."""
    return BadTableRow(
        row.input, row.number, row.line, error.code, str(error), row.offset, received
    )


def decode_row(row: TableRow, *, limits: Limits) -> NewsItem:
    """Return the item of a row; raise InvalidItem if it is none.

    A row without an id gets its number as id, one without a source the name of its file.
    """
    fields = whole_names(row.fields)
    if is_blank(fields.get("id")):
        fields["id"] = str(row.number)
    line = encode_fields(fields)
    source = Path(row.input).name.partition(".")[0]
    decoded = decode_item(line, limits=limits, source=source)
    if not isinstance(decoded, NewsItem):
        raise InvalidItem("command", "a command is no item")
    return decoded


def whole_names(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return fields whose id and source are whole numbers where a table has them as 17.0."""
    return {
        name: int(value)
        if name in ("id", "source") and isinstance(value, float) and value.is_integer()
        else value
        for name, value in fields.items()
    }


def encode_fields(fields: Mapping[str, Any]) -> bytes:
    """Return fields as a line of JSON; raise InvalidItem for text that is not Unicode."""
    try:
        return msgspec.json.encode(dict(fields))
    except UnicodeEncodeError as error:
        raise InvalidItem("not_utf8", f"a lone surrogate is no character: {error}") from error


def plain_value(value: Any) -> Any:
    """Return a table's value as one that JSON has; not-a-number and not-a-time become None.

    Integers too large for an id become strings, dates ISO 8601, other types their text.
    """
    if value is None or isinstance(value, bool | list | dict):
        return value
    if isinstance(value, str):
        return str(value)
    if isinstance(value, Integral):
        number = int(value)
        return number if -INTEGER_IDS < number < INTEGER_IDS else str(number)
    if _is_missing(value):
        return None
    if isinstance(value, date):
        return value.isoformat()
    return float(value) if isinstance(value, Real) else str(value)


def plain_fields(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return fields as a data frame gives them as values that JSON has, also within lists.

    Missing values become None, moments ISO 8601, arrays lists, and whole numbers of an id or a
    source lose their ".0". Raise InvalidItem for bytes, and for values that are nested deeper than
    Python's stack, or in themselves.
    """
    try:
        return whole_names({str(name): _plain_all(value) for name, value in fields.items()})
    except RecursionError:
        raise InvalidItem("too_deep", "objects and lists are nested too deep") from None


def _plain_all(value: Any) -> Any:
    """Apply `plain_value` to a value and all values inside it; raise InvalidItem for bytes."""
    if isinstance(value, Mapping):
        return {str(name): _plain_all(one) for name, one in value.items()}
    if isinstance(value, list | tuple) or getattr(value, "ndim", 0) > 0:
        return [_plain_all(one) for one in value]
    if isinstance(value, bytes):
        raise InvalidItem("bad_field", "a value is bytes: decode it to text")
    return plain_value(value)


def _is_missing(value: Any) -> bool:
    """Return whether a value is the NaN, NaT or NA that tables have for an empty cell."""
    try:
        return bool(value != value)  # noqa: PLR0124 - true of NaN and NaT alone
    except TypeError:  # pandas.NA: its comparison is NA again, and has no truth value
        return True
