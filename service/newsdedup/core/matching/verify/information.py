"""How many bits the keys of an entry are worth in this stream, as they are frozen at admission.

A key is worth log2(items / items that have it), by the items that the stream statistics have
counted. The background table counts as further items, so that the first ones of a stream are
weighed by it. The sum that makes candidates of two entries grows with the window: of twice as many
items twice as many share something by chance.
"""

import struct
from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import log2
from typing import NamedTuple

import numpy as np

from newsdedup.core.matching.index_keys import BIT, MOST_WORTH
from newsdedup.core.words.background import KEY_HASH_BITS, RAREST_LOG, STEPS_PER_DOUBLING

_PRIOR = 1_000
"""Items without news of this stream that the background table counts as."""

_UNSEEN_LOG = -15.0
"""log2 of the share of items that have a term which the background table lacks."""

_PAIR_LOG = -16.0
"""log2 of the share of items that have a pair of words in their first sentence, before any did."""

_LEAST_BITS = 14.0
"""Bits that candidates share in a small window."""

_BITS_OF_A_WINDOW = 22.0
"""Bits that candidates share in a window of 65,536 items.

With these, in the labelled streams in their own time and brought into one window, every labelled
duplicate is a candidate (docs/decisions/0039)."""

_PAIR_BITS = 12.0
"""Bits from which a shared pair of words of the first sentences alone makes candidates."""

_CELL_BITS = 20
_MILLION = 1e6
_HASH_BITS = 32
_HASH_MASK = (1 << _HASH_BITS) - 1
_UNREAD_BITS = _HASH_BITS - _CELL_BITS
"""The second row is read by the highest bits of a hash, the first one by the lowest."""
_CELLS = 1 << _CELL_BITS
"""Cells of a row of counts: at 600,000 keys a count is too high by one for every fifth key."""


# By the band of a term's document frequency in the background, one of a hundred.
_BANDS = 1 - RAREST_LOG * STEPS_PER_DOUBLING
_SHARE_LOGS = np.array(
    [_UNSEEN_LOG, *[RAREST_LOG + band / STEPS_PER_DOUBLING for band in range(_BANDS)]]
)
"""log2 of the share of items that have a term."""
_PRIOR_COUNTS: list[float] = (_PRIOR * np.exp2(_SHARE_LOGS)).tolist()
_PRIOR_PAIRS = _PRIOR * 2**_PAIR_LOG


class Information(NamedTuple):
    """What the keys of an entry are worth, in quarters of a bit."""

    least: int
    """The sum of worths that makes a candidate, as `least` of IndexKeys."""
    terms: bytes
    """A worth for each term of its signature, in their order."""
    pairs: int
    """A bit for each key of its first sentence, set where it alone makes candidates."""


class KeyCounts:
    """How many items of a generation have each key: a count-min sketch of two rows.

    A count is never too low. Equal items in any order give equal counts.
    """

    def __init__(self) -> None:
        self.items = 0
        self._rows = np.zeros((2, _CELLS), np.uint32)
        # An item has a dozen keys: read one by one they take a fraction of the time of arrays.
        self._first: memoryview = memoryview(self._rows[0])
        self._second: memoryview = memoryview(self._rows[1])

    def add(self, hashes: bytes, *, items: int) -> None:
        """Count the keys of more items; `hashes` are the `hash_keys` of each, joined."""
        self.items += items
        read = np.frombuffer(hashes, "<u4").astype(np.uint32)
        np.add.at(self._rows[0], read & np.uint32(_CELLS - 1), 1)
        np.add.at(self._rows[1], read >> np.uint32(_UNREAD_BITS), 1)

    def read(self, keys: Iterable[int]) -> list[int]:
        """Return how many items have each of these keys."""
        first, second = self._first, self._second
        return [
            min(first[key & _CELLS - 1], second[key >> _UNREAD_BITS & _CELLS - 1]) for key in keys
        ]


def weigh_keys(
    terms: Sequence[int], pairs: Sequence[int], counts: Sequence[KeyCounts], *, window: int
) -> Information:
    """Return what the terms of a signature and the keys of a first sentence are worth.

    `counts` has the generations to count by, `window` is how many items the window has.
    """
    keys = (*terms, *pairs)
    found = [_PRIOR_COUNTS[term >> KEY_HASH_BITS] for term in terms]
    found += [_PRIOR_PAIRS] * len(pairs)
    items = _PRIOR
    for count in counts:
        if count.items:
            items += count.items
            found = [before + more for before, more in zip(found, count.read(keys), strict=True)]
    worths = [_worth(items / each) for each in found]
    strong = [worth >= BIT * _PAIR_BITS for worth in worths[len(terms) :]]
    return Information(
        least_worth(window),
        bytes(worths[: len(terms)]),
        sum([1 << index for index, is_strong in enumerate(strong) if is_strong]),
    )


# Most keys are new to the stream, and their worths change only with a bucket.
@lru_cache(maxsize=4_096)
def _worth(rarity: float) -> int:
    """Return what a key is worth that one in so many items has, in quarters of a bit."""
    # Rounded first: the last bit of log2, which differs between machines, decides nothing.
    bits = round(round(BIT * log2(rarity) * _MILLION) / _MILLION)
    return min(max(bits, 0), MOST_WORTH)


# It changes only with a bucket.
@lru_cache(maxsize=2)
def least_worth(window: int) -> int:
    """Return the sum of worths that makes candidates of two entries in a window of these items."""
    bits = _BITS_OF_A_WINDOW + np.log2(max(1, window) / (1 << 16))
    return round(BIT * max(_LEAST_BITS, float(bits)))


def hash_keys(keys: Sequence[int]) -> bytes:
    """Return the hashes by which keys are counted, in their order: their lowest 32 bits each."""
    return struct.pack(f"<{len(keys)}I", *[key & _HASH_MASK for key in keys])
