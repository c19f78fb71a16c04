r"""Reads records past which aiokafka would never come, as Kafka lets any client write them.

At a header name that is not UTF-8 aiokafka raises UnicodeDecodeError, and so again at each fetch.
Here such a name is read with its wrong bytes as `\xff`.

aiokafka unpacks a compressed batch whole, whatever its length: a megabyte may hold gigabytes, and a
worker that they end reads them again. Here a batch of more than UNPACKED_BYTES is one record, with
the batch as its value and the header UNREAD_HEADER.
"""

import struct
from collections.abc import Iterator
from itertools import islice
from mmap import mmap
from typing import Any, Final

import cramjam
from aiokafka.consumer import fetcher
from aiokafka.record.default_records import (
    DefaultRecord,
    DefaultRecordBatch,
    _DefaultRecordBatchPy,
)
from aiokafka.record.memory_records import MemoryRecords

from newsdedup.adapters.kafka.records import UNPACKED_BYTES, UNREAD_HEADER

_OFFSET: Final = struct.Struct(">q")
_LENGTH: Final = struct.Struct(">i")
"""A batch begins with its first offset and the number of bytes behind these two."""
_HEAD_BYTES: Final = 61
"""Of a batch, before its records."""
_UNPACK_INTO: Final = {
    DefaultRecordBatch.CODEC_GZIP: cramjam.gzip.decompress_into,
    DefaultRecordBatch.CODEC_LZ4: cramjam.lz4.decompress_into,
    DefaultRecordBatch.CODEC_ZSTD: cramjam.zstd.decompress_into,
}
"""Functions that raise DecompressionError where the buffer is too small. Snappy is missing: what it
packs is at most 22 times as long unpacked."""
_BUFFER_TOO_SMALL: Final = "failed to write whole buffer"


def read_any_records() -> None:
    """Let all consumers of this process read any records; further calls change nothing."""
    fetcher.MemoryRecords = TolerantRecords


class TolerantRecords(MemoryRecords):  # type: ignore[misc]  # aiokafka ships no types
    """The batches of records in fetched bytes."""

    def __init__(self, data: bytes) -> None:
        super().__init__(data)
        self._data = data
        self._at = 0
        """Where the next batch begins."""

    def next_batch(self) -> Any:
        """Return the next batch, None if there is none; raise CorruptRecordException."""
        batch = super().next_batch()
        if batch is None:
            return None
        begin = self._at
        (length,) = _LENGTH.unpack_from(self._data, begin + _OFFSET.size)
        self._at = begin + _OFFSET.size + _LENGTH.size + length
        # Records older than Kafka 0.11 have no headers.
        has_headers = isinstance(batch, DefaultRecordBatch)
        return _Batch(batch, self._data[begin : self._at]) if has_headers else batch


def _is_too_large(batch: Any, data: bytes) -> bool:
    """Return whether the records of a batch, whose bytes are `data`, are too many to be unpacked.

    What is unpacked here is thrown away: it takes a fraction of what it takes to judge an item.
    """
    unpack_into = _UNPACK_INTO.get(batch.compression_type)
    if unpack_into is None:
        return False
    # Pages of this memory are only taken when they are written to.
    with mmap(-1, UNPACKED_BYTES) as buffer:
        try:
            unpack_into(data[_HEAD_BYTES:], buffer)
        except cramjam.DecompressionError as error:
            return str(error) == _BUFFER_TOO_SMALL
    return False


class _Batch:
    """A batch of aiokafka that is read again, in Python, from a name on that is not UTF-8."""

    def __init__(self, batch: Any, data: bytes) -> None:
        self._batch = batch
        self._data = data

    def __getattr__(self, name: str) -> Any:
        return getattr(self._batch, name)

    def __next__(self) -> Any:
        return next(self._batch)

    def __iter__(self) -> Iterator[Any]:
        if _is_too_large(self._batch, self._data):
            yield self._unread()
            return
        count = 0
        try:
            for record in self._batch:
                count += 1
                yield record
        except UnicodeDecodeError:
            yield from islice(_TolerantBatch(self._data), count, None)

    def _unread(self) -> DefaultRecord:
        """Return the record that stands for all records of the batch, at the offset of the last."""
        batch = self._batch
        return DefaultRecord(
            batch.next_offset - 1,
            batch.max_timestamp,
            batch.timestamp_type,
            None,
            self._data,
            [(UNREAD_HEADER, b"true")],
        )


class _TolerantBatch(_DefaultRecordBatchPy):  # type: ignore[misc]  # aiokafka ships no types
    """aiokafka's reader of batches in Python, over bytes that always decode."""

    _buffer: bytearray

    def _maybe_uncompress(self) -> None:
        """Unpack the batch, and let its header names decode without errors."""
        super()._maybe_uncompress()
        self._buffer = _TolerantBytes(self._buffer)


class _TolerantBytes(bytearray):
    r"""Bytes whose parts decode to text with wrong bytes as `\xff`."""

    def __getitem__(self, index: Any) -> Any:
        part: Any = super().__getitem__(index)
        return _TolerantBytes(part) if isinstance(index, slice) else part

    def decode(self, encoding: str = "utf-8", errors: str = "backslashreplace") -> str:
        """Return the text of these bytes; by default what is not UTF-8 is escaped."""
        return super().decode(encoding, errors)
