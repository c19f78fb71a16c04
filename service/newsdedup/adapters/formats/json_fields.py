"""Fields of a decoded object, each of the type it must have or an InvalidItem that names it."""

from collections.abc import Mapping
from typing import Any

from newsdedup.adapters.formats.json_object import json_type
from newsdedup.ports.errors import InvalidItem

Fields = Mapping[str, Any]

INTEGER_IDS = 2**63
"""Ids that are numbers stay below: what databases and other languages can hold."""


def string_field(fields: Fields, name: str, *, most: int) -> str:
    """Return a string that may be missing, then ""; null is missing."""
    value = fields.get(name)
    if value is None:
        return ""
    if type(value) is not str:
        raise InvalidItem("bad_field", f"{name} must be a string, not {json_type(value)}")
    if len(value) > most:
        raise InvalidItem("too_long", f"{name} has {len(value)} characters, more than {most}")
    return value


def string_list_field(fields: Fields, name: str, *, count: int, most: int) -> tuple[str, ...]:
    """Return a list of strings that may be missing, then empty; entries that say nothing go."""
    value = fields.get(name)
    if value is None:
        return ()
    if type(value) is not list:
        raise InvalidItem("bad_field", f"{name} must be a list of strings, not {json_type(value)}")
    if len(value) > count:
        raise InvalidItem("too_long", f"{name} has {len(value)} entries, more than {count}")
    said = (string_field({name: one}, name, most=most) for one in value)
    return tuple(one for one in said if one)


def name_field(fields: Fields, name: str, *, most: int) -> str:
    """Return an id or a source: "" if it is missing or blank, a number in digits."""
    value = fields.get(name)
    if type(value) is int:
        if not -INTEGER_IDS < value < INTEGER_IDS:
            raise InvalidItem("bad_field", f"{name} is a number of more than 63 bits")
        return str(value)
    said = string_field(fields, name, most=most)
    if "\0" in said:
        raise InvalidItem("bad_field", f"{name} holds a NUL character")
    return "" if said.isspace() else said
