from collections import Counter
from dataclasses import dataclass

from newsdedup.core.fingerprints.corpus import (
    SIGNATURE_WORDS,
    CorpusStats,
    heaviest_words,
    weigh_words,
)
from newsdedup.core.fingerprints.method import (
    NO_FINGERPRINT,
    checksum_fingerprint,
    match_equal,
    sorted_crc32,
)
from newsdedup.core.fingerprints.prepared_text import PreparedText
from newsdedup.core.model import Fingerprint
from newsdedup.core.words.weights import TF_IDF, TF_RIDF, Weighting, augmented_tf, optimal_idf


@dataclass(frozen=True, slots=True)
class Tf:
    """A1: the CRC32 of the most frequent words in alphabetical order (seed 000).

    Our reading: words of equal tf by alphabet; a text of fewer words uses those it has.
    """

    words: int = SIGNATURE_WORDS
    name: str = "tf"
    threshold: float = 1.0
    exact: bool = True

    @property
    def version(self) -> str:
        """Return the number of words."""
        return f"1/{self.words}"

    def sign(self, reading: PreparedText, corpus: CorpusStats) -> Fingerprint:
        """Return the checksum of the document; the corpus says nothing here."""
        del corpus
        if not reading.words:
            return NO_FINGERPRINT
        return checksum_fingerprint(
            self, sorted_crc32(heaviest_words(Counter(reading.words), self.words))
        )

    def match(self, left: Fingerprint, right: Fingerprint) -> float:
        """Return 1 if the checksums are equal."""
        return match_equal(left, right)


@dataclass(frozen=True, slots=True)
class TfIdf:
    """A2: the CRC32 of the words of the largest TF * IDF in alphabetical order (seed 000).

    Okapi BM25 with k = 2 and b = 0.75:
    TF = tf / (2 * (0.25 + 0.75 * dl / dl_avg) + tf), IDF = ln((N - df + 0.5) / (df + 0.5)).
    Our reading: a word of more than half of the documents weighs nothing, not less than nothing.
    """

    words: int = SIGNATURE_WORDS
    name: str = "tf_idf"
    threshold: float = 1.0
    exact: bool = True

    @property
    def version(self) -> str:
        """Return the number of words."""
        return f"1/{self.words}"

    def sign(self, reading: PreparedText, corpus: CorpusStats) -> Fingerprint:
        """Return the checksum of the document."""
        if not reading.words:
            return NO_FINGERPRINT
        weights = weigh_words(reading.words, corpus, TF_IDF)
        return checksum_fingerprint(self, sorted_crc32(heaviest_words(weights, self.words)), corpus)

    def match(self, left: Fingerprint, right: Fingerprint) -> float:
        """Return 1 if the checksums are equal."""
        return match_equal(left, right)


@dataclass(frozen=True, slots=True)
class TfRidf:
    """A3: the CRC32 of the words of the largest TF * RIDF in alphabetical order (seed 000).

    TF = 0.5 + 0.5 * tf / tf_max, RIDF = -ln(df / N) + ln(1 - exp(-cf / N)): what is rarer than
    its number of occurrences, scattered at random, would make it (Church, Gale 1995).
    """

    words: int = SIGNATURE_WORDS
    name: str = "tf_ridf"
    threshold: float = 1.0
    exact: bool = True

    @property
    def version(self) -> str:
        """Return the number of words."""
        return f"1/{self.words}"

    def sign(self, reading: PreparedText, corpus: CorpusStats) -> Fingerprint:
        """Return the checksum of the document."""
        if not reading.words:
            return NO_FINGERPRINT
        weights = weigh_words(reading.words, corpus, TF_RIDF)
        return checksum_fingerprint(self, sorted_crc32(heaviest_words(weights, self.words)), corpus)

    def match(self, left: Fingerprint, right: Fingerprint) -> float:
        """Return 1 if the checksums are equal."""
        return match_equal(left, right)


OPTIMUM = 11.5
"""Idf of the words that describe a text best: 10 documents in a million (Maslov, seed 000)."""


@dataclass(frozen=True, slots=True)
class OptFreq:
    """A10: the CRC32 of the words of the largest TF * IDF_opt in alphabetical order (seed 000).

    TF = 0.5 + 0.5 * tf / tf_max, IDF = -ln(df / N), IDF_opt = sqrt(IDF / 11.5) for an IDF below
    11.5, else 11.5 / IDF: what is too common loses slowly, what is too rare fast.
    """

    words: int = SIGNATURE_WORDS
    optimum: float = OPTIMUM
    name: str = "opt_freq"
    threshold: float = 1.0
    exact: bool = True

    @property
    def version(self) -> str:
        """Return the number of words and the optimum."""
        return f"1/{self.words}/{self.optimum:g}"

    def sign(self, reading: PreparedText, corpus: CorpusStats) -> Fingerprint:
        """Return the checksum of the document."""
        if not reading.words:
            return NO_FINGERPRINT
        weighting = Weighting(
            self.name,
            lambda f: optimal_idf(df=f.df, documents=f.documents, optimum=self.optimum),
            augmented_tf,
        )
        weights = weigh_words(reading.words, corpus, weighting)
        return checksum_fingerprint(self, sorted_crc32(heaviest_words(weights, self.words)), corpus)

    def match(self, left: Fingerprint, right: Fingerprint) -> float:
        """Return 1 if the checksums are equal."""
        return match_equal(left, right)
