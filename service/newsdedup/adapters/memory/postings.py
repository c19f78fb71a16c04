"""Term keys to the ordinals of entries.

The layout was chosen by measurement (docs/decisions/0006-index-in-memory.md and 0040): a few
ordinals of a key are in sorted arrays, many are a compressed bitmap, whose "at least twice" is
counted in C.

Where keys have worths, the longest lists are not read: as long as their worths together are less
than what a candidate must share, it also is in a shorter one (MaxScore, Turtle and Flood 1995).
"""

from __future__ import annotations  # array[int] exists for the type checker only

from array import array
from collections.abc import Iterable, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from pyroaring import BitMap

from newsdedup.adapters.memory.sorted_pairs import SortedPairs
from newsdedup.core.matching.index_keys import HITS, IndexKeys

_ARRAY_MOST = 24
"""Up to so many ordinals a plain array is smaller and faster than a bitmap."""
_LONGEST_READ = 200_000
"""A posting list longer than this is not read: the loss is counted in `hot_skipped`."""
_FEW_READ = 64
"""Up to so many ordinals are added up faster one by one than as arrays."""

Slots: TypeAlias = NDArray[np.int64]
_NONE = np.zeros(0, np.int64)
Ordinals: TypeAlias = "array[int] | BitMap"
Hit: TypeAlias = "tuple[int, int, Ordinals]"
"""A list that a look-up reads: its size, the worth of its key, and its ordinals."""


class Postings:
    """One role's posting lists."""

    def __init__(self) -> None:
        self._few = SortedPairs()
        self._many: dict[int, BitMap] = {}
        """The lists that were longer than `_ARRAY_MOST` at some time."""
        self.hot_skipped = 0

    def file(self, keys: IndexKeys, ordinal: int) -> None:
        """Add an ordinal to the posting list of each of these keys."""
        few, many = self._few, self._many
        for key in (*keys.counted, *keys.sure):
            if key in many:
                many[key].add(ordinal)
            elif few.add(key, ordinal) > _ARRAY_MOST:
                many[key] = BitMap(few.read(key))
                few.remove_all(key)

    def unfile(self, keys: IndexKeys, ordinal: int) -> None:
        """Remove an ordinal from the posting list of each of these keys; drop lists left empty."""
        for key in (*keys.counted, *keys.sure):
            bitmap = self._many.get(key)
            if bitmap is None:
                self._few.remove(key, ordinal)
                continue
            bitmap.discard(ordinal)
            if not bitmap:
                del self._many[key]

    def find(self, keys: IndexKeys) -> set[int] | BitMap:
        """Return the ordinals in the lists of HITS counted keys or of one sure key, each once."""
        if not keys.sure:
            return self._twice(keys.counted)
        sure = self.find_sure(keys)
        return sure.union(self._twice(keys.counted)) if keys.counted else sure

    def find_sure(self, keys: IndexKeys) -> set[int]:
        """Return the ordinals in the lists of one sure key or more."""
        return {ordinal for key in keys.sure for ordinal in self._each(key)}

    def find_worth(self, keys: IndexKeys) -> Slots:
        """Return the ordinals whose shared counted keys may be worth `keys.least`, ascending.

        None whose keys are is missing; the worths of the ordinals themselves are not known here.
        """
        hits, rest = self._essential_lists(keys)
        if sum([size for size, _, _ in hits]) <= _FEW_READ:
            return _add_few(hits, least=keys.least - rest)
        parts, worths, sizes = [], [], []
        for _, worth, hit in hits:
            if isinstance(hit, array):
                part = np.frombuffer(hit, np.uint32)
            elif len(hit) <= _LONGEST_READ:
                part = np.frombuffer(hit.to_array(), np.uint32)
            else:
                self.hot_skipped += 1
                continue
            parts.append(part)
            worths.append(worth)
            sizes.append(len(part))
        if not parts:
            return _NONE
        ordinals = np.concatenate(parts)
        order = ordinals.argsort(kind="stable")
        ordinals = ordinals[order]
        is_first = np.ones(len(ordinals), bool)
        is_first[1:] = ordinals[1:] != ordinals[:-1]
        begins = np.flatnonzero(is_first)
        sums = np.add.reduceat(np.repeat(worths, sizes)[order], begins)
        return ordinals[begins[sums + rest >= keys.least]].astype(np.int64)

    def count(self, keys: IndexKeys) -> int:
        """Return how many ordinals are in the lists that a look-up by these keys reads."""
        sizes = [len(self._read(key)) for key in keys.sure]
        if keys.worths:
            sizes += [size for size, _, _ in self._essential_lists(keys)[0]]
        else:
            sizes += [len(self._read(key)) for key in keys.counted]
        return sum(sizes)

    def _read(self, key: int) -> Ordinals:
        """Return the ordinals of a key, empty without any."""
        bitmap = self._many.get(key)
        return self._few.read(key) if bitmap is None else bitmap

    def _essential_lists(self, keys: IndexKeys) -> tuple[list[Hit], int]:
        """Return the lists to read, and the worth of the keys of all others.

        The longest lists are left out, as many as are worth less together than `keys.least`.
        """
        hits = [
            (len(hit), worth, hit)
            for key, worth in zip(keys.counted, keys.worths, strict=True)
            if (hit := self._read(key))
        ]
        hits.sort(key=lambda hit: (-hit[0], hit[1]))
        rest = read = 0
        for _, worth, _ in hits:
            if rest + worth >= keys.least:
                break
            rest += worth
            read += 1
        return hits[read:], rest

    def _each(self, key: int) -> Iterable[int]:
        """Return the ordinals of a key; none if its list is too long: `hot_skipped` counts that."""
        ordinals = self._read(key)
        if len(ordinals) > _LONGEST_READ:
            self.hot_skipped += 1
            return ()
        return ordinals

    def _twice(self, keys: Sequence[int]) -> set[int] | BitMap:
        """Return the ordinals in two or more of the lists of these keys that are not too long."""
        hits = [hit for key in keys if (hit := self._read(key))]
        if len(hits) < HITS:
            return set()
        once: set[int] = set()
        twice: set[int] = set()
        maps: list[BitMap] = []
        for hit in hits:
            if isinstance(hit, array):
                twice |= once.intersection(hit)
                once.update(hit)
            elif len(hit) <= _LONGEST_READ:
                maps.append(hit)
            else:
                self.hot_skipped += 1
        if not maps:
            return twice
        seen, again = BitMap(once), BitMap(twice)
        for bitmap in maps:
            again |= seen & bitmap
            seen |= bitmap
        return again


def _add_few(hits: Iterable[Hit], *, least: int) -> Slots:
    """Return the ordinals whose keys in these lists are worth `least` together, ascending."""
    sums: dict[int, int] = {}
    for _, worth, ordinals in hits:
        for ordinal in ordinals:
            sums[ordinal] = sums.get(ordinal, 0) + worth
    return np.array(sorted([each for each, worth in sums.items() if worth >= least]), np.int64)
