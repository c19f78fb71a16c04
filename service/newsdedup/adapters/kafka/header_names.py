r"""Reads records whose header names are not UTF-8, as Kafka lets any client write them.

aiokafka raises UnicodeDecodeError at the first of them, and so again at each fetch: no consumer
would ever come past it. Here such a name is read with its wrong bytes as `\xff`.
"""

import struct
from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

from aiokafka.consumer import fetcher
from aiokafka.record.default_records import DefaultRecordBatch, _DefaultRecordBatchPy
from aiokafka.record.memory_records import MemoryRecords

_OFFSET: Final = struct.Struct(">q")
_LENGTH: Final = struct.Struct(">i")
"""A batch begins with its first offset and the number of bytes behind these two."""


def read_any_header_names() -> None:
    """Let all consumers of this process read any header names; further calls change nothing."""
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
        count = 0
        try:
            for record in self._batch:
                count += 1
                yield record
        except UnicodeDecodeError:
            yield from islice(_TolerantBatch(self._data), count, None)


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
