"""The pool of pairs that any method found, and the similarity of their texts (table 2, paper 000).

True are the pairs of the pool whose texts are the same by 80 % and more. Precision is exact by
this; recall is the share of the true pairs that any method found.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from newsdedup_lab.collections.document_store import DocumentStore
from newsdedup_lab.compare.buckets import PackedPairs, unpack_pairs
from newsdedup_lab.report.study_stages import StepProgress
from newsdedup_lab.similarities import SAME_TEXT, text_similarity


class TextComparer:
    """Compares stored texts; the left text of the last comparison stays in memory."""

    def __init__(self, store: DocumentStore) -> None:
        self._store = store
        self._lengths = store.index.letters
        self._last_text: tuple[int, str] = (-1, "")

    def similarity(self, left: int, right: int, *, least: float = 0.0) -> float:
        """Return the share of characters that the clean texts of two documents have in common.

        The documents are given by number, the share by `text_similarity`; it is 0 if below `least`.
        If the lengths alone rule `least` out, no text is read.
        """
        one, other = self._lengths[left], self._lengths[right]
        if 2 * min(one, other) < least * (one + other):
            return 0.0
        if self._last_text[0] != left:
            self._last_text = (left, self._store.text(left))
        return text_similarity(self._last_text[1], self._store.text(right), least=least)

    def same(self, left: int, right: int) -> bool:
        """Return whether the texts of two documents are equal by 80 % and more."""
        return self.similarity(left, right, least=SAME_TEXT) >= SAME_TEXT


_Bits = NDArray[np.uint32]
_MAX_METHODS = 32


@dataclass(frozen=True, slots=True, eq=False)
class PairPool:
    """The pairs that any method found, ascending, with a bit mask of the methods for each."""

    names: tuple[str, ...]
    pairs: PackedPairs
    finders: _Bits

    def hits(self, name: str) -> NDArray[np.bool_]:
        """Return a flag for each pair: whether the method found it."""
        return (self.finders >> np.uint32(self.names.index(name)) & np.uint32(1)).astype(bool)

    def sample(self, most: int) -> "PairPool":
        """Return a pool of at most `most` of these pairs, drawn by hash, still ascending."""
        if len(self.pairs) <= most:
            return self
        chosen = np.sort(np.argpartition(scatter_pairs(self.pairs), most)[:most])
        return PairPool(self.names, self.pairs[chosen], self.finders[chosen])


def build_pool(found: Mapping[str, PackedPairs]) -> PairPool:
    """Return the distinct pairs of all methods, and for each which methods found it.

    Raise ValueError for more than 32 methods.
    """
    if len(found) > _MAX_METHODS:
        raise ValueError(f"at most {_MAX_METHODS} methods can share a pool")
    pairs = np.empty(0, dtype=np.uint64)
    for one in found.values():
        pairs = np.union1d(pairs, one)
    finders = np.zeros(len(pairs), dtype=np.uint32)
    for number, one in enumerate(found.values()):
        finders[np.searchsorted(pairs, one)] |= np.uint32(1 << number)
    return PairPool(tuple(found), pairs, finders)


def text_similarities(
    store: DocumentStore, pairs: PackedPairs, watch: StepProgress
) -> NDArray[np.float32]:
    """Return the text similarity of each packed pair of document numbers, 0 below 80 %."""
    texts = TextComparer(store)
    left, right = unpack_pairs(pairs)
    shares = np.zeros(len(pairs), dtype=np.float32)
    with watch.step("comparing texts", len(pairs)) as advance:
        for at, (one, other) in enumerate(zip(left.tolist(), right.tolist(), strict=True)):
            shares[at] = texts.similarity(one, other, least=SAME_TEXT)
            advance(1)
    return shares


def dice_matrix(whole: PairPool) -> list[list[float | None]]:
    """Return 2 * both / (one + other) for each two methods, in the order of the pool's names.

    both, one and other count pairs; the coefficient is None if neither method found a pair.
    """
    counts = {name: int(whole.hits(name).sum()) for name in whole.names}

    def coefficient(one: str, other: str) -> float | None:
        """Return the Dice coefficient of the pairs of two methods, None if neither found one."""
        either = counts[one] + counts[other]
        both = int((whole.hits(one) & whole.hits(other)).sum())
        return round(2 * both / either, 4) if either else None

    return [[coefficient(one, other) for other in whole.names] for one in whole.names]


def scatter_pairs(pairs: PackedPairs) -> PackedPairs:
    """Return a hash of each packed pair, equal in every process, to draw samples by.

    The finalizer of SplitMix64 (Steele, Lea, Flood 2014); it wraps around.
    """
    mixed = pairs + np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))


def draw_pairs(pairs: PackedPairs, most: int) -> Sequence[tuple[int, int]]:
    """Return the `most` pairs with the smallest hashes as document numbers, in that order."""
    chosen = pairs[np.argsort(scatter_pairs(pairs), kind="stable")[:most]]
    left, right = unpack_pairs(chosen)
    return list(zip(left.tolist(), right.tolist(), strict=True))
