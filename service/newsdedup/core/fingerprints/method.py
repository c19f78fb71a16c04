"""The protocol of all methods of the papers, and what several of them sign and match by."""

from collections.abc import Iterable
from typing import Protocol
from zlib import crc32

from xxhash import xxh3_64_intdigest

from newsdedup.core.fingerprints.corpus import CorpusStats
from newsdedup.core.fingerprints.prepared_text import PreparedText
from newsdedup.core.model import Fingerprint

NO_FINGERPRINT = Fingerprint((), b"")
"""The fingerprint of a document in which a method finds nothing to sign; it matches nothing."""


class Method(Protocol):
    """One way to sign documents and to compare what was signed.

    Laws, checked for every method by tests/core/fingerprints/test_fingerprint_laws.py: a text signs
    the same in every process; `match` is symmetric and within 0 and 1; a fingerprint matches itself
    with 1; an empty text signs NO_FINGERPRINT, which matches nothing; where `exact`, two
    fingerprints that match at the threshold share a key.
    """

    @property
    def name(self) -> str:
        """What the method, with its options, is called in settings and tables."""
        ...

    @property
    def version(self) -> str:
        """The parameters as text: changes whenever a text could be signed differently."""
        ...

    @property
    def threshold(self) -> float:
        """The least match of duplicates."""
        ...

    @property
    def exact(self) -> bool:
        """Whether no duplicate is lost by looking only at those that share a key."""
        ...

    def sign(self, prepared: PreparedText, corpus: CorpusStats) -> Fingerprint:
        """Return the fingerprint of a document; local methods ignore the corpus."""
        ...

    def match(self, left: Fingerprint, right: Fingerprint) -> float:
        """Return how alike two documents are, from 0 to 1."""
        ...


def method_keys(
    method: Method, parts: Iterable[bytes], corpus: CorpusStats | None = None
) -> tuple[int, ...]:
    """Return one key for each part, in order, equal ones once: xxh3 of it, 63 bits.

    The seed of the hash is made of the method's name and version, so keys of two methods, or of two
    versions of one, never meet. A method that reads the corpus passes it: other counts make other
    keys.
    """
    counted = "" if corpus is None else corpus.version
    seed = xxh3_64_intdigest(f"{method.name}\n{method.version}\n{counted}".encode())
    return tuple(dict.fromkeys([xxh3_64_intdigest(part, seed) >> 1 for part in parts]))


def sorted_crc32(strings: Iterable[str]) -> bytes:
    """Return the CRC32 of the strings in alphabetical order, joined by line ends, in 4 bytes.

    Joined by line ends, two different lists never give the same text.
    """
    return crc32("\n".join(sorted(strings)).encode()).to_bytes(4, "little")


def checksum_fingerprint(
    method: Method, checksum: bytes, corpus: CorpusStats | None = None
) -> Fingerprint:
    """Return the fingerprint whose body and only key are one checksum; NO_FINGERPRINT for b""."""
    if not checksum:
        return NO_FINGERPRINT
    return Fingerprint(method_keys(method, [checksum], corpus), checksum)


def match_equal(left: Fingerprint, right: Fingerprint) -> float:
    """Return 1 if both are signed and the bodies are equal, else 0."""
    return float(left.body == right.body != b"")


def equal_share(left: Fingerprint, right: Fingerprint, *, width: int) -> float:
    """Return the share of places with equal numbers among those where either body has one.

    The bodies are lists of equal length of numbers of `width` bytes each; 0 stands for no number.
    Return 0 if neither has any.
    """
    none = bytes(width)
    indexes = range(0, min(len(left.body), len(right.body)), width)
    pairs = [(left.body[at : at + width], right.body[at : at + width]) for at in indexes]
    signed = [(one, other) for one, other in pairs if one != none or other != none]
    return sum([one == other for one, other in signed]) / len(signed) if signed else 0.0
