"""A setting, and the kinds of values: how each is parsed, and written so that it parses back."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cache
from os import PathLike
from typing import Any, Generic, TypeVar

_T = TypeVar("_T")

AUTO = "auto"
VARIABLE_PREFIX = "NEWSDEDUP_"
MASK = "********"
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


@dataclass(frozen=True, slots=True)
class SettingKind(Generic[_T]):
    """How the values of a setting are written; `parse` reads what `plain` writes as the same value.

    Tests check that for every kind, and that `parse` raises ValueError and nothing else.
    """

    unit: str
    """The unit of the values; empty if they have none."""
    expected: str
    """The description of valid values, the text of the error message."""
    parse: Callable[[object], _T]
    """Returns the value of a flag's or variable's text, or of a TOML value.

    Raises ValueError with `expected` as its text for any other.
    """
    plain: Callable[[_T], int | str]
    """Returns the value as it is written in TOML and JSON."""


def setting(
    default: Any, kind: SettingKind[Any], about: str, *, flag: str = "", secret: bool = False
) -> Any:
    """Return the dataclass field that declares a setting, with a default as users write it: "72h".

    `about` is its help, `flag` its flag or "" for none; a secret is masked when printed.
    """
    metadata = {"kind": kind, "about": about, "flag": flag, "secret": secret}
    return field(default=kind.parse(default), metadata=metadata)


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: its names, its kind, its default and its help."""

    key: str
    kind: SettingKind[Any]
    default: Any
    about: str
    flag: str
    secret: bool

    @property
    def variable(self) -> str:
        """Return its environment variable: NEWSDEDUP_RULE__WINDOW for rule.window."""
        return VARIABLE_PREFIX + self.key.upper().replace(".", "__")

    def value_in(self, settings: object) -> Any:
        """Return the value of this setting in a Settings."""
        section, name = self.key.split(".")
        return getattr(getattr(settings, section), name)

    def shown(self, settings: object) -> int | str:
        """Return the value in a Settings as it is printed; a secret that is set is masked."""
        value = self.value_in(settings)
        return MASK if self.secret and value else self.kind.plain(value)


def whole_number(unit: str, least: int = 1, most: int = 1_000_000_000) -> SettingKind[int]:
    """Return the kind of setting for whole numbers from `least` to `most`, also in a text.

    `unit` names what is counted, as "items"; it is shown in the documentation.
    """
    expected = f"a whole number from {least} to {most}"

    def parse(raw: object) -> int:
        if isinstance(raw, str) and _DIGITS.fullmatch(raw):
            raw = int(raw)
        # TOML's true is no 1, although Python's is.
        if not isinstance(raw, int) or isinstance(raw, bool) or not least <= raw <= most:
            raise ValueError(expected)
        return raw

    return SettingKind(unit, expected, parse, int)


def named_number(
    names: Mapping[str, Any], unit: str, *, least: int = 1, most: int
) -> SettingKind[Any]:
    """Return the kind of setting for whole numbers from `least` to `most`, or one of the names.

    A name stands for its value in `names`, as `auto` for None. `unit` names what is counted, as
    "processes"; it is shown in the documentation.
    """
    number = whole_number(unit, least, most)
    expected = f"{', '.join(names)}, or {number.expected}"
    named = {value: name for name, value in names.items()}

    def parse(raw: object) -> Any:
        if isinstance(raw, str) and raw in names:
            return names[raw]
        try:
            return number.parse(raw)
        except ValueError as error:
            raise ValueError(expected) from error

    return SettingKind(unit, expected, parse, lambda value: named.get(value, value))


def one_of(*names: str) -> SettingKind[str]:
    """Return the kind of setting for texts that equal one of the names."""
    expected = "one of: " + ", ".join(names)

    def parse(raw: object) -> str:
        if not isinstance(raw, str) or raw not in names:
            raise ValueError(expected)
        return raw

    return SettingKind("", expected, parse, str)


def some_of(*names: str) -> SettingKind[tuple[str, ...]]:
    """Return the kind of setting for lists of these names, in the user's order; may be empty.

    A list is given as such, or as a text with commas. Repeats are removed.
    """
    expected = "a list, or names with commas between them, each one of: " + ", ".join(names)

    def parse(raw: object) -> tuple[str, ...]:
        if isinstance(raw, str):
            raw = [name.strip() for name in raw.split(",")] if raw.strip() else []
        if not isinstance(raw, list) or not all(name in names for name in raw):
            raise ValueError(expected)
        return tuple(dict.fromkeys(raw))

    return SettingKind("", expected, parse, ",".join)


def file_path() -> SettingKind[str]:
    """Return the kind of setting for paths of files, existing or not; "" is none."""
    expected = "the path of a file"

    def parse(raw: object) -> str:
        path = raw.__fspath__() if isinstance(raw, PathLike) else raw
        if not isinstance(path, str) or "\0" in path:
            raise ValueError(expected)
        return path

    return SettingKind("path", expected, parse, str)


def line_of_text(*, empty: bool = True) -> SettingKind[str]:
    """Return the kind of setting for one line of text, stripped; `empty` allows ""."""
    bounds = "up to 1000 characters" if empty else "1 to 1000 characters"
    expected = f"a text of one line, {bounds}"

    def parse(raw: object) -> str:
        text = single_line(raw)
        if text is None or not (text or empty):
            raise ValueError(expected)
        return text

    return SettingKind("text", expected, parse, str)


