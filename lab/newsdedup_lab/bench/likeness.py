"""Whether made items meet each other as real ones do: the terms that random pairs share."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from newsdedup.core.model import Entry
from newsdedup_lab.bench.base_items import Base
from newsdedup_lab.bench.made_items import MadeWorld

_SAMPLE: Final = 2_000
"""Items of which all pairs are compared."""
_MOST: Final = 4
"""Pairs that share so many terms or more are counted together."""
_APART: Final = 7
"""Real items that are more days apart are of other news."""


def shared_terms(base: Base, *, alike: float = 1.0) -> dict[str, list[float]]:
    """Return the shares of random pairs by the number of terms they share: 0, 1, 2, 3, 4 or more.

    `real` are pairs of base items, `apart` those of two sources that were published more than a
    week apart, `made` pairs of items of one world, `worlds` those of two worlds (made_items.py). A
    share is a number of pairs in a million.
    """
    indexes = range(0, len(base.items), max(1, len(base.items) // _SAMPLE))
    worlds = [MadeWorld(base, number=number, alike=alike) for number in range(3)]
    real, one, other = ([world.entry(index) for index in indexes] for world in worlds)
    days = np.array([base.items[index].day for index in indexes])
    sources = np.unique([entry.key.source for entry in real], return_inverse=True)[1]
    apart = (np.abs(days[:, None] - days) > _APART) & (sources[:, None] != sources)
    return {
        "real": _shares(real, real),
        "apart": _shares(real, real, counted=apart),
        "made": _shares(one, one),
        "worlds": _shares(one, other),
    }


def _shares(
    left: Sequence[Entry], right: Sequence[Entry], *, counted: NDArray[np.bool_] | None = None
) -> list[float]:
    """Return how many pairs of a million share 0 to 4 terms; no entry is paired with itself.

    `counted` has a row for each left entry: the right ones with which it is paired.
    """
    postings: dict[int, list[int]] = {}
    for index, entry in enumerate(right):
        for term in entry.terms:
            postings.setdefault(term, []).append(index)
    counts = np.zeros(_MOST + 1, np.int64)
    for index, entry in enumerate(left):
        shared = np.zeros(len(right), np.int64)
        for term in entry.terms:
            shared[postings.get(term, [])] += 1
        chosen = np.ones(len(right), bool) if counted is None else counted[index].copy()
        chosen[index] = False
        counts += np.bincount(np.minimum(shared[chosen], _MOST), minlength=_MOST + 1)
    shares: list[float] = np.round(1e6 * counts / max(1, counts.sum()), 1).tolist()
    return shares
