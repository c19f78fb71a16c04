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
    ordered = dict(sorted(thresholds.items()))
    return Pivots(ordered, xxhash.xxh3_64_hexdigest(render_thresholds(ordered).encode()))


def render_thresholds(thresholds: Mapping[str, int]) -> str:
    """Return a line for each word, in the given order: the word, a space and its threshold."""
    return "".join([f"{word} {threshold}\n" for word, threshold in thresholds.items()])


NO_PIVOTS = make_pivots({})
"""Without words: no document is signed."""


def parse_pivots(text: str) -> Pivots:
    """Return the pivots of lines by `render_thresholds`; raise ValueError for any other line."""
    pairs = [line.split(" ") for line in text.splitlines()]
    return make_pivots({word: int(threshold) for word, threshold in pairs})
