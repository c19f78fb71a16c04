"""Compression of stored news and verdicts, one by one, with a dictionary that the package ships.

An item is too short for Zstandard to learn its language and its field names from it: the dictionary
knows them. `scripts/dictionary` makes it of invented news.
"""

from functools import lru_cache
from importlib.resources import files
from typing import Final

import zstandard

_DICTIONARIES: Final = {1: "news1.zdict"}
"""Files of the package by number. Stored bytes begin with the number of their dictionary, so files
stay: a new dictionary takes the next number, below 0x28, with which frames of Zstandard begin."""
_NEWEST: Final = max(_DICTIONARIES)
FAST: Final = 1
"""The level for what is compressed and read again and again: a third of the time of the default,
values are about a tenth longer."""
_LEVEL: Final = 5


class NewsCompressor:
    """Compresses with the newest dictionary, decompresses with any. Not thread-safe."""

    def __init__(self, level: int = _LEVEL) -> None:
        """Compress at a level of Zstandard."""
        self._prefix = bytes([_NEWEST])
        # Without the magic number and the dictionary's own, which take 8 bytes of each value.
        parameters = zstandard.ZstdCompressionParameters.from_level(
            level, format=zstandard.FORMAT_ZSTD1_MAGICLESS, write_dict_id=False
        )
        self._compressor = zstandard.ZstdCompressor(
            dict_data=_dictionary(_NEWEST), compression_params=parameters
        )
        self._decompressors = {
            number: zstandard.ZstdDecompressor(
                dict_data=_dictionary(number), format=zstandard.FORMAT_ZSTD1_MAGICLESS
            )
            for number in _DICTIONARIES
        }

    def compress(self, data: bytes) -> bytes:
        """Return the number of the dictionary and the compressed bytes."""
        return self._prefix + self._compressor.compress(data)

    def decompress(self, data: bytes) -> bytes:
        """Return the bytes that were compressed; raise ValueError if these are damaged."""
        if not data:
            raise ValueError("nothing to decompress")
        if data[0] not in self._decompressors:
            raise ValueError(f"compressed with dictionary {data[0]}, which this version has not")
        try:
            return self._decompressors[data[0]].decompress(memoryview(data)[1:])
        except zstandard.ZstdError as error:
            raise ValueError(str(error)) from error


class QuickCompressor:
    """Compresses short bytes by what they themselves repeat: 4 microseconds for a kilobyte.

    Half of a dictionary's gain for a tenth of its time, most of which is to get the dictionary into
    the processor's cache. Not thread-safe.
    """

    def __init__(self) -> None:
        parameters = zstandard.ZstdCompressionParameters.from_level(
            -1, source_size=1_024, format=zstandard.FORMAT_ZSTD1_MAGICLESS
        )
        self._compressor = zstandard.ZstdCompressor(compression_params=parameters)
        self._decompressor = zstandard.ZstdDecompressor(format=zstandard.FORMAT_ZSTD1_MAGICLESS)

    def compress(self, data: bytes) -> bytes:
        """Return the compressed bytes; they are for this process alone."""
        return self._compressor.compress(data)

    def decompress(self, data: bytes) -> bytes:
        """Return what `compress` of this process was given; raise ZstdError for other bytes."""
        return self._decompressor.decompress(data)


def is_compressed(data: bytes) -> bool:
    """Return whether bytes begin with a number of a dictionary, as MessagePack and JSON do not."""
    return bool(data) and data[0] in _DICTIONARIES


def newest_dictionary() -> bytes:
    """Return the bytes of the newest dictionary."""
    return _dictionary(_NEWEST).as_bytes()


@lru_cache
def _dictionary(number: int) -> zstandard.ZstdCompressionDict:
    """Return the shipped Zstandard dictionary of this number."""
    return zstandard.ZstdCompressionDict(
        (files("newsdedup") / "data" / _DICTIONARIES[number]).read_bytes(),
        dict_type=zstandard.DICT_TYPE_FULLDICT,
    )
