"""False and missed pairs of each method: how many, of which kind, and examples."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from newsdedup.core.fingerprints.corpus import NO_CORPUS, PreparedText, hash_shingles
from newsdedup.core.fingerprints.longest_words import LAYOUT, SENTENCES, ThreePlusFive
from newsdedup.core.fingerprints.shingles import RATIO
from newsdedup_lab.collections.document_store import DocumentStore
from newsdedup_lab.compare.method import WHOLE_METHOD, WHOLE_SHINGLE
from newsdedup_lab.compare.truth import PairPool, TextComparer, draw_pairs

MissReason = Callable[[PreparedText, PreparedText], str]


def _long_sent_reason(left: PreparedText, right: PreparedText) -> str:
    """Return, in words, whether the texts share one of their two longest sentences."""
    shared = _longest(left) & _longest(right)
    if shared:
        return "one of the two longest sentences is common"
    return "neither of the two longest sentences is common"


def _longest(reading: PreparedText) -> set[tuple[str, ...]]:
    """Return the two longest distinct sentences, as tuples of words."""
    ranked = sorted(set(reading.sentences), key=lambda words: (-len(words), words))
    return set(ranked[:2])


def _three_plus_five_reason(left: PreparedText, right: PreparedText) -> str:
    """Return, in words, the first condition of three_plus_five that two texts do not meet."""
    method = ThreePlusFive()
    one, other = (method.sign(reading, NO_CORPUS).body for reading in (left, right))
    if not one or not other:
        return "nothing to sign"
    length, number, *signatures = LAYOUT.unpack(one)
    other_length, other_number, *other_signatures = LAYOUT.unpack(other)
    if max(length, other_length) > method.length_ratio * min(length, other_length):
        return "lengths too unlike"
    if max(number, other_number) > method.sentence_ratio * min(number, other_number):
        return "numbers of sentences too unlike"
    words = set(signatures[SENTENCES:]) & set(other_signatures[SENTENCES:]) - {0}
    if len(words) < method.shared_words:
        return "fewer than two of the five longest words common"
    if min(number, other_number) <= method.many:
        return "few sentences, and the longest differs"
    return "many sentences, and fewer than two of three common"


def _whole_reason(left: PreparedText, right: PreparedText) -> str:
    """Return, in words, why A11 did not compare two texts that are nearly equal.

    A11 sorts the texts that share a shingle by length (a chain, see chains.py), and compares each
    text with a bounded number of the next ones, if their lengths are about equal.
    """
    one, other = (set(hash_shingles(reading.words, WHOLE_SHINGLE)) for reading in (left, right))
    if not one & other:
        return "no shingle of five words common"
    lengths = len(left.words), len(right.words)
    if max(lengths) > RATIO * min(lengths):
        return "numbers of words too unlike"
    return "beyond the reach of a chain"


MISS_REASONS: Mapping[str, MissReason] = {
    "long_sent": _long_sent_reason,
    "three_plus_five": _three_plus_five_reason,
    WHOLE_METHOD: _whole_reason,
}


SAMPLED_ERRORS = 300
"""False and missed pairs of each method that are looked at, drawn by hash."""

_EXAMPLES = 3
SHORT_WORDS = 12
"""Words below which a text is short."""
_NEARLY_EQUAL = 0.95
FALSE_BANDS = (0.0, 0.2, 0.4, 0.6)
"""Where the bands of similarity of false pairs begin; they end at 0.8."""

_PairNumbers = Iterable[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Example:
    """An example pair: source and id of both items, text similarity and lengths."""

    left: tuple[str, str]
    right: tuple[str, str]
    similarity: float
    letters: tuple[int, int]


def method_errors(
    drawn: PairPool, similar: NDArray[np.float32], store: DocumentStore
) -> dict[str, dict[str, Any]]:
    """Return, by method, counts and examples of its false and its missed pairs in the pool.

    `similar` has the text similarity of each pair, 0 below 80 %: a found pair of 0 is false, a pair
    above 0 that was not found is missed.
    """
    texts = TextComparer(store)
    return {
        name: {
            "false": _false_pairs(drawn, name, similar, texts, store),
            "missed": _missed_pairs(drawn, name, similar, texts, store),
        }
        for name in drawn.names
    }


def _false_pairs(
    drawn: PairPool,
    name: str,
    similar: NDArray[np.float32],
    texts: TextComparer,
    store: DocumentStore,
) -> dict[str, Any]:
    """Return counts and examples of the pairs that a method found although the texts differ.

    At most 300, drawn by hash, are compared as texts and counted by similarity and length.
    """
    wrong = drawn.pairs[drawn.hits(name) & (similar == 0)]
    looked = sorted(draw_pairs(wrong, SAMPLED_ERRORS))
    exact = {pair: texts.similarity(*pair) for pair in looked}
    bands = [sum(low <= one < low + 0.2 for one in exact.values()) for low in FALSE_BANDS]
    return {
        "pairs": len(wrong),
        "looked_at": len(looked),
        "by_similarity": bands,
        "of_other_length": sum(_ratio(store, pair) > 1.5 for pair in looked),
        "short": sum(_short(store, pair) for pair in looked),
        "examples": _examples(draw_pairs(wrong, _EXAMPLES), exact.__getitem__, store),
    }


def _missed_pairs(
    drawn: PairPool,
    name: str,
    similar: NDArray[np.float32],
    texts: TextComparer,
    store: DocumentStore,
) -> dict[str, Any]:
    """Return counts, reasons and examples of the pairs of nearly equal texts that a method missed.

    Reasons and short texts are counted in at most 300 of them, drawn by hash.
    """
    overlooked = ~drawn.hits(name) & (similar > 0)
    missed = drawn.pairs[overlooked]
    looked = draw_pairs(missed, SAMPLED_ERRORS)
    return {
        "pairs": len(missed),
        "looked_at": len(looked),
        "near": int((similar[overlooked] >= np.float32(_NEARLY_EQUAL)).sum()),
        "short": sum(_short(store, pair) for pair in looked),
        "reasons": _reasons(name, looked, store),
        "examples": _examples(looked[:_EXAMPLES], lambda pair: texts.similarity(*pair), store),
    }


def _reasons(name: str, looked: _PairNumbers, store: DocumentStore) -> Mapping[str, int]:
    """Return how many missed pairs have which reason, most first.

    The reasons are those of MISS_REASONS; {} for a method that has no function there.
    """
    reason = MISS_REASONS.get(name)
    if reason is None:
        return {}
    measurements = Counter(
        reason(store.reading(one), store.reading(other)) for one, other in looked
    )
    return dict(sorted(measurements.items(), key=lambda row: (-row[1], row[0])))


def _examples(
    pairs: _PairNumbers, similarity: Callable[[tuple[int, int]], float], store: DocumentStore
) -> list[dict[str, Any]]:
    """Return the pairs as JSON values: names, text similarity and lengths in characters."""
    return [
        asdict(
            Example(
                _item_name(store, pair[0]),
                _item_name(store, pair[1]),
                round(similarity(pair), 3),
                (store.index.letters[pair[0]], store.index.letters[pair[1]]),
            )
        )
        for pair in pairs
    ]


def _item_name(store: DocumentStore, number: int) -> tuple[str, str]:
    """Return source and id of a document."""
    key = store.key(number)
    return key.source, key.id


def _ratio(store: DocumentStore, pair: tuple[int, int]) -> float:
    """Return the length in characters of the longer text by that of the shorter one."""
    one, other = (max(1, store.index.letters[number]) for number in pair)
    return max(one, other) / min(one, other)


def _short(store: DocumentStore, pair: tuple[int, int]) -> bool:
    """Return whether one of the texts of a pair is short."""
    return min(store.index.words[number] for number in pair) < SHORT_WORDS
