"""Rows of numbers: those of a draw, the houses of a street."""

from collections.abc import Sequence
from itertools import pairwise

from newsdedup.core.facts.fact import Numeral
from newsdedup.core.facts.stems import stem

IN_A_ROW = stem("number")
"""What the numbers of a row count: each is one, and another row has others."""
_LEAST = 4
_BETWEEN = frozenset(
    (", ", ",", "; ", "-", " - ", " ", " and ", ", and ", " и ", " і ", " й ", " та ")
)
_LONGEST_BETWEEN = max(map(len, _BETWEEN))


def in_rows(lower: str, numbers: Sequence[Numeral]) -> frozenset[int]:
    """Return where the numbers begin that stand in a row of four or more; they are in order."""
    if len(numbers) < _LEAST:
        return frozenset()
    near = [
        one.end
        for one, other in pairwise(numbers)
        if other.start - one.end <= _LONGEST_BETWEEN and lower[one.end : other.start] in _BETWEEN
    ]
    return _of_rows(numbers, frozenset(near)) if len(near) >= _LEAST - 1 else frozenset()


def _of_rows(numbers: Sequence[Numeral], near: frozenset[int]) -> frozenset[int]:
    found: list[int] = []
    row: list[int] = []
    for number in numbers:
        row.append(number.start)
        if number.end not in near:
            found += row if len(row) >= _LEAST else []
            row = []
    return frozenset(found)
