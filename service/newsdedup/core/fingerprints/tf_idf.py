from dataclasses import dataclass

from newsdedup.core.fingerprints.checksum import crc, equal, single
from newsdedup.core.fingerprints.corpus import CorpusStats
from newsdedup.core.fingerprints.fingerprint import NOTHING
from newsdedup.core.fingerprints.heaviest import SIZE, heaviest, weigh
from newsdedup.core.fingerprints.reading import Reading
from newsdedup.core.model import Fingerprint
from newsdedup.core.words.weights import TF_IDF


@dataclass(frozen=True, slots=True)
class TfIdf:
    """A2: the CRC32 of the words of the largest TF * IDF in alphabetical order (seed 000).

    Okapi BM25 with k = 2 and b = 0.75:
    TF = tf / (2 * (0.25 + 0.75 * dl / dl_avg) + tf), IDF = ln((N - df + 0.5) / (df + 0.5)).
    Our reading: a word of more than half of the documents weighs nothing, not less than nothing.
    """

    words: int = SIZE
    name: str = "tf_idf"
    threshold: float = 1.0
    exact: bool = True

    @property
    def version(self) -> str:
        """Return the number of words."""
        return f"1/{self.words}"

    def sign(self, reading: Reading, corpus: CorpusStats) -> Fingerprint:
        """Return the checksum of the document."""
        if not reading.words:
            return NOTHING
        weights = weigh(reading.words, corpus, TF_IDF)
        return single(self, crc(heaviest(weights, self.words)), corpus)

    def match(self, left: Fingerprint, right: Fingerprint) -> float:
        """Return 1 if the checksums are equal."""
        return equal(left, right)
