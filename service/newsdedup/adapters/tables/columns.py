"""Which column of a table is which field of an item.

Names are compared by letters and digits alone, in lower case: "Published At", "published_at" and
"publishedAt" are one name. What the user says counts alone; else, in each row, the first of the
names below that says something.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from newsdedup.adapters.formats.field_names import (
    COLUMN_NAMES,
    ROW_FIELDS,
    as_it_is,
    bare_name,
    is_blank,
)
from newsdedup.adapters.tables.rows import plain_value
from newsdedup.ports.errors import NothingToRead, SettingsInvalid

_READABLE = ("title", "text")
_LISTED = 40
"""Columns that an error names: more would hide what it says."""

Column = tuple[str, Callable[[Any], Any]]
"""A column and what reads its values."""


@dataclass(frozen=True, slots=True)
class ChosenColumns:
    """The columns that may hold each field, the best first."""

    columns: Mapping[str, Sequence[Column]]

    @property
    def readable(self) -> bool:
        """Return whether there is anything to read."""
        return any(self.columns[own] for own in _READABLE)

    def own_fields(self, fields: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values of a row under our own names, its other values left out."""
        named: dict[str, Any] = {}
        for own, columns in self.columns.items():
            for column, read in columns:
                value = read(plain_value(fields.get(column)))
                if not is_blank(value):
                    named[own] = value
                    break
        return named


@dataclass(frozen=True, slots=True)
class ColumnMap:
    """What the user says of the columns, as field to column; their names tell the rest."""

    by_field: Mapping[str, str] = field(default_factory=dict)

    def of_row(self, columns: Iterable[str]) -> ChosenColumns:
        """Return the columns that a record without a header offers."""
        by_name: dict[str, list[str]] = {}
        for column in columns:
            by_name.setdefault(bare_name(column), []).append(column)
        return ChosenColumns({own: self._choice(own, by_name) for own in ROW_FIELDS})

    def of_table(self, columns: Sequence[str], *, table: str) -> ChosenColumns:
        """Return the columns that a table offers; raise if it has nothing to read."""
        for own, column in self.by_field.items():
            if column not in columns:
                raise SettingsInvalid(f"--map {own}={column}: {table} has {list_columns(columns)}")
        chosen = self.of_row(columns)
        if not chosen.readable:
            raise NothingToRead(
                f"{table}: no column looks like a title or a text among {list_columns(columns)}; "
                "say which one is, for example --map text=COLUMN"
            )
        return chosen

    def _choice(self, own: str, by_name: Mapping[str, Sequence[str]]) -> Sequence[Column]:
        if own in self.by_field:
            return [(self.by_field[own], as_it_is)]
        return [
            (column, read) for name, read in COLUMN_NAMES[own] for column in by_name.get(name, ())
        ]


def list_columns(columns: Sequence[str]) -> str:
    """Return the columns of a table as part of a message."""
    names = ", ".join(column if column.isidentifier() else repr(column) for column in columns)
    if len(columns) > _LISTED:
        names = f"{', '.join(map(repr, columns[:_LISTED]))} and {len(columns) - _LISTED} more"
    return f"the columns {names or '(none)'}"


def parse_column_map(said: Iterable[str]) -> ColumnMap:
    """Return the columns of options such as `title=headline,text=body`."""
    found: dict[str, str] = {}
    for one in (part for option in said for part in option.split(",")):
        own, mark, column = one.strip().partition("=")
        if not mark or not column:
            raise SettingsInvalid(f"--map {one}: expected FIELD=COLUMN, such as title=headline")
        if own not in ROW_FIELDS:
            raise SettingsInvalid(f"--map {one}: the fields are {', '.join(ROW_FIELDS)}")
        found[own] = column
    return ColumnMap(found)
