from dataclasses import dataclass

from newsdedup.core.fingerprints.checksum import crc, equal, single
from newsdedup.core.fingerprints.corpus import CorpusStats
from newsdedup.core.fingerprints.fingerprint import NOTHING
from newsdedup.core.fingerprints.reading import Reading
from newsdedup.core.model import Fingerprint


@dataclass(frozen=True, slots=True)
class LongSent:
    """A4: the CRC32 of the two longest sentences in alphabetical order (seed 000).

    Length is counted in words, equal ones are taken by alphabet. Our reading: a sentence that is
    repeated stands once.
    """

    sentences: int = 2
    name: str = "long_sent"
    threshold: float = 1.0
    exact: bool = True

    @property
    def version(self) -> str:
        """Return the number of sentences."""
        return f"1/{self.sentences}"

    def sign(self, reading: Reading, corpus: CorpusStats) -> Fingerprint:
        """Return the checksum of the document; the corpus says nothing here."""
        del corpus
        if not reading.sentences:
            return NOTHING
        ranked = sorted(set(reading.sentences), key=lambda words: (-len(words), words))
        return single(self, crc(map(" ".join, ranked[: self.sentences])))

    def match(self, left: Fingerprint, right: Fingerprint) -> float:
        """Return 1 if the checksums are equal."""
        return equal(left, right)
