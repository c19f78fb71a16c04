"""What a method finds that is not the same text, and what it misses: how much, of which kind."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from newsdedup.lab.collections.shelf import Shelf
from newsdedup.lab.compare.reasons import REASONS
from newsdedup.lab.compare.texts import Texts
from newsdedup.lab.compare.truth import Pool, few

LOOKED_AT = 300
"""False and missed pairs of each method that are looked at, drawn by hash."""

EXAMPLES = 3
SHORT = 12
"""Words below which a text is short."""
NEAR = 0.95
STEPS = (0.0, 0.2, 0.4, 0.6)
"""Where the bands of similarity of false pairs begin; they end at 0.8."""

Pairs = Iterable[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Example:
    """A pair, for reading: its items by source and id."""

    left: tuple[str, str]
    right: tuple[str, str]
    similarity: float
    letters: tuple[int, int]


def errors(drawn: Pool, similar: NDArray[np.float32], shelf: Shelf) -> dict[str, dict[str, Any]]:
    """Return for each method what became of its errors."""
    texts = Texts(shelf)
    return {
        name: {
            "false": _false(drawn, name, similar, texts, shelf),
            "missed": _missed(drawn, name, similar, texts, shelf),
        }
        for name in drawn.names
    }


def _false(
    drawn: Pool, name: str, similar: NDArray[np.float32], texts: Texts, shelf: Shelf
) -> dict[str, Any]:
    wrong = drawn.pairs[drawn.found(name) & (similar == 0)]
    looked = sorted(few(wrong, LOOKED_AT))
    exact = {pair: texts.similarity(*pair) for pair in looked}
    bands = [sum(low <= one < low + 0.2 for one in exact.values()) for low in STEPS]
    return {
        "pairs": len(wrong),
        "looked_at": len(looked),
        "by_similarity": bands,
        "of_other_length": sum(_ratio(shelf, pair) > 1.5 for pair in looked),
        "short": sum(_short(shelf, pair) for pair in looked),
        "examples": _examples(few(wrong, EXAMPLES), exact.__getitem__, shelf),
    }


def _missed(
    drawn: Pool, name: str, similar: NDArray[np.float32], texts: Texts, shelf: Shelf
) -> dict[str, Any]:
    overlooked = ~drawn.found(name) & (similar > 0)
    missed = drawn.pairs[overlooked]
    looked = few(missed, LOOKED_AT)
    return {
        "pairs": len(missed),
        "looked_at": len(looked),
        "near": int((similar[overlooked] >= np.float32(NEAR)).sum()),
        "short": sum(_short(shelf, pair) for pair in looked),
        "reasons": _reasons(name, looked, shelf),
        "examples": _examples(looked[:EXAMPLES], lambda pair: texts.similarity(*pair), shelf),
    }


def _reasons(name: str, looked: Pairs, shelf: Shelf) -> Mapping[str, int]:
    """Return how many pairs were missed for which reason, where the method can tell."""
    reason = REASONS.get(name)
    if reason is None:
        return {}
    told = Counter(reason(shelf.reading(one), shelf.reading(other)) for one, other in looked)
    return dict(sorted(told.items(), key=lambda row: (-row[1], row[0])))


def _examples(
    pairs: Pairs, similarity: Callable[[tuple[int, int]], float], shelf: Shelf
) -> list[dict[str, Any]]:
    return [
        asdict(
            Example(
                _named(shelf, pair[0]),
                _named(shelf, pair[1]),
                round(similarity(pair), 3),
                (shelf.index.letters[pair[0]], shelf.index.letters[pair[1]]),
            )
        )
        for pair in pairs
    ]


def _named(shelf: Shelf, number: int) -> tuple[str, str]:
    key = shelf.key(number)
    return key.source, key.id


def _ratio(shelf: Shelf, pair: tuple[int, int]) -> float:
    one, other = (max(1, shelf.index.letters[number]) for number in pair)
    return max(one, other) / min(one, other)


def _short(shelf: Shelf, pair: tuple[int, int]) -> bool:
    return min(shelf.index.words[number] for number in pair) < SHORT
