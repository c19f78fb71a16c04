"""Schemas of the names of other formats: what each reader of item_json.py finds, and refuses."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, Final

from newsdedup.adapters.formats import item_json
from newsdedup.adapters.formats.item_json import FOREIGN_FIELDS, FieldReader
from newsdedup.adapters.formats.json_object import LIMITS
from schemas.input_types import INTEGERS, NO_NUL, SOMETHING

Schema = dict[str, Any]

_NUMBER: Final = {"anyOf": [{"not": {"type": "number"}}, {"type": "integer", **INTEGERS}]}
_NAME: Final = {"maxLength": LIMITS.id_chars, "pattern": NO_NUL}
_BOUNDS: Final[Mapping[str, Schema]] = {
    "id": _NAME,
    "source": _NAME,
    "url": {"maxLength": LIMITS.url_chars},
    "title": {"maxLength": LIMITS.title_chars},
    "text": {"maxLength": LIMITS.text_chars},
    "published_at": {},
    "updated_at": {},
    "lang": {"maxLength": LIMITS.id_chars},
    "links": {"maxLength": LIMITS.url_chars, "maxItems": LIMITS.links},
}
"""What a value may be at most: without a type, so that it binds texts and lists alone."""


def bounded_names() -> dict[str, Schema]:
    """Return the schema of each foreign name: what is too long, or no name, is refused."""
    read: dict[str, list[tuple[str, FieldReader]]] = {}
    for own, names in FOREIGN_FIELDS.items():
        for name, reader in names:
            read.setdefault(name, []).append((own, reader))
    return {
        name: {
            "description": f"Read as {' and '.join(own for own, _ in readers)} where our own name "
            "says nothing.",
            **_all_of([_bounded(own, reader) for own, reader in readers]),
        }
        for name, readers in read.items()
    }


def readable(own: str) -> Iterator[Schema]:
    """Yield a schema for each foreign name that says something under one of our own names."""
    for name, reader in FOREIGN_FIELDS[own]:
        yield {"properties": {name: _said(_inner(reader))}, "required": [name]}


def _inner(reader: FieldReader) -> str:
    """Return the name of the field that a reader looks into, "" if it reads the value itself."""
    if reader is item_json._addresses:
        return "url"
    return str(reader.keywords["name"]) if isinstance(reader, partial) else ""


def _bounded(own: str, reader: FieldReader) -> Schema:
    bound = dict(_BOUNDS[own])
    if own == "id" and not _inner(reader):
        bound |= _NUMBER
    inner = _inner(reader)
    if not inner or not bound:
        return bound
    text = {key: value for key, value in bound.items() if key != "maxItems"}
    each = {**text, "properties": {inner: text}}
    return {**bound, "properties": {inner: text}, "items": each}


def _said(inner: str) -> Schema:
    text = {"type": "string", "pattern": SOMETHING}
    if not inner:
        return text
    one = [text, {"type": "object", "properties": {inner: text}, "required": [inner]}]
    return {"anyOf": [*one, {"type": "array", "contains": {"anyOf": one}}]}


def _all_of(schemas: list[Schema]) -> Schema:
    """Return one schema of several; equal ones once, those that bind nothing left out."""
    binding = [one for at, one in enumerate(schemas) if one and one not in schemas[:at]]
    return {} if not binding else binding[0] if len(binding) == 1 else {"allOf": binding}
