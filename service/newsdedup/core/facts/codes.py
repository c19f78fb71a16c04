"""Facts as small integers, for an entry of the index."""

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

import xxhash

from newsdedup.core.facts.fact import MILLION, Fact, Kind

MOST = 24
"""Facts kept of one item, the first of its text; with 6 bytes each they take 144 bytes."""
CODE_BYTES = 6

UNIT_BITS = 13
UNIT = (1 << UNIT_BITS) - 1
"""The bits of a code that hash its unit."""
_PLACE_BITS, _KIND_BITS = 3, 2
KIND_AND_UNIT = (1 << (UNIT_BITS + _KIND_BITS)) - 1
"""The bits of a quantity's code that say what it counts."""
VALUE_SHIFT = UNIT_BITS + _KIND_BITS + _PLACE_BITS
_DIGITS = 7
_ONE_DIGIT = 10 ** (_DIGITS - 1)
PLACES_SHIFT = UNIT_BITS + _KIND_BITS
PLACES = (1 << _PLACE_BITS) - 1
"""The bits of a quantity's code, at their place, that count the digits that were stated."""
REACH = tuple(10 ** (_DIGITS - places) // 2 for places in range(_DIGITS + 1))
"""How far, in the order of values, half a unit of the last place reaches within a decade."""
DECADE = 9 * _ONE_DIGIT
"""Values between a power of ten and the next: seven digits, the first of them not zero."""
_MOST_DECADES = 32
BELOW_ZERO: int = _MOST_DECADES * DECADE
"""Values from here on, in their order, are those below zero, the nearest to it first."""
EXACT = 1 << 47
"""Codes from here on are scores, years, ordinals, times and days: they agree only if equal."""
KIND_SHIFT = 44
"""Where the kind of a code that is no quantity stands."""
_MOST_DECADES_BELOW = (EXACT >> VALUE_SHIFT) // DECADE - _MOST_DECADES
_EXACT_VALUES = (1 << (KIND_SHIFT - VALUE_SHIFT)) - 1


_IN_MILLIONTHS = (Kind.YEAR, Kind.ORDINAL)


class Decoded(NamedTuple):
    """What is left of a fact in its code: seven digits of the value, the unit only as a hash."""

    kind: Kind
    value: int
    step: int
    unit: int


def frozen(facts: Iterable[Fact]) -> tuple[int, ...]:
    """Return the codes of up to 24 distinct facts, the first of the text, ascending.

    A code has 48 bits. Of a quantity, from the top: 30 bits order the value (0, the power of ten
    and seven digits; all that is below zero stands behind the rest), 3 count the digits that were
    stated, 2 tell the kind, 13 hash the unit. Of any other fact: 1, 3 bits of kind, 26 of value, 5
    unused, 13 of unit.
    """
    codes = dict.fromkeys(map(_code, facts))
    return tuple(sorted(list(codes)[:MOST]))


def kind_from(kind: Kind) -> int:
    """Return the least code of a kind that is no quantity, and of all kinds after it."""
    return EXACT | kind << KIND_SHIFT


@lru_cache(maxsize=4_096)
def unit_code(unit: str) -> int:
    """Return the 13 bits that stand for a unit; 0 only for none."""
    return 1 + xxhash.xxh32_intdigest(unit.encode("utf-8", "surrogatepass")) % UNIT if unit else 0


def _code(fact: Fact) -> int:
    kind, value, step, unit = fact[:4]
    if kind > Kind.MONEY:
        whole = value // MILLION if kind in _IN_MILLIONTHS else value
        return kind_from(kind) | min(whole, _EXACT_VALUES) << VALUE_SHIFT | unit_code(unit)
    ordered, places = _ordered(value, step) if value else (0, 1)
    return ordered << VALUE_SHIFT | (places << _KIND_BITS | kind) << UNIT_BITS | unit_code(unit)


def _ordered(value: int, step: int) -> tuple[int, int]:
    """Return a number that orders values as `frozen` does, and how many digits were stated."""
    written = str(abs(value))
    decade = min(len(written), (_MOST_DECADES if value > 0 else _MOST_DECADES_BELOW) - 1)
    digits = int(written[:_DIGITS].ljust(_DIGITS, "0"))
    places = min(max(decade - len(str(step)) + 1, 1), _DIGITS)
    ordered = decade * DECADE + digits - _ONE_DIGIT
    return ordered if value > 0 else ordered + BELOW_ZERO, places


def decoded(code: int) -> Decoded:
    """Return the fact that a code stands for."""
    unit = code & UNIT
    value = code >> VALUE_SHIFT
    if code >= EXACT:
        kind = Kind(code >> KIND_SHIFT & 7)
        value &= _EXACT_VALUES
        measure = MILLION if kind in _IN_MILLIONTHS else 1
        return Decoded(kind, value * measure, measure, unit)
    value, step = quantity(code)
    return Decoded(Kind(code >> UNIT_BITS & 3), value, step, unit)


def quantity(code: int) -> tuple[int, int]:
    """Return the value of a quantity and the place to which it was stated, in millionths."""
    ordered = code >> VALUE_SHIFT
    if not ordered:
        return 0, MILLION
    below = ordered >= BELOW_ZERO
    decade, digits = divmod(ordered - BELOW_ZERO if below else ordered, DECADE)
    places = code >> PLACES_SHIFT & PLACES
    value = (digits + _ONE_DIGIT) * 10**decade // 10**_DIGITS
    return -value if below else value, 10 ** max(decade - places, 0)


def packed(codes: Iterable[int]) -> bytes:
    """Return the codes as bytes, six of them each."""
    return b"".join([code.to_bytes(CODE_BYTES, "big") for code in codes])


def unpacked(data: bytes) -> tuple[int, ...]:
    """Return the codes that `packed` made bytes of."""
    places = range(0, len(data), CODE_BYTES)
    return tuple([int.from_bytes(data[i : i + CODE_BYTES], "big") for i in places])
