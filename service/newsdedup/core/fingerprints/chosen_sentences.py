from dataclasses import dataclass

from newsdedup.core.fingerprints.corpus import CorpusStats, weigh_words
from newsdedup.core.fingerprints.method import NO_FINGERPRINT, ChecksumMethod, sorted_crc32
from newsdedup.core.fingerprints.prepared_text import PreparedText
from newsdedup.core.model import Fingerprint
from newsdedup.core.words.weights import TF_IDF


@dataclass(frozen=True, slots=True)
class LongSent(ChecksumMethod):
    """A4: the CRC32 of the two longest sentences in alphabetical order (paper 000).

    Length is counted in words, equal ones are taken by alphabet. Our reading: a repeated sentence
    counts once.
    """

    sentences: int = 2
    name: str = "long_sent"

    def sign(self, prepared: PreparedText, _corpus: CorpusStats) -> Fingerprint:
        """Return one CRC32 of the longest sentences; NO_FINGERPRINT if no sentence has words."""
        if not prepared.sentences:
            return NO_FINGERPRINT
        ranked = sorted(set(prepared.sentences), key=lambda words: (-len(words), words))
        return self.fingerprint(sorted_crc32(map(" ".join, ranked[: self.sentences])))


@dataclass(frozen=True, slots=True)
class HeavySent(ChecksumMethod):
    """A5: the CRC32 of the two heaviest sentences in alphabetical order (paper 000).

    A sentence weighs the sum of the weights of A2 of all its words, each occurrence counted. Our
    reading: equal weights by alphabet, and a repeated sentence counts once.
    """

    sentences: int = 2
    name: str = "heavy_sent"

    def sign(self, prepared: PreparedText, corpus: CorpusStats) -> Fingerprint:
        """Return one CRC32 of the heaviest sentences; NO_FINGERPRINT if no sentence has words."""
        if not prepared.sentences:
            return NO_FINGERPRINT
        weights = weigh_words(prepared.words, corpus, TF_IDF)
        weighed = [
            (-round(sum(map(weights.__getitem__, words)), 6), words)
            for words in set(prepared.sentences)
        ]
        chosen = [words for _, words in sorted(weighed)[: self.sentences]]
        return self.fingerprint(sorted_crc32(map(" ".join, chosen)), corpus)
