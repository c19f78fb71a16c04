from collections import Counter
from dataclasses import dataclass

from xxhash import xxh3_64_digest

from newsdedup.core.fingerprints.corpus import CorpusStats
from newsdedup.core.fingerprints.method import NO_FINGERPRINT, ChecksumMethod
from newsdedup.core.fingerprints.prepared_text import PreparedText
from newsdedup.core.model import Fingerprint
from newsdedup.core.words.pivots import NO_PIVOTS, PIVOT_STEPS, Pivots


@dataclass(frozen=True, slots=True)
class DescrWords(ChecksumMethod):
    """A9: which pivot words are above their own thresholds (Ilyinsky et al. 2002, paper 000).

    A vector of bits, one for a pivot word: 1 if tf / tf_max is above the threshold of the word.
    Equal vectors make duplicates, unless all is zero. How pivots are chosen: pivot_choice.py.
    """

    pivots: Pivots = NO_PIVOTS
    name: str = "descr_words"

    def sign(self, prepared: PreparedText, _corpus: CorpusStats) -> Fingerprint:
        """Return one hash of the pivots above their thresholds; NO_FINGERPRINT if there are none.

        The corpus is not read: the pivots were chosen from it.
        """
        counted = Counter(prepared.words)
        highest = max(counted.values(), default=0)
        thresholds = self.pivots.thresholds
        on = sorted(
            word
            for word in thresholds.keys() & counted.keys()
            if PIVOT_STEPS * counted[word] > thresholds[word] * highest
        )
        return self.fingerprint(xxh3_64_digest(" ".join(on).encode())) if on else NO_FINGERPRINT
