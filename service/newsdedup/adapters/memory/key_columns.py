"""What the keys of each stored entry are worth, as columns: which of many slots are candidates."""

from collections.abc import Callable

import numpy as np

from newsdedup.adapters.memory.postings import Slots
from newsdedup.core.matching.index_keys import IndexKeys

_KEYS = 12
"""Keys of a slot; of an entry with more, a digest, the columns say only that."""
_FIRST_SIZE = 1_024


class KeyColumns:
    """The counted keys, their worths and the least sum of every slot."""

    def __init__(self) -> None:
        self._keys = np.zeros((_FIRST_SIZE, _KEYS), np.int64)
        self._worths = np.zeros((_FIRST_SIZE, _KEYS), np.uint8)
        self._least = np.zeros(_FIRST_SIZE, np.uint8)
        self._many = np.zeros(_FIRST_SIZE, bool)
        """Whether the entry has more keys than a column holds."""

    def set(self, slot: int, keys: IndexKeys) -> None:
        """Store the keys of the entry in a slot."""
        while slot >= len(self._many):
            self._grow()
        count = len(keys.counted)
        self._least[slot] = keys.least
        self._many[slot] = count > _KEYS
        if count > _KEYS:
            return
        self._keys[slot, :count] = keys.counted
        self._worths[slot, :count] = keys.worths
        self._worths[slot, count:] = 0

    def candidates(self, slots: Slots, keys: IndexKeys, test: Callable[[int], bool]) -> Slots:
        """Return those of the slots that are candidates by the worths of shared keys.

        `test` says so of a slot whose entry has more keys than a column holds.
        """
        order = np.argsort(keys.counted)
        ours, worths = np.array(keys.counted)[order], np.array(keys.worths)[order]
        theirs = self._keys.take(slots, axis=0)
        at = np.searchsorted(ours, theirs)
        at[at == len(ours)] = 0
        shared = np.minimum(worths[at], self._worths.take(slots, axis=0)) * (ours[at] == theirs)
        least = np.maximum(self._least.take(slots), keys.least)
        found = shared.sum(1) >= least
        for index in np.flatnonzero(self._many.take(slots)).tolist():
            found[index] = test(int(slots[index]))
        chosen: Slots = slots[found]
        return chosen

    def _grow(self) -> None:
        """Make room for more slots."""
        size = len(self._many) * 5 // 4
        for column in (self._keys, self._worths, self._least, self._many):
            column.resize((size, *column.shape[1:]), refcheck=False)
