"""Methods of hashed shingles: minima under many functions, or one sample (A6, A8, A11).

Numpy on whole numbers only, which wrap around and add up the same on every machine.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import ceil, log2
from operator import eq
from struct import pack, unpack
from typing import ClassVar

import numpy as np
import numpy.typing as npt
from xxhash import xxh3_64_digest, xxh3_64_intdigest

from newsdedup.core.fingerprints.corpus import (
    CorpusStats,
    PreparedText,
    hash_shingles,
    hash_wrapped_shingles,
)
from newsdedup.core.fingerprints.method import (
    NO_FINGERPRINT,
    ChecksumMethod,
    Method,
    cut,
    equal_share,
)
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
        """Return 32 bits of each function's least shingle hash; NO_FINGERPRINT without words."""
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
        """Return 64-bit hashes of groups of shingle minima; NO_FINGERPRINT without words."""
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
        """Return the share of the groups with equal supershingles; 0 if neither text has any."""
        return equal_share(left, right, width=8)


def megashingles_84() -> Megashingles:
    """Return the method of Fetterly, Manasse and Najork (2003): 84 functions in 6 groups of 14."""
    return Megashingles(functions=seeded_functions(84), name="megashingles_84")


@dataclass(frozen=True, slots=True)
class LogShingles(ChecksumMethod):
    """A8: the hash of a logarithmic sample of the 5-word shingles (paper 000).

    The end of the text is followed by its beginning, so that n words have n shingles. Kept are
    those whose hash divides by 2^e. Our reading, where the paper leaves e open: the highest e that
    keeps at least log2 of the number of distinct shingles, rounded up, and at least one.
    """

    shingle: int = 5
    name: str = "log_shingles"

    def sign(self, prepared: PreparedText, _corpus: CorpusStats) -> Fingerprint:
        """Return one hash of the sampled shingles of a document; NO_FINGERPRINT without words."""
        if not prepared.words:
            return NO_FINGERPRINT
        sample = sample_hashes(set(hash_wrapped_shingles(prepared.words, self.shingle)))
        return self.fingerprint(xxh3_64_digest(pack(f"<{len(sample)}Q", *sample)))


def sample_hashes(hashes: Collection[int]) -> list[int]:
    """Return, ascending, the hashes that divide by the highest power of 2 that leaves enough.

    Enough is log2 of their number, rounded up, and at least one. `hashes` must not be empty.
    """
    enough = max(1, ceil(log2(len(hashes))))
    sample = list(hashes)
    for exponent in range(1, 65):
        fewer = [number for number in sample if number % (1 << exponent) == 0]
        if len(fewer) < enough:
            break
        sample = fewer
    return sorted(sample)


_SHINGLE_BYTES = 8
"""Bytes of a shingle; 4 bytes of length come before them."""
RATIO = 1.5
"""The largest ratio of lengths at which 2 * LCS / (n + m) can reach 0.80: 2 / 0.80 - 1.

The paper has 1.15 for a similarity of 0.85 "practically without loss of recall"; of the pairs of
news whose similarity is 0.80 or more, 1.15 lost 7 % and 1.25 3 % (1,049 pairs, 2026-11-21)."""


@dataclass(frozen=True, slots=True)
class Decomposition(Method):
    """A11: sampled shingles and the length, for an index that changes (paper 000).

    The sample is the `sample` smallest hashes of the distinct 5-word shingles (Broder 1997): all
    of a short text, and of two texts a fair sample of what both hold. From it come the Jaccard
    similarity J of the shingles and the share 2J / (1 + J) of a text that is in the other. Texts
    whose lengths differ by more than the ratio do not match. The whole form, where the pairs of
    chains are compared as texts: chains.py.

    Our reading: an edited word spoils up to five shingles, so the similarity of the texts is
    taken to be the cube root of that share, which was nearest to 2 * LCS / (n + m) of the
    characters (off by 0.03 in the mean of 4,000 pairs of news, 2026-11-21).
    """

    sample: int = 32
    shingle: int = 5
    ratio: float = RATIO
    root: float = 3.0
    name: str = "decomposition"
    threshold: ClassVar[float] = 0.8
    exact: ClassVar[bool] = True

    def sign(self, prepared: PreparedText, _corpus: CorpusStats) -> Fingerprint:
        """Return the word count and the smallest shingle hashes; NO_FINGERPRINT without words."""
        if not prepared.words:
            return NO_FINGERPRINT
        sampled = sorted(set(hash_shingles(prepared.words, self.shingle)))[: self.sample]
        body = pack(f"<I{len(sampled)}Q", len(prepared.words), *sampled)
        return Fingerprint(self.keys_of(cut(body[4:], _SHINGLE_BYTES)), body)

    def match(self, left: Fingerprint, right: Fingerprint) -> float:
        """Return the estimated similarity; 0 if lengths are too unlike or no shingle is shared."""
        if not left.body or not right.body:
            return 0.0
        length, *one = unpack(f"<I{len(left.body) // _SHINGLE_BYTES}Q", left.body)
        other_length, *other = unpack(f"<I{len(right.body) // _SHINGLE_BYTES}Q", right.body)
        if max(length, other_length) > self.ratio * min(length, other_length):
            return 0.0
        both = set(one).intersection(other)
        if not both:
            return 0.0
        # Of the smallest hashes of both together, each text would have sampled the ones it holds.
        together = sorted({*one, *other})[: self.sample]
        jaccard = sum([number in both for number in together]) / len(together)
        estimate: float = (2 * jaccard / (1 + jaccard)) ** (1 / self.root)
        return estimate
