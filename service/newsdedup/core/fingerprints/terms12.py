from dataclasses import dataclass
from struct import pack

from xxhash import xxh3_64_digest

from newsdedup.core.fingerprints.corpus import CorpusStats
from newsdedup.core.fingerprints.method import NO_FINGERPRINT, method_keys
from newsdedup.core.fingerprints.prepared_text import PreparedText
from newsdedup.core.model import Fingerprint
from newsdedup.core.words.signature import SIGNATURE_SIZE, signature

_TERM_BYTES = 8
"""Bytes of a term, and of the hash of a short document."""


@dataclass(frozen=True, slots=True)
class Terms12:
    """The 12 weightiest terms; duplicates share 6 (InfoStream: Lande et al. 2006, paper 003).

    The signature is that of the engine (signature.py), with the weights and the order of the
    vocabulary that made the reading, and so is the rule: a document of fewer than 6 terms
    matches only an equal one with equal numbers. The match of 6 shared terms or more is their
    share of the longer signature, of fewer their share of 12: 3, 4 and 5 (similar) stay below
    the threshold. Keys are the rarest terms, as many as 6 shared ones cannot all miss.
    """

    size: int = SIGNATURE_SIZE
    duplicate: int = 6
    name: str = "terms12"
    exact: bool = True

    def __post_init__(self) -> None:
        """Refuse what would make one term, or more than half of a signature, decide."""
        if not 2 <= self.duplicate <= self.size <= 2 * self.duplicate:
            msg = "terms12 needs 2 <= duplicate <= size <= 2 * duplicate"
            raise ValueError(msg)

    @property
    def version(self) -> str:
        """Return the parameters as text: number of terms, and of those that duplicates share."""
        return f"1/{self.size}/{self.duplicate}"

    @property
    def threshold(self) -> float:
        """Return the match from which on documents are duplicates: `duplicate` of `size` terms."""
        return self.duplicate / self.size

    def sign(self, prepared: PreparedText, corpus: CorpusStats) -> Fingerprint:
        """Return the weightiest terms by their keys, 64 bits each, the rarest first.

        Of fewer terms than `duplicate` it is one hash of terms and numbers. The rarest terms are
        keys. NO_FINGERPRINT without terms.
        """
        del corpus
        terms = [term.key for term in signature(prepared.terms, size=self.size).terms]
        if not terms:
            return NO_FINGERPRINT
        if len(terms) < self.duplicate:
            whole = xxh3_64_digest(f"{terms} {prepared.facts}".encode())
            return Fingerprint(method_keys(self, [whole]), whole)
        body = pack(f"<{len(terms)}Q", *terms)
        first = len(terms) - self.duplicate + 1
        return Fingerprint(method_keys(self, _cut(body)[:first]), body)

    def match(self, left: Fingerprint, right: Fingerprint) -> float:
        """Return the shared terms over those of the longer signature, or over `size` if few.

        Few are less than `duplicate`. 1 or 0 if a document has too few terms and must be equal.
        """
        if min(len(left.body), len(right.body)) <= _TERM_BYTES:
            return float(left.body == right.body != b"")
        shared = len(set(_cut(left.body)).intersection(_cut(right.body)))
        longer = max(len(left.body), len(right.body)) // _TERM_BYTES
        return shared / (longer if shared >= self.duplicate else self.size)


def _cut(body: bytes) -> list[bytes]:
    return [body[at : at + _TERM_BYTES] for at in range(0, len(body), _TERM_BYTES)]
