"""A11 as the seed has it: chains over all shingles of a collection, compared as texts."""

from collections.abc import Iterator

import numpy as np

from newsdedup.core.fingerprints.prepared_text import hash_shingles
from newsdedup.lab.collections.shelf import Shelf
from newsdedup.lab.compare.buckets import Packed, packed
from newsdedup.lab.compare.chains import REACH, Chain, chains, pairs
from newsdedup.lab.compare.method import KEY_BYTES, Clock, Cost
from newsdedup.lab.compare.texts import Texts
from newsdedup.lab.report.stages import Advance, Watch
from newsdedup.lab.similarities.text import SAME_TEXT

WHOLE = "decomposition_whole"
"""What the whole form is called; `decomposition` is the one that lives in an index."""

SHINGLE = 5
VERSION = f"1/{SHINGLE}/{SAME_TEXT}"


class Shingled:
    """The distinct shingles of every document, counted and timed while they are read."""

    def __init__(self, shelf: Shelf, clock: Clock, advance: Advance) -> None:
        self.keys = self.signed = 0
        self.seconds = 0.0
        self._shelf = shelf
        self._clock = clock
        self._advance = advance

    def __iter__(self) -> Iterator[set[int]]:
        """Yield the shingles by number."""
        for reading in self._shelf.readings():
            begin = self._clock()
            found = set(hash_shingles(reading.words, SHINGLE))
            self.seconds += self._clock() - begin
            self.keys += len(found)
            self.signed += bool(found)
            self._advance(1)
            yield found


def whole(shelf: Shelf, clock: Clock, watch: Watch) -> tuple[Cost, Packed]:
    """Return what it costs to compare a collection by chains, and the pairs of the same text.

    All distinct shingles are in memory at once, those that two documents hold with these.
    """
    begin = clock()
    lengths = shelf.index.words
    with watch.step(f"{WHOLE}: shingles", len(shelf)) as advance:
        shingled = Shingled(shelf, clock, advance)
        chained = chains(shingled, lengths)
    texts = Texts(shelf)
    same: list[tuple[int, int]] = []
    looked = 0
    with watch.step(f"{WHOLE}: comparing texts") as advance:
        for left, right in pairs(chained, lengths):
            looked += 1
            advance(1)
            if texts.same(left, right):
                same.append((left, right))
    found = np.array(same, dtype=np.int64).reshape(-1, 2)
    return Cost(
        version=VERSION,
        signed=shingled.signed,
        sign_seconds=shingled.seconds,
        keys=shingled.keys,
        bytes=KEY_BYTES * shingled.keys,
        pair_seconds=clock() - begin - shingled.seconds,
        compared=looked,
        reach=REACH,
        largest=max(map(len, chained), default=0),
        left_out=sum(_left_out(chain) for chain in chained),
        found=len(found),
    ), np.sort(packed(found[:, 0], found[:, 1]))


def _left_out(chain: Chain) -> int:
    """Return the pairs of a chain beyond the reach, whatever their lengths."""
    beyond = max(0, len(chain) - REACH - 1)
    return beyond * (beyond + 1) // 2
