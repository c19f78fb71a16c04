"""Term keys to the ordinals of entries.

The layout was chosen by measurement (docs/decisions/0006-index-in-memory.md and 0040): a few
ordinals of a key are in sorted arrays, many are a compressed bitmap, whose "at least twice" is
counted in C.

Where keys have worths, long lists are not read (max_score.py).
"""

from __future__ import annotations  # array[int] exists for the type checker only

from array import array
from collections.abc import Iterable, Sequence

from pyroaring import BitMap

from newsdedup.adapters.memory.max_score import (
    Ordinals,
    PostingList,
    Slots,
    add_up,
    plan_reading,
)
from newsdedup.adapters.memory.sorted_pairs import SortedPairs
from newsdedup.core.matching.index_keys import HITS, IndexKeys

_ARRAY_MOST = 24
"""Up to so many ordinals a plain array is smaller and faster than a bitmap."""
_LONGEST_READ = 200_000
"""A posting list longer than this is not read: the loss is counted in `hot_skipped`."""


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
        for key in (*keys.counted, *keys.alone):
            if key in many:
                many[key].add(ordinal)
            elif few.add(key, ordinal) > _ARRAY_MOST:
                many[key] = BitMap(few.read(key))
                few.remove_all(key)

    def unfile(self, keys: IndexKeys, ordinal: int) -> None:
        """Remove an ordinal from the posting list of each of these keys; drop lists left empty."""
        for key in (*keys.counted, *keys.alone):
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
        sure = self.find_any(keys.sure)
        return sure.union(self._twice(keys.counted)) if keys.counted else sure

    def find_any(self, keys: Iterable[int]) -> set[int]:
        """Return the ordinals in the lists of one of these keys or more."""
        return {ordinal for key in keys for ordinal in self._each(key)}

    def find_worth(self, keys: IndexKeys) -> Slots:
        """Return the ordinals whose shared counted keys may be worth `keys.floor`, ascending.

        None whose keys are is missing; the worths of the ordinals themselves are not known here.
        """
        plan = plan_reading(self._lists(keys), least=keys.floor)
        short = [each for each in plan.read if each.size <= _LONGEST_READ]
        self.hot_skipped += len(plan.read) - len(short)
        return add_up(plan._replace(read=short), least=keys.floor)

    def count(self, keys: IndexKeys) -> int:
        """Return how many postings a look-up by these keys reads."""
        sizes = [len(self._read(key)) for key in keys.alone]
        if keys.worths:
            sizes.append(plan_reading(self._lists(keys), least=keys.floor).size)
        else:
            sizes += [len(self._read(key)) for key in keys.counted]
        return sum(sizes)

    def _read(self, key: int) -> Ordinals:
        """Return the ordinals of a key, empty without any."""
        bitmap = self._many.get(key)
        return self._few.read(key) if bitmap is None else bitmap

    def _lists(self, keys: IndexKeys) -> list[PostingList]:
        """Return the lists of counted keys that have worths, without empty ones."""
        return [
            PostingList(len(ordinals), worth, ordinals)
            for key, worth in zip(keys.counted, keys.worths, strict=True)
            if (ordinals := self._read(key))
        ]

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
