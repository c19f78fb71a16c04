"""Every name under which an input may hold a field of an item: of a record, or of a table's column.

Our own name counts first, then the others in the order of these tables. Records may be schema.org
NewsArticle, IPTC ninjs (1.x to 3.x) and JSON Feed items. A wrong type under one of our own names
is an error; under a foreign one the field is skipped like any unknown field.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

FieldReader = Callable[[Any], Any]
"""Returns the value that a foreign field holds for ours, None if it holds none."""


def is_blank(value: Any) -> bool:
    """Return whether a value is missing, or text of white space alone."""
    return value is None or (isinstance(value, str) and (not value or value.isspace()))


def _text(value: Any) -> str | None:
    """Return a string that is not blank, None for any other value."""
    return value if type(value) is str and value and not value.isspace() else None


def _text_or_number(value: Any) -> str | float | None:
    """Return a number, or a string that is not blank; None for any other value."""
    return value if type(value) is int or type(value) is float else _text(value)


def _text_in(value: Any, name: str) -> str | None:
    """Return a text, the text in field `name` of an object, or the first of either in a list."""
    if type(value) is dict:
        return _text(value.get(name))
    if type(value) is list:
        texts = (_text_in(one, name) for one in value if type(one) is not list)
        return next((text for text in texts if text is not None), None)
    return _text(value)


def _text_of(name: str) -> FieldReader:
    """Return a reader of the text in the field `name` of an object, see `_text_in`."""
    return partial(_text_in, name=name)


def _web_address(value: Any) -> str | None:
    """Return an http: or https: address, None for any other value."""
    text = _text(value)
    return text if text is not None and text.startswith(("https://", "http://")) else None


def _node_name(value: Any) -> str | None:
    """Return the name of a JSON-LD node, None for a name that is valid in its document only."""
    text = _text(value)
    return None if text is None or text.startswith(("#", "_:")) else text


def _addresses(value: Any) -> list[str] | None:
    """Return the addresses in a value or list: strings, or `url` of objects; None without any."""
    texts = [_text_in(one, "url") for one in (value if type(value) is list else [value])]
    return [text for text in texts if text is not None] or None


def _each(read: FieldReader, names: str) -> Iterator[tuple[str, FieldReader]]:
    """Yield the names in a string separated by spaces, each with the same reader."""
    return ((name, read) for name in names.split())


FOREIGN_FIELDS: Mapping[str, tuple[tuple[str, FieldReader], ...]] = {
    "id": (
        ("uri", _text_or_number),
        ("@id", _node_name),
        ("guid", _text_or_number),
        ("identifier", _text_of("value")),
    ),
    "source": (
        *_each(_text_of("name"), "publisher provider sourceOrganization"),
        *_each(_text_of("name"), "copyrightholder copyrightHolder"),
    ),
    "url": (("mainEntityOfPage", _text_of("@id")), ("@id", _web_address), ("uri", _web_address)),
    "title": (*_each(_text_of("value"), "headline headlines"),),
    # Plain text before HTML, the whole before a summary.
    "text": (
        *_each(_text, "articleBody body_text content_text"),
        ("bodies", _text_of("value")),
        *_each(_text, "body_html body_xhtml content_html description_text"),
        ("descriptions", _text_of("value")),
        *_each(_text, "description_html description abstract summary"),
    ),
    "published_at": (
        *_each(_text_or_number, "datePublished date_published firstcreated firstCreated"),
        *_each(_text_or_number, "versioncreated versionCreated dateCreated"),
    ),
    "updated_at": (
        *_each(_text_or_number, "dateModified date_modified versioncreated versionCreated"),
    ),
    "lang": (("inLanguage", _text_of("alternateName")), ("language", _text)),
    "links": (*_each(_addresses, "isBasedOn external_url"),),
}

FOREIGN_NAMES = frozenset(name for names in FOREIGN_FIELDS.values() for name, _ in names)


def fill_own_fields(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a record whose blank own fields are filled from foreign ones; others unchanged."""
    if FOREIGN_NAMES.isdisjoint(fields):
        return fields
    filled = dict(fields)
    for own, names in FOREIGN_FIELDS.items():
        if is_blank(fields.get(own)):
            values = (read(fields[name]) for name, read in names if name in fields)
            filled[own] = next((value for value in values if value is not None), None)
    return filled


COMMON_COLUMNS: Mapping[str, str] = {
    "id": "guid uuid uid _id item_id article_id news_id post_id doc_id document_id message_id key",
    "source": (
        "source_name publisher provider outlet publication media newspaper site domain channel "
        "источник издание джерело видання"
    ),
    "url": "link href ссылка адрес посилання",
    "title": "headline heading header subject заголовок название назва",
    "text": (
        "body content full_text article_body article article_text plain_text news_text document "
        "message текст содержание зміст вміст"
    ),
    "published_at": (
        "published publication_date publish_date pub_date date_published date datetime timestamp "
        "time posted_at created_at created дата время час"
    ),
    "seen_at": "seen crawled_at fetched_at scraped_at collected_at received_at",
    "updated_at": "updated modified_at modified last_modified",
    "lang": "language locale язык мова",
}
"""Names of columns besides our own and the foreign ones, tried last: a summary is no text where
there is a body."""

ROW_FIELDS = tuple(COMMON_COLUMNS)
"""The fields of an item that a row of a table may hold."""


def bare_name(name: str) -> str:
    """Return the alphanumeric characters of a name in lower case: columns are compared by them."""
    return "".join(c for c in name.lower() if c.isalnum())


def as_it_is(value: Any) -> Any:
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
    yield bare_name(own), as_it_is
    for name in map(bare_name, COMMON_COLUMNS[own].split()):
        if name != bare_name(own):
            yield name, foreign.pop(name, _unstructured)
    yield from foreign.items()


COLUMN_NAMES: Mapping[str, tuple[tuple[str, FieldReader], ...]] = {
    own: tuple(_column_readers(own)) for own in ROW_FIELDS
}
