"""Several lists of words for a document; two documents with one list in common are alike."""

from collections.abc import Iterable

from xxhash import xxh3_64_digest

from newsdedup.core.fingerprints.corpus import CorpusStats
from newsdedup.core.fingerprints.fingerprint import NOTHING, Method, keys
from newsdedup.core.model import Fingerprint

WIDTH = 8
"""Bytes of the hash of a list."""

NONE = bytes(WIDTH)
"""Stands for a list that has no hash."""


def listed(
    method: Method, lists: Iterable[Iterable[str]], corpus: CorpusStats | None = None
) -> Fingerprint:
    """Return the hashes of the lists, none for an empty one; a key for each with its place."""
    said = [" ".join(words) for words in lists]
    hashes = [xxh3_64_digest(words.encode()) if words else NONE for words in said]
    filed = [b"%d " % at + one for at, one in enumerate(hashes) if one != NONE]
    return Fingerprint(keys(method, filed, corpus), b"".join(hashes)) if filed else NOTHING
