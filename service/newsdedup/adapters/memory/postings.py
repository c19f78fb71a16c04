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
        """Let an ordinal be found by its keys."""
        lists = self._lists
        for key in (*filing.counted, *filing.sure):
            found = lists.get(key)
            lists[key] = ordinal if found is None else _with(found, ordinal)

    def unfile(self, filing: IndexKeys, ordinal: int) -> None:
        """Let an ordinal no longer be found."""
        lists = self._lists
        for key in (*filing.counted, *filing.sure):
            found = lists[key]
            left = None if found == ordinal else _without(found, ordinal)
            if left is None:
                del lists[key]
            else:
                lists[key] = left

    def find(self, filing: IndexKeys) -> Iterable[int]:
        """Return the ordinals that share two counted keys or one sure key, each once."""
        if not filing.sure:
            return self._twice(filing.counted)
        sure = {o for key in filing.sure for o in self._each(key)}
        return sure.union(self._twice(filing.counted)) if filing.counted else sure

    def _each(self, key: int) -> Iterable[int]:
        found = self._lists.get(key)
        if found is None:
            return ()
        if isinstance(found, int):
            return (found,)
        if len(found) > _LONGEST_READ:
            self.hot_skipped += 1
            return ()
        return found

    def _twice(self, keys: Sequence[int]) -> Iterable[int]:
        lists = self._lists
        hits = [hit for key in keys if (hit := lists.get(key)) is not None]
        if len(hits) < HITS:
            return ()
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
        return _at_least_twice(once, twice, maps) if maps else twice


def _at_least_twice(once: set[int], twice: set[int], maps: list[BitMap]) -> BitMap:
    """Return what is seen at least twice in the sets and bitmaps together."""
    seen, again = BitMap(once), BitMap(twice)
    for found in maps:
        again |= seen & found
        seen |= found
    return again


def _with(found: Ordinals, ordinal: int) -> Ordinals:
    if isinstance(found, int):
        return array("I", (found, ordinal))
    if isinstance(found, array):
        if len(found) >= _ARRAY_MOST:
            return BitMap((*found, ordinal))
        found.append(ordinal)
    else:
        found.add(ordinal)
    return found


def _without(found: Ordinals, ordinal: int) -> Ordinals | None:
    """Return the ordinals without one of them, None if none is left."""
    if isinstance(found, int):
        return None
    if isinstance(found, array):
        found.remove(ordinal)
    else:
        found.discard(ordinal)
    return found or None
