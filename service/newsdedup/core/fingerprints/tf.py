from collections import Counter
from dataclasses import dataclass

from newsdedup.core.fingerprints.checksum import crc, equal, single
from newsdedup.core.fingerprints.corpus import CorpusStats
from newsdedup.core.fingerprints.fingerprint import NOTHING
from newsdedup.core.fingerprints.heaviest import SIZE, heaviest
from newsdedup.core.fingerprints.reading import Reading
from newsdedup.core.model import Fingerprint


@dataclass(frozen=True, slots=True)
class Tf:
    """A1: the CRC32 of the most frequent words in alphabetical order (seed 000).

    Our reading: words of equal tf by alphabet; a text of fewer words uses those it has.
    """

    words: int = SIZE
    name: str = "tf"
    threshold: float = 1.0
    exact: bool = True

    @property
    def version(self) -> str:
        """Return the number of words."""
        return f"1/{self.words}"

    def sign(self, reading: Reading, corpus: CorpusStats) -> Fingerprint:
        """Return the checksum of the document; the corpus says nothing here."""
        del corpus
        if not reading.words:
            return NOTHING
        return single(self, crc(heaviest(Counter(reading.words), self.words)))

    def match(self, left: Fingerprint, right: Fingerprint) -> float:
        """Return 1 if the checksums are equal."""
        return equal(left, right)
