"""What a method keeps of a document, and what every method can do."""

from collections.abc import Iterable
from typing import Protocol

from xxhash import xxh3_64_intdigest

from newsdedup.core.fingerprints.corpus import CorpusStats
from newsdedup.core.fingerprints.reading import Reading
from newsdedup.core.model import Fingerprint

NOTHING = Fingerprint((), b"")
"""The fingerprint of a document in which a method finds nothing to sign; it matches nothing."""


class Method(Protocol):
    """One way to sign documents and to compare what was signed.

    Laws, checked for every method by tests/core/fingerprints/test_fingerprint_laws.py: the same
    reading signs the same in every process; `match` is symmetric and within 0 and 1; a
    fingerprint matches itself with 1, NOTHING matches nothing; an empty text signs NOTHING;
    where `exact`, two fingerprints that match at the threshold share a key.
    """

    @property
    def name(self) -> str:
        """What the method, with its options, is called in settings and tables."""
        ...

    @property
    def version(self) -> str:
        """The parameters as text: changes whenever a reading could sign otherwise."""
        ...

    @property
    def threshold(self) -> float:
        """The least match of duplicates."""
        ...

    @property
    def exact(self) -> bool:
        """Whether no duplicate is lost by looking only at those that share a key."""
        ...

    def sign(self, reading: Reading, corpus: CorpusStats) -> Fingerprint:
        """Return what the method keeps of a document."""
        ...

    def match(self, left: Fingerprint, right: Fingerprint) -> float:
        """Return how alike two documents are, from 0 to 1."""
        ...


def keys(
    method: Method, parts: Iterable[bytes], corpus: CorpusStats | None = None
) -> tuple[int, ...]:
    """Return one key for each part, in order, equal ones once: xxh3 of it, 63 bits.

    The seed is a hash of name and version, so keys of two methods, or of two versions of one,
    never meet. A method that reads the corpus names it: other counts make other keys.
    """
    counted = "" if corpus is None else corpus.version
    seed = xxh3_64_intdigest(f"{method.name}\n{method.version}\n{counted}".encode())
    return tuple(dict.fromkeys([xxh3_64_intdigest(part, seed) >> 1 for part in parts]))
