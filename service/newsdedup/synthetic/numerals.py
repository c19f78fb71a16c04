"""Numbers as sentences use them: `{hurt:few/many}` is the number and its noun, with ~ in words."""

from typing import NamedTuple

_FIRST_SPELLED = 3


class Numerals(NamedTuple):
    """How a language writes numbers."""

    small: tuple[str, ...]
    """The words for 3 to 10."""
    thousands: str
    """What stands between groups of three digits."""


class CountedThings(NamedTuple):
    """A number of things. It never ends in 1 (but 11), so two forms of a noun are enough."""

    n: int
    numerals: Numerals

    def __str__(self) -> str:
        """Return the digits, grouped from 10,000 on."""
        if self.n < 10_000:
            return str(self.n)
        return f"{self.n:,}".replace(",", self.numerals.thousands)

    def __format__(self, spec: str) -> str:
        """Return the number and the form it asks for: `few/many`, one for all, or none."""
        if not spec:
            return str(self)
        number = self._word() if spec[0] == "~" else str(self)
        forms = spec.lstrip("~").split("/")
        few = 1 < self.n % 10 < 5 and not 11 < self.n % 100 < 15
        form = forms[0 if few else -1]
        return f"{number} {form}" if form else number

    def _word(self) -> str:
        """Return the number in words if the language lists its word, else in digits."""
        index = self.n - _FIRST_SPELLED
        return self.numerals.small[index] if 0 <= index < len(self.numerals.small) else str(self)


class Units(NamedTuple):
    """How a language writes shares or sums: short, long, and both a thousand times larger."""

    mark: str
    short: str
    long: str
    large_short: str
    large_long: str
    over: str
    most: int
    """No amount has more tenths: 99.9 per cent, and sums the press can still imagine."""


class Amount(NamedTuple):
    """A share or a sum with one decimal, which is never 0."""

    tenths: int
    units: Units

    def _write(self, short: str, large: str) -> str:
        """Return the amount in the pattern `short`, or, from 1,000 on, its thousands in `large`."""
        pattern, tenths = (short, self.tenths) if self.tenths < 10_000 else (large, self._large())
        return pattern.format(f"{tenths // 10}{self.units.mark}{tenths % 10}")

    def _large(self) -> int:
        """Return the tenths of a thousandth of the amount; their last digit is not 0."""
        tenths = self.tenths // 1000
        return tenths if tenths % 10 else tenths + 1

    def __str__(self) -> str:
        """Return the amount as headlines write it."""
        return self._write(self.units.short, self.units.large_short)

    @property
    def long(self) -> str:
        """Return the amount in words of full length."""
        return self._write(self.units.long, self.units.large_long)

    @property
    def over(self) -> str:
        """Return "more than" and the amount rounded down, to a whole number or whole thousands."""
        if self.tenths < 10_000:
            return self.units.over.format(self.units.short.format(self.tenths // 10))
        return self.units.over.format(self.units.large_short.format(self._large() // 10))
