"""The types of facts: a fact, its kind, and a number before it is known what it counts."""

from enum import IntEnum
from typing import NamedTuple

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
