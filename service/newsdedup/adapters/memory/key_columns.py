"""What the keys of each stored entry are worth, as columns: which of many slots are candidates."""

from collections.abc import Collection, Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from newsdedup.adapters.memory.max_score import Slots
from newsdedup.core.matching.index_keys import (
    MORE_APART,
    MOST_LEAST,
    MOST_WORTH,
    PAIR_WORTH,
    IndexKeys,
    time_of_few,
)
from newsdedup.core.matching.rows import Flags
from newsdedup.core.model import Micros

_KEYS = 12
"""Keys of a slot; those of an entry with more, a digest, are not in the columns."""
_FIRST_SIZE = 1_024
_FEW = 12
"""Up to so many slots are read faster one by one than as arrays."""


class KeyColumns:
    """The counted keys, their worths and the least sum of every slot."""

    def __init__(self) -> None:
        self._keys = np.zeros((_FIRST_SIZE, _KEYS), np.int64)
        self._worths = np.zeros((_FIRST_SIZE, _KEYS), np.uint8)
        self._least = np.zeros(_FIRST_SIZE, np.uint8)
        self._is_long = np.zeros(_FIRST_SIZE, bool)
        """Whether the entry has more keys than a column holds."""
        self._long: dict[int, tuple[NDArray[np.int64], NDArray[np.uint8]]] = {}
        """By slot the keys of such an entry, ascending, and their worths."""
        self._few: tuple[Micros, NDArray[np.int64]] | None = None
        """A window, and by each least sum in what time few items come."""
        self._greatest = 0
        """The greatest least sum that any slot has had."""

    def set(self, slot: int, keys: IndexKeys) -> None:
        """Store the keys of the entry in a slot."""
        while slot >= len(self._least):
            self._grow()
        count = len(keys.counted)
        self._least[slot] = keys.least
        self._greatest = max(self._greatest, keys.least)
        if self._is_long[slot]:
            del self._long[slot]
        self._is_long[slot] = count > _KEYS
        if count > _KEYS:
            order = np.argsort(keys.counted)
            counted, worths = np.array(keys.counted, np.int64), np.array(keys.worths, np.uint8)
            self._long[slot] = counted[order], worths[order]
            return
        self._keys[slot, :count] = keys.counted
        self._worths[slot, :count] = keys.worths
        self._worths[slot, count:] = 0

    def candidates(self, slots: Slots, keys: IndexKeys, *, times: Slots) -> list[int]:
        """Return those of the slots that are candidates by what the shared keys are worth.

        `times` has the time of the entry in every slot.
        """
        if len(slots) <= _FEW and self._is_small(keys):
            worths = keys.weighed()
            return [slot for slot in slots.tolist() if self._share_enough(slot, keys, worths)]
        chosen = self._shared_worths(slots, keys) >= self._needed(slots, keys, times)[0]
        found: list[int] = slots[chosen].tolist()
        return found

    def near(self, slots: Collection[int], keys: IndexKeys, *, times: Slots) -> Iterable[int]:
        """Return those of the slots that are candidates, given that each shares a near key."""
        if self._is_small(keys):
            return slots
        some = np.fromiter(slots, np.int64, len(slots))
        needed, many = self._needed(some, keys, times)
        if not many.any():
            return slots
        worths = self._shared_worths(some, keys) + PAIR_WORTH
        chosen: list[int] = some[~many | (worths >= needed)].tolist()
        return chosen

    def _is_small(self, keys: IndexKeys) -> bool:
        """Return whether few items came between any two entries, so that times do not matter."""
        return max(self._greatest, keys.least) <= MOST_LEAST

    def _share_enough(self, slot: int, keys: IndexKeys, ours: Mapping[int, int]) -> bool:
        """Return whether the keys that a slot shares are worth enough, whatever came between.

        `ours` are the worths of `keys`, by key.
        """
        if self._is_long[slot]:
            theirs, worths = self._long[slot]
        else:
            theirs, worths = self._keys[slot], self._worths[slot]
        pairs = zip(theirs.tolist(), worths.tolist(), strict=True)
        shared: int = sum([min(ours[key], worth) for key, worth in pairs if key in ours])
        least: int = max(keys.least, int(self._least[slot]))
        return shared >= least

    def _shared_worths(self, slots: Slots, keys: IndexKeys) -> NDArray[np.int64]:
        """Return what the counted keys that each slot shares are worth together."""
        if not keys.counted:
            return np.zeros(len(slots), np.int64)
        order = np.argsort(keys.counted)
        ours, worths = np.array(keys.counted)[order], np.array(keys.worths)[order]
        theirs = self._keys.take(slots, axis=0)
        their_worths = self._worths.take(slots, axis=0)
        sums: NDArray[np.int64] = _shared(ours, worths, theirs, their_worths).sum(1)
        for index in np.flatnonzero(self._is_long.take(slots)).tolist():
            sums[index] = _shared(ours, worths, *self._long[int(slots[index])]).sum()
        return sums

    def _needed(
        self, slots: Slots, keys: IndexKeys, times: Slots
    ) -> tuple[NDArray[np.int64], Flags]:
        """Return what each slot has to share, and whether many items came between."""
        least = np.maximum(self._least.take(slots), np.int64(keys.least))
        many = least > MOST_LEAST
        if many.any():
            few = self._times_of_few(keys.window).take(least)
            # Below 2^53 the exponent of a whole number is its length in bits.
            doublings = np.frexp(np.abs(times.take(slots) - keys.at) // few)[1]
            least = np.where(many, MOST_LEAST + MORE_APART * doublings, least)
            many &= doublings > 0
        return least, many

    def _times_of_few(self, window: Micros) -> NDArray[np.int64]:
        """Return by each least sum in what time few items come."""
        if self._few is None or self._few[0] != window:
            every = [time_of_few(least, window) for least in range(MOST_WORTH + 1)]
            self._few = window, np.array(every, np.int64)
        return self._few[1]

    def _grow(self) -> None:
        """Make room for more slots."""
        size = len(self._least) * 5 // 4
        for column in (self._keys, self._worths, self._least, self._is_long):
            column.resize((size, *column.shape[1:]), refcheck=False)


def _shared(
    ours: NDArray[np.int64],
    worths: NDArray[np.int64],
    theirs: NDArray[np.int64],
    their_worths: NDArray[np.uint8],
) -> NDArray[np.int64]:
    """Return for each of their keys the lesser worth if it is one of ours, which ascend; else 0."""
    at = np.searchsorted(ours, theirs)
    at[at == len(ours)] = 0
    lesser: NDArray[np.int64] = np.minimum(worths[at], their_worths) * (ours[at] == theirs)
    return lesser
