"""Maps the columns of a table to the fields of an item.

Names are compared by alphanumeric characters alone, in lower case: "Published At", "published_at"
and "publishedAt" are one name. A field that the user maps (--map) is read from that column alone;
any other is read, in each row, from the first column of its COLUMN_NAMES that is not blank.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from newsdedup.adapters.formats.item_json import FOREIGN_FIELDS, FieldReader, is_blank
from newsdedup.adapters.tables.rows import plain_value
from newsdedup.ports.errors import NothingToRead, SettingsInvalid

_LISTED = 40
"""Most columns that an error message lists; more would hide its point."""

Column = tuple[str, FieldReader]
"""The name of a column and the reader of its values."""

COMMON_COLUMNS: Mapping[str, str] = {
    "id": "guid uuid uid _id item_id article_id news_id post_id doc_id document_id message_id key",
    "source": (
        "source_name publisher provider outlet publication media newspaper site domain channel "
        "источник издание джерело видання quelle"
    ),
    "url": "link href ссылка адрес посилання lien",
    "title": "headline heading header subject заголовок название назва titel überschrift titre",
    "text": (
        "body content full_text article_body article article_text plain_text news_text document "
        "message текст содержание зміст вміст inhalt texte contenu"
    ),
    "published_at": (
        "published publication_date publish_date pub_date date_published date datetime timestamp "
        "time posted_at created_at created дата время час datum"
    ),
    "seen_at": "seen crawled_at fetched_at scraped_at collected_at received_at",
    "updated_at": "updated modified_at modified last_modified",
    "lang": "language locale язык мова sprache langue",
}
"""Names of columns besides our own and the foreign ones, tried last: a summary is no text where
there is a body."""

ROW_FIELDS = tuple(COMMON_COLUMNS)
"""The fields of an item that a row of a table may hold."""


def bare_name(name: str) -> str:
    """Return the alphanumeric characters of a name in lower case: columns are compared by them."""
    return "".join(c for c in name.lower() if c.isalnum())


def _as_it_is(value: Any) -> Any:
    """Return the value of one of our own fields, whose type is checked when it is decoded."""
    return value


def _unstructured(value: Any) -> Any:
    """Return a value unchanged, None for a list or an object."""
    return None if isinstance(value, list | dict) else value


def _column_readers(own: str) -> Iterator[tuple[str, FieldReader]]:
    """Yield the bare names of columns for a field, best first, each with its reader.

    Columns with a foreign name may hold objects and lists, the other common ones may not.
    """
    foreign = {bare_name(name): read for name, read in FOREIGN_FIELDS.get(own, ())}
    foreign.pop(bare_name(own), None)
    yield bare_name(own), _as_it_is
    for name in map(bare_name, COMMON_COLUMNS[own].split()):
        if name != bare_name(own):
            yield name, foreign.pop(name, _unstructured)
    yield from foreign.items()


COLUMN_NAMES: Mapping[str, tuple[tuple[str, FieldReader], ...]] = {
    own: tuple(_column_readers(own)) for own in ROW_FIELDS
}


@dataclass(frozen=True, slots=True)
class ChosenColumns:
    """The columns from which each field may be read, in order of preference."""

    columns: Mapping[str, Sequence[Column]]
    keeps_others: bool = False

    @property
    def has_text(self) -> bool:
        """Return whether there is a column for the title or the text."""
        return bool(self.columns["title"] or self.columns["text"])

    def own_fields(self, fields: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values of a row by field of an item, without blank ones.

        Other columns are left out, or follow under their own names if the map keeps them.
        """
        named: dict[str, Any] = {}
        taken = set(ROW_FIELDS)
        for own, columns in self.columns.items():
            for column, read in columns:
                value = read(plain_value(fields.get(column)))
                if not is_blank(value):
                    named[own] = value
                    taken.add(column)
                    break
        if self.keeps_others:
            others = {name: plain_value(fields[name]) for name in fields if name not in taken}
            named |= {name: value for name, value in others.items() if not is_blank(value)}
        return named


@dataclass(frozen=True, slots=True)
class ColumnMap:
    """The columns that the user maps to fields (--map); other fields are guessed by column name."""

    by_field: Mapping[str, str] = field(default_factory=dict)
    keeps_others: bool = False
    """Whether columns that are no field of an item stay in the rows, under their own names."""

    def of_row(self, columns: Iterable[str]) -> ChosenColumns:
        """Return the columns for each field of an item, some of these; there may be none."""
        by_name: dict[str, list[str]] = {}
        for column in columns:
            by_name.setdefault(bare_name(column), []).append(column)
        chosen: dict[str, Sequence[Column]] = {}
        for own in ROW_FIELDS:
            names = COLUMN_NAMES[own]
            # The best name first; the column that the user maps is the only one.
            fitting = [
                (column, _unstructured if read is _as_it_is and column != own else read)
                for name, read in names
                for column in by_name.get(name, ())
            ]
            mapped = self.by_field.get(own)
            chosen[own] = fitting if mapped is None else [(mapped, _as_it_is)]
        return ChosenColumns(chosen, self.keeps_others)

    def of_table(self, columns: Sequence[str], *, table: str) -> ChosenColumns:
        """Return the columns of a table with a header.

        Raise NothingToRead if none looks like a title or a text, SettingsInvalid if the table lacks
        a mapped one.
        """
        for own, column in self.by_field.items():
            if column not in columns:
                raise SettingsInvalid(f"--map {own}={column}: {table} has {list_columns(columns)}")
        chosen = self.of_row(columns)
        if not chosen.has_text:
            raise NothingToRead(
                f"{table}: no column looks like a title or a text among {list_columns(columns)}; "
                "say which one is, for example --map text=COLUMN"
            )
        return chosen


def list_columns(columns: Sequence[str]) -> str:
    """Return the names of columns as text of an error message, at most 40 of them."""
    names = ", ".join(column if column.isidentifier() else repr(column) for column in columns)
    if len(columns) > _LISTED:
        names = f"{', '.join(map(repr, columns[:_LISTED]))} and {len(columns) - _LISTED} more"
    return f"the columns {names or '(none)'}"


def parse_column_map(options: Iterable[str]) -> ColumnMap:
    """Parse --map options such as `title=headline,text=body`; raise SettingsInvalid for others."""
    columns: dict[str, str] = {}
    for one in (part for option in options for part in option.split(",")):
        own, _, column = one.strip().partition("=")
        if not column:
            raise SettingsInvalid(f"--map {one}: expected FIELD=COLUMN, such as title=headline")
        if own not in ROW_FIELDS:
            raise SettingsInvalid(f"--map {one}: the fields are {', '.join(ROW_FIELDS)}")
        columns[own] = column
    return ColumnMap(columns)
