"""Keys to slots in sorted arrays: a pair takes 15 bytes, an entry of a dictionary a hundred."""

from __future__ import annotations  # array[int] exists for the type checker only

from array import array
from bisect import bisect_left, bisect_right

import numpy as np

_MEAN = 96
"""Pairs of a page on average: to find one takes seven comparisons, to add one moves 600 bytes."""


class SortedPairs:
    """Pairs of a key of 63 bits and a slot of 32 in pages, each ascending by key.

    The lowest bits of a key, which are to be those of a hash, say on which page it is. Pages are
    split one at a time, in their order, as pairs are added (linear hashing, Litwin 1980), so no
    single addition takes long. They are not joined again: the next window fills them.
    """

    def __init__(self) -> None:
        self._keys = [array("q")]
        self._slots = [array("I")]
        self._mask = 0
        """The bits of a key that number its page."""
        self._wide = 1
        """One bit more: those of a page that is split already."""
        self._split = 0
        """How many pages are split already: the first ones."""
        self._size = 0

    def __len__(self) -> int:
        """Return the number of pairs."""
        return self._size

    def add(self, key: int, slot: int) -> int:
        """Add a pair; return how many there are of its key."""
        page = key & self._mask
        if page < self._split:
            page = key & self._wide
        keys = self._keys[page]
        at = bisect_right(keys, key)
        count = at + 1 - bisect_left(keys, key, 0, at) if at and keys[at - 1] == key else 1
        keys.insert(at, key)
        self._slots[page].insert(at, slot)
        self._size += 1
        if self._size > _MEAN * len(self._keys):
            self._split_page()
        return count

    def read(self, key: int) -> array[int]:
        """Return the slots of a key, in the order in which they were added; empty without any."""
        page = key & self._mask
        if page < self._split:
            page = key & self._wide
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
        page = self._page(key)
        keys, slots = self._keys[page], self._slots[page]
        at = slots.index(slot, bisect_left(keys, key), bisect_right(keys, key))
        del keys[at], slots[at]
        self._size -= 1

    def remove_all(self, key: int) -> None:
        """Remove all pairs of a key."""
        page = self._page(key)
        keys = self._keys[page]
        pairs = slice(bisect_left(keys, key), bisect_right(keys, key))
        del keys[pairs], self._slots[page][pairs]
        self._size -= pairs.stop - pairs.start

    def _page(self, key: int) -> int:
        """Return the page that a key is on."""
        page = key & self._mask
        return page if page >= self._split else key & self._wide

    def _split_page(self) -> None:
        """Move the pairs whose next bit is set from the next page in turn to a new one."""
        at, bit = self._split, self._mask + 1
        keys, slots = np.array(self._keys[at]), np.array(self._slots[at])
        moves = keys & bit != 0
        self._keys.append(array("q", keys[moves].tobytes()))
        self._slots.append(array("I", slots[moves].tobytes()))
        self._keys[at] = array("q", keys[~moves].tobytes())
        self._slots[at] = array("I", slots[~moves].tobytes())
        self._split += 1
        if self._split == bit:
            self._mask, self._split = self._wide, 0
            self._wide = 2 * self._mask + 1


_NO_SLOTS = array("I")
