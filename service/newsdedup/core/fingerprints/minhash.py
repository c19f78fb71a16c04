from dataclasses import dataclass, field
from operator import eq

from newsdedup.core.fingerprints.corpus import CorpusStats
from newsdedup.core.fingerprints.method import NOTHING, keys
from newsdedup.core.fingerprints.minima import Functions, bands, functions, packed
from newsdedup.core.fingerprints.prepared_text import Reading, shingles
from newsdedup.core.model import Fingerprint


@dataclass(frozen=True, slots=True)
class Minhash:
    """The share of equal minima of hashed shingles, which estimates their Jaccard similarity.

    Broder (1997), seeds 000 and 002: m functions, each remembers the least value it takes on the
    shingles. Two texts of similarity J agree in a minimum with probability J, so the share of
    equal ones has mean J and variance J * (1 - J) / m. Keys are bands of `rows` minima each: a
    pair becomes a candidate with probability 1 - (1 - J^rows)^(m / rows).
    """

    functions: Functions = field(default_factory=lambda: functions(128))
    rows: int = 4
    shingle: int = 3
    threshold: float = 0.5
    name: str = "minhash"
    exact: bool = False

    @property
    def version(self) -> str:
        """Return the functions, the rows of a band and the words of a shingle."""
        return f"1/{self.functions.version}/{self.rows}/{self.shingle}"

    def sign(self, reading: Reading, corpus: CorpusStats) -> Fingerprint:
        """Return the minima, 32 bits each; the corpus says nothing here."""
        del corpus
        if not reading.words:
            return NOTHING
        minima = packed(self.functions.minima(shingles(reading.words, self.shingle)))
        return Fingerprint(keys(self, bands(minima, self.rows)), minima)

    def match(self, left: Fingerprint, right: Fingerprint) -> float:
        """Return the share of equal minima."""
        if not left.body or not right.body:
            return 0.0
        equal: int = sum(map(eq, memoryview(left.body).cast("I"), memoryview(right.body).cast("I")))
        return equal / self.functions.count
