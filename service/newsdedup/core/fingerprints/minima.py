"""Minima of hashed shingles under many functions (Broder 1997), and the keys made of them.

Numpy on whole numbers only, which wrap around and add up the same on every machine.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from struct import pack

import numpy as np
import numpy.typing as npt
from xxhash import xxh3_64_intdigest

_Numbers = npt.NDArray[np.uint64]

ROWS = 4096
"""Hashes taken at a time: a huge text needs no more memory than so many."""


@dataclass(frozen=True, eq=False, slots=True)
class HashFunctions:
    """Seeded functions x -> (a * x + b) mod 2**64, a odd: each orders the hashes differently.

    Instead of random polynomials, as Karp and Rabin have them: x is a hash already, and for
    hashes a linear order is as good as any (the variance of an estimate of Jaccard is that of
    fair draws, tests/core/fingerprints/test_minhash.py).
    """

    seed: int
    factors: _Numbers
    addends: _Numbers

    @property
    def count(self) -> int:
        """Return how many functions there are."""
        return len(self.factors)

    @property
    def version(self) -> str:
        """Return the number of functions and the seed as text, which name all functions."""
        return f"{self.count}/{self.seed}"

    def minima(self, hashes: Sequence[int]) -> list[int]:
        """Return the least value that each function takes on the hashes, as 64-bit numbers."""
        least = np.full(self.count, np.iinfo(np.uint64).max, dtype=np.uint64)
        for begin in range(0, len(hashes), ROWS):
            values = np.array(hashes[begin : begin + ROWS], dtype=np.uint64)[:, None] * self.factors
            values += self.addends
            np.minimum(least, values.min(axis=0), out=least)
        found: list[int] = least.tolist()
        return found


def seeded_functions(count: int, *, seed: int = 1) -> HashFunctions:
    """Return `count` functions; the same count and seed give the same ones in every process."""
    drawn = [
        (xxh3_64_intdigest(f"factor {at}".encode(), seed), xxh3_64_intdigest(b"%d" % at, seed))
        for at in range(count)
    ]
    factors = np.array([factor | 1 for factor, _ in drawn], dtype=np.uint64)
    addends = np.array([addend for _, addend in drawn], dtype=np.uint64)
    return HashFunctions(seed, factors, addends)


_MINIMUM_BYTES = 4
"""Bytes kept of a minimum, the high ones: two unlike minima agree in them once in 2**32."""


def pack_minima(minima: Sequence[int]) -> bytes:
    """Return the high 32 bits of every minimum as bytes, little-endian, in order."""
    return pack(f"<{len(minima)}I", *[minimum >> 32 for minimum in minima])


def cut_bands(minima: bytes, rows: int) -> list[bytes]:
    """Return the packed minima in bands of `rows`, each behind its index as two bytes."""
    size = _MINIMUM_BYTES * rows
    return [at.to_bytes(2, "little") + minima[at : at + size] for at in range(0, len(minima), size)]
