"""How common words are in a collection: what the global methods of the papers read."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import xxhash

from newsdedup.core.fingerprints.prepared_text import PreparedText
from newsdedup.core.words.background import PRIOR, UNSEEN_DOCUMENTS, Background, Frequency
from newsdedup.core.words.weights import Weighting


@dataclass(frozen=True, slots=True)
class CorpusStats:
    """Counts of a collection, frozen and versioned: N, df and cf of a word, mean length."""

    documents: int
    """N."""
    mean_length: float
    """Words of a mean document: dl_avg."""
    frequencies: Mapping[str, Frequency]
    """What is counted of a word; N goes with it, since a background has one per language."""
    version: str
    """A hash of the counts."""

    def frequency(self, word: str) -> Frequency:
        """Return how common a word is; one that was not counted counts as in one document."""
        return self.frequencies.get(word) or Frequency(
            UNSEEN_DOCUMENTS, UNSEEN_DOCUMENTS, self.documents
        )

    def rarest_first(self, words: Iterable[str]) -> list[str]:
        """Return the words by their share of documents, rare ones first, then by alphabet."""
        known = [(self.frequency(word), word) for word in words]
        return [word for _, word in sorted((one.df / one.documents, word) for one, word in known)]


NO_CORPUS = CorpusStats(1, 1.0, {}, "nothing")
"""Knows no word: enough for the local methods."""


def count_corpus(texts: Iterable[PreparedText], *, least: int = 1) -> CorpusStats:
    """Return the counts of texts, without words of fewer than `least`, and one N for all."""
    documents = 0
    holding: Counter[str] = Counter()
    occurring: Counter[str] = Counter()
    for prepared in texts:
        documents += 1
        holding.update(set(prepared.words))
        occurring.update(prepared.words)
    frequencies = {
        word: Frequency(df, occurring[word], max(1, documents))
        for word, df in sorted(holding.items())
        if df >= least
    }
    # Of an empty collection, N and the mean length are 1: nothing is divided by zero.
    mean = occurring.total() / documents if occurring else 1.0
    return _versioned(max(1, documents), mean, frequencies)


def corpus_from_background(background: Background) -> CorpusStats:
    """Return a background as a corpus, each word with the counts of its commonest language."""
    words = {word for count in background.counts.values() for word in count.lemmas}
    frequencies = {
        word: frequency
        for word in sorted(words)
        if (frequency := background.frequency(word)) is not None
    }
    return _versioned(max(PRIOR, background.documents), background.mean_length, frequencies)


def _versioned(
    documents: int, mean_length: float, frequencies: Mapping[str, Frequency]
) -> CorpusStats:
    """Return the counts as a corpus, with their hash as its version."""
    digest = xxhash.xxh3_64(f"{documents} {mean_length!r}".encode())
    for word, (df, cf, of) in frequencies.items():
        digest.update(f"\n{word} {df} {cf} {of}".encode())
    return CorpusStats(documents, mean_length, frequencies, digest.hexdigest())


def weigh_words(
    words: Sequence[str], corpus: CorpusStats, weighting: Weighting
) -> dict[str, float]:
    """Return the weight of every distinct word of a document: its share there times its rarity."""
    if not words:
        return {}
    counted = Counter(words)
    highest = max(counted.values())
    length = len(words) / corpus.mean_length
    shares = {tf: weighting.share(tf, highest, length) for tf in set(counted.values())}
    frequency, worth = corpus.frequency, weighting.worth
    return {word: shares[tf] * worth(frequency(word)) for word, tf in counted.items()}
