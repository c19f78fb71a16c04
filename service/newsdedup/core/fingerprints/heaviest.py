"""The words that weigh most in a document, by the formulas of weights.py."""

from collections import Counter
from collections.abc import Mapping, Sequence

from newsdedup.core.fingerprints.corpus import CorpusStats
from newsdedup.core.words.weights import Weighting

SIZE = 6
"""Words of a signature of A1, A2, A3 and A10 (Zelenkov, Segalovich 2007)."""


def weigh(words: Sequence[str], corpus: CorpusStats, weighting: Weighting) -> dict[str, float]:
    """Return the weight of every distinct word: its share in the document by its rarity.

    Rarities are rounded, because the last bit of a logarithm differs between machines.
    """
    if not words:
        return {}
    counted = Counter(words)
    highest = max(counted.values())
    length = len(words) / corpus.mean_length
    shares = {tf: weighting.share(tf, highest, length) for tf in set(counted.values())}
    frequency, rarity = corpus.frequency, weighting.rarity
    return {word: shares[tf] * round(rarity(frequency(word)), 6) for word, tf in counted.items()}


def heaviest(weights: Mapping[str, float], size: int) -> list[str]:
    """Return the words of the largest weights, equal ones by alphabet; all, if they are few."""
    return sorted(weights, key=lambda word: (-weights[word], word))[:size]
