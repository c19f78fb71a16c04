from dataclasses import dataclass, field
from operator import eq
from typing import ClassVar

from newsdedup.core.fingerprints.corpus import CorpusStats
from newsdedup.core.fingerprints.method import NO_FINGERPRINT, Method
from newsdedup.core.fingerprints.minima import (
    HashFunctions,
    cut_bands,
    pack_minima,
    seeded_functions,
)
from newsdedup.core.fingerprints.prepared_text import PreparedText, hash_shingles
from newsdedup.core.model import Fingerprint


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
