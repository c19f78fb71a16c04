"""The kinds of values of settings: how each is parsed, and written so that it parses back."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from os import PathLike
from typing import Protocol, TypeVar

_T = TypeVar("_T")

AUTO = "auto"
_LONGEST_TEXT = 1_000
_SPELLED = {"true": True, "false": False, "1": True, "0": False}
# The repeats are bounded: an endless number is refused, not read.
_DIGITS = re.compile(r"[0-9]{1,18}")
_MEASURED = re.compile(r"([0-9]{1,18}) ?([A-Za-z]{1,3})")

MILLISECONDS = {"ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}
_DURATION_UNITS = {unit: MILLISECONDS[unit] for unit in ("h", "m", "s", "ms")}
LONGEST_DURATION = 36_500 * MILLISECONDS["d"]
"""A century in milliseconds: adding it to the time of an item cannot overflow 64 bits."""
_SIZE_UNITS = {"TiB": 2**40, "GiB": 2**30, "MiB": 2**20, "KiB": 2**10, "B": 1}
BYTES = {"kB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12} | _SIZE_UNITS
LARGEST = BYTES["TiB"]


class Confidential(ValueError):
    """An invalid value may contain a password, so error messages must not show it."""


class WrongPart(ValueError):
    """One part of a value with many parts is invalid; the error message shows that part."""

    def __init__(self, expected: str, *, part: str) -> None:
        super().__init__(expected)
        self.part = part


class SettingKind(Protocol[_T]):
    """One way to write values of a type.

    Laws, checked for every kind by tests/config/test_kinds.py: what `plain` writes, `parse` reads
    back as the same value; `parse` raises ValueError and nothing else.
    """

    @property
    def unit(self) -> str:
        """Return the unit of the values; empty if they have none."""
        ...

    @property
    def expected(self) -> str:
        """Return the description of valid values, the text of the error message."""
        ...

    def parse(self, raw: object) -> _T:
        """Return the value of a flag's or variable's text, or of a TOML value.

        Raise ValueError with `expected` as its text for any other.
        """
        ...

    def plain(self, value: _T) -> int | str:
        """Return the value as it is written in TOML and JSON."""
        ...


class TextKind:
    """Base of the kinds whose values are texts, written as they are."""

    __slots__ = ()

    def plain(self, value: str) -> str:
        """Return the text."""
        return value


@dataclass(frozen=True, slots=True)
class WholeNumber:
    """Whole numbers within bounds, counted in some unit."""

    unit: str
    least: int = 1
    most: int = 1_000_000_000

    @property
    def expected(self) -> str:
        """Return "a whole number from LEAST to MOST", the text of `parse`'s error."""
        return f"a whole number from {self.least} to {self.most}"

    def parse(self, raw: object) -> int:
        """Return a number given as such or in digits; raise ValueError beyond the bounds."""
        if isinstance(raw, str) and _DIGITS.fullmatch(raw):
            raw = int(raw)
        # TOML's true is no 1, although Python's is.
        if not isinstance(raw, int) or isinstance(raw, bool) or not self.least <= raw <= self.most:
            raise ValueError(self.expected)
        return raw

    def plain(self, value: int) -> int:
        """Return the number."""
        return value


@dataclass(frozen=True, slots=True)
class AutoNumber:
    """Whole numbers from 0, or `auto`: None, for a number that is chosen by the machine."""

    unit: str
    most: int

    @property
    def expected(self) -> str:
        """Return "auto, or a whole number from 0 to MOST", the text of `parse`'s error."""
        return f"auto, or {self._number.expected}"

    @property
    def _number(self) -> WholeNumber:
        return WholeNumber(self.unit, least=0, most=self.most)

    def parse(self, raw: object) -> int | None:
        """Return the number, None for "auto"; raise ValueError for any other."""
        if raw == AUTO:
            return None
        try:
            return self._number.parse(raw)
        except ValueError as error:
            raise ValueError(self.expected) from error

    def plain(self, value: int | None) -> int | str:
        """Return the number, or "auto"."""
        return AUTO if value is None else value


@dataclass(frozen=True, slots=True)
class OneOf(TextKind):
    """One of the given names."""

    names: tuple[str, ...]
    unit: str = ""

    @property
    def expected(self) -> str:
        """Return "one of: " and all names, the text of `parse`'s error."""
        return "one of: " + ", ".join(self.names)

    def parse(self, raw: object) -> str:
        """Return the name; raise ValueError if it is not one of the names."""
        if not isinstance(raw, str) or raw not in self.names:
            raise ValueError(self.expected)
        return raw


@dataclass(frozen=True, slots=True)
class SomeOf:
    """Any number of the given names, in the order in which the user wrote them; may be empty."""

    names: tuple[str, ...]
    unit: str = ""

    @property
    def expected(self) -> str:
        """Return the forms of a list and all names, the text of `parse`'s error."""
        return "a list, or names with commas between them, each one of: " + ", ".join(self.names)

    def parse(self, raw: object) -> tuple[str, ...]:
        """Return the names of a list or of a text with commas, without repeats.

        Raise ValueError if one is not of the given names.
        """
        if isinstance(raw, str):
            raw = [name.strip() for name in raw.split(",")] if raw.strip() else []
        if not isinstance(raw, list) or not all(name in self.names for name in raw):
            raise ValueError(self.expected)
        return tuple(dict.fromkeys(raw))

    def plain(self, value: tuple[str, ...]) -> str:
        """Return the names with commas between them."""
        return ",".join(value)


