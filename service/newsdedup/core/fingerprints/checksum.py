"""One checksum for a document: equal checksums, equal documents."""

from collections.abc import Iterable
from zlib import crc32

from newsdedup.core.fingerprints.corpus import CorpusStats
from newsdedup.core.fingerprints.fingerprint import NOTHING, Method, keys
from newsdedup.core.model import Fingerprint


def crc(strings: Iterable[str]) -> bytes:
    """Return the CRC32 of the strings in alphabetical order, joined by line ends, in 4 bytes.

    The line ends keep two lists that only run together alike apart.
    """
    return crc32("\n".join(sorted(strings)).encode()).to_bytes(4, "little")


def single(method: Method, checksum: bytes, corpus: CorpusStats | None = None) -> Fingerprint:
    """Return the fingerprint of one checksum, which is body and key; of none, NOTHING."""
    if not checksum:
        return NOTHING
    return Fingerprint(keys(method, [checksum], corpus), checksum)


def equal(left: Fingerprint, right: Fingerprint) -> float:
    """Return 1 if both were signed, and the same."""
    return float(left.body == right.body != b"")


def agreeing(left: Fingerprint, right: Fingerprint, *, width: int) -> float:
    """Return the share of equal numbers among those that either body has; 0 is no number.

    The bodies are lists of equal length of numbers of `width` bytes each.
    """
    none = bytes(width)
    places = range(0, min(len(left.body), len(right.body)), width)
    pairs = [(left.body[at : at + width], right.body[at : at + width]) for at in places]
    signed = [(one, other) for one, other in pairs if one != none or other != none]
    return sum([one == other for one, other in signed]) / len(signed) if signed else 0.0
