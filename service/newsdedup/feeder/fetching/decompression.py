"""Content-Encoding undone with a limit: a bomb is refused when it passes it, never inflated whole.

Nothing here waits: the compressed body is at most as long as the limit, and no step produces more
than the limit and one buffer.
"""

import zlib
from typing import Final

import brotli
import zstandard

from newsdedup.feeder.fetching.answers import FetchError

ACCEPTED_ENCODINGS: Final = "gzip, deflate, br, zstd"
"""The value of Accept-Encoding."""

_MOST_CODINGS: Final = 2
"""Codings on top of each other: only attackers write more than two."""
_MOST_MEMBERS: Final = 100
"""Members of a gzip file, each of which costs a copy of what follows it."""
_GZIP_MAGIC: Final = b"\x1f\x8b"
_ZSTD_MAGIC: Final = b"\x28\xb5\x2f\xfd"
_ZSTD_WINDOW: Final = 8 * 2**20
"""RFC 9659: more than 8 MiB of window need not be supported in HTTP."""


def decompress(body: bytes, content_encoding: str, *, limit: int) -> bytes:
    """Return a body without its codings, at most `limit` bytes.

    A body that does not begin as its coding does is returned as it is: many servers name gzip for
    plain text. Raise FetchError for an unknown coding, damaged or truncated data, or more bytes.
    """
    codings = [name.strip().lower() for name in content_encoding.split(",")]
    codings = [name for name in codings if name not in ("", "identity")]
    if len(codings) > _MOST_CODINGS:
        raise FetchError("encoding", f"Content-Encoding names {len(codings)} codings")
    for coding in reversed(codings):
        body = _decode(body, coding, limit)
    if len(body) > limit:
        raise _too_large(limit)
    return body


def _decode(body: bytes, coding: str, limit: int) -> bytes:
    """Return a body without one of its codings; raise FetchError as `decompress` does."""
    try:
        match coding:
            case _ if not body:
                return body
            case "gzip" | "x-gzip":
                return _gunzip(body, limit) if body.startswith(_GZIP_MAGIC) else body
            case "deflate":
                return _inflate_zlib(body, limit)
            case "br":
                return _decode_brotli(body, limit)
            case "zstd":
                return _decode_zstd(body, limit) if body.startswith(_ZSTD_MAGIC) else body
            case _:
                raise FetchError("encoding", "Content-Encoding names an unknown coding")
    except (zlib.error, brotli.error, zstandard.ZstdError) as error:
        raise FetchError("encoding", f"the body is no valid {coding} data") from error


def _gunzip(body: bytes, limit: int) -> bytes:
    """Return the content of all gzip members, or raise FetchError; what follows is ignored."""
    parts: list[bytes] = []
    room = limit
    for _ in range(_MOST_MEMBERS):
        part, body = _inflate(body, 16 + zlib.MAX_WBITS, room, limit)
        parts.append(part)
        room -= len(part)
        if not body.startswith(_GZIP_MAGIC):
            return b"".join(parts)
    raise FetchError("encoding", f"the body has more than {_MOST_MEMBERS} gzip members")


def _inflate_zlib(body: bytes, limit: int) -> bytes:
    """Return deflated content, with the zlib header or without, as some servers send it."""
    try:
        return _inflate(body, zlib.MAX_WBITS, limit, limit)[0]
    except zlib.error:
        return _inflate(body, -zlib.MAX_WBITS, limit, limit)[0]


def _inflate(body: bytes, window: int, room: int, limit: int) -> tuple[bytes, bytes]:
    """Return the content of one deflate stream, at most `room` bytes, and what follows it.

    `window` is wbits of zlib. Raise FetchError, which names `limit`, for more bytes or a stream
    that is cut off, zlib.error for a damaged one.
    """
    stream = zlib.decompressobj(window)
    part = stream.decompress(body, room + 1)
    if len(part) > room:
        raise _too_large(limit)
    if not stream.eof:
        raise FetchError("encoding", "the compressed body is cut off")
    return part, stream.unused_data


def _decode_brotli(body: bytes, limit: int) -> bytes:
    """Return the content of a brotli stream; raise FetchError if it is cut off or too large."""
    stream = brotli.Decompressor()
    part = stream.process(body, output_buffer_limit=limit + 1)
    parts, size = [part], len(part)
    while size <= limit and not stream.is_finished():
        # Data may wait inside without being asked for; nothing more means that the input has ended.
        part = stream.process(b"", output_buffer_limit=limit + 1 - size)
        if not part:
            raise FetchError("encoding", "the compressed body is cut off")
        parts.append(part)
        size += len(part)
    if size > limit:
        raise _too_large(limit)
    return b"".join(parts)


def _decode_zstd(body: bytes, limit: int) -> bytes:
    """Return the content of all zstd frames, a cut one's whole blocks; or raise FetchError."""
    decompressor = zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW)
    with decompressor.stream_reader(body, read_across_frames=True) as reader:
        content = reader.read(limit + 1)
    if len(content) > limit:
        raise _too_large(limit)
    return content


def _too_large(limit: int) -> FetchError:
    return FetchError("size", f"the body has more than {limit} bytes")
