"""Records and rows to bytes and back, as Redis keeps them."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

import msgspec
import zstandard

from newsdedup.adapters.redis.keys import order_digits
from newsdedup.core.matching.prefix import Filing
from newsdedup.core.matching.rules import Rule
from newsdedup.core.stories.records import Record
from newsdedup.core.stories.window import Watermark
from newsdedup.ports.errors import StateUnusable
from newsdedup.ports.shared_store import LedgerRow

ORDER = 20
"""Digits of the effective time in front of a record: the server compares them, no more."""
REMEMBERED = 16_384
"""Decoded records kept by a worker: leaders of hot stories come with every look-up."""


class Kept(NamedTuple):
    """A record and the bucket with which it expires."""

    bucket: int
    record: Record


class Read(NamedTuple):
    """A record as it was read, with the keys under which it is filed."""

    bucket: int
    record: Record
    filing: Filing


_ENCODER = msgspec.msgpack.Encoder()
_KEPT = msgspec.msgpack.Decoder(Kept)
_ROWS = msgspec.msgpack.Decoder(tuple[LedgerRow, ...])
_WATERMARK = msgspec.msgpack.Decoder(Watermark)


def record_bytes(record: Record, *, bucket: int) -> bytes:
    """Return a record as it is kept."""
    return order_digits(record.entry).encode() + _ENCODER.encode(Kept(bucket, record))


def reader(rule: Rule) -> Callable[[bytes], Read]:
    """Return what reads records; the same bytes are decoded once while they are remembered."""

    @lru_cache(maxsize=REMEMBERED)
    def read(data: bytes) -> Read:
        try:
            bucket, record = _KEPT.decode(memoryview(data)[ORDER:])
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise StateUnusable(f"a record in Redis is damaged: {error}") from error
        return Read(bucket, record, rule.filing(record.entry))

    return read


class RowCodec:
    """Rows to bytes and back, packed: texts are most of what is kept, and halve at little cost.

    Not for several threads at once, as the packer is not.
    """

    def __init__(self) -> None:
        self._packer = zstandard.ZstdCompressor(level=1)
        self._unpacker = zstandard.ZstdDecompressor()

    def encoded(self, rows: Sequence[LedgerRow]) -> bytes:
        """Return all rows of an item as they are kept."""
        return self._packer.compress(_ENCODER.encode(rows))

    def decoded(self, data: bytes) -> tuple[LedgerRow, ...]:
        """Return the rows of an item; raise StateUnusable if the bytes hold none."""
        if not data:
            return ()
        try:
            return _ROWS.decode(self._unpacker.decompress(data))
        except (msgspec.DecodeError, UnicodeDecodeError, zstandard.ZstdError) as error:
            raise StateUnusable(f"a judgement in Redis is damaged: {error}") from error


def watermark_bytes(watermark: Watermark) -> bytes:
    """Return a watermark as it is kept."""
    return _ENCODER.encode(watermark)


def watermark(data: bytes) -> Watermark:
    """Return the watermark that was kept, a new one where there is none."""
    return _WATERMARK.decode(data) if data else Watermark()
