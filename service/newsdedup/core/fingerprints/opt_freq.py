from dataclasses import dataclass

from newsdedup.core.fingerprints.checksum import crc, equal, single
from newsdedup.core.fingerprints.corpus import CorpusStats
from newsdedup.core.fingerprints.fingerprint import NOTHING
from newsdedup.core.fingerprints.heaviest import SIZE, heaviest, weigh
from newsdedup.core.fingerprints.reading import Reading
from newsdedup.core.model import Fingerprint
from newsdedup.core.words.weights import Weighting, augmented_tf, optimal_idf

OPTIMUM = 11.5
"""Idf of the words that describe a text best: 10 documents in a million (Maslov, seed 000)."""


@dataclass(frozen=True, slots=True)
class OptFreq:
    """A10: the CRC32 of the words of the largest TF * IDF_opt in alphabetical order (seed 000).

    TF = 0.5 + 0.5 * tf / tf_max, IDF = -ln(df / N), IDF_opt = sqrt(IDF / 11.5) for an IDF below
    11.5, else 11.5 / IDF: what is too common loses slowly, what is too rare fast.
    """

    words: int = SIZE
    optimum: float = OPTIMUM
    name: str = "opt_freq"
    threshold: float = 1.0
    exact: bool = True

    @property
    def version(self) -> str:
        """Return the number of words and the optimum."""
        return f"1/{self.words}/{self.optimum:g}"

    def sign(self, reading: Reading, corpus: CorpusStats) -> Fingerprint:
        """Return the checksum of the document."""
        if not reading.words:
            return NOTHING
        weighting = Weighting(
            self.name,
            lambda f: optimal_idf(df=f.df, documents=f.documents, optimum=self.optimum),
            augmented_tf,
        )
        weights = weigh(reading.words, corpus, weighting)
        return single(self, crc(heaviest(weights, self.words)), corpus)

    def match(self, left: Fingerprint, right: Fingerprint) -> float:
        """Return 1 if the checksums are equal."""
        return equal(left, right)
