"""Bytes to a JSON object that is safe to read: bounded, all Unicode, not too deep.

What is not an error: a byte order mark in front, white space around, a name that occurs twice
(the last one counts, as for nearly every reader).
"""

import re
from typing import Any

from msgspec import DecodeError, ValidationError
from msgspec.json import Decoder

from newsdedup.adapters.formats.limits import Limits
from newsdedup.ports.errors import InvalidItem

BYTE_ORDER_MARK = b"\xef\xbb\xbf"

_DECODER = Decoder()
_CONTAINERS = frozenset({dict, list})
# Each escape is consumed whole, so that an escaped backslash before a "u" starts none.
_ESCAPE = re.compile(
    rb"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F]|(?P<half>u[dD][89a-fA-F])|.)", re.DOTALL
)


def decode_object(line: bytes, limits: Limits) -> dict[str, Any]:
    """Return the object that a line holds; raise InvalidItem if there is none to be had."""
    if len(line) > limits.line_bytes:
        raise InvalidItem("too_long", f"{len(line)} bytes are more than {limits.line_bytes}")
    line = line.removeprefix(BYTE_ORDER_MARK)
    try:
        value = _DECODER.decode(line)
    except RecursionError as error:
        raise _too_deep(limits) from error
    except ValidationError as error:
        # The syntax is right, but the number has no place in a float or an integer.
        raise InvalidItem("bad_field", f"a number is beyond all bounds: {error}") from error
    except (DecodeError, UnicodeDecodeError) as error:
        raise _unreadable(line, error) from error
    if type(value) is not dict:
        raise InvalidItem("not_object", f"a record is a JSON object, not {json_type(value)}")
    # Where there are so few brackets none can be nested deeper: mostly the values need no visit.
    brackets = line.count(b"{") + line.count(b"[")
    if brackets > limits.depth and _is_deeper(value, limits.depth):
        raise _too_deep(limits)
    return value


def json_type(value: Any) -> str:
    """Return what JSON calls a value, with its article."""
    match value:
        case None:
            return "null"
        case bool():
            return "a boolean"
        case str():
            return "a string"
        case int() | float():
            return "a number"
        case list():
            return "a list"
        case _:
            return "an object"


def _too_deep(limits: Limits) -> InvalidItem:
    return InvalidItem("too_deep", f"objects and lists are nested more than {limits.depth} deep")


def _is_deeper(value: dict[str, Any], depth: int) -> bool:
    """Return whether containers are nested deeper; they are visited level by level."""
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


def _unreadable(line: bytes, error: Exception) -> InvalidItem:
    """Return the reason that helps most, of those that apply."""
    if not line.strip():
        return InvalidItem("not_json", "there is nothing but white space")
    try:
        line.decode()
    except UnicodeDecodeError as wrong:
        return InvalidItem("not_utf8", f"the byte at {wrong.start} is not UTF-8: {wrong.reason}")
    if any(escape["half"] for escape in _ESCAPE.finditer(line)):
        return InvalidItem("not_utf8", "half of a surrogate pair (\\ud800 to \\udfff) stands alone")
    return InvalidItem("not_json", str(error))
