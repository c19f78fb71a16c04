"""Sparse vectors with their postings: who holds an element, and with what weight."""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Places = NDArray[np.int32]
Element = TypeVar("Element", bound=Hashable)


@dataclass(frozen=True, slots=True, eq=False)
class Vectors:
    """Vectors by number; the elements of each are numbered by rarity, the rarest first."""

    begins: NDArray[np.int64]
    """Where the elements of each vector begin; one more marks the end."""
    elements: Places
    weights: Floats
    posted: NDArray[np.int64]
    """Where the holders of each element begin."""
    holders: Places
    """Ascending for each element."""
    held: Floats

    def __len__(self) -> int:
        """Return the number of vectors."""
        return len(self.begins) - 1

    def of(self, place: int) -> tuple[Places, Floats]:
        """Return the elements of a vector, rare first, and their weights."""
        begin, end = self.begins[place], self.begins[place + 1]
        return self.elements[begin:end], self.weights[begin:end]

    def earlier(self, element: int, place: int) -> tuple[Places, Floats]:
        """Return who before a place holds an element, and with what weights."""
        begin, end = self.posted[element], self.posted[element + 1]
        held = self.holders[begin:end]
        end = begin + np.searchsorted(held, place)
        return self.holders[begin:end], self.held[begin:end]


def vectors(rows: Sequence[Mapping[Element, float]]) -> Vectors:
    """Return the vectors of rows of weights; equally rare elements stand as they came."""
    df = Counter(element for row in rows for element in row)
    # A sort keeps equal ones in their order, which is that of the rows: no set is asked.
    number = {element: at for at, element in enumerate(sorted(df, key=df.__getitem__))}
    begins = np.zeros(len(rows) + 1, dtype=np.int64)
    np.cumsum([len(row) for row in rows], out=begins[1:])
    elements = np.empty(begins[-1], dtype=np.int32)
    weights = np.empty(begins[-1], dtype=np.float64)
    for place, row in enumerate(rows):
        found = sorted((number[element], weight) for element, weight in row.items())
        here = slice(begins[place], begins[place + 1])
        elements[here] = [at for at, _ in found]
        weights[here] = [weight for _, weight in found]
    owners = np.repeat(np.arange(len(rows), dtype=np.int32), np.diff(begins))
    order = np.argsort(elements, kind="stable")
    posted = np.searchsorted(elements[order], np.arange(len(number) + 1))
    return Vectors(begins, elements, weights, posted, owners[order], weights[order])
