"""Lemmas as small numbers that carry their own weight."""

from collections.abc import Iterable
from math import log

from newsdedup.core.words.background import _RAREST, _STEPS, KEY_HASH_BITS

WEIGHT_BITS = 6
CODE_BITS = 32
WEIGHT_MASK = (1 << WEIGHT_BITS) - 1
PER_NAT = 6
"""Steps of a weight per nat of idf: the rarest lemma of the table, idf 9, weighs 54."""

UNSEEN = 61
"""The weight of a lemma that the table does not hold: idf 10.2, one document in 27,000."""

_HASH_MASK = (1 << (CODE_BITS - WEIGHT_BITS)) - 1


def _weight(band: int) -> int:
    """Return the weight of a band of document frequency, at least 1."""
    if not band:
        return UNSEEN
    return max(1, min(UNSEEN, round(PER_NAT * log(2) * (-_RAREST - (band - 1) / _STEPS))))


# A band is one of a hundred, so the logarithm is taken once for each.
_WEIGHTS = tuple(_weight(band) for band in range(-_RAREST * _STEPS + 2))


def code(key: int) -> int:
    """Return 26 bits of the hash of a lemma and 6 bits of weight, from its key in the order.

    weight = round(6 * idf), idf from the band of the key: -ln(df / N) to a quarter of a doubling.
    Equal lemmas have equal codes; two different ones collide once in 67 million.
    """
    return codes((key,))[0]


def codes(keys: Iterable[int]) -> tuple[int, ...]:
    """Return the code of each key."""
    return tuple(
        [(key & _HASH_MASK) << WEIGHT_BITS | _WEIGHTS[key >> KEY_HASH_BITS] for key in keys]
    )


def mass(codes: Iterable[int]) -> int:
    """Return the sum of the weights."""
    return sum([each & WEIGHT_MASK for each in codes])
