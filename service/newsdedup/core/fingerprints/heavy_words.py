"""Methods of the heaviest words, sentences or terms: A1 to A5 and A10 of paper 000, and terms12."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from struct import pack
from typing import ClassVar

from xxhash import xxh3_64_digest

from newsdedup.core.fingerprints.corpus import CorpusStats, PreparedText, weigh_words
from newsdedup.core.fingerprints.method import (
    NO_FINGERPRINT,
    ChecksumMethod,
    Method,
    cut,
    sorted_crc32,
)
from newsdedup.core.model import Fingerprint
from newsdedup.core.words.weights import (
    SIGNATURE_SIZE,
    TF_IDF,
    TF_RIDF,
    Weighting,
    augmented_tf,
    optimal_idf,
    signature,
)

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


def opt_freq(words: int = _WORDS) -> HeavyWords:
    """Return method A10, which weighs by TF * IDF_opt, largest for words of an IDF of 11.5.

    TF as in A3, IDF = -ln(df / N), IDF_opt = sqrt(IDF / 11.5) for an IDF below 11.5, else
    11.5 / IDF.
    """
    weighting = Weighting(
        "opt_freq",
        lambda f: optimal_idf(df=f.df, documents=f.documents, optimum=_OPTIMUM),
        augmented_tf,
    )
    return HeavyWords("opt_freq", weighting, f"/{_OPTIMUM:g}", words)


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


_DUPLICATE = 6
"""Terms that duplicates share."""
_TERM_BYTES = 8
"""Bytes of a term, and of the hash of a short document."""


@dataclass(frozen=True, slots=True)
class Terms12(Method):
    """The 12 weightiest terms; duplicates share 6 (InfoStream: Lande et al. 2006, paper 003).

    The signature is that of the engine (signature.py), with the weights and the order of the
    vocabulary that made the document, and so is the rule: a document of fewer than 6 terms
    matches only an equal one with equal numbers. The match of 6 shared terms or more is their
    share of the longer signature, of fewer their share of 12: 3, 4 and 5 (similar) stay below
    the threshold. Keys are the rarest terms, so many that documents sharing 6 terms share a key.
    """

    name: str = "terms12"
    version: ClassVar[str] = f"1/{SIGNATURE_SIZE}/{_DUPLICATE}"
    threshold: ClassVar[float] = _DUPLICATE / SIGNATURE_SIZE
    exact: ClassVar[bool] = True

    def sign(self, prepared: PreparedText, _corpus: CorpusStats) -> Fingerprint:
        """Return the keys of the terms, or a hash of fewer than 6; NO_FINGERPRINT without terms."""
        terms = [term.key for term in signature(prepared.terms).terms]
        if not terms:
            return NO_FINGERPRINT
        if len(terms) < _DUPLICATE:
            whole = xxh3_64_digest(f"{terms} {prepared.facts}".encode())
            return Fingerprint(self.keys_of([whole]), whole)
        body = pack(f"<{len(terms)}Q", *terms)
        rarest = cut(body, _TERM_BYTES)[: len(terms) - _DUPLICATE + 1]
        return Fingerprint(self.keys_of(rarest), body)

    def match(self, left: Fingerprint, right: Fingerprint) -> float:
        """Return the share of shared terms; for few terms 1 if their hashes are equal, else 0."""
        if min(len(left.body), len(right.body)) <= _TERM_BYTES:
            return float(left.body == right.body != b"")
        shared = len(set(cut(left.body, _TERM_BYTES)).intersection(cut(right.body, _TERM_BYTES)))
        longer = max(len(left.body), len(right.body)) // _TERM_BYTES
        return shared / (longer if shared >= _DUPLICATE else SIGNATURE_SIZE)
