"""A11 as the seed has it: chains over all shingles of a collection, compared as texts."""

from collections.abc import Iterator

import numpy as np

from newsdedup.core.fingerprints.chains import REACH, Chain, chains, pairs
from newsdedup.core.fingerprints.shingles import shingles
from newsdedup.lab.collections.shelf import DocumentStore
from newsdedup.lab.compare.buckets import PackedPairs, pack_pairs
from newsdedup.lab.compare.method import KEY_BYTES, CpuClock, MethodCost
from newsdedup.lab.compare.texts import TextComparer
from newsdedup.lab.report.stages import Advance, StepProgress
from newsdedup.lab.similarities.text import SAME_TEXT

WHOLE_METHOD = "decomposition_whole"
"""What the whole form is called; `decomposition` is the one that lives in an index."""

WHOLE_SHINGLE = 5
WHOLE_VERSION = f"1/{WHOLE_SHINGLE}/{SAME_TEXT}"


class ShingleCounter:
    """The distinct shingles of every document, counted and timed while they are read."""

    def __init__(self, shelf: DocumentStore, clock: CpuClock, advance: Advance) -> None:
        self.keys = self.signed = 0
        self.seconds = 0.0
        self._shelf = shelf
        self._clock = clock
        self._advance = advance

    def __iter__(self) -> Iterator[set[int]]:
        """Yield the shingles by number."""
        for reading in self._shelf.readings():
            begin = self._clock()
            found = set(shingles(reading.words, WHOLE_SHINGLE))
            self.seconds += self._clock() - begin
            self.keys += len(found)
            self.signed += bool(found)
            self._advance(1)
            yield found


def measure_whole(
    shelf: DocumentStore, clock: CpuClock, watch: StepProgress
) -> tuple[MethodCost, PackedPairs]:
    """Return what it costs to compare a collection by chains, and the pairs of the same text.

    All distinct shingles are in memory at once, those that two documents hold with these.
    """
    begin = clock()
    lengths = shelf.index.words
    with watch.step(f"{WHOLE_METHOD}: shingles", len(shelf)) as advance:
        shingled = ShingleCounter(shelf, clock, advance)
        chained = chains(shingled, lengths)
    texts = TextComparer(shelf)
    same: list[tuple[int, int]] = []
    looked = 0
    with watch.step(f"{WHOLE_METHOD}: comparing texts") as advance:
        for left, right in pairs(chained, lengths):
            looked += 1
            advance(1)
            if texts.same(left, right):
                same.append((left, right))
    found = np.array(same, dtype=np.int64).reshape(-1, 2)
    return MethodCost(
        version=WHOLE_VERSION,
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
    ), np.sort(pack_pairs(found[:, 0], found[:, 1]))


def _left_out(chain: Chain) -> int:
    """Return the pairs of a chain beyond the reach, whatever their lengths."""
    beyond = max(0, len(chain) - REACH - 1)
    return beyond * (beyond + 1) // 2