@dataclass(frozen=True, slots=True)
class FilePath(TextKind):
    """The path of a file, relative to the current folder; empty for none."""

    unit: str = "path"
    expected: str = "the path of a file"

    def parse(self, raw: object) -> str:
        """Return the path unchanged; raise ValueError if it is no text or contains a NUL."""
        path = raw.__fspath__() if isinstance(raw, PathLike) else raw
        if not isinstance(path, str) or "\0" in path:
            raise ValueError(self.expected)
        return path


@dataclass(frozen=True, slots=True)
class LineOfText(TextKind):
    """A text of one line; may be empty unless `empty` is false."""

    empty: bool = True
    unit: str = "text"

    @property
    def expected(self) -> str:
        """Return the bounds of the length, the text of `parse`'s error."""
        bounds = "up to 1000 characters" if self.empty else "1 to 1000 characters"
        return f"a text of one line, {bounds}"

    def parse(self, raw: object) -> str:
        """Return the text, stripped; raise ValueError if it is too long or not one line."""
        text = single_line(raw)
        if text is None or not (text or self.empty):
            raise ValueError(self.expected)
        return text


@dataclass(frozen=True, slots=True)
class YesOrNo:
    """True or false."""

    unit: str = ""
    expected: str = "true or false"

    def parse(self, raw: object) -> bool:
        """Return a boolean, or that of "true", "false", "1" or "0"; else raise ValueError."""
        if isinstance(raw, str) and raw in _SPELLED:
            raw = _SPELLED[raw]
        if raw is not True and raw is not False:
            raise ValueError(self.expected)
        return raw

    def plain(self, value: bool) -> str:
        """Return "true" or "false"."""
        return "true" if value else "false"


@dataclass(frozen=True, slots=True)
class Duration:
    """A span of time within bounds in milliseconds, written with its unit; zero only if `zero`."""

    zero: bool = False
    least: int = 1
    most: int = LONGEST_DURATION
    unit: str = "duration"

    @property
    def expected(self) -> str:
        """Return an example of each unit and the bounds, the text of `parse`'s error."""
        least = "above zero, " if self.least == 1 else f"from {_write_duration(self.least)} "
        most = "36500d" if self.most == LONGEST_DURATION else _write_duration(self.most)
        bounds = f"{'' if self.zero else least}up to {most}"
        return f"a duration with its unit, such as 72h, 90m, 3d, 10s or 200ms, {bounds}"

    def parse(self, raw: object) -> timedelta:
        """Return the span; raise ValueError without a unit or beyond the bounds."""
        milliseconds = _parse_measure(raw, MILLISECONDS)
        least = 0 if self.zero else self.least
        if milliseconds is None or not least <= milliseconds <= self.most:
            raise ValueError(self.expected)
        return timedelta(milliseconds=milliseconds)

    def plain(self, value: timedelta) -> str:
        """Return the span in the largest unit, up to hours, in which it is a whole number."""
        return _write_duration(value // timedelta(milliseconds=1))


@dataclass(frozen=True, slots=True)
class Size:
    """A number of bytes, written with its unit."""

    least: int = 1
    unit: str = "size"

    @property
    def expected(self) -> str:
        """Return an example of each unit and the bounds, the text of `parse`'s error."""
        bounds = "up to 1TiB" if self.least == 1 else f"from {self.plain(self.least)} up to 1TiB"
        return f"a size with its unit, such as 16MiB, 512KiB, 1GiB, 10MB or 4096B, {bounds}"

    def parse(self, raw: object) -> int:
        """Return the number of bytes; raise ValueError without a unit or beyond the bounds."""
        size = _parse_measure(raw, BYTES)
        if size is None or not self.least <= size <= LARGEST:
            raise ValueError(self.expected)
        return size

    def plain(self, value: int) -> str:
        """Return the size in the largest binary unit in which it is a whole number."""
        return _write_measure(value, _SIZE_UNITS)


def single_line(raw: object) -> str | None:
    """Return a text, stripped; None if it is no text, not one line, or over 1,000 characters."""
    if not isinstance(raw, str) or len(raw) > _LONGEST_TEXT or not raw.isprintable():
        return None
    return raw.strip()


def _parse_measure(raw: object, units: Mapping[str, int]) -> int | None:
    """Return the number in a text times its unit's factor, None for another form or unit."""
    match = _MEASURED.fullmatch(raw) if isinstance(raw, str) else None
    if match is None or match[2] not in units:
        return None
    return int(match[1]) * units[match[2]]


def _write_duration(milliseconds: int) -> str:
    """Return a span in the largest unit, up to hours, in which it is a whole number."""
    return _write_measure(milliseconds, _DURATION_UNITS)


def _write_measure(value: int, units: Mapping[str, int]) -> str:
    """Return a number in the first of the units, given largest first, that divides it."""
    for unit, factor in units.items():
        if value and value % factor == 0:
            return f"{value // factor}{unit}"
    return f"{value}{list(units)[-1]}"
