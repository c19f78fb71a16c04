"""What a method finds that is not the same text, and what it misses: how much, of which kind."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from newsdedup.lab.collections.shelf import DocumentStore
from newsdedup.lab.compare.reasons import MISS_REASONS
from newsdedup.lab.compare.texts import TextComparer
from newsdedup.lab.compare.truth import PairPool, draw_pairs

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
    """A pair, for reading: its items by source and id."""

    left: tuple[str, str]
    right: tuple[str, str]
    similarity: float
    letters: tuple[int, int]


def method_errors(
    drawn: PairPool, similar: NDArray[np.float32], shelf: DocumentStore
) -> dict[str, dict[str, Any]]:
    """Return for each method what became of its errors."""
    texts = TextComparer(shelf)
    return {
        name: {
            "false": _false_pairs(drawn, name, similar, texts, shelf),
            "missed": _missed_pairs(drawn, name, similar, texts, shelf),
        }
        for name in drawn.names
    }


def _false_pairs(
    drawn: PairPool,
    name: str,
    similar: NDArray[np.float32],
    texts: TextComparer,
    shelf: DocumentStore,
) -> dict[str, Any]:
    wrong = drawn.pairs[drawn.hits(name) & (similar == 0)]
    looked = sorted(draw_pairs(wrong, SAMPLED_ERRORS))
    exact = {pair: texts.similarity(*pair) for pair in looked}
    bands = [sum(low <= one < low + 0.2 for one in exact.values()) for low in FALSE_BANDS]
    return {
        "pairs": len(wrong),
        "looked_at": len(looked),
        "by_similarity": bands,
        "of_other_length": sum(_ratio(shelf, pair) > 1.5 for pair in looked),
        "short": sum(_short(shelf, pair) for pair in looked),
        "examples": _examples(draw_pairs(wrong, _EXAMPLES), exact.__getitem__, shelf),
    }


def _missed_pairs(
    drawn: PairPool,
    name: str,
    similar: NDArray[np.float32],
    texts: TextComparer,
    shelf: DocumentStore,
) -> dict[str, Any]:
    overlooked = ~drawn.hits(name) & (similar > 0)
    missed = drawn.pairs[overlooked]
    looked = draw_pairs(missed, SAMPLED_ERRORS)
    return {
        "pairs": len(missed),
        "looked_at": len(looked),
        "near": int((similar[overlooked] >= np.float32(_NEARLY_EQUAL)).sum()),
        "short": sum(_short(shelf, pair) for pair in looked),
        "reasons": _reasons(name, looked, shelf),
        "examples": _examples(looked[:_EXAMPLES], lambda pair: texts.similarity(*pair), shelf),
    }


def _reasons(name: str, looked: _PairNumbers, shelf: DocumentStore) -> Mapping[str, int]:
    """Return how many pairs were missed for which reason, where the method can tell."""
    reason = MISS_REASONS.get(name)
    if reason is None:
        return {}
    told = Counter(reason(shelf.reading(one), shelf.reading(other)) for one, other in looked)
    return dict(sorted(told.items(), key=lambda row: (-row[1], row[0])))


def _examples(
    pairs: _PairNumbers, similarity: Callable[[tuple[int, int]], float], shelf: DocumentStore
) -> list[dict[str, Any]]:
    return [
        asdict(
            Example(
                _item_name(shelf, pair[0]),
                _item_name(shelf, pair[1]),
                round(similarity(pair), 3),
                (shelf.index.letters[pair[0]], shelf.index.letters[pair[1]]),
            )
        )
        for pair in pairs
    ]


def _item_name(shelf: DocumentStore, number: int) -> tuple[str, str]:
    key = shelf.key(number)
    return key.source, key.id


def _ratio(shelf: DocumentStore, pair: tuple[int, int]) -> float:
    one, other = (max(1, shelf.index.letters[number]) for number in pair)
    return max(one, other) / min(one, other)


def _short(shelf: DocumentStore, pair: tuple[int, int]) -> bool:
    return min(shelf.index.words[number] for number in pair) < SHORT_WORDS
