"""Minima as they are kept, and the keys by which similar ones meet."""

from collections.abc import Sequence
from struct import pack

WIDTH = 4
"""Bytes kept of a minimum, the high ones: two unlike minima agree in them once in 2**32."""


def packed(minima: Sequence[int]) -> bytes:
    """Return the high 32 bits of every minimum, one behind the other."""
    return pack(f"<{len(minima)}I", *[minimum >> 32 for minimum in minima])


def bands(minima: bytes, rows: int) -> list[bytes]:
    """Return the packed minima cut into bands of so many, the place of the band before each.

    Two sets of Jaccard similarity J, each with m minima, have a band in common with probability
    1 - (1 - J^rows)^(m / rows).
    """
    size = WIDTH * rows
    return [at.to_bytes(2, "little") + minima[at : at + size] for at in range(0, len(minima), size)]
