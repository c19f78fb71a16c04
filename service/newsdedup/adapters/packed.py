"""The content of gzip and Zstandard files, in bounded pieces, complete or with an error."""

import gzip
from collections.abc import Iterator
from typing import BinaryIO

import zstandard

from newsdedup.adapters.lines import CHUNK, Read

PACKED_PIECE = 4096
"""Bytes unpacked at a time: even a hostile file unpacks so little to about 100 MB at most."""


def unpacked(name: str, file: BinaryIO, *, offset: int) -> Read:
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
    while packed := file.read(PACKED_PIECE):
        while packed:
            unpacker = unpacker or zstandard.ZstdDecompressor().decompressobj()
            if piece := unpacker.decompress(packed):
                yield piece
            packed = unpacker.unused_data if unpacker.eof else b""
            unpacker = None if unpacker.eof else unpacker
    if unpacker is not None:
        raise EOFError("compressed file ended before the end of its last frame")


def _behind(pieces: Iterator[bytes], offset: int) -> Iterator[bytes]:
    """Yield what lies behind an offset, never an empty piece."""
    for piece in pieces:
        if rest := piece[offset:] if offset else piece:
            yield rest
        offset = max(0, offset - len(piece))
