"""Records by slot, with the columns that a look-up reads of many of them at once."""

from collections.abc import Sequence

import numpy as np
from pyroaring import BitMap

from newsdedup.adapters.memory.packed_records import Packed, PackedRecords, RecordPacker
from newsdedup.core.matching.rows import FEW, CandidateFilter, NearRecords
from newsdedup.core.model import Entry, ItemKey, Micros, Stamp, Version
from newsdedup.core.stories.records import Record

_FIRST_SIZE = 1_024
_GROWTH = 1.25
"""What is added at once is empty at first, and counts as resident."""
_NOTHING = Record(Entry(ItemKey("", ""), Version(""), Stamp(0, 0), 0, "other", (), (), ()))
"""What a free slot holds."""


class RecordTable:
    """Packed records, and the time, bucket and arrival of each.

    A slot is an index into the columns; it is used again once its record is freed. Few of the
    records that a look-up finds are decoded (docs/decisions/0040).
    """

    def __init__(self, by: CandidateFilter | None) -> None:
        self._packed: list[Packed] = []
        self._packer = RecordPacker(by)
        self.records = PackedRecords(self._packed, self._packer.read)
        self._arrivals = np.zeros(_FIRST_SIZE, np.int64)
        self._buckets = np.zeros(_FIRST_SIZE, np.int64)
        self.times = np.zeros(_FIRST_SIZE, np.int64)
        """The time of the entry in each slot."""
        self._free: list[int] = []

    def add(self, record: Record, *, arrival: int, bucket: int) -> int:
        """Add a record, which expires with its `bucket`, and return its slot.

        `arrival` numbers the additions: `arrival` of the slot returns it.
        """
        if self._free:
            slot = self._free.pop()
        else:
            slot = len(self._packed)
            self._packed.append(_NOTHING)
            if slot == len(self._buckets):
                self._grow()
        self.replace(slot, record)
        self._arrivals[slot] = arrival
        self._buckets[slot] = bucket
        return slot

    def replace(self, slot: int, record: Record) -> None:
        """Replace the record of a slot."""
        self._packed[slot] = self._packer.pack(record)
        self.times[slot] = record.entry.effective_at

    def encoded(self, slot: int) -> bytes:
        """Return the record of a slot encoded; raise UnicodeEncodeError if that is impossible."""
        return self._packer.encoded(self._packed[slot])

    def free(self, slot: int) -> None:
        """Drop the record of a slot, which may be given to another one."""
        self._packed[slot] = _NOTHING
        self._free.append(slot)

    def arrival(self, slot: int) -> int:
        """Return the number of the item in a slot in the order in which all came in."""
        return int(self._arrivals[slot])

    def bucket(self, slot: int) -> int:
        """Return the bucket with which the record of a slot expires."""
        return int(self._buckets[slot])

    def move(self, slot: int, *, bucket: int) -> None:
        """Have the record of a slot expire with another bucket."""
        self._buckets[slot] = bucket

    def read(
        self, slots: set[int] | BitMap, *, floor: int, since: Micros | None = None
    ) -> Sequence[Record]:
        """Return the records of slots that do not expire with buckets before the floor.

        Those of entries before the time `since` are left out.
        """
        if len(slots) <= FEW:
            return [
                self.records[slot]
                for slot in slots
                if self._buckets[slot] >= floor and (since is None or self.times[slot] >= since)
            ]
        if isinstance(slots, BitMap):
            some = np.frombuffer(slots.to_array(), np.uint32).astype(np.int64)
        else:
            some = np.fromiter(slots, np.int64, len(slots))
        alive = some[self._buckets.take(some) >= floor]
        if since is not None:
            alive = alive[self.times.take(alive) >= since]

        packed, packer = self._packed, self._packer
        # What the look-up found stays as it was, whatever is stored while it is read.
        found = [packed[slot] for slot in alive.tolist()]
        return NearRecords(PackedRecords(found, packer.read), lambda: packer.rows(found))

    def _grow(self) -> None:
        """Make room for more slots."""
        size = int(_GROWTH * len(self._buckets))
        # No view of the columns is kept, so they can be moved.
        for column in (self._arrivals, self._buckets, self.times):
            column.resize(size, refcheck=False)
