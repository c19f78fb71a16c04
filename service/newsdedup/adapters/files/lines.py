"""A stream of bytes, plain or packed, cut into lines of bounded length with their positions."""

import gzip
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import BinaryIO

import zstandard

CHUNK = 1 << 18
LONG_LINE_BYTES = 1 << 16
"""Bytes in memory of a line that is longer than the limit."""
_PACKED_PIECE = 128
"""Bytes of Zstandard unpacked at a time: a block of four may hold 128 KiB, so they hold 4 MiB."""

ReadBytes = Callable[[], bytes | None]
"""Returns the next bytes, b"" at the end, None when nothing came for a while."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of an input, without its end."""

    input: str
    number: int
    """Counted from 1."""
    offset: int
    """Where it begins in the content of the input."""
    end: int
    """Where the next one begins."""
    data: bytes
    size: int
    """Its length; more than the data holds if it was longer than the limit."""

    @property
    def is_open(self) -> bool:
        """Return whether the input ended before a line feed: more of the line may follow."""
        return self.end == self.offset + self.size


class Idle:
    """Nothing came for a while: an incomplete batch should be processed."""


IDLE = Idle()


def split_lines(
    read: ReadBytes, *, name: str, offset: int = 0, number: int = 0, limit: int
) -> Iterator[Line | Idle]:
    """Yield the lines of a stream whose first byte is at `offset`, behind `number` lines.

    `Idle` is yielded where the stream was silent. Of a line longer than the limit `data` has only
    the beginning, `size` the whole length, so memory is bounded.
    """
    rest, skipped = b"", 0
    while (chunk := read()) != b"":
        if chunk is None:
            yield IDLE
            continue
        first, *others = (rest + chunk).split(b"\n") if not skipped else chunk.split(b"\n")
        if others:
            size = skipped + len(first)
            data = rest if skipped else first
            number += 1
            yield _line(name, number, offset, data, size, limit=limit, ended=True)
            offset += size + 1
            for data in others[:-1]:
                number += 1
                yield _line(name, number, offset, data, len(data), limit=limit, ended=True)
                offset += len(data) + 1
            rest, skipped = others[-1], 0
        elif skipped:
            skipped += len(first)
        else:
            rest = first
        if not skipped and len(rest) > limit:
            rest, skipped = rest[:LONG_LINE_BYTES], len(rest)
    if rest:
        size = skipped or len(rest)
        yield _line(name, number + 1, offset, rest, size, limit=limit, ended=False)


def _line(
    name: str, number: int, offset: int, data: bytes, size: int, *, limit: int, ended: bool
) -> Line:
    """Return a line of `size` bytes; of one with more than `limit` only the beginning is kept.

    `ended` says whether a line feed follows, which `end` then includes.
    """
    data = data if size <= limit else data[:LONG_LINE_BYTES]
    return Line(name, number, offset, offset + size + ended, data, size)


def read_packed(name: str, file: BinaryIO, *, offset: int) -> ReadBytes:
    """Return a reader of a packed file (.zst: Zstandard, else gzip) from an offset in its content.

    Each call returns a bounded piece, b"" at the end; it raises EOFError if the file is cut off.
    """
    if name.lower().endswith(".zst"):
        pieces = _zstd_pieces(file)
    else:
        pieces = iter(partial(gzip.GzipFile(fileobj=file).read, CHUNK), b"")
    return partial(next, _skip_bytes(pieces, offset), b"")


def _zstd_pieces(file: BinaryIO) -> Iterator[bytes]:
    """Yield the content of all frames; raise EOFError if the last one is cut off."""
    unpacker = None
    content = bytearray()
    while packed := file.read(_PACKED_PIECE):
        while packed:
            unpacker = unpacker or zstandard.ZstdDecompressor().decompressobj()
            content += unpacker.decompress(packed)
            packed = unpacker.unused_data if unpacker.eof else b""
            unpacker = None if unpacker.eof else unpacker
        while len(content) >= CHUNK:
            yield bytes(content[:CHUNK])
            del content[:CHUNK]
    yield bytes(content)
    if unpacker is not None:
        raise EOFError("compressed file ended before the end of its last frame")


def _skip_bytes(pieces: Iterator[bytes], offset: int) -> Iterator[bytes]:
    """Yield the content behind an offset in it, never an empty piece."""
    for piece in pieces:
        if rest := piece[offset:] if offset else piece:
            yield rest
        offset = max(0, offset - len(piece))
