"""Term keys to the ordinals of entries, in time buckets that expire whole.

The layout was chosen by measurement (docs/decisions): a lone ordinal is an int, a few are an
array, many are a compressed bitmap, whose "at least twice" is counted in C.
"""

from __future__ import annotations  # array[int] exists for the type checker only

from array import array
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from pyroaring import BitMap

from newsdedup.core.prefix import HITS, Filing

FEW = 24
"""Up to so many ordinals a plain array is smaller and faster than a bitmap."""
HOT = 50_000
"""A posting list longer than this in one bucket is not read: the loss is counted."""

Ordinals: TypeAlias = "int | array[int] | BitMap"


class Postings:
    """One role's posting lists, by bucket."""

    def __init__(self) -> None:
        self._buckets: dict[int, dict[int, Ordinals]] = {}
        self.hot_skipped = 0

    def file(self, filing: Filing, ordinal: int, *, bucket: int) -> None:
        """Let an ordinal be found by its keys."""
        lists = self._buckets.setdefault(bucket, {})
        for key in (*filing.counted, *filing.sure):
            lists[key] = _with(lists.get(key), ordinal)

    def unfile(self, filing: Filing, ordinal: int, *, bucket: int) -> None:
        """Let an ordinal no longer be found; its bucket may have expired."""
        lists = self._buckets.get(bucket)
        if lists is None:
            return
        for key in (*filing.counted, *filing.sure):
            left = _without(lists.get(key), ordinal)
            if left is None:
                lists.pop(key, None)
            else:
                lists[key] = left

    def find(self, filing: Filing) -> list[int]:
        """Return the ordinals that share two counted keys or one sure key."""
        found: list[int] = []
        for lists in self._buckets.values():
            if filing.counted:
                self._add_twice(lists, filing.counted, found)
            for key in filing.sure:
                found.extend(_each(lists.get(key)))
        return found

    def expire(self, *, before: int) -> list[dict[int, Ordinals]]:
        """Take out the buckets before this one; the caller frees them in its own time."""
        gone = sorted(bucket for bucket in self._buckets if bucket < before)
        return [self._buckets.pop(bucket) for bucket in gone]

    def lengths(self) -> list[int]:
        """Return the length of every posting list."""
        return [_length(found) for lists in self._buckets.values() for found in lists.values()]

    def _add_twice(self, lists: dict[int, Ordinals], keys: Sequence[int], found: list[int]) -> None:
        hits = [hit for key in keys if (hit := lists.get(key)) is not None]
        if len(hits) < HITS:
            return
        once: set[int] = set()
        twice: set[int] = set()
        maps: list[BitMap] = []
        for hit in hits:
            if isinstance(hit, int):
                (twice if hit in once else once).add(hit)
            elif isinstance(hit, array):
                twice |= once.intersection(hit)
                once.update(hit)
            elif len(hit) <= HOT:
                maps.append(hit)
            else:
                self.hot_skipped += 1
        found.extend(_counted(once, twice, maps) if maps else twice)


def _counted(once: set[int], twice: set[int], maps: list[BitMap]) -> BitMap:
    """Return what is seen at least twice in the sets and bitmaps together."""
    seen, again = BitMap(once), BitMap(twice)
    for found in maps:
        again |= seen & found
        seen |= found
    return again


def _with(found: Ordinals | None, ordinal: int) -> Ordinals:
    if found is None:
        return ordinal
    if isinstance(found, int):
        return array("I", (found, ordinal))
    if isinstance(found, array):
        if len(found) >= FEW:
            return BitMap((*found, ordinal))
        found.append(ordinal)
        return found
    found.add(ordinal)
    return found


def _without(found: Ordinals | None, ordinal: int) -> Ordinals | None:
    if found is None or found == ordinal:
        return None
    if isinstance(found, array):
        left = array("I", (other for other in found if other != ordinal))
        return left or None
    if isinstance(found, BitMap):
        found.discard(ordinal)
        return found or None
    return found


def _each(found: Ordinals | None) -> Iterable[int]:
    if found is None:
        return ()
    return (found,) if isinstance(found, int) else found


def _length(found: Ordinals) -> int:
    return 1 if isinstance(found, int) else len(found)
