"""Records by slot, with the columns that a look-up reads of many of them at once."""

import logging
from collections.abc import Sequence
from typing import Final

import numpy as np
from pyroaring import BitMap

from newsdedup.core.matching.rows import FEW, CandidateFilter, NearRecords, Rows
from newsdedup.core.model import Entry, ItemKey, Stamp, Version
from newsdedup.core.stories.records import Record
from newsdedup.ports.errors import is_bug

LOG: Final = logging.getLogger("newsdedup.isolation")
_FIRST_SIZE = 1_024
_GROWTH = 1.25
"""What is added at once is empty at first, and counts as resident."""
_ROWS_AT_ONCE = 256
"""Rows are written together, at the latest when so many are missing: one alone takes ten times as
long."""
_NOTHING = Record(Entry(ItemKey("", ""), Version(""), Stamp(0, 0), 0, "other", (), (), ()))
"""What a free slot holds."""


class RecordTable:
    """Records, the bucket and the arrival of each, and its row if the rule has a filter.

    A slot is an index into the columns; it is used again once its record is freed.
    """

    def __init__(self, by: CandidateFilter | None) -> None:
        self.records: list[Record] = []
        self.arrivals: list[int] = []
        """The numbers of the items in the order in which they came in."""
        self._filter = by
        self._buckets = np.zeros(_FIRST_SIZE, np.int64)
        self._rows = None if by is None else np.zeros(_FIRST_SIZE, by.row)
        self._unwritten: list[int] = []
        """Slots whose rows are not written yet."""
        self._free: list[int] = []

    def add(self, record: Record, *, arrival: int, bucket: int) -> int:
        """Add a record and return its slot."""
        if self._free:
            slot = self._free.pop()
            self.records[slot] = record
            self.arrivals[slot] = arrival
        else:
            slot = len(self.records)
            self.records.append(record)
            self.arrivals.append(arrival)
            if slot == len(self._buckets):
                size = int(_GROWTH * len(self._buckets))
                # No view of the columns is kept, so they can be moved.
                self._buckets.resize(size, refcheck=False)
                if self._rows is not None:
                    self._rows.resize(size, refcheck=False)
        self._buckets[slot] = bucket
        return slot

    def free(self, slot: int) -> None:
        """Drop the record of a slot, which may be given to another one."""
        self.records[slot] = _NOTHING
        self._free.append(slot)

    def renew_row(self, slot: int) -> None:
        """Have the filter row of a slot computed again from its record before the next read."""
        if self._rows is not None:
            self._unwritten.append(slot)
            if len(self._unwritten) >= _ROWS_AT_ONCE:
                self._write_rows()

    def bucket(self, slot: int) -> int:
        """Return the bucket with which the record of a slot expires."""
        return int(self._buckets[slot])

    def move(self, slot: int, *, bucket: int) -> None:
        """Have the record of a slot expire with another bucket."""
        self._buckets[slot] = bucket

    def read(self, slots: set[int] | BitMap, *, floor: int) -> Sequence[Record]:
        """Return the records of slots that do not expire with buckets before the floor."""
        if len(slots) <= FEW:
            return [self.records[slot] for slot in slots if self._buckets[slot] >= floor]
        if isinstance(slots, BitMap):
            some = np.frombuffer(slots.to_array(), np.uint32).astype(np.int64)
        else:
            some = np.fromiter(slots, np.int64, len(slots))
        alive = some[self._buckets.take(some) >= floor]

        def make_rows() -> Rows | None:
            self._write_rows()
            return None if self._rows is None else self._rows.take(alive)

        return NearRecords([self.records[slot] for slot in alive.tolist()], make_rows)

    def _write_rows(self) -> None:
        """Write the rows of all unwritten slots at once; if a bug is raised, one by one."""
        if self._filter is None or self._rows is None or not self._unwritten:
            return
        slots = [slot for slot in self._unwritten if self.records[slot].leader is not None]
        try:
            if slots:
                entries = [self.records[slot].entry for slot in slots]
                self._rows[slots] = self._filter.make_rows(entries)
        except Exception as error:
            if not is_bug(error):
                raise
            for slot in slots:
                self._write_row(slot, self._filter, self._rows)
        self._unwritten.clear()

    def _write_row(self, slot: int, by: CandidateFilter, rows: Rows) -> None:
        """Write one filter row; if that raises a bug, zeros, whose time is before every window."""
        record = self.records[slot]
        try:
            rows[slot] = by.make_rows([record.entry])[0]
        except Exception as error:
            if not is_bug(error):
                raise
            LOG.error("entry_without_row source=%r id=%r", *record.key)  # noqa: TRY400 - a message may quote an item
            rows[slot] = np.zeros((), by.row)
