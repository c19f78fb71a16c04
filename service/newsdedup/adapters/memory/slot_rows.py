"""The filter rows of records in slots, made when a look-up reads them, and cached."""

import logging
from collections.abc import Sequence
from typing import Final

import numpy as np

from newsdedup.adapters.memory.max_score import Slots
from newsdedup.core.matching.rows import CandidateFilter, Rows
from newsdedup.core.stories.records import Record
from newsdedup.ports.errors import is_bug

LOG: Final = logging.getLogger("newsdedup.isolation")
_CACHED = 8_192
"""Rows that are cached in a small window: look-ups find the same leaders again and again."""
_SLOTS_OF_A_ROW = 8
"""At least one row is cached for so many slots: of a window, 75 bytes an item."""


class SlotRows:
    """The rows of slots; each has one index in the cache, which it shares with some others."""

    def __init__(self, by: CandidateFilter, records: Sequence[Record]) -> None:
        """Begin without rows; `records` has the record of every slot, as it is now."""
        self._filter = by
        self._records = records
        # As opaque bytes they are copied much faster than field by field.
        self._rows = np.zeros(_CACHED, np.dtype((np.void, by.row.itemsize)))
        self._slots = np.full(_CACHED, -1, np.int64)
        """Whose row has an index; -1 if nobody's is."""

    def drop(self, slot: int) -> None:
        """Have the row of a slot made anew before it is read again."""
        index = slot % len(self._slots)
        if self._slots[index] == slot:
            self._slots[index] = -1

    def read(self, slots: Slots) -> Rows:
        """Return the rows of distinct slots, in their order."""
        if len(self._records) > _SLOTS_OF_A_ROW * len(self._slots):
            self._grow()
        indexes = slots % len(self._slots)
        rows = self._rows.take(indexes)
        missing = np.flatnonzero(self._slots.take(indexes) != slots)
        if len(missing):
            rows[missing] = self._make_rows(slots[missing].tolist()).view(rows.dtype)
            # Of several slots with one index the last one stays.
            self._rows[indexes[missing]] = rows[missing]
            self._slots[indexes[missing]] = slots[missing]
        return rows.view(self._filter.row)

    def _grow(self) -> None:
        """Make room for twice as many rows, and keep those that are cached."""
        size = 2 * len(self._slots)
        cached = np.flatnonzero(self._slots >= 0)
        before, rows = self._slots[cached], self._rows[cached]
        self._slots = np.full(size, -1, np.int64)
        self._rows = np.zeros(size, self._rows.dtype)
        self._slots[before % size] = before
        self._rows[before % size] = rows

    def _make_rows(self, slots: list[int]) -> Rows:
        """Return the rows of slots, all at once; if a bug is raised, one by one."""
        try:
            return self._filter.make_rows([self._records[slot].entry for slot in slots])
        except Exception as error:
            if not is_bug(error):
                raise
            return np.concatenate([self._make_row(slot) for slot in slots])

    def _make_row(self, slot: int) -> Rows:
        """Return one row; if that raises a bug, zeros, whose time is before every window."""
        record = self._records[slot]
        try:
            return self._filter.make_rows([record.entry])
        except Exception as error:
            if not is_bug(error):
                raise
            LOG.error("entry_without_row source=%r id=%r", *record.key)  # noqa: TRY400 - a message may quote an item
            return np.zeros(1, self._filter.row)
