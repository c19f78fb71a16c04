"""Facts as integers of 48 bits, six bytes each in an entry of the index.

A code of a quantity, from the top: 30 bits that order the value (0, the power of ten and seven
digits; values below zero follow the rest), 3 for the digits that were stated, 2 for
the kind, 13 for the hash of the unit. A code of any other fact: a 1, 3 bits of kind, 26 of value,
5 unused, 13 of unit.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

import xxhash

from newsdedup.core.facts.fact import MILLION, Fact, FactKind
from newsdedup.core.facts.units import CENT, PERCENT, UNITS

Codes = Sequence[int]
"""Codes of one text, ascending."""
MOST_CODES = 24
"""Facts that an entry keeps of one item: the first of its text."""
CODE_BYTES = 6
_UNIT_BITS = 13
UNIT_MASK = (1 << _UNIT_BITS) - 1
"""The bits of a code that hash its unit."""
_STATED_BITS, _KIND_BITS = 3, 2
KIND_AND_UNIT_MASK = (1 << (_UNIT_BITS + _KIND_BITS)) - 1
"""The bits of a quantity's code that say what it counts."""
STATED_SHIFT = _UNIT_BITS + _KIND_BITS
STATED_MASK = (1 << _STATED_BITS) - 1
"""The bits that count the stated digits of a quantity, once its code is shifted right so far."""
VALUE_SHIFT = STATED_SHIFT + _STATED_BITS
_DIGITS = 7
_ONE_DIGIT = 10 ** (_DIGITS - 1)
ROUNDING_REACH = tuple(10 ** (_DIGITS - stated) // 2 for stated in range(_DIGITS + 1))
"""By number of stated digits, half a unit of the last one as ordered values of a decade."""
DECADE = 9 * _ONE_DIGIT
"""Numbers of seven digits between a power of ten and the next."""
_MOST_DECADES = 32
BELOW_ZERO: int = _MOST_DECADES * DECADE
"""Ordered values from here on are below zero, those nearest to zero first."""
FIRST_EXACT = 1 << 47
"""Codes from here on are no quantities but scores, years and so on, which agree only if equal."""
KIND_SHIFT = 44
"""By how many bits a code that is no quantity is shifted right to give its kind."""
_MOST_DECADES_BELOW = (FIRST_EXACT >> VALUE_SHIFT) // DECADE - _MOST_DECADES
_EXACT_VALUES = (1 << (KIND_SHIFT - VALUE_SHIFT)) - 1
_IN_MILLIONTHS = (FactKind.YEAR, FactKind.ORDINAL)


class DecodedFact(NamedTuple):
    """What a code keeps of a fact: seven digits of the value, and the `unit_code`."""

    kind: FactKind
    value: int
    unit: int


def encode_facts(facts: Iterable[Fact]) -> tuple[int, ...]:
    """Return the codes of the first 24 distinct facts of a text, ascending."""
    codes = dict.fromkeys(map(_code, facts))
    return tuple(sorted(list(codes)[:MOST_CODES]))


def lowest_code(kind: FactKind) -> int:
    """Return the lowest code of a kind that is no quantity; later kinds have higher ones."""
    return FIRST_EXACT | kind << KIND_SHIFT


@lru_cache(maxsize=4_096)
def unit_code(unit: str) -> int:
    """Return the 13 bits that stand for the name of a unit; 0 only for "", no unit."""
    if not unit:
        return 0
    return 1 + xxhash.xxh32_intdigest(unit.encode("utf-8", "surrogatepass")) % UNIT_MASK


def _code(fact: Fact) -> int:
    """Return the code of one fact, as the module describes it."""
    kind, value, step, unit = fact[:4]
    if kind > FactKind.MONEY:
        whole = value // MILLION if kind in _IN_MILLIONTHS else value
        return lowest_code(kind) | min(whole, _EXACT_VALUES) << VALUE_SHIFT | unit_code(unit)
    ordered, stated = 0, 1
    if value:
        written = str(abs(value))
        decade = min(len(written), (_MOST_DECADES if value > 0 else _MOST_DECADES_BELOW) - 1)
        stated = min(max(decade - len(str(step)) + 1, 1), _DIGITS)
        ordered = decade * DECADE + int(written[:_DIGITS].ljust(_DIGITS, "0")) - _ONE_DIGIT
        ordered += 0 if value > 0 else BELOW_ZERO
    return ordered << VALUE_SHIFT | (stated << _KIND_BITS | kind) << _UNIT_BITS | unit_code(unit)


def decode_fact(code: int) -> DecodedFact:
    """Return the kind, value and `unit_code` of a code, the value to seven digits."""
    unit = code & UNIT_MASK
    if code < FIRST_EXACT:
        return DecodedFact(FactKind(code >> _UNIT_BITS & 3), decode_quantity(code)[0], unit)
    kind, value = FactKind(code >> KIND_SHIFT & 7), code >> VALUE_SHIFT & _EXACT_VALUES
    return DecodedFact(kind, value * MILLION if kind in _IN_MILLIONTHS else value, unit)


def decode_quantity(code: int) -> tuple[int, int]:
    """Return the value and the step of a quantity in millionths, as in `Fact`, by its code."""
    ordered = code >> VALUE_SHIFT
    if not ordered:
        return 0, MILLION
    below = ordered >= BELOW_ZERO
    decade, digits = divmod(ordered - BELOW_ZERO if below else ordered, DECADE)
    stated = code >> STATED_SHIFT & STATED_MASK
    value = (digits + _ONE_DIGIT) * 10**decade // 10**_DIGITS
    return -value if below else value, 10 ** max(decade - stated, 0)


def pack_codes(codes: Iterable[int]) -> bytes:
    """Return the codes as bytes, six of them each."""
    return b"".join([code.to_bytes(CODE_BYTES, "big") for code in codes])


def unpack_codes(data: bytes) -> tuple[int, ...]:
    """Return the codes of which `pack_codes` made the bytes."""
    starts = range(0, len(data), CODE_BYTES)
    return tuple([int.from_bytes(data[at : at + CODE_BYTES], "big") for at in starts])


_ALIKE = (
    *(("person", "killed"), ("person", "injured"), (PERCENT, "point")),
    *[(CENT, currency) for currency in ("usd", "eur", "rub", "uah")],
)
"""Units that may count the same: one text counts people, another says that they were injured."""
_MEASURES = {
    unit_code(unit): frozenset([unit, *[pair for pair in _ALIKE if unit in pair]])
    for unit in sorted(UNITS)
}
"""What each named unit measures, by `unit_code`; two that may count the same share an element."""


def differs_in_measure(left: int, right: int) -> bool:
    """Return whether the units of two codes are known to differ, as percents and roubles do.

    Nouns prove nothing: "5 workers" and "5 people" may be the same five.
    """
    ours = _MEASURES.get(left & UNIT_MASK)
    theirs = None if ours is None else _MEASURES.get(right & UNIT_MASK)
    return ours is not None and theirs is not None and ours.isdisjoint(theirs)
