"""Names without end: common ones first, then ones composed of parts, drawn by Zipf's law.

So the vocabulary of a stream grows with its length, as Heaps' law has it.
"""

from dataclasses import dataclass
from random import Random

from newsdedup.synthetic.chance import zipf

STRIDE = 1_000_003
"""A prime no list's length divides: neighbours in rank share no part of their names."""

SHIFT = 300
"""How flat the top of the list is: the news names few people twice."""


@dataclass(frozen=True, slots=True)
class Names:
    """Common stems and the columns all others are composed of."""

    common: tuple[str, ...]
    columns: tuple[tuple[str, ...], ...]
    variants: int
    """How many paradigms, patterns or the like a stem can be followed by."""
    composed: int
    """How many names the columns give."""

    def draw(self, rng: Random) -> tuple[str, int]:
        """Return a stem and the number of its variant, frequent ones more often."""
        return self.at(zipf(rng, len(self.common) + self.composed, SHIFT))

    def at(self, rank: int) -> tuple[str, int]:
        """Return the name of a rank; every composed rank has a name of its own."""
        if rank < len(self.common):
            return self.common[rank], rank % self.variants
        left, variant = divmod((rank - len(self.common)) * STRIDE % self.composed, self.variants)
        stem = ""
        for column in self.columns:
            left, place = divmod(left, len(column))
            stem += column[place]
        return stem, variant
