"""A8 and A11 of paper 000: fingerprints of a sample of the hashed shingles."""

from collections.abc import Collection
from dataclasses import dataclass
from math import ceil, log2
from struct import pack, unpack
from typing import ClassVar

from xxhash import xxh3_64_digest

from newsdedup.core.fingerprints.corpus import (
    CorpusStats,
    PreparedText,
    hash_shingles,
    hash_wrapped_shingles,
)
from newsdedup.core.fingerprints.method import NO_FINGERPRINT, ChecksumMethod, Method, cut
from newsdedup.core.model import Fingerprint


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
        """Return the number of words and the smallest hashes of shingles, which are the keys."""
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
