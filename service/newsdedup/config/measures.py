"""Settings that are measured: nobody must guess whether 72 means seconds or hours."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta


@dataclass(frozen=True, slots=True)
class Duration:
    """A span of time, written with its unit; zero only where it is allowed."""

    zero: bool = False
    unit: str = "duration"

    @property
    def expected(self) -> str:
        """Show each unit once."""
        bounds = "up to 36500d" if self.zero else "above zero, up to 36500d"
        return f"a duration with its unit, such as 72h, 90m, 3d, 10s or 200ms, {bounds}"

    def parse(self, raw: object) -> timedelta:
        """Return the span; a number without a unit is refused."""
        milliseconds = _measured(raw, MILLISECONDS)
        least = 0 if self.zero else 1
        if milliseconds is None or not least <= milliseconds <= LONGEST:
            raise ValueError(self.expected)
        return timedelta(milliseconds=milliseconds)

    def plain(self, value: timedelta) -> str:
        """Return the span in the largest unit that needs no fraction, hours at most."""
        return _written(value // timedelta(milliseconds=1), WRITTEN_DURATIONS)


@dataclass(frozen=True, slots=True)
class Size:
    """A number of bytes, written with its unit."""

    least: int = 1
    unit: str = "size"

    @property
    def expected(self) -> str:
        """Show each unit once."""
        bounds = "up to 1TiB" if self.least == 1 else f"from {self.plain(self.least)} up to 1TiB"
        return f"a size with its unit, such as 16MiB, 512KiB, 1GiB, 10MB or 4096B, {bounds}"

    def parse(self, raw: object) -> int:
        """Return the number of bytes; a number without a unit is refused."""
        size = _measured(raw, BYTES)
        if size is None or not self.least <= size <= LARGEST:
            raise ValueError(self.expected)
        return size

    def plain(self, value: int) -> str:
        """Return the size in the largest binary unit that needs no fraction."""
        return _written(value, WRITTEN_SIZES)


# The repeats are bounded: an endless number is refused, not read.
MEASURED = re.compile(r"([0-9]{1,18}) ?([A-Za-z]{1,3})")

MILLISECONDS = {"ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}
WRITTEN_DURATIONS = {"h": 3_600_000, "m": 60_000, "s": 1_000, "ms": 1}
LONGEST = 36_500 * MILLISECONDS["d"]
"""A century: the time of an item, give or take that, is far from the end of 64 bits."""

DECIMAL = {"kB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}
WRITTEN_SIZES = {"TiB": 2**40, "GiB": 2**30, "MiB": 2**20, "KiB": 2**10, "B": 1}
BYTES = DECIMAL | WRITTEN_SIZES
LARGEST = BYTES["TiB"]


def _measured(raw: object, units: Mapping[str, int]) -> int | None:
    """Return a number times its unit, or None if either is missing."""
    found = MEASURED.fullmatch(raw) if isinstance(raw, str) else None
    if found is None or found[2] not in units:
        return None
    return int(found[1]) * units[found[2]]


def _written(value: int, units: Mapping[str, int]) -> str:
    """Return a number with the first unit that divides it; units stand in falling order."""
    for unit, factor in units.items():
        if value and value % factor == 0:
            return f"{value // factor}{unit}"
    return f"{value}{list(units)[-1]}"
