from dataclasses import dataclass, field
from itertools import combinations
from struct import pack
from typing import ClassVar

from xxhash import xxh3_64_digest

from newsdedup.core.fingerprints.corpus import CorpusStats
from newsdedup.core.fingerprints.method import NO_FINGERPRINT, Method, equal_share
from newsdedup.core.fingerprints.minima import HashFunctions, seeded_functions
from newsdedup.core.fingerprints.prepared_text import PreparedText, hash_shingles
from newsdedup.core.model import Fingerprint

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
