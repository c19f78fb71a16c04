"""Labelled pairs as JSON lines, such as the feedback of editors: one object a line."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from newsdedup.ports.errors import SourceUnusable

NAME_COLUMNS: Final = ("id1", "id2")
_COLUMNS: Final = (*NAME_COLUMNS, "dup", "label", "label_a", "weight", "set", "lang")


class PairLine(NamedTuple):
    """The values of one line by the names of a TSV's columns, "" for what is missing."""

    line: int
    values: Mapping[str, str]


def holds_json_lines(path: Path) -> bool:
    """Return whether a file begins with JSON; False for one that cannot be read.

    True also for an array, so that read_pair_lines tells what it needs instead.
    """
    try:
        with path.open("rb") as file:
            return file.read(1024).removeprefix(b"\xef\xbb\xbf").lstrip().startswith((b"{", b"["))
    except OSError:
        return False


def read_pair_lines(path: Path) -> list[PairLine]:
    """Return the lines of a file of JSON lines; fields that are not of pairs are ignored.

    Raise SourceUnusable, which names the line, if the file cannot be read, or if a line is no
    object or has a value that is neither text nor number.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise SourceUnusable(f"{path}: cannot be read: {error.strerror or error}") from error
    lines = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    return [_read_line(path, at, line) for at, line in enumerate(lines, 1) if line.strip()]


def _read_line(path: Path, at: int, line: bytes) -> PairLine:
    """Return the values of line number `at`; raise SourceUnusable for an invalid one."""
    try:
        value = msgspec.json.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise SourceUnusable(f"{path}: line {at}: is no JSON: {error}") from error
    if not isinstance(value, dict):
        raise SourceUnusable(f"{path}: line {at}: is no JSON object: one pair on each line")
    try:
        return PairLine(at, {name: _as_text(name, value.get(name)) for name in _COLUMNS})
    except ValueError as error:
        raise SourceUnusable(f"{path}: line {at}: {error}") from error


def _as_text(name: str, value: Any) -> str:
    """Return a JSON value as a TSV would write it: null as "", true as 1.

    Raise ValueError, which names the value, for an object or an array.
    """
    match value:
        case None:
            return ""
        case bool():
            return str(int(value))
        case str():
            return value
        case int() | float():
            return str(value)
        case _:
            raise ValueError(f"{name} is neither text nor number")
