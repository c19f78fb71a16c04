from collections.abc import Collection
from dataclasses import dataclass
from math import ceil, log2
from struct import pack

from xxhash import xxh3_64_digest

from newsdedup.core.fingerprints.corpus import CorpusStats
from newsdedup.core.fingerprints.method import NO_FINGERPRINT, ChecksumMethod
from newsdedup.core.fingerprints.prepared_text import PreparedText, hash_wrapped_shingles
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
