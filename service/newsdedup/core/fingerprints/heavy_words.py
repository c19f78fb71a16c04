"""A1 to A5, A10 of paper 000: one checksum of the words or sentences that stand out in a text."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from newsdedup.core.fingerprints.corpus import CorpusStats, weigh_words
from newsdedup.core.fingerprints.method import NO_FINGERPRINT, ChecksumMethod, sorted_crc32
from newsdedup.core.fingerprints.prepared_text import PreparedText
from newsdedup.core.model import Fingerprint
from newsdedup.core.words.weights import TF_IDF, TF_RIDF, Weighting, augmented_tf, optimal_idf

_WORDS = 6
"""Number of words in the signature of A1, A2, A3 and A10 (Zelenkov, Segalovich 2007)."""
_OPTIMUM = 11.5
"""Idf of the words that describe a text best: 10 documents in a million (Maslov, paper 000)."""


@dataclass(frozen=True, slots=True)
class HeavyWords(ChecksumMethod):
    """A method whose fingerprint is the CRC32 of the heaviest words, joined alphabetically.

    Our reading: of words of equal weight the first by alphabet; a shorter text uses all its words.
    """

    name: str
    weighting: Weighting | None
    """None weighs words by their frequency in the document, without a corpus."""
    parameters: str = ""
    """The parameters of the weighting, as a suffix of the version."""
    words: int = _WORDS

    @property
    def version(self) -> str:
        """Return the number of words and the parameters of the weighting as text."""
        return f"1/{self.words}{self.parameters}"

    def sign(self, prepared: PreparedText, corpus: CorpusStats) -> Fingerprint:
        """Return one CRC32 of the heaviest words of a document; NO_FINGERPRINT without words."""
        if not prepared.words:
            return NO_FINGERPRINT
        weights: Mapping[str, float] = Counter(prepared.words)
        if self.weighting is not None:
            weights = weigh_words(prepared.words, corpus, self.weighting)
        checksum = sorted_crc32(heaviest_words(weights, self.words))
        return self.fingerprint(checksum, None if self.weighting is None else corpus)


def tf(words: int = _WORDS) -> HeavyWords:
    """Return method A1, which weighs a word by its frequency in the document."""
    return HeavyWords("tf", None, words=words)


def tf_idf(words: int = _WORDS) -> HeavyWords:
    """Return method A2, which weighs by TF * IDF: Okapi BM25 with k = 2 and b = 0.75.

    TF = tf / (2 * (0.25 + 0.75 * dl / dl_avg) + tf), IDF = ln((N - df + 0.5) / (df + 0.5)).
    Our reading: the weight of a word in more than half of the documents is 0, not negative.
    """
    return HeavyWords("tf_idf", TF_IDF, words=words)


def tf_ridf(words: int = _WORDS) -> HeavyWords:
    """Return method A3, which weighs by TF * RIDF.

    RIDF, residual IDF, is how much rarer a word is than if it were spread by chance:
    TF = 0.5 + 0.5 * tf / tf_max, RIDF = -ln(df / N) + ln(1 - exp(-cf / N)) (Church, Gale 1995).
    """
    return HeavyWords("tf_ridf", TF_RIDF, words=words)


def opt_freq(words: int = _WORDS, optimum: float = _OPTIMUM) -> HeavyWords:
    """Return method A10, which weighs by TF * IDF_opt, largest for words of the `optimum` IDF.

    TF as in A3, IDF = -ln(df / N), IDF_opt = sqrt(IDF / optimum) for an IDF below the optimum,
    else optimum / IDF.
    """
    weighting = Weighting(
        "opt_freq",
        lambda f: optimal_idf(df=f.df, documents=f.documents, optimum=optimum),
        augmented_tf,
    )
    return HeavyWords("opt_freq", weighting, f"/{optimum:g}", words)


def heaviest_words(weights: Mapping[str, float], size: int) -> list[str]:
    """Return up to `size` words of the largest weights, equal weights by alphabet."""
    return sorted(weights, key=lambda word: (-weights[word], word))[:size]


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
