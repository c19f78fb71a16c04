"""The documents from which pivots are chosen: at most so many of a collection of any size."""

from collections.abc import Callable, Iterator, Sequence
from heapq import heappush, heappushpop
from typing import NamedTuple

from xxhash import xxh3_64_intdigest

MOST = 50_000
"""Documents: a bound of time and memory (pivot_choice.py); the table of the package has fewer."""


class Kept(NamedTuple):
    """What is kept of a document."""

    words: Sequence[str]


class Sample:
    """The documents of the lowest hashes of their texts: the same ones in whatever order they come.

    Equal texts have equal words, so it does not matter which of them stays.
    """

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._heap: list[tuple[int, Sequence[str]]] = []

    def note(self, text: str, words: Callable[[], Sequence[str]]) -> None:
        """Take a document into account; its words are asked for only if it is kept."""
        chance = -xxh3_64_intdigest(text.encode())
        if len(self._heap) < self._most:
            heappush(self._heap, (chance, words()))
        elif chance > self._heap[0][0]:
            heappushpop(self._heap, (chance, words()))

    def __iter__(self) -> Iterator[Kept]:
        """Yield what was kept."""
        return (Kept(words) for _, words in self._heap)
