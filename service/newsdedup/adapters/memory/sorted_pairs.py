"""Keys to slots in sorted arrays: a pair takes 13 bytes, an entry of a dictionary a hundred."""

from __future__ import annotations  # array[int] exists for the type checker only

from array import array
from bisect import bisect_left, bisect_right

_MOST = 256
"""Pairs of a page, from which on it is split: to add one moves 1 kB on average."""


class SortedPairs:
    """Pairs of a key of 63 bits and a slot of 32, ascending by key, in pages.

    Every key is in one page only. A page is dropped when it is empty; pages with few pairs are not
    joined, since pairs that come later fill them again.
    """

    def __init__(self) -> None:
        self._keys = [array("q")]
        self._slots = [array("I")]
        self._fences: list[int] = []
        """The least key that belongs to each page but the first."""
        self._size = 0

    def __len__(self) -> int:
        """Return the number of pairs."""
        return self._size

    def add(self, key: int, slot: int) -> int:
        """Add a pair; return how many there are of its key."""
        page = bisect_right(self._fences, key)
        keys = self._keys[page]
        at = bisect_right(keys, key)
        keys.insert(at, key)
        self._slots[page].insert(at, slot)
        self._size += 1
        count = at + 1 - bisect_left(keys, key, 0, at) if at and keys[at - 1] == key else 1
        if len(keys) > _MOST:
            self._split(page)
        return count

    def read(self, key: int) -> array[int]:
        """Return the slots of a key, in the order in which they were added; empty without any."""
        page = bisect_right(self._fences, key)
        keys = self._keys[page]
        begin = bisect_left(keys, key)
        if begin == len(keys) or keys[begin] != key:
            return _NO_SLOTS
        end = begin + 1
        if end < len(keys) and keys[end] == key:
            end = bisect_right(keys, key, end)
        return self._slots[page][begin:end]

    def remove(self, key: int, slot: int) -> None:
        """Remove a pair; raise ValueError if it is missing."""
        page = bisect_right(self._fences, key)
        keys, slots = self._keys[page], self._slots[page]
        at = slots.index(slot, bisect_left(keys, key), bisect_right(keys, key))
        del keys[at], slots[at]
        self._size -= 1
        self._drop_if_empty(page)

    def remove_all(self, key: int) -> None:
        """Remove all pairs of a key."""
        page = bisect_right(self._fences, key)
        keys = self._keys[page]
        pairs = slice(bisect_left(keys, key), bisect_right(keys, key))
        del keys[pairs], self._slots[page][pairs]
        self._size -= pairs.stop - pairs.start
        self._drop_if_empty(page)

    def _split(self, page: int) -> None:
        """Move the upper half of a page to a new one, if it has more than one key."""
        keys, slots = self._keys[page], self._slots[page]
        middle = keys[len(keys) // 2]
        at = bisect_left(keys, middle) or bisect_right(keys, middle)
        if at == len(keys):
            return
        self._fences.insert(page, keys[at])
        self._keys.insert(page + 1, keys[at:])
        self._slots.insert(page + 1, slots[at:])
        del keys[at:], slots[at:]

    def _drop_if_empty(self, page: int) -> None:
        """Drop a page without pairs, unless it is the only one."""
        if self._keys[page] or not self._fences:
            return
        del self._keys[page], self._slots[page], self._fences[max(page - 1, 0)]


_NO_SLOTS = array("I")
