"""A1, A2, A3 and A10 of seed 000: one checksum of the words that weigh most in a document."""

from collections import Counter
from collections.abc import Mapping
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
from newsdedup.core.words.weights import TF_IDF, TF_RIDF, Weighting, augmented_tf, optimal_idf

_WORDS = 6
"""Words of a signature of A1, A2, A3 and A10 (Zelenkov, Segalovich 2007)."""

_OPTIMUM = 11.5
"""Idf of the words that describe a text best: 10 documents in a million (Maslov, seed 000)."""


@dataclass(frozen=True, slots=True)
class HeavyWords:
    """The CRC32 of the words of the largest weight in alphabetical order.

    Our reading: words of equal weight by alphabet; a text of fewer words uses those it has.
    """

    name: str
    weighting: Weighting | None
    """None weighs by tf alone, without a corpus."""
    parameters: str = ""
    """Of the weighting, for the version."""
    words: int = _WORDS
    threshold: float = 1.0
    exact: bool = True

    @property
    def version(self) -> str:
        """Return the number of words and the parameters."""
        return f"1/{self.words}{self.parameters}"

    def sign(self, prepared: PreparedText, corpus: CorpusStats) -> Fingerprint:
        """Return the checksum of the document."""
        if not prepared.words:
            return NO_FINGERPRINT
        if self.weighting is None:
            chosen = heaviest_words(Counter(prepared.words), self.words)
            return checksum_fingerprint(self, sorted_crc32(chosen))
        weights = weigh_words(prepared.words, corpus, self.weighting)
        return checksum_fingerprint(self, sorted_crc32(heaviest_words(weights, self.words)), corpus)

    def match(self, left: Fingerprint, right: Fingerprint) -> float:
        """Return 1 if the checksums are equal."""
        return match_equal(left, right)


def tf(words: int = _WORDS) -> HeavyWords:
    """Return A1: the most frequent words of the document."""
    return HeavyWords("tf", None, words=words)


def tf_idf(words: int = _WORDS) -> HeavyWords:
    """Return A2: TF * IDF, Okapi BM25 with k = 2 and b = 0.75.

    TF = tf / (2 * (0.25 + 0.75 * dl / dl_avg) + tf), IDF = ln((N - df + 0.5) / (df + 0.5)).
    Our reading: a word of more than half of the documents weighs nothing, not less than nothing.
    """
    return HeavyWords("tf_idf", TF_IDF, words=words)


def tf_ridf(words: int = _WORDS) -> HeavyWords:
    """Return A3: TF * RIDF, how much rarer a word is than chance would make it.

    TF = 0.5 + 0.5 * tf / tf_max, RIDF = -ln(df / N) + ln(1 - exp(-cf / N)) (Church, Gale 1995).
    """
    return HeavyWords("tf_ridf", TF_RIDF, words=words)


def opt_freq(words: int = _WORDS, optimum: float = _OPTIMUM) -> HeavyWords:
    """Return A10: TF * IDF_opt: what is too common loses slowly, what is too rare fast.

    TF as in A3, IDF = -ln(df / N), IDF_opt = sqrt(IDF / 11.5) for an IDF below 11.5, else
    11.5 / IDF.
    """
    weighting = Weighting(
        "opt_freq",
        lambda f: optimal_idf(df=f.df, documents=f.documents, optimum=optimum),
        augmented_tf,
    )
    return HeavyWords("opt_freq", weighting, f"/{optimum:g}", words)


def heaviest_words(weights: Mapping[str, float], size: int) -> list[str]:
    """Return the words of the largest weights, equal ones by alphabet; all, if they are few."""
    return sorted(weights, key=lambda word: (-weights[word], word))[:size]
