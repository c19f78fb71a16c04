"""Minima of hashed shingles under many functions (Broder 1997): minhash and megashingles.

Numpy on whole numbers only, which wrap around and add up the same on every machine.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from operator import eq
from struct import pack
from typing import ClassVar

import numpy as np
import numpy.typing as npt
from xxhash import xxh3_64_digest, xxh3_64_intdigest

from newsdedup.core.fingerprints.corpus import CorpusStats, PreparedText, hash_shingles
from newsdedup.core.fingerprints.method import NO_FINGERPRINT, Method, equal_share
from newsdedup.core.model import Fingerprint

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


@dataclass(frozen=True, slots=True)
class Minhash(Method):
    """The share of equal minima of hashed shingles, which estimates their Jaccard similarity.

    Broder (1997), papers 000 and 002: of m functions, the least value of each on the shingles. Two
    texts of similarity J agree in a minimum with probability J, so the share of equal ones has mean
    J and variance J * (1 - J) / m. Keys are bands of `rows` minima each: a pair becomes a candidate
    with probability 1 - (1 - J^rows)^(m / rows).
    """

    functions: HashFunctions = field(default_factory=lambda: seeded_functions(128))
    rows: int = 4
    shingle: int = 3
    name: str = "minhash"
    threshold: ClassVar[float] = 0.5
    exact: ClassVar[bool] = False

    def sign(self, prepared: PreparedText, _corpus: CorpusStats) -> Fingerprint:
        """Return the minimum of the shingle hashes under each function, 32 bits each."""
        if not prepared.words:
            return NO_FINGERPRINT
        minima = pack_minima(self.functions.minima(hash_shingles(prepared.words, self.shingle)))
        return Fingerprint(self.keys_of(cut_bands(minima, self.rows)), minima)

    def match(self, left: Fingerprint, right: Fingerprint) -> float:
        """Return the share of functions whose minima are equal; 0 if either body is empty."""
        if not left.body or not right.body:
            return 0.0
        equal: int = sum(map(eq, memoryview(left.body).cast("I"), memoryview(right.body).cast("I")))
        return equal / self.functions.count


MEGASHINGLE_FUNCTIONS = 36
"""For 6 groups of 6, as paper 000 has them."""


@dataclass(frozen=True, slots=True)
class Megashingles(Method):
    """A6: six supershingles of the minima of shingles; a pair of them, or more, in common.

    The minima of the 5-word shingles under 36 functions fall into 6 groups of 6; the hash of a
    group is a supershingle; the 15 pairs of supershingles, the megashingles, are the keys. Two
    texts whose shingles have the Jaccard similarity p share a supershingle with probability p^6.
    The match is the share of equal supershingles, 2 of 6 at the threshold.
    """

    functions: HashFunctions = field(
        default_factory=lambda: seeded_functions(MEGASHINGLE_FUNCTIONS)
    )
    groups: int = 6
    shingle: int = 5
    name: str = "megashingles"
    exact: ClassVar[bool] = True

    @property
    def threshold(self) -> float:
        """Return the match from which on documents are duplicates: two of all supershingles."""
        return 2 / self.groups

    def sign(self, prepared: PreparedText, _corpus: CorpusStats) -> Fingerprint:
        """Return the supershingles, hashes of groups of shingle minima, 64 bits each."""
        if not prepared.words:
            return NO_FINGERPRINT
        minima = self.functions.minima(hash_shingles(prepared.words, self.shingle))
        size = len(minima) // self.groups
        supershingles = [
            xxh3_64_digest(pack(f"<{size}Q", *minima[begin : begin + size]))
            for begin in range(0, self.groups * size, size)
        ]
        pairs = combinations(enumerate(supershingles), 2)
        megashingles = [bytes((i, j)) + one + other for (i, one), (j, other) in pairs]
        return Fingerprint(self.keys_of(megashingles), b"".join(supershingles))

    def match(self, left: Fingerprint, right: Fingerprint) -> float:
        """Return the share of the groups whose supershingles are equal."""
        return equal_share(left, right, width=8)


def megashingles_84() -> Megashingles:
    """Return the method of Fetterly, Manasse and Najork (2003): 84 functions in 6 groups of 14."""
    return Megashingles(functions=seeded_functions(84), name="megashingles_84")
