from dataclasses import dataclass

from newsdedup.core.fingerprints.checksum import crc, equal, single
from newsdedup.core.fingerprints.corpus import CorpusStats
from newsdedup.core.fingerprints.fingerprint import NOTHING
from newsdedup.core.fingerprints.heaviest import weigh
from newsdedup.core.fingerprints.reading import Reading
from newsdedup.core.model import Fingerprint
from newsdedup.core.words.weights import TF_IDF


@dataclass(frozen=True, slots=True)
class HeavySent:
    """A5: the CRC32 of the two heaviest sentences in alphabetical order (seed 000).

    A sentence weighs the sum of the weights of A2 of all its words, repeated ones as often as
    they stand there. Our reading: equal weights by alphabet, and a repeated sentence stands once.
    """

    sentences: int = 2
    name: str = "heavy_sent"
    threshold: float = 1.0
    exact: bool = True

    @property
    def version(self) -> str:
        """Return the number of sentences."""
        return f"1/{self.sentences}"

    def sign(self, reading: Reading, corpus: CorpusStats) -> Fingerprint:
        """Return the checksum of the document."""
        if not reading.sentences:
            return NOTHING
        weights = weigh(reading.words, corpus, TF_IDF)
        weighed = [
            (-round(sum(map(weights.__getitem__, words)), 6), words)
            for words in set(reading.sentences)
        ]
        chosen = [words for _, words in sorted(weighed)[: self.sentences]]
        return single(self, crc(map(" ".join, chosen)), corpus)

    def match(self, left: Fingerprint, right: Fingerprint) -> float:
        """Return 1 if the checksums are equal."""
        return equal(left, right)
