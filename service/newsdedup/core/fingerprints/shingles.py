"""Runs of neighbouring words, hashed."""

from collections.abc import Sequence

from xxhash import xxh3_64_intdigest


def shingles(words: Sequence[str], size: int) -> list[int]:
    """Return a 64-bit hash of every run of `size` words, in order, repeated as they are.

    A text of fewer words is one run, so that any text with words has shingles (Fetterly 2003).
    """
    if not words:
        return []
    runs = zip(*[words[start:] for start in range(size)], strict=False)
    hashed = list(map(xxh3_64_intdigest, map(str.encode, map(" ".join, runs))))
    return hashed or [xxh3_64_intdigest(" ".join(words).encode())]


def wrapped_shingles(words: Sequence[str], size: int) -> list[int]:
    """Return as many hashes as there are words: runs at the end go on at the beginning."""
    repeats = -(-(size - 1) // len(words)) if words else 0
    return shingles((*words, *(tuple(words) * repeats)[: size - 1]), size)
