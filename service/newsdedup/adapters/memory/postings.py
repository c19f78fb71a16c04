"""Term keys to the ordinals of entries.

The layout was chosen by measurement (docs/decisions/0006-index-in-memory.md): a lone ordinal is
an int, a few are an array, many are a compressed bitmap, whose "at least twice" is counted in C.
"""

from __future__ import annotations  # array[int] exists for the type checker only

from array import array
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from pyroaring import BitMap

from newsdedup.core.matching.prefix import HITS, IndexKeys

_ARRAY_MOST = 24
"""Up to so many ordinals a plain array is smaller and faster than a bitmap."""
_LONGEST_READ = 200_000
"""A posting list longer than this is not read: the loss is counted in `hot_skipped`."""

Ordinals: TypeAlias = "int | array[int] | BitMap"


class Postings:
    """One role's posting lists."""

    def __init__(self) -> None:
        self._lists: dict[int, Ordinals] = {}
        self.hot_skipped = 0

    def file(self, filing: IndexKeys, ordinal: int) -> None:
        """Add an ordinal to the posting list of each of these keys."""
        lists = self._lists
        for key in (*filing.counted, *filing.sure):
            ordinals = lists.get(key)
            lists[key] = ordinal if ordinals is None else _with(ordinals, ordinal)

    def unfile(self, filing: IndexKeys, ordinal: int) -> None:
        """Remove an ordinal from the posting list of each of these keys; drop lists left empty."""
        lists = self._lists
        for key in (*filing.counted, *filing.sure):
            ordinals = lists[key]
            left = None if ordinals == ordinal else _without(ordinals, ordinal)
            if left is None:
                del lists[key]
            else:
                lists[key] = left

    def find(self, filing: IndexKeys) -> set[int] | BitMap:
        """Return the ordinals in the lists of HITS counted keys or of one sure key, each once."""
        if not filing.sure:
            return self._twice(filing.counted)
        sure = {o for key in filing.sure for o in self._each(key)}
        return sure.union(self._twice(filing.counted)) if filing.counted else sure

    def count(self, filing: IndexKeys) -> int:
        """Return how many ordinals are in the lists of these keys, all of which `find` reads."""
        lists = [self._lists.get(key, ()) for key in (*filing.counted, *filing.sure)]
        return sum(1 if isinstance(one, int) else len(one) for one in lists)

    def _each(self, key: int) -> Iterable[int]:
        """Return the ordinals of a key; none if its list is too long: `hot_skipped` counts that."""
        ordinals = self._lists.get(key)
        if ordinals is None:
            return ()
        if isinstance(ordinals, int):
            return (ordinals,)
        if len(ordinals) > _LONGEST_READ:
            self.hot_skipped += 1
            return ()
        return ordinals

    def _twice(self, keys: Sequence[int]) -> set[int] | BitMap:
        """Return the ordinals in two or more of the lists of these keys that are not too long."""
        lists = self._lists
        hits = [hit for key in keys if (hit := lists.get(key)) is not None]
        if len(hits) < HITS:
            return set()
        once: set[int] = set()
        twice: set[int] = set()
        maps: list[BitMap] = []
        for hit in hits:
            if isinstance(hit, int):
                (twice if hit in once else once).add(hit)
            elif isinstance(hit, array):
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


def _with(ordinals: Ordinals, ordinal: int) -> Ordinals:
    """Return ordinals with one more, in place where their type allows it."""
    if isinstance(ordinals, int):
        return array("I", (ordinals, ordinal))
    if isinstance(ordinals, array):
        if len(ordinals) >= _ARRAY_MOST:
            return BitMap((*ordinals, ordinal))
        ordinals.append(ordinal)
    else:
        ordinals.add(ordinal)
    return ordinals


def _without(ordinals: Ordinals, ordinal: int) -> Ordinals | None:
    """Return ordinals without one of them, None if no other is left."""
    if isinstance(ordinals, int):
        return None
    if isinstance(ordinals, array):
        ordinals.remove(ordinal)
    else:
        ordinals.discard(ordinal)
    return ordinals or None
