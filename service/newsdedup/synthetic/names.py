"""Names without end: common ones first, then ones composed of parts, drawn by Zipf's law.

So the vocabulary of a stream grows with its length, as Heaps' law has it.
"""

from collections.abc import Iterable
from itertools import product
from random import Random
from typing import NamedTuple

STRIDE = 1_000_003
"""A prime no list's length divides: neighbours in rank share no part of their names."""

SHIFT = 300
"""How flat the top of the list is: the news names few people twice."""


class Names(NamedTuple):
    """Common stems, and the halves all others are composed of."""

    common: tuple[str, ...]
    heads: tuple[str, ...]
    tails: tuple[str, ...]
    variants: int
    """How many paradigms, patterns or the like a stem can be followed by."""
    composed: int
    """How many names the halves give."""
    ratio: float
    """What Zipf's law makes of the size of the list: 1 + size / SHIFT."""

    def draw(self, rng: Random) -> tuple[str, int]:
        """Return a stem and the number of its variant, frequent ones more often."""
        # chance.zipf with its power taken apart, and `at` at length: a report draws ten names.
        common, heads, tails, variants, composed, ratio = self
        rank = int(SHIFT * ratio ** rng.random()) - SHIFT
        left = rank - len(common)
        if left < 0:
            return common[rank], rank % variants
        left, variant = divmod(left * STRIDE % composed, variants)
        head, tail = divmod(left, len(tails))
        return heads[head] + tails[tail], variant

    def at(self, rank: int) -> tuple[str, int]:
        """Return the name of a rank; every composed rank has a name of its own."""
        left = rank - len(self.common)
        if left < 0:
            return self.common[rank], rank % self.variants
        left, variant = divmod(left * STRIDE % self.composed, self.variants)
        head, tail = divmod(left, len(self.tails))
        return self.heads[head] + self.tails[tail], variant


def names(
    common: Iterable[str], columns: list[list[str]], variants: int, *, capital: bool = False
) -> Names:
    """Return the names of columns of parts, with a capital if they are proper names."""
    known = tuple(map(_capital, common) if capital else common)
    heads = tuple(map("".join, product(*columns[:-1])))
    heads = tuple(map(_capital, heads)) if capital else heads
    composed = variants * len(heads) * len(columns[-1])
    return Names(
        common=known,
        heads=heads,
        tails=tuple(columns[-1]),
        variants=variants,
        composed=composed,
        ratio=1 + (len(known) + composed) / SHIFT,
    )


def _capital(stem: str) -> str:
    return stem.title() if "-" in stem or " " in stem else stem.capitalize()
