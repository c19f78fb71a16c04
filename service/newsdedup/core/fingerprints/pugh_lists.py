from dataclasses import dataclass

from xxhash import xxh3_64_intdigest

from newsdedup.core.fingerprints.checksum import agreeing
from newsdedup.core.fingerprints.corpus import CorpusStats
from newsdedup.core.fingerprints.lists import WIDTH, listed
from newsdedup.core.fingerprints.reading import Reading
from newsdedup.core.model import Fingerprint


@dataclass(frozen=True, slots=True)
class PughLists:
    """The words dealt by hash into lists; two documents with an equal list (Pugh, seed 000).

    A word put for another spoils two lists at most, and leaves the others. The lists of one
    number are compared. Our reading, where the seed gives no figures: 8 lists, and one of fewer
    than 3 words is not signed, for it says too little.
    """

    lists: int = 8
    least: int = 3
    name: str = "pugh_lists"
    exact: bool = True

    @property
    def version(self) -> str:
        """Return the number of lists and the least words of one."""
        return f"1/{self.lists}/{self.least}"

    @property
    def threshold(self) -> float:
        """Return the share that one list is of all."""
        return 1 / self.lists

    def sign(self, reading: Reading, corpus: CorpusStats) -> Fingerprint:
        """Return the hash of every list, 64 bits each; the corpus says nothing here."""
        del corpus
        dealt: list[list[str]] = [[] for _ in range(self.lists)]
        for word in sorted(set(reading.words)):
            dealt[xxh3_64_intdigest(word.encode()) % self.lists].append(word)
        return listed(self, [words if len(words) >= self.least else [] for words in dealt])

    def match(self, left: Fingerprint, right: Fingerprint) -> float:
        """Return the share of equal lists among those that either document has."""
        return agreeing(left, right, width=WIDTH)
