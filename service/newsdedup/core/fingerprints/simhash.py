"""Simhash: 64 bits of which similar texts share most (paper 002)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from xxhash import xxh3_64_intdigest

from newsdedup.core.fingerprints.corpus import CorpusStats, PreparedText, weigh_words
from newsdedup.core.fingerprints.method import NO_FINGERPRINT, Method, cut
from newsdedup.core.model import Fingerprint
from newsdedup.core.words.weights import TF_IDF, Weighting

_BITS = 64
_DISTANCE = 3
"""Bits in which duplicates differ at most: one fewer than there are blocks."""
_UNIT = 1_000_000
"""Weights are summed as whole millionths, so that sums do not depend on their order."""


@dataclass(frozen=True, slots=True)
class Simhash(Method):
    """The signs of 64 sums over the words, each of which adds 1 or -1 to each (Charikar, 002).

    Which of the two is a bit of the hash of the word; a sum of 0 or more gives 1. Every
    occurrence of a word counts (our reading); with a weighting, a distinct word counts once, by
    its weight. The match is the share of agreeing bits; duplicates differ in at most 3.
    Keys are 4 blocks of bits: so few differing bits leave a block equal.
    """

    weighting: Weighting | None = None
    name: str = "simhash"
    threshold: ClassVar[float] = (_BITS - _DISTANCE) / _BITS
    exact: ClassVar[bool] = True

    @property
    def version(self) -> str:
        """Return the distance and the weighting, "none" without one."""
        weights = "none" if self.weighting is None else self.weighting.version
        return f"1/{_DISTANCE}/{weights}"

    def sign(self, prepared: PreparedText, corpus: CorpusStats) -> Fingerprint:
        """Return the 64 majority bits of the hashed words; NO_FINGERPRINT without words."""
        if not prepared.words:
            return NO_FINGERPRINT
        weights: dict[str, int] = Counter(prepared.words)
        if self.weighting is not None:
            weighed = weigh_words(prepared.words, corpus, self.weighting)
            weights = {word: round(_UNIT * weight) for word, weight in weighed.items()}
        hashes = list(map(xxh3_64_intdigest, map(str.encode, weights)))
        body = majority_bits(hashes, list(weights.values())).to_bytes(8, "little")
        return Fingerprint(self.keys_of(blocks(body), corpus if self.weighting else None), body)

    def match(self, left: Fingerprint, right: Fingerprint) -> float:
        """Return the share of the 64 bits that agree; 0 if either body is empty."""
        if not left.body or not right.body:
            return 0.0
        one, other = int.from_bytes(left.body, "little"), int.from_bytes(right.body, "little")
        return (_BITS - (one ^ other).bit_count()) / _BITS


def simhash_tf_idf() -> Simhash:
    """Return Simhash over distinct words that weigh TF * IDF, as in A2."""
    return Simhash(weighting=TF_IDF, name="simhash_tf_idf")


def blocks(body: bytes) -> list[bytes]:
    """Return the four blocks of the packed bits, each as 64 bits behind its index."""
    return [b"%d " % at + block + bytes(6) for at, block in enumerate(cut(body, 2))]


def majority_bits(hashes: Sequence[int], weights: Sequence[int]) -> int:
    """Return the 64 bits that outweigh their opposites among the hashes; a draw gives 1.

    Bit i is 1 if the weights of the hashes with that bit, less the weights of those without it,
    make 0 or more. `weights` are in the order of `hashes`.
    """
    weighed = np.array(weights, dtype=np.int64)
    bits = np.unpackbits(np.array(hashes, dtype="<u8").view(np.uint8)).reshape(-1, _BITS)
    sums = 2 * (weighed @ bits.astype(np.int64)) - weighed.sum()
    return int.from_bytes(np.packbits(sums >= 0).tobytes(), "little")
