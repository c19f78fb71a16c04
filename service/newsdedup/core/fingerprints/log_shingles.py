from collections.abc import Collection
from dataclasses import dataclass
from math import ceil, log2
from struct import pack

from xxhash import xxh3_64_digest

from newsdedup.core.fingerprints.corpus import CorpusStats
from newsdedup.core.fingerprints.method import NO_FINGERPRINT, checksum_fingerprint, match_equal
from newsdedup.core.fingerprints.prepared_text import PreparedText, hash_wrapped_shingles
from newsdedup.core.model import Fingerprint

_HASH_BITS = 64


@dataclass(frozen=True, slots=True)
class LogShingles:
    """A8: the hash of a logarithmic sample of the 5-word shingles (paper 000).

    The end of the text is followed by its beginning, so that n words have n shingles. Kept are
    those whose hash divides by 2^e. Our reading, where the paper leaves e open: the highest e that
    keeps at least log2 of the number of distinct shingles, rounded up, and at least one.
    """

    shingle: int = 5
    name: str = "log_shingles"
    threshold: float = 1.0
    exact: bool = True

    @property
    def version(self) -> str:
        """Return the parameters as text: the words of a shingle."""
        return f"1/{self.shingle}"

    def sign(self, prepared: PreparedText, corpus: CorpusStats) -> Fingerprint:
        """Return one hash of the sampled shingles of a document; NO_FINGERPRINT without words."""
        del corpus
        if not prepared.words:
            return NO_FINGERPRINT
        kept = sample_hashes(set(hash_wrapped_shingles(prepared.words, self.shingle)))
        return checksum_fingerprint(self, xxh3_64_digest(pack(f"<{len(kept)}Q", *kept)))

    def match(self, left: Fingerprint, right: Fingerprint) -> float:
        """Return 1 if both documents have a sample and these are equal, else 0."""
        return match_equal(left, right)


def sample_hashes(hashes: Collection[int]) -> list[int]:
    """Return, ascending, the hashes that divide by the highest power of 2 that leaves enough.

    Enough is log2 of their number, rounded up, and at least one. `hashes` must not be empty.
    """
    enough = max(1, ceil(log2(len(hashes))))
    kept = list(hashes)
    for exponent in range(1, _HASH_BITS + 1):
        fewer = [number for number in kept if number % (1 << exponent) == 0]
        if len(fewer) < enough:
            break
        kept = fewer
    return sorted(kept)
