from collections.abc import Sequence
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein


class Costs(NamedTuple):
    """What one operation on a token costs."""

    insert: int = 1
    delete: int = 1
    replace: int = 1


UNIT = Costs()


def edit_similarity(left: Sequence[str], right: Sequence[str], costs: Costs = UNIT) -> float:
    """Return how little it costs to make the left sequence into the right one.

    1 - tc / max(|left|, |right|), where tc is the cheapest sum of insertions, deletions and
    replacements of one token each; a string is a sequence of letters. With costs above 1 it may
    fall below 0 and is then 0; it is symmetric when inserting costs as much as deleting. Two
    empty sequences are equal.
    """
    longest = max(len(left), len(right))
    if longest == 0:
        return 1.0
    one, other = _numbered(left, right)
    cost = Levenshtein.distance(one, other, weights=costs)
    return max(0.0, (longest - cost) / longest)


def _numbered(left: Sequence[str], right: Sequence[str]) -> tuple[Sequence[int], Sequence[int]]:
    """Return the sequences with a number for each distinct token.

    The library knows tokens longer than a letter by their hash, which differs between runs and
    may collide; small numbers are their own hash.
    """
    numbers: dict[str, int] = {}
    for token in (*left, *right):
        numbers.setdefault(token, len(numbers))
    return [numbers[token] for token in left], [numbers[token] for token in right]
