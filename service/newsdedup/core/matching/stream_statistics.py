"""What a stream shows of its sources: the phrases each repeats, who copies whom, and how soon.

Items are counted in the order of their arrival, each version once, in buckets of a fixed number.
Only closed buckets are read, and an entry freezes what it read, so its verdict never changes later.
The first phrases of a stream are counted sooner, or credits of its sources would pass for news.
Memory is bounded by two generations: when the young one is full or old enough, it becomes the old
one, and the former old one is dropped. A bucket is as old as the median of its items: wild dates
change nothing while most are true.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from statistics import median_low
from typing import NamedTuple

import numpy as np

from newsdedup.core.matching.phrase_counts import PhraseCounts
from newsdedup.core.matching.rows import hash_text
from newsdedup.core.matching.verify.copy_rates import (
    NO_PAIRS,
    NO_SHIFTS,
    Shifts,
    add_counts,
    concentration,
    count_pair,
    estimate_shifts,
)
from newsdedup.core.matching.verify.information import KeyCounts, hash_keys, weigh_keys
from newsdedup.core.matching.verify.sketches import read_phrases, update_sketch
from newsdedup.core.matching.verify.view import sort_phrases
from newsdedup.core.model import Entry, Fingerprint, Micros
from newsdedup.core.moments import DAY, HOUR

BUCKET = 128
"""Items of a bucket: a flood of one template is known within minutes."""

FIRST_COUNTS = (8, 16, 32, 64)
"""After so many items of a stream their phrases count, although the first bucket is open."""

PHRASES = 500_000
"""Phrases of a generation, of all sources together: 12 MB in both."""

GENERATION_SPAN = 7 * DAY
"""A phrase is remembered for one to two weeks, or until others crowd it out."""


class Observation(NamedTuple):
    """What one item adds to the statistics; a log of these restores them."""

    generation: int
    number: int
    """How many items were counted before it."""
    at: Micros
    source: int
    phrases: tuple[int, ...]
    pairs: tuple[tuple[float, int], ...]
    """Of each leader it was compared with: the logit by the texts alone, and the kind of pair
    (copy_rates.py)."""
    keys: bytes = b""
    """Hashes of its terms and of the pairs of its first sentence, 32 bits each; none from earlier
    releases, and none while they may read it."""


class StreamStatistics:
    """The counts; they change only by observations, so a log of these restores them."""

    def __init__(self, base: float, *, window: Micros = 3 * DAY, weighs: bool = True) -> None:
        """Begin empty; `base` is the share of duplicates among the pairs a model was fitted on.

        `window` is that of the rule. Without `weighs` entries do not get worths of their keys, so
        that earlier releases can read them.
        """
        self._base = base
        self._window = window
        self._weighs = weighs
        self.generation = 0
        self.number = 0
        """Observations counted so far."""
        self.shifts: Shifts = NO_SHIFTS
        """By how much the copy rates move the log-odds of each kind of pair."""
        self._since: Micros | None = None
        """When the first bucket of the young generation closed; None if none has."""
        self._open: list[Observation] = []
        """The observations of the bucket that is not full yet."""
        self._phrases_counted = 0
        """Of how many items of the open bucket the phrases are counted."""
        self._young, self._old = PhraseCounts(), PhraseCounts()
        self._pairs = (NO_PAIRS, NO_PAIRS)
        self._items: tuple[Counter[int], Counter[int]] = (Counter(), Counter())
        """How many items each source has, in the young and in the old generation."""
        self._keys = (KeyCounts(), KeyCounts())
        """How many items have each key, in the young and in the old generation."""
        self._first: Micros | None = None
        """When the first bucket of both generations closed."""
        self._last: Micros = 0
        """When the latest bucket of either closed; 0 before the first."""
        self.window_items = 0
        """About how many items the window has."""

    @property
    def closed_buckets(self) -> int:
        """Return how many buckets are closed; the open one has this number."""
        return self.number // BUCKET

    def freeze(self, entry: Entry) -> Entry:
        """Return a copy of the entry with the present statistics of its source in its sketches.

        Phrases are ranked by how often the source used them, also those of passages.
        """
        begin = hash_source(entry.key.source) << 32
        sketch = self._update(entry.sketches[-1], begin, entry.terms)
        passages = [
            passage._replace(sketch=self._update(passage.sketch, begin, passage.terms))
            for passage in entry.passages
        ]
        return entry._replace(sketches=(*entry.sketches[:-1], sketch), passages=tuple(passages))

    def _update(self, sketch: Fingerprint, begin: int, terms: Sequence[int]) -> Fingerprint:
        """Return a sketch with the present shifts, and with what its keys and `terms` are worth.

        Its phrases are ranked by a source's uses; `begin` has the bits of that source.
        """
        sample = read_phrases(sketch)
        keys = np.array(sample.hashes, np.uint64) | np.uint64(begin)
        uses = np.zeros(len(keys), np.int64)
        for counts in (self._young, self._old):
            counts.add_uses(keys, uses)
        ranked = sort_phrases(sample, uses.tolist())
        phrases = None if ranked is sample else ranked
        information = None
        if self._weighs:
            information = weigh_keys(terms, sketch.keys, self._keys, window=self.window_items)
        return update_sketch(
            sketch,
            phrases,
            shifts=self.shifts,
            bucket=self.closed_buckets,
            information=information,
        )

    def observe(self, entry: Entry, pairs: Iterable[tuple[float, int]]) -> Observation:
        """Return the observation of an entry, not yet counted; `pairs` as in `Observation`."""
        sketch = entry.sketches[-1]
        hashes = read_phrases(sketch).hashes
        source, at = hash_source(entry.key.source), entry.effective_at
        keys = b""
        if self._weighs:
            keys = hash_keys((*entry.terms, *sketch.keys))
        return Observation(self.generation, self.number, at, source, hashes, tuple(pairs), keys)

    def add(self, observation: Observation) -> None:
        """Count an observation; the last one of a bucket closes it and renews the shifts."""
        self._count(observation)
        if not self._open:
            self._update_after_bucket()

    def restore(self, observations: Iterable[Observation]) -> None:
        """Count stored observations, and estimate the shifts once at the end.

        A new generation begins where an observation names another one than the observation before:
        another release may have begun it elsewhere than this one would.
        """
        for observation in observations:
            if observation.generation != self.generation:
                self._turn(observation.generation)
            self._count(observation)
        if not self._open:
            self._update_after_bucket()
        else:
            self.shifts = self._estimate()
            self.window_items = self._count_window()

    def _count(self, observation: Observation) -> None:
        """Add an observation to the open bucket; count a full one by its median item's time."""
        self.number = observation.number + 1
        self._open.append(observation)
        if self.number in FIRST_COUNTS:
            self._count_phrases()
        if self.number % BUCKET:
            return
        young, old = self._pairs
        self._items[0].update([each.source for each in self._open])
        self._count_phrases()
        for each in self._open:
            for logit, kind in each.pairs:
                young = count_pair(young, logit, kind)
        self._pairs = (young, old)
        weighed = [each.keys for each in self._open if each.keys]
        self._keys[0].add(b"".join(weighed), items=len(weighed))
        self._last = median_low([each.at for each in self._open])
        self._since = self._last if self._since is None else self._since
        self._first = self._since if self._first is None else self._first
        self._open.clear()
        self._phrases_counted = 0

    def _count_phrases(self) -> None:
        """Count the phrases of the items of the open bucket that have not been counted."""
        new = self._open[self._phrases_counted :]
        phrases = [each.source << 32 | phrase for each in new for phrase in each.phrases]
        self._young.add(np.array(phrases, np.uint64))
        self._phrases_counted = len(self._open)

    def _update_after_bucket(self) -> None:
        """Begin a new generation if the present one is full or old; estimate the shifts again."""
        if self._since is None:
            return
        if len(self._young) >= PHRASES or self._last >= self._since + GENERATION_SPAN:
            self._turn(self.generation + 1)
        self.shifts = self._estimate()
        self.window_items = self._count_window()

    def _count_window(self) -> int:
        """Return about how many items the window has, by the rate of what is remembered."""
        items = self._keys[0].items + self._keys[1].items
        span = 0 if self._first is None else self._last - self._first
        if span < self._window and self.number <= items:
            return items
        return min(self.number, items * self._window // max(span, HOUR))

    def _estimate(self) -> Shifts:
        """Return the shifts by the counts of the present generation and the one before."""
        items = self._items[0] + self._items[1]
        pairs = add_counts(*self._pairs)
        return estimate_shifts(pairs, base=self._base, concentration=concentration(items.values()))

    def _turn(self, generation: int) -> None:
        """Begin a generation of this number; drop the counts before the last generation."""
        self.generation = generation
        self._old, self._young = self._young, PhraseCounts()
        self._old.settle()
        self._pairs = (NO_PAIRS, self._pairs[0])
        self._items = (Counter(), self._items[0])
        self._keys = (KeyCounts(), self._keys[0])
        self._first, self._since = self._since, None


def hash_source(source: str) -> int:
    """Return the hash by which observations name a source: 31 bits."""
    return hash_text(source) >> 33
