"""Candidate pairs of documents that share a key, with effort linear in the number of documents.

A bucket holds the documents of one key, ordered by the lengths of their texts. Each is paired with
at most `reach` next ones, so a key of thousands of documents does not cost the square of them; the
pairs that are left out are those whose texts differ most in length. They are counted in the report.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

MAX_REACH = 200
"""The next documents of a bucket that each is paired with, at most; as in the chains of A11."""

MAX_EFFORT = 600
"""Comparisons for each document that a method may cost in the mean; a method whose buckets hold
more gets a smaller reach."""

BLOCK = 1 << 20
"""Pairs in memory at a time, about."""

_SHIFT = np.uint64(32)
_LOW = np.uint64((1 << 32) - 1)

PackedPairs = NDArray[np.uint64]
"""Pairs, each as one number: the smaller of the two in the high half."""
IntArray = NDArray[np.int64]


def pack_pairs(left: IntArray, right: IntArray) -> PackedPairs:
    """Return each pair of numbers as one number; the order within a pair does not matter."""
    low, high = np.minimum(left, right), np.maximum(left, right)
    return low.astype(np.uint64) << _SHIFT | high.astype(np.uint64)


def unpack_pairs(pairs: PackedPairs) -> tuple[IntArray, IntArray]:
    """Return the smaller and the larger number of each packed pair, as two arrays."""
    return (pairs >> _SHIFT).astype(np.int64), (pairs & _LOW).astype(np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class KeyBuckets:
    """The buckets of at least two documents, one behind the other."""

    ranks: IntArray
    """Of the documents by the length of their texts; ascending in each bucket."""
    sizes: IntArray

    def comparisons(self, reach: int) -> int:
        """Return how many pairs lie within this reach; one in several buckets counts in each."""
        near = np.minimum(self.sizes - 1, reach)
        return int((self.sizes * near - near * (near + 1) // 2).sum())

    def reach(self, most: int) -> int:
        """Return the largest reach with at most `most` comparisons, from 1 to MAX_REACH.

        It is 1 even if that takes more comparisons.
        """
        fitting = (reach for reach in range(MAX_REACH, 1, -1) if self.comparisons(reach) <= most)
        return next(fitting, 1)

    def pairs(self, reach: int) -> Iterator[PackedPairs]:
        """Yield the distinct pairs of ranks within the reach, ascending, in blocks.

        Within the reach are two documents that are at most `reach` ranks apart in a bucket.
        """
        ends = np.repeat(np.cumsum(self.sizes), self.sizes)
        here = np.arange(len(self.ranks), dtype=np.int64)
        spans = np.minimum(ends - here - 1, reach)
        # By document: its pairs in all buckets come together, so repeated ones are seen.
        order = np.argsort(self.ranks, kind="stable")
        order = order[spans[order] > 0]
        firsts = np.flatnonzero(np.diff(self.ranks[order], prepend=-1))
        sums = np.cumsum(spans[order])
        begin = 0
        while begin < len(order):
            done = sums[begin - 1] if begin else 0
            full = int(np.searchsorted(sums, done + BLOCK, side="right"))
            # A block ends where a document begins, so that all pairs of one are in one block.
            near = np.searchsorted(firsts, max(full, begin + 1))
            end = int(firsts[near]) if near < len(firsts) else len(order)
            yield self._block(order[begin:end], spans)
            begin = end

    def _block(self, indexes: IntArray, spans: IntArray) -> PackedPairs:
        """Return the distinct pairs of the ranks at these indexes with the next ones, ascending.

        `spans` has for every index how many next ones of its bucket are within the reach.
        """
        counts = spans[indexes]
        starts = np.cumsum(counts) - counts
        steps = np.arange(counts.sum(), dtype=np.int64) - np.repeat(starts, counts)
        others = self.ranks[np.repeat(indexes, counts) + 1 + steps]
        return np.unique(pack_pairs(np.repeat(self.ranks[indexes], counts), others))


def build_buckets(keys: NDArray[np.uint64], ranks: IntArray) -> KeyBuckets:
    """Return the buckets, given the keys and for each the rank of a document that has it.

    Buckets of one document are left out.
    """
    order = np.lexsort((ranks, keys))
    keys, ranks = keys[order], ranks[order]
    changes = np.flatnonzero(keys[1:] != keys[:-1]) + 1
    bounds = np.array([0, *changes.tolist(), len(keys)], dtype=np.int64)
    sizes: IntArray = bounds[1:] - bounds[:-1]
    several = sizes > 1
    return KeyBuckets(ranks[np.repeat(several, sizes)], sizes[several])
