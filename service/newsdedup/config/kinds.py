"""What a setting may hold: each kind reads a raw value, and writes it so that it reads back."""

import re
from dataclasses import dataclass
from os import PathLike
from typing import Protocol, TypeVar

T = TypeVar("T")


class Confidential(ValueError):
    """What is wrong with a value that must not be shown, for a password may be in it."""


class Kind(Protocol[T]):
    """One way to write values of a type.

    Laws, checked for every kind by tests/config/test_kinds.py: what `plain` writes, `parse` reads
    back as the same value; `parse` raises ValueError and nothing else.
    """

    @property
    def unit(self) -> str:
        """What is counted or measured; empty when nothing is."""
        ...

    @property
    def expected(self) -> str:
        """What to say to someone whose value was refused."""
        ...

    def parse(self, raw: object) -> T:
        """Return the value of a flag, an environment variable or a TOML value."""
        ...

    def plain(self, value: T) -> int | str:
        """Return the value as TOML and JSON write it."""
        ...


@dataclass(frozen=True, slots=True)
class Whole:
    """Whole numbers within bounds, counted in some unit."""

    unit: str
    least: int = 1
    most: int = 1_000_000_000

    @property
    def expected(self) -> str:
        """Name both bounds."""
        return f"a whole number from {self.least} to {self.most}"

    def parse(self, raw: object) -> int:
        """Return a number or the number that a text spells."""
        if isinstance(raw, str) and DIGITS.fullmatch(raw):
            raw = int(raw)
        # TOML's true is no 1, although Python's is.
        if not isinstance(raw, int) or isinstance(raw, bool) or not self.least <= raw <= self.most:
            raise ValueError(self.expected)
        return raw

    def plain(self, value: int) -> int:
        """Return the number."""
        return value


@dataclass(frozen=True, slots=True)
class Choice:
    """One of a few names."""

    names: tuple[str, ...]
    unit: str = ""

    @property
    def expected(self) -> str:
        """Name all there are."""
        return "one of: " + ", ".join(self.names)

    def parse(self, raw: object) -> str:
        """Return the name."""
        if not isinstance(raw, str) or raw not in self.names:
            raise ValueError(self.expected)
        return raw

    def plain(self, value: str) -> str:
        """Return the name."""
        return value


@dataclass(frozen=True, slots=True)
class Names:
    """Some of a few names, in an order; empty for none."""

    names: tuple[str, ...]
    unit: str = ""

    @property
    def expected(self) -> str:
        """Name all there are."""
        return "a list, or names with commas between them, each one of: " + ", ".join(self.names)

    def parse(self, raw: object) -> tuple[str, ...]:
        """Return the names of a list, or of a text with commas."""
        if isinstance(raw, str):
            raw = [name.strip() for name in raw.split(",")] if raw.strip() else []
        if not isinstance(raw, list) or not all(name in self.names for name in raw):
            raise ValueError(self.expected)
        return tuple(dict.fromkeys(raw))

    def plain(self, value: tuple[str, ...]) -> str:
        """Return the names with commas between them."""
        return ",".join(value)


@dataclass(frozen=True, slots=True)
class File:
    """The path of a file, relative to the current folder; empty for none."""

    unit: str = "path"
    expected: str = "the path of a file"

    def parse(self, raw: object) -> str:
        """Return the path as it was written."""
        path = raw.__fspath__() if isinstance(raw, PathLike) else raw
        if not isinstance(path, str) or "\0" in path:
            raise ValueError(self.expected)
        return path

    def plain(self, value: str) -> str:
        """Return the path."""
        return value


@dataclass(frozen=True, slots=True)
class Text:
    """A short text without line ends; empty only where that says something."""

    empty: bool = True
    unit: str = "text"

    @property
    def expected(self) -> str:
        """Name the bounds."""
        bounds = "up to 1000 characters" if self.empty else "1 to 1000 characters"
        return f"a text of one line, {bounds}"

    def parse(self, raw: object) -> str:
        """Return the text without the white space around it."""
        text = line(raw)
        if text is None or not (text or self.empty):
            raise ValueError(self.expected)
        return text

    def plain(self, value: str) -> str:
        """Return the text."""
        return value


@dataclass(frozen=True, slots=True)
class Flag:
    """Yes or no."""

    unit: str = ""
    expected: str = "true or false"

    def parse(self, raw: object) -> bool:
        """Return TOML's value, or the one that a text spells."""
        if isinstance(raw, str) and raw in SPELLED:
            raw = SPELLED[raw]
        if raw is not True and raw is not False:
            raise ValueError(self.expected)
        return raw

    def plain(self, value: bool) -> str:
        """Return the word."""
        return "true" if value else "false"


def line(raw: object) -> str | None:
    """Return a short text without the white space around it; None if it is none of one line."""
    if not isinstance(raw, str) or len(raw) > LONGEST_TEXT or not raw.isprintable():
        return None
    return raw.strip()


LONGEST_TEXT = 1_000
SPELLED = {"true": True, "false": False, "1": True, "0": False}
DIGITS = re.compile(r"[0-9]{1,18}")
"""Bounded: an endless number is refused, not read."""
