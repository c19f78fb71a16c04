from dataclasses import dataclass

from newsdedup.core.fingerprints.corpus import CorpusStats, weigh_words
from newsdedup.core.fingerprints.method import (
    NO_FINGERPRINT,
    checksum_fingerprint,
    match_equal,
    sorted_crc32,
)
from newsdedup.core.fingerprints.prepared_text import PreparedText
from newsdedup.core.model import Fingerprint
from newsdedup.core.words.weights import TF_IDF


@dataclass(frozen=True, slots=True)
class LongSent:
    """A4: the CRC32 of the two longest sentences in alphabetical order (paper 000).

    Length is counted in words, equal ones are taken by alphabet. Our reading: a sentence that is
    repeated stands once.
    """

    sentences: int = 2
    name: str = "long_sent"
    threshold: float = 1.0
    exact: bool = True

    @property
    def version(self) -> str:
        """Return the parameters as text: the number of sentences."""
        return f"1/{self.sentences}"

    def sign(self, prepared: PreparedText, corpus: CorpusStats) -> Fingerprint:
        """Return one CRC32 of the longest sentences by number of words.

        NO_FINGERPRINT if no sentence holds words. The CRC32 is the key, too.
        """
        del corpus
        if not prepared.sentences:
            return NO_FINGERPRINT
        ranked = sorted(set(prepared.sentences), key=lambda words: (-len(words), words))
        return checksum_fingerprint(self, sorted_crc32(map(" ".join, ranked[: self.sentences])))

    def match(self, left: Fingerprint, right: Fingerprint) -> float:
        """Return 1 if both documents have a checksum and these are equal, else 0."""
        return match_equal(left, right)


@dataclass(frozen=True, slots=True)
class HeavySent:
    """A5: the CRC32 of the two heaviest sentences in alphabetical order (paper 000).

    A sentence weighs the sum of the weights of A2 of all its words, repeated ones as often as
    they stand there. Our reading: equal weights by alphabet, and a repeated sentence stands once.
    """

    sentences: int = 2
    name: str = "heavy_sent"
    threshold: float = 1.0
    exact: bool = True

    @property
    def version(self) -> str:
        """Return the parameters as text: the number of sentences."""
        return f"1/{self.sentences}"

    def sign(self, prepared: PreparedText, corpus: CorpusStats) -> Fingerprint:
        """Return one CRC32 of the heaviest sentences by the TF-IDF weights of their words.

        NO_FINGERPRINT if no sentence holds words. The CRC32 is the key, too.
        """
        if not prepared.sentences:
            return NO_FINGERPRINT
        weights = weigh_words(prepared.words, corpus, TF_IDF)
        weighed = [
            (-round(sum(map(weights.__getitem__, words)), 6), words)
            for words in set(prepared.sentences)
        ]
        chosen = [words for _, words in sorted(weighed)[: self.sentences]]
        return checksum_fingerprint(self, sorted_crc32(map(" ".join, chosen)), corpus)

    def match(self, left: Fingerprint, right: Fingerprint) -> float:
        """Return 1 if both documents have a checksum and these are equal, else 0."""
        return match_equal(left, right)
