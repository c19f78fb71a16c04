"""Records as a table keeps them: what filter rows are made of as it is, the rest compressed.

A packed record begins with its row (rows.py), in the form in which the filter packs it. The long
part of that, the body of a sketch, is also in the encoded record: there it is left out, and put
back when the record is read. So a row is read without decoding anything (docs/decisions/0054).
"""

import logging
from collections.abc import Callable, Sequence
from functools import lru_cache
from struct import Struct
from typing import Final, overload

import numpy as np

from newsdedup.adapters.formats.compression import QuickCompressor
from newsdedup.adapters.formats.record_bytes import decode_record, encode_record
from newsdedup.core.matching.rows import CandidateFilter, Rows
from newsdedup.core.stories.records import Record
from newsdedup.ports.errors import is_bug

LOG: Final = logging.getLogger("newsdedup.isolation")
Packed = bytes | Record
"""A packed record; the record itself if one of its texts is not Unicode, as half of a surrogate
pair, which the library takes."""

_CACHED = 1_024
"""Decoded records that are cached: those of a batch, and leaders that are often read."""
_PARTS = Struct("<HHI")
"""How long the row is, how long the part of its end that is also in the record, and where there."""


class RecordPacker:
    """Packs records and reads them, and their rows if the rule has a filter."""

    def __init__(self, by: CandidateFilter | None) -> None:
        self._filter = by
        self._compressor = QuickCompressor()
        self._decode = lru_cache(maxsize=_CACHED)(self._decode_uncached)

    def pack(self, record: Record) -> Packed:
        """Return a record packed, or itself if that is impossible."""
        try:
            encoded = encode_record(record)
        except UnicodeEncodeError:
            return record
        head, body = self._pack_row(record)
        at = encoded.find(body) if body else 0
        rest = encoded[:at] + encoded[at + len(body) :]
        parts = _PARTS.pack(len(head) + len(body), len(body), at)
        return b"".join((parts, head, body, self._compressor.compress(rest)))

    def read(self, packed: Packed) -> Record:
        """Return a record, decoded, cached."""
        return self._decode(packed) if isinstance(packed, bytes) else packed

    def encoded(self, packed: Packed) -> bytes:
        """Return a record encoded; raise UnicodeEncodeError if that is impossible."""
        if not isinstance(packed, bytes):
            return encode_record(packed)
        length, shared, at = _PARTS.unpack_from(packed)
        end = _PARTS.size + length
        rest = self._compressor.decompress(packed[end:])
        return b"".join((rest[:at], packed[end - shared : end], rest[at:])) if shared else rest

    def rows(self, packed: Sequence[Packed]) -> Rows | None:
        """Return the rows of records, in their order; None if the rule has no filter."""
        by = self._filter
        if by is None:
            return None
        try:
            return by.read_rows([self._row(one) for one in packed])
        except Exception as error:
            if not is_bug(error):
                raise
            return np.concatenate([self._read_row(one, by) for one in packed])

    def _decode_uncached(self, packed: bytes) -> Record:
        """Return a record, decoded."""
        return decode_record(self.encoded(packed))

    def _pack_row(self, record: Record) -> tuple[bytes, bytes]:
        """Return the row of a record in two parts; two empty ones if that raises a bug."""
        if self._filter is None or not record.entry.sketches:
            return b"", b""
        try:
            return self._filter.pack_row(record.entry)
        except Exception as error:
            if not is_bug(error):
                raise
            return b"", b""

    def _row(self, packed: Packed) -> bytes:
        """Return the packed row of a record."""
        if isinstance(packed, bytes):
            begin = _PARTS.size
            return packed[begin : begin + packed[0] + (packed[1] << 8)]
        return b"".join(self._pack_row(packed))

    def _read_row(self, packed: Packed, by: CandidateFilter) -> Rows:
        """Return one row; if that raises a bug, zeros, whose time is before every window."""
        try:
            return by.read_rows([self._row(packed)])
        except Exception as error:
            if not is_bug(error):
                raise
            LOG.error("entry_without_row source=%r id=%r", *self.read(packed).key)  # noqa: TRY400 - a message may quote an item
            return np.zeros(1, by.row)


class PackedRecords(Sequence[Record]):
    """Packed records, each decoded when it is read."""

    def __init__(self, packed: Sequence[Packed], read: Callable[[Packed], Record]) -> None:
        self._packed = packed
        self._read = read

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
            return PackedRecords(self._packed[index], self._read)
        return self._read(self._packed[index])
