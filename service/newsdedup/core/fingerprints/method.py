"""The base of all methods of the papers, and what several of them sign and match by."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import ClassVar
from zlib import crc32

from xxhash import xxh3_64_intdigest

from newsdedup.core.fingerprints.corpus import CorpusStats, PreparedText
from newsdedup.core.model import Fingerprint

NO_FINGERPRINT = Fingerprint((), b"")
"""The fingerprint of a document in which a method finds nothing to sign; it matches nothing."""


@dataclass(frozen=True, slots=True)
class Method(ABC):
    """One way to sign documents and to compare what was signed; its fields are its parameters.

    Laws, checked for every method by tests/core/fingerprints/test_fingerprint_laws.py: a text signs
    the same in every process; `match` is symmetric and within 0 and 1; a fingerprint matches itself
    with 1; an empty text signs NO_FINGERPRINT, which matches nothing; where `exact`, two
    fingerprints that match at the threshold share a key.
    """

    name: str
    """What the method, with its options, is called in settings and tables."""

    @property
    def version(self) -> str:
        """Return the parameters as text: changes whenever a text could be signed differently."""
        parameters = [getattr(self, one.name) for one in fields(self) if one.name != "name"]
        return "/".join(["1", *map(_as_text, parameters)])

    @property
    @abstractmethod
    def threshold(self) -> float:
        """The least match of duplicates."""

    @property
    @abstractmethod
    def exact(self) -> bool:
        """Whether no duplicate is lost by looking only at those that share a key."""

    @abstractmethod
    def sign(self, prepared: PreparedText, corpus: CorpusStats, /) -> Fingerprint:
        """Return the fingerprint of a document; local methods ignore the corpus."""

    @abstractmethod
    def match(self, left: Fingerprint, right: Fingerprint) -> float:
        """Return how alike two documents are, from 0 to 1."""

    def keys_of(self, parts: Iterable[bytes], corpus: CorpusStats | None = None) -> tuple[int, ...]:
        """Return one key for each part, in order, equal ones once: xxh3 of it, 63 bits.

        The seed of the hash is made of the method's name and version, so keys of two methods, or of
        two versions of one, never meet. A method that reads the corpus passes it: other counts make
        other keys.
        """
        counted = "" if corpus is None else corpus.version
        seed = xxh3_64_intdigest(f"{self.name}\n{self.version}\n{counted}".encode())
        return tuple(dict.fromkeys([xxh3_64_intdigest(part, seed) >> 1 for part in parts]))


def _as_text(parameter: object) -> str:
    """Return a method's parameter for its version: a number, or the version of an object."""
    if isinstance(parameter, float):
        return f"{parameter:g}"
    return str(getattr(parameter, "version", parameter))


@dataclass(frozen=True, slots=True)
class ChecksumMethod(Method):
    """A method that signs one checksum: equal ones make duplicates."""

    threshold: ClassVar[float] = 1.0
    exact: ClassVar[bool] = True

    def fingerprint(self, checksum: bytes, corpus: CorpusStats | None = None) -> Fingerprint:
        """Return the fingerprint of one checksum; pass the corpus if the checksum depends on it."""
        return Fingerprint(self.keys_of([checksum], corpus), checksum)

    def match(self, left: Fingerprint, right: Fingerprint) -> float:
        """Return 1 if both documents have a checksum and these are equal, else 0."""
        return float(left.body == right.body != b"")


def sorted_crc32(strings: Iterable[str]) -> bytes:
    """Return the CRC32 of the strings in alphabetical order, joined by line ends, in 4 bytes."""
    return crc32("\n".join(sorted(strings)).encode()).to_bytes(4, "little")


def cut(body: bytes, width: int) -> list[bytes]:
    """Return the numbers of `width` bytes each that follow one another in a body."""
    return [body[at : at + width] for at in range(0, len(body), width)]


def equal_share(left: Fingerprint, right: Fingerprint, *, width: int) -> float:
    """Return the share of positions with equal numbers among those where either body has one.

    The bodies are lists of equal length of numbers of `width` bytes each; 0 stands for no number.
    Return 0 if neither has any.
    """
    pairs = zip(cut(left.body, width), cut(right.body, width), strict=False)
    equal = [one == other for one, other in pairs if any(one) or any(other)]
    return sum(equal) / len(equal) if equal else 0.0
