"""The content of gzip and Zstandard files, in bounded pieces, complete or with an error."""

import gzip
from collections.abc import Iterator
from typing import BinaryIO

import zstandard

from newsdedup.adapters.files.lines import CHUNK, ReadBytes

_PACKED_PIECE = 128
"""Bytes of Zstandard unpacked at a time: a block of four may hold 128 KiB, so they hold 4 MiB."""


def read_packed(name: str, file: BinaryIO, *, offset: int) -> ReadBytes:
    """Return a reader of the content of a packed file from an offset in it on."""
    pieces = _frames(file) if name.endswith(".zst") else _members(file)
    behind = _behind(pieces, offset)
    return lambda: next(behind, b"")


def _members(file: BinaryIO) -> Iterator[bytes]:
    with gzip.GzipFile(fileobj=file, mode="rb") as content:
        while piece := content.read(CHUNK):
            yield piece


def _frames(file: BinaryIO) -> Iterator[bytes]:
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


def _behind(pieces: Iterator[bytes], offset: int) -> Iterator[bytes]:
    """Yield what lies behind an offset, never an empty piece."""
    for piece in pieces:
        if rest := piece[offset:] if offset else piece:
            yield rest
        offset = max(0, offset - len(piece))
