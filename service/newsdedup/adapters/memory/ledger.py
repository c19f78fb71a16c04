"""The ledger in memory, of the library and the lab."""

from __future__ import annotations  # array[int] exists for the type checker only

from array import array
from typing import Final, NamedTuple

import msgspec

from newsdedup.adapters.formats.compression import FAST, NewsCompressor
from newsdedup.adapters.formats.event_json import decode_judgement, encode_judgement
from newsdedup.adapters.memory.expiry_queue import ExpiryQueue
from newsdedup.adapters.memory.item_slots import ItemSlots
from newsdedup.core.events import Judgement
from newsdedup.core.model import ItemKey, Version


class _Row(NamedTuple):
    """What was received and last published of one version of an item."""

    version: Version
    received: bytes
    published: bytes | Judgement
    """Encoded once the item is packed; as it is if one of its texts is not Unicode."""


class _Item(NamedTuple):
    """An item and its versions; mostly there is one."""

    key: ItemKey
    rows: tuple[_Row, ...]


_encode_item: Final = msgspec.msgpack.Encoder().encode
_decode_item: Final = msgspec.msgpack.Decoder(_Item).decode
_NOTHING: Final = _Item(ItemKey("", ""), ())
"""What a free slot holds."""
_NEVER: Final = (1 << 63) - 1
"""The bucket of a free slot."""
_RECENT: Final = 64
"""Items that are packed together: most of the time of compressing one alone is spent on getting the
dictionary into the processor's cache."""


class MemoryLedger:
    """A Ledger with one compressed value for each item."""

    def __init__(self) -> None:
        self._compressor = NewsCompressor(FAST)
        self._packed: list[bytes | _Item] = []
        """By slot an item, encoded and compressed; as it is if it is recent, or if one of its texts
        is not Unicode."""
        self._recent: list[int] = []
        """The slots of items that are not packed yet; they may be free by now."""
        self._buckets = array("q")
        """By slot the latest bucket of a version."""
        self._slots = ItemSlots(lambda slot: self._unpack(slot).key)
        self._free: list[int] = []
        self._expiry = ExpiryQueue()

    def write(self, key: ItemKey, *, received: bytes, published: Judgement, bucket: int) -> bytes:
        """Store the input bytes and the judgement of a version, as the port says; return b""."""
        for slot in self._expiry.take():
            if self._expired(slot):
                self._drop(self._unpack(slot).key, slot)
        row = _Row(Version(published.version), received, published)
        slot = self._add(key) if (found := self._find(key)) is None else found
        self._put(slot, row)
        if bucket > self._buckets[slot]:
            self._buckets[slot] = bucket
            self._expiry.file(slot, bucket=bucket)
        return b""

    def revise(self, key: ItemKey, *, published: Judgement) -> bytes:
        """Replace the judgement of a version, or raise KeyError if it is missing; return b""."""
        slot = self._slot(key)
        row = _row(self._unpack(slot), Version(published.version))
        self._put(slot, row._replace(published=published))
        return b""

    def read(self, key: ItemKey, version: Version) -> tuple[bytes, Judgement]:
        """Return input bytes and latest judgement of a version; raise KeyError if it is missing."""
        row = _row(self._unpack(self._slot(key)), version)
        published = row.published
        if isinstance(published, bytes):
            published = decode_judgement(published)
        return row.received, published

    def retain(self, key: ItemKey, versions: frozenset[Version]) -> None:
        """Drop the versions of an item that are not among these."""
        slot = self._slot(key)
        item = self._unpack(slot)
        kept = tuple([row for row in item.rows if row.version in versions])
        if len(kept) < len(item.rows):
            self._keep(slot, item._replace(rows=kept))

    def erase(self, key: ItemKey) -> None:
        """Drop all versions of an item."""
        slot = self._slots.find(key)
        if slot is not None:
            self._drop(key, slot)

    def expire(self, *, before: int) -> None:
        """Drop the items whose latest bucket is before this one; they are freed bit by bit."""
        self._expiry.expire(before=before)

    def _expired(self, slot: int) -> bool:
        """Return whether a slot holds an item that has expired."""
        return self._buckets[slot] < self._expiry.floor

    def _find(self, key: ItemKey) -> int | None:
        """Return the slot of an item, None if nothing is stored of it."""
        slot = self._slots.find(key)
        if slot is None or not self._expired(slot):
            return slot
        self._drop(key, slot)
        return None

    def _slot(self, key: ItemKey) -> int:
        """Return the slot of an item; raise KeyError if nothing is stored of it."""
        slot = self._find(key)
        if slot is None:
            raise KeyError(key)
        return slot

    def _add(self, key: ItemKey) -> int:
        """Add an item without versions; return its slot."""
        if self._free:
            slot = self._free.pop()
        else:
            slot = len(self._packed)
            self._packed.append(_NOTHING)
            self._buckets.append(_NEVER)
        self._packed[slot] = _Item(key, ())
        self._buckets[slot] = -_NEVER
        self._slots.add(key, slot)
        return slot

    def _drop(self, key: ItemKey, slot: int) -> None:
        """Drop an item, and free its slot."""
        self._slots.remove(key, slot)
        self._packed[slot] = _NOTHING
        self._buckets[slot] = _NEVER
        self._free.append(slot)

    def _put(self, slot: int, row: _Row) -> None:
        """Store a row in place of the one of its version."""
        item = self._unpack(slot)
        others = [one for one in item.rows if one.version != row.version]
        self._keep(slot, item._replace(rows=(*others, row)))

    def _keep(self, slot: int, item: _Item) -> None:
        """Set the item of a slot; pack the recent ones if they are many."""
        self._packed[slot] = item
        self._recent.append(slot)
        if len(self._recent) >= _RECENT:
            for each in self._recent:
                recent = self._packed[each]
                if isinstance(recent, _Item) and recent.rows:
                    self._packed[each] = self._pack(recent)
            self._recent.clear()

    def _pack(self, item: _Item) -> bytes | _Item:
        """Return an item encoded and compressed; itself if one of its texts is not Unicode."""
        try:
            rows = tuple([row._replace(published=_encode(row.published)) for row in item.rows])
            return self._compressor.compress(_encode_item(item._replace(rows=rows)))
        except UnicodeEncodeError:
            return item

    def _unpack(self, slot: int) -> _Item:
        """Return the item in a slot."""
        packed = self._packed[slot]
        if not isinstance(packed, bytes):
            return packed
        return _decode_item(self._compressor.decompress(packed))


def _row(item: _Item, version: Version) -> _Row:
    """Return the row of a version; raise KeyError if it is missing."""
    for row in item.rows:
        if row.version == version:
            return row
    raise KeyError(version)


def _encode(published: bytes | Judgement) -> bytes:
    """Return a judgement encoded; raise UnicodeEncodeError if one of its texts is not Unicode."""
    return published if isinstance(published, bytes) else encode_judgement(published)
