"""The words that tell documents apart, each above its own frequency: what A9 signs with."""

from collections.abc import Mapping
from dataclasses import dataclass

import xxhash

PIVOT_STEPS = 20
"""Steps of the frequency tf / tf_max, from 0 to 1."""


@dataclass(frozen=True, slots=True)
class Pivots:
    """The chosen words with their thresholds in steps, and a hash of both."""

    thresholds: Mapping[str, int]
    version: str


def make_pivots(thresholds: Mapping[str, int]) -> Pivots:
    """Return the thresholds, words in alphabetical order, with a hash of them as the version."""
    ordered = {word: thresholds[word] for word in sorted(thresholds)}
    return Pivots(ordered, xxhash.xxh3_64_hexdigest(_rendered(ordered).encode()))


def _rendered(thresholds: Mapping[str, int]) -> str:
    return "".join([f"{word} {threshold}\n" for word, threshold in thresholds.items()])


NO_PIVOTS = make_pivots({})
"""Nothing was chosen yet: no document is signed."""


def render_pivots(chosen: Pivots) -> str:
    """Return the pivots as text: a line for a word, with its threshold behind it."""
    return _rendered(chosen.thresholds)


def parse_pivots(text: str) -> Pivots:
    """Return the pivots that `render_pivots` wrote; raise ValueError for a line of another form."""
    pairs = [line.split(" ") for line in text.splitlines()]
    return make_pivots({word: int(threshold) for word, threshold in pairs})
