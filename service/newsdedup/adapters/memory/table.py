"""Records by slot, with the columns that a look-up reads of many of them at once."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import overload

import numpy as np
from pyroaring import BitMap

from newsdedup.adapters.formats.compression import QuickCompressor
from newsdedup.adapters.formats.record_bytes import (
    decode_for_row,
    decode_record,
    encode_record,
)
from newsdedup.adapters.memory.slot_rows import SlotRows
from newsdedup.core.matching.rows import FEW, CandidateFilter, NearRecords
from newsdedup.core.model import Entry, ItemKey, Micros, Stamp, Version
from newsdedup.core.stories.records import Record

_FIRST_SIZE = 1_024
_GROWTH = 1.25
"""What is added at once is empty at first, and counts as resident."""
_NOTHING = Record(Entry(ItemKey("", ""), Version(""), Stamp(0, 0), 0, "other", (), (), ()))
"""What a free slot holds."""
Packed = bytes | Record
"""A record, encoded and compressed; the record itself if one of its texts is not Unicode, as half
of a surrogate pair, which the library takes."""
_CACHED = 1_024
"""Decoded records that are cached: those of a batch, and leaders that are often read."""


class PackedRecords(Sequence[Record]):
    """Records, each decoded when it is read."""

    def __init__(self, packed: Sequence[Packed], decode: Callable[[bytes], Record]) -> None:
        self._packed = packed
        self._decode = decode

    def __len__(self) -> int:
        """Return the number of records."""
        return len(self._packed)

    @overload
    def __getitem__(self, index: int) -> Record: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Record]: ...
    def __getitem__(self, index: int | slice) -> Record | Sequence[Record]:
        """Return the record at an index, or those of a slice, packed as well."""
        if isinstance(index, slice):
            return PackedRecords(self._packed[index], self._decode)
        packed = self._packed[index]
        return self._decode(packed) if isinstance(packed, bytes) else packed


class RecordTable:
    """Records, the time, bucket and arrival of each, and its row if the rule has a filter.

    A slot is an index into the columns; it is used again once its record is freed. Records are kept
    compressed: few of those that a look-up finds are read (docs/decisions/0040).
    """

    def __init__(self, by: CandidateFilter | None) -> None:
        self._packed: list[Packed] = []
        self._compressor = QuickCompressor()
        decompress = self._compressor.decompress
        self._decode = lru_cache(maxsize=_CACHED)(lambda packed: decode_record(decompress(packed)))
        self.records = PackedRecords(self._packed, self._decode)
        self._arrivals = np.zeros(_FIRST_SIZE, np.int64)
        self._buckets = np.zeros(_FIRST_SIZE, np.int64)
        self._times = np.zeros(_FIRST_SIZE, np.int64)
        parts = PackedRecords(self._packed, lambda packed: decode_for_row(decompress(packed)))
        self._rows = None if by is None else SlotRows(by, parts)
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
        try:
            self._packed[slot] = self._compressor.compress(encode_record(record))
        except UnicodeEncodeError:
            self._packed[slot] = record
        self._times[slot] = record.entry.effective_at

    def encoded(self, slot: int) -> bytes:
        """Return the record of a slot encoded; raise UnicodeEncodeError if that is impossible."""
        packed = self._packed[slot]
        if isinstance(packed, bytes):
            return self._compressor.decompress(packed)
        return encode_record(packed)

    def free(self, slot: int) -> None:
        """Drop the record of a slot, which may be given to another one."""
        self._packed[slot] = _NOTHING
        self._free.append(slot)

    def drop_row(self, slot: int) -> None:
        """Have the filter row of a slot computed again from its record before the next read."""
        if self._rows is not None:
            self._rows.drop(slot)

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
                if self._buckets[slot] >= floor and (since is None or self._times[slot] >= since)
            ]
        if isinstance(slots, BitMap):
            some = np.frombuffer(slots.to_array(), np.uint32).astype(np.int64)
        else:
            some = np.fromiter(slots, np.int64, len(slots))
        alive = some[self._buckets.take(some) >= floor]
        if since is not None:
            alive = alive[self._times.take(alive) >= since]

        rows = self._rows
        packed = self._packed
        # What the look-up found stays as it was, whatever is stored while it is read.
        found = [packed[slot] for slot in alive.tolist()]
        return NearRecords(
            PackedRecords(found, self._decode), lambda: None if rows is None else rows.read(alive)
        )

    def _grow(self) -> None:
        """Make room for more slots."""
        size = int(_GROWTH * len(self._buckets))
        # No view of the columns is kept, so they can be moved.
        for column in (self._arrivals, self._buckets, self._times):
            column.resize(size, refcheck=False)
