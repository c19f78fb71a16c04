"""Facts, numbers before it is known what they count, and facts as integers of 48 bits.

A code of a quantity, from the top: 30 bits that order the value (0, the power of ten and seven
digits; values below zero follow the rest), 3 for the digits that were stated, 2 for
the kind, 13 for the hash of the unit. A code of any other fact: a 1, 3 bits of kind, 26 of value,
5 unused, 13 of unit. An entry of the index has six bytes of each.
"""

from collections.abc import Iterable, Sequence
from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple

import xxhash

MILLION = 1_000_000
"""Values are whole millionths, so that no binary fraction ever decides."""
OPENING = 2
"""Lines and sentences at the beginning whose facts a message is about."""


class FactKind(IntEnum):
    """What a fact counts or names; the quantities come first."""

    NUMBER = 0
    PERCENT = 1
    MONEY = 2
    SCORE = 3
    YEAR = 4
    ORDINAL = 5
    CLOCK = 6
    DAY = 7


class Fact(NamedTuple):
    """A quantity, score, day or time that a text states."""

    kind: FactKind
    value: int
    """Millionths of a quantity, a year or an ordinal; otherwise the whole number below.

    A score is its higher side times 1,000 plus its lower one, a time of day its minutes since
    midnight, a day the number that `days.encode_day` gives. "35 cents" are 0.35 of a currency.
    Only quantities may be below zero.
    """
    step: int
    """What 1 more in the last stated digit adds, in the same measure: 100 in "1.2 thousand"."""
    unit: str
    """What is counted: a currency, a unit, else the `stem` of the noun; may be empty."""
    sentence: int
    """How many ends of lines and sentences precede it, counted up to `OPENING`."""
    start: int
    """The index of its first character."""


class Numeral(NamedTuple):
    """A number of the text, before its neighbours say what it counts."""

    start: int
    end: int
    value: int
    """In millionths."""
    step: int
    plain: bool
    """Whether it is written in digits alone, as a day of the month or a year is."""


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


FIRST_ORDINAL, FIRST_TIME, FIRST_DAY = map(
    lowest_code, (FactKind.ORDINAL, FactKind.CLOCK, FactKind.DAY)
)
"""Codes from here on are ordinals, times of day and days, of which days come last."""
ORDINAL_CODES = range(FIRST_ORDINAL, FIRST_TIME)
"""Codes of ordinals, without years."""


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
