"""The names under which other formats keep what an item needs.

schema.org NewsArticle, IPTC ninjs (1.x to 3.x) and JSON Feed items are read as they are. Our own
name counts first, then the others in the order of these tables. A wrong type under one of our own
names is an error; under a foreign one it is passed over, as any field that we do not know.
"""

from collections.abc import Callable, Mapping
from typing import Any

FieldReader = Callable[[Any], Any]
"""Returns what a foreign field says, None if nothing that we understand."""


def _words(value: Any) -> str | None:
    return value if type(value) is str and value and not value.isspace() else None


def _stated(value: Any) -> str | float | None:
    """Return words or a number: ids and dates come as either."""
    return value if type(value) is int or type(value) is float else _words(value)


def _inside(name: str) -> FieldReader:
    """Return a reader of words, also within an object, or the first such object of a list."""

    def read(value: Any) -> str | None:
        if type(value) is dict:
            return _words(value.get(name))
        if type(value) is list:
            said = (read(one) for one in value if type(one) is not list)
            return next((words for words in said if words is not None), None)
        return _words(value)

    return read


def _address(value: Any) -> str | None:
    """Return an identifier that is an address of the web."""
    words = _words(value)
    return words if words is not None and words.startswith(("https://", "http://")) else None


def _node(value: Any) -> str | None:
    """Return the name of a JSON-LD node, unless it is a name within its own document only."""
    words = _words(value)
    return None if words is None or words.startswith(("#", "_:")) else words


def _addresses(value: Any) -> list[str] | None:
    """Return the addresses of one or more works that this one is based on."""
    read = _inside("url")
    found = [read(one) for one in (value if type(value) is list else [value])]
    return [words for words in found if words is not None] or None


FOREIGN_FIELDS: Mapping[str, tuple[tuple[str, FieldReader], ...]] = {
    "id": (
        ("uri", _stated),
        ("@id", _node),
        ("guid", _stated),
        ("identifier", _inside("value")),
    ),
    "source": (
        ("publisher", _inside("name")),
        ("provider", _inside("name")),
        ("sourceOrganization", _inside("name")),
        ("copyrightholder", _inside("name")),
        ("copyrightHolder", _inside("name")),
    ),
    "url": (
        ("mainEntityOfPage", _inside("@id")),
        ("@id", _address),
        ("uri", _address),
    ),
    "title": (
        ("headline", _inside("value")),
        ("headlines", _inside("value")),
    ),
    # Plain text before HTML, the whole before a summary.
    "text": (
        ("articleBody", _words),
        ("body_text", _words),
        ("content_text", _words),
        ("bodies", _inside("value")),
        ("body_html", _words),
        ("body_xhtml", _words),
        ("content_html", _words),
        ("description_text", _words),
        ("descriptions", _inside("value")),
        ("description_html", _words),
        ("description", _words),
        ("abstract", _words),
        ("summary", _words),
    ),
    "published_at": (
        ("datePublished", _stated),
        ("date_published", _stated),
        ("firstcreated", _stated),
        ("firstCreated", _stated),
        ("versioncreated", _stated),
        ("versionCreated", _stated),
        ("dateCreated", _stated),
    ),
    "updated_at": (
        ("dateModified", _stated),
        ("date_modified", _stated),
        ("versioncreated", _stated),
        ("versionCreated", _stated),
    ),
    "lang": (
        ("inLanguage", _inside("alternateName")),
        ("language", _words),
    ),
    "links": (
        ("isBasedOn", _addresses),
        ("external_url", _addresses),
    ),
}

FOREIGN_NAMES = frozenset(name for names in FOREIGN_FIELDS.values() for name, _ in names)


def fill_own_fields(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the fields with ours filled in from the foreign ones where they say nothing."""
    if FOREIGN_NAMES.isdisjoint(fields):
        return fields
    filled = dict(fields)
    for own, names in FOREIGN_FIELDS.items():
        if _says_nothing(fields.get(own)):
            said = (read(fields[name]) for name, read in names if name in fields)
            filled[own] = next((value for value in said if value is not None), None)
    return filled


def _says_nothing(value: Any) -> bool:
    return value is None or (type(value) is str and (not value or value.isspace()))