def yes_or_no() -> SettingKind[bool]:
    """Return the kind of setting for booleans, also written "true", "false", "1" or "0"."""
    expected = "true or false"

    def parse(raw: object) -> bool:
        value = _SPELLED.get(raw) if isinstance(raw, str) else raw
        if not isinstance(value, bool):
            raise ValueError(expected)  # noqa: TRY004 - as all kinds
        return value

    return SettingKind("", expected, parse, lambda value: "true" if value else "false")


def duration(
    *, zero: bool = False, least: int = 1, most: int = LONGEST_DURATION
) -> SettingKind[timedelta]:
    """Return the kind of setting for durations with a unit, from `least` to `most` milliseconds.

    Zero is valid only if `zero`. A duration is written in the largest unit, up to hours, in which
    it is a whole number.
    """
    above = "above zero, " if least == 1 else f"from {_write_measure(least, _DURATION_UNITS)} "
    below = "36500d" if most == LONGEST_DURATION else _write_measure(most, _DURATION_UNITS)
    expected = (
        "a duration with its unit, such as 72h, 90m, 3d, 10s or 200ms, "
        f"{'' if zero else above}up to {below}"
    )

    def parse(raw: object) -> timedelta:
        milliseconds = _parse_measure(raw, MILLISECONDS)
        if milliseconds is None or not (0 if zero else least) <= milliseconds <= most:
            raise ValueError(expected)
        return timedelta(milliseconds=milliseconds)

    def plain(value: timedelta) -> str:
        return _write_measure(value // timedelta(milliseconds=1), _DURATION_UNITS)

    return SettingKind("duration", expected, parse, plain)


def size(*, least: int = 1) -> SettingKind[int]:
    """Return the kind of setting for sizes with a unit, from `least` bytes to 1 TiB.

    A size is written in the largest binary unit in which it is a whole number.
    """
    bounds = "" if least == 1 else f"from {_write_measure(least, _SIZE_UNITS)} "
    expected = (
        "a size with its unit, such as 16MiB, 512KiB, 1GiB, 10MB or 4096B, " + bounds + "up to 1TiB"
    )

    def parse(raw: object) -> int:
        number = _parse_measure(raw, BYTES)
        if number is None or not least <= number <= LARGEST:
            raise ValueError(expected)
        return number

    return SettingKind("size", expected, parse, lambda value: _write_measure(value, _SIZE_UNITS))


def zone_name() -> SettingKind[str]:
    """Return the kind of setting for IANA names of time zones; "" is none."""
    expected = "the IANA name of a time zone, such as Asia/Colombo or Europe/Kyiv"

    def parse(raw: object) -> str:
        if not isinstance(raw, str) or not (raw == "" or raw in _zone_names()):
            raise ValueError(expected)
        return raw

    return SettingKind("zone", expected, parse, str)


def zones_of_sources() -> SettingKind[tuple[tuple[str, str], ...]]:
    """Return the kind of setting for pairs of a source and its IANA time zone; may be empty.

    They are given as a TOML table or a text, and keep their order. A source must not be empty,
    occur twice, or have a comma or spaces around it. The error is WrongPart for the first wrong
    pair.
    """
    expected = (
        'a table of sources and IANA names of time zones, such as "daily.example" = "Asia/Colombo",'
        " or SOURCE=ZONE with commas between them"
    )

    def parse(raw: object) -> tuple[tuple[str, str], ...]:
        pairs = _read_pairs(raw)
        if pairs is None or len({source for source, _ in pairs}) < len(pairs):
            raise ValueError(expected)
        for source, zone in pairs:
            is_source = source == source.strip() != "" and "," not in source
            if not (is_source and isinstance(zone, str) and zone in _zone_names()):
                raise WrongPart(expected, part=f"{source}={zone}" if source else str(zone))
        return tuple(pairs)

    def plain(value: tuple[tuple[str, str], ...]) -> str:
        return ",".join(f"{source}={zone}" for source, zone in value)

    return SettingKind("zones", expected, parse, plain)


def single_line(raw: object) -> str | None:
    """Return a text, stripped; None if it is no text, not one line, or over 1,000 characters."""
    if not isinstance(raw, str) or len(raw) > _LONGEST_TEXT or not raw.isprintable():
        return None
    return raw.strip()


def _parse_measure(raw: object, units: Mapping[str, int]) -> int | None:
    """Return the number in a text such as "3d" times its unit's factor, None for other texts."""
    match = _MEASURED.fullmatch(raw) if isinstance(raw, str) else None
    if match is None or match[2] not in units:
        return None
    return int(match[1]) * units[match[2]]


def _write_measure(value: int, units: Mapping[str, int]) -> str:
    """Return a number in the first unit that divides it, as "3d"; the largest unit is first."""
    for unit, factor in units.items():
        if value and value % factor == 0:
            return f"{value // factor}{unit}"
    return f"{value}{list(units)[-1]}"


@cache
def _zone_names() -> frozenset[str]:
    """Return the names of all time zones, without "localtime"; cached, since it is slow."""
    # Imported here because few settings name a zone, and help must not wait for it.
    from zoneinfo import available_timezones  # noqa: PLC0415

    return frozenset(available_timezones() - {"localtime"})


def _read_pairs(raw: object) -> list[tuple[str, Any]] | None:
    """Return the unchecked pairs of a table or of SOURCE=ZONE,...; None for any other value."""
    if isinstance(raw, dict):
        return list(raw.items())
    if not isinstance(raw, str):
        return None
    # A source may have a sign of equality.
    split = [one.rpartition("=") for one in raw.split(",")] if raw.strip() else []
    return [(source.strip(), zone.strip()) for source, _, zone in split]
