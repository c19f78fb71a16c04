from dataclasses import dataclass
from struct import pack
from typing import ClassVar

from xxhash import xxh3_64_digest

from newsdedup.core.fingerprints.corpus import CorpusStats
from newsdedup.core.fingerprints.method import NO_FINGERPRINT, Method, cut
from newsdedup.core.fingerprints.prepared_text import PreparedText
from newsdedup.core.model import Fingerprint
from newsdedup.core.words.weights import SIGNATURE_SIZE, signature

_DUPLICATE = 6
"""Terms that duplicates share."""
_TERM_BYTES = 8
"""Bytes of a term, and of the hash of a short document."""


@dataclass(frozen=True, slots=True)
class Terms12(Method):
    """The 12 weightiest terms; duplicates share 6 (InfoStream: Lande et al. 2006, paper 003).

    The signature is that of the engine (signature.py), with the weights and the order of the
    vocabulary that made the document, and so is the rule: a document of fewer than 6 terms
    matches only an equal one with equal numbers. The match of 6 shared terms or more is their
    share of the longer signature, of fewer their share of 12: 3, 4 and 5 (similar) stay below
    the threshold. Keys are the rarest terms, so many that documents sharing 6 terms share a key.
    """

    name: str = "terms12"
    version: ClassVar[str] = f"1/{SIGNATURE_SIZE}/{_DUPLICATE}"
    threshold: ClassVar[float] = _DUPLICATE / SIGNATURE_SIZE
    exact: ClassVar[bool] = True

    def sign(self, prepared: PreparedText, _corpus: CorpusStats) -> Fingerprint:
        """Return the keys of the terms, rare first; below 6 a hash of terms and numbers."""
        terms = [term.key for term in signature(prepared.terms).terms]
        if not terms:
            return NO_FINGERPRINT
        if len(terms) < _DUPLICATE:
            whole = xxh3_64_digest(f"{terms} {prepared.facts}".encode())
            return Fingerprint(self.keys_of([whole]), whole)
        body = pack(f"<{len(terms)}Q", *terms)
        rarest = cut(body, _TERM_BYTES)[: len(terms) - _DUPLICATE + 1]
        return Fingerprint(self.keys_of(rarest), body)

    def match(self, left: Fingerprint, right: Fingerprint) -> float:
        """Return the share of shared terms; for few terms 1 if their hashes are equal, else 0."""
        if min(len(left.body), len(right.body)) <= _TERM_BYTES:
            return float(left.body == right.body != b"")
        shared = len(set(cut(left.body, _TERM_BYTES)).intersection(cut(right.body, _TERM_BYTES)))
        longer = max(len(left.body), len(right.body)) // _TERM_BYTES
        return shared / (longer if shared >= _DUPLICATE else SIGNATURE_SIZE)
