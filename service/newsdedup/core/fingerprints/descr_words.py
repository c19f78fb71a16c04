from collections import Counter
from dataclasses import dataclass, field

from xxhash import xxh3_64_digest

from newsdedup.core.fingerprints.corpus import CorpusStats
from newsdedup.core.fingerprints.method import NO_FINGERPRINT, checksum_fingerprint, match_equal
from newsdedup.core.fingerprints.prepared_text import PreparedText
from newsdedup.core.model import Fingerprint
from newsdedup.core.words.pivots import NO_PIVOTS, PIVOT_STEPS, Pivots


@dataclass(frozen=True, slots=True)
class DescrWords:
    """A9: which pivot words stand above their own thresholds (Ilyinsky et al. 2002, paper 000).

    A vector of bits, one for a pivot word: 1 if tf / tf_max is above the threshold of the word.
    Equal vectors make duplicates, unless all is zero. How pivots are chosen: pivot_choice.py.
    """

    pivots: Pivots = field(default=NO_PIVOTS)
    name: str = "descr_words"
    threshold: float = 1.0
    exact: bool = True

    @property
    def version(self) -> str:
        """Return the parameters as text: the version of the pivots."""
        return f"1/{self.pivots.version}"

    def sign(self, prepared: PreparedText, corpus: CorpusStats) -> Fingerprint:
        """Return one hash of the pivot words that stand above their thresholds in a document.

        NO_FINGERPRINT if there is none. The corpus is not read: the pivots were chosen from it.
        """
        del corpus
        counted = Counter(prepared.words)
        highest = max(counted.values(), default=0)
        thresholds = self.pivots.thresholds
        on = sorted(
            word
            for word in thresholds.keys() & counted.keys()
            if PIVOT_STEPS * counted[word] > thresholds[word] * highest
        )
        return (
            checksum_fingerprint(self, xxh3_64_digest(" ".join(on).encode()))
            if on
            else NO_FINGERPRINT
        )

    def match(self, left: Fingerprint, right: Fingerprint) -> float:
        """Return 1 if the same pivots, at least one, are above their thresholds, else 0."""
        return match_equal(left, right)
