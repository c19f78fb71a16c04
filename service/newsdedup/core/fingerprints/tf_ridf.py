from dataclasses import dataclass

from newsdedup.core.fingerprints.checksum import crc, equal, single
from newsdedup.core.fingerprints.corpus import CorpusStats
from newsdedup.core.fingerprints.fingerprint import NOTHING
from newsdedup.core.fingerprints.heaviest import SIZE, heaviest, weigh
from newsdedup.core.fingerprints.reading import Reading
from newsdedup.core.model import Fingerprint
from newsdedup.core.words.weights import TF_RIDF


@dataclass(frozen=True, slots=True)
class TfRidf:
    """A3: the CRC32 of the words of the largest TF * RIDF in alphabetical order (seed 000).

    TF = 0.5 + 0.5 * tf / tf_max, RIDF = -ln(df / N) + ln(1 - exp(-cf / N)): what is rarer than
    its number of occurrences, scattered at random, would make it (Church, Gale 1995).
    """

    words: int = SIZE
    name: str = "tf_ridf"
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
        weights = weigh(reading.words, corpus, TF_RIDF)
        return single(self, crc(heaviest(weights, self.words)), corpus)

    def match(self, left: Fingerprint, right: Fingerprint) -> float:
        """Return 1 if the checksums are equal."""
        return equal(left, right)
