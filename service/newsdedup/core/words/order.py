from math import log2

import xxhash

from newsdedup.core.words.background import Frequency

_STEPS = 4
"""Bands per doubling of the document frequency."""

_RAREST = -24
"""log2 of the share of documents below which all lemmas are in band 1: 1 in 16 million."""

KEY_HASH_BITS = 48


def term_key(lemma: str, frequency: Frequency | None) -> int:
    """Return the place of a lemma in the frozen order: rare first, then by hash.

    band << 48 | 48 bits of xxh3(lemma), band = 1 + floor(4 * (24 + log2(df / N))), at least 1;
    0 for a lemma the table does not hold. Always positive and below 2**63.
    """
    tail = xxhash.xxh3_64_intdigest(lemma.encode()) >> (64 - KEY_HASH_BITS)
    return _band(frequency) << KEY_HASH_BITS | tail


def _band(frequency: Frequency | None) -> int:
    """Return the logarithmic step of the document frequency."""
    if frequency is None:
        return 0
    # Rounded, so that the last bit of log2, which differs between machines, decides nothing.
    share = round(log2(frequency.df / frequency.documents), 9)
    return max(1, 1 + int(_STEPS * (share - _RAREST)))


def first_key(share: float) -> int:
    """Return a key that is not above those of lemmas in this share of documents or more."""
    return int(1 + _STEPS * (round(log2(share), 9) - _RAREST)) << KEY_HASH_BITS
