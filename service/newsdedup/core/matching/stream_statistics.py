"""What a stream teaches: the phrases a source repeats, and who repeats whom, and how soon.

Items are counted in the order of their arrival, each version once, in buckets of a fixed number.
Only closed buckets are looked at, and an entry freezes what it saw, so it is judged the same ever
after. Memory is bounded by two generations: when the young one is full or old enough, it becomes
the old one, and what was the old one is forgotten. A bucket is as old as the median of its items:
wild dates move nothing while most are true.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import timedelta
from statistics import median_low
from typing import NamedTuple

import xxhash

from newsdedup.core.matching.verified_rule import VerifiedRule
from newsdedup.core.matching.verify.copy_rates import (
    NO_PAIRS,
    NO_SHIFTS,
    Shifts,
    add_counts,
    count_pair,
    estimate_shifts,
    kind_of_entries,
)
from newsdedup.core.matching.verify.marks import read_phrases, update_mark
from newsdedup.core.matching.verify.model import Model
from newsdedup.core.matching.verify.phrases import sort_phrases
from newsdedup.core.model import Entry, Fingerprint, Micros
from newsdedup.core.stories.records import Record

BUCKET = 128
"""Items counted before they teach: a flood of one template is known within minutes."""

PHRASES = 500_000
"""Phrases of a generation, of all sources together: about 100 MB in both."""

GENERATION = timedelta(days=7) // timedelta(microseconds=1)
"""A phrase is remembered for one to two weeks, or until others crowd it out."""


class Observation(NamedTuple):
    """What one item teaches."""

    generation: int
    number: int
    """How many items taught before it."""
    at: Micros
    source: int
    phrases: tuple[int, ...]
    pairs: tuple[tuple[float, int], ...]
    """Of each candidate it was compared with: the logit by the texts alone, and the kind of pair
    (habits.py)."""


class StreamStatistics:
    """The counts; `learn` is the only way they change, so a log of lessons restores them."""

    def __init__(self, model: Model) -> None:
        self._base = model.base
        self.generation = 0
        self.number = 0
        self._since: Micros | None = None
        self._at: Micros | None = None
        """When the latest bucket of the young generation closed."""
        self._open: list[Observation] = []
        self._young: Counter[int] = Counter()
        self._old: Counter[int] = Counter()
        self._habits = (NO_PAIRS, NO_PAIRS)
        self._shift = NO_SHIFTS

    @property
    def closed_buckets(self) -> int:
        """Return the number of the bucket that is open: all before it are closed."""
        return self.number // BUCKET

    @property
    def shift(self) -> Shifts:
        """Return by how much the habits move the log-odds of each kind of pair, as taught."""
        return self._shift

    def freeze(self, entry: Entry) -> Entry:
        """Return an entry that knows what its source uses to say, as far as it is taught."""
        source = hash_source(entry.key.source)
        kept = self._taught(entry.marks[-1], source)
        parts = [
            passage._replace(mark=self._taught(passage.mark, source)) for passage in entry.passages
        ]
        return entry._replace(marks=(*entry.marks[:-1], kept), passages=tuple(parts))

    def _taught(self, kept: Fingerprint, source: int) -> Fingerprint:
        begin, young, old = source << 32, self._young.get, self._old.get
        sample = read_phrases(kept)
        uses = [young(key, 0) + old(key, 0) for key in [begin | phrase for phrase in sample.hashes]]
        counted = sort_phrases(sample, uses)
        return update_mark(
            kept,
            None if counted is sample else counted,
            shift=self._shift,
            taught=self.closed_buckets,
        )

    def observe(self, entry: Entry, pairs: Iterable[tuple[float, int]]) -> Observation:
        """Return what an entry teaches that was compared with these."""
        hashes = read_phrases(entry.marks[-1]).hashes
        source = hash_source(entry.key.source)
        at = entry.effective_at
        return Observation(self.generation, self.number, at, source, hashes, tuple(pairs))

    def add(self, lesson: Observation) -> None:
        """Count a lesson; with the last one of a bucket all of them are taught."""
        self._count(lesson)
        if not self._open:
            self._decide()

    def restore(self, lessons: Iterable[Observation]) -> None:
        """Count what was learned before; a lesson tells in which generation it was.

        So generations turn where they did, also where another release decided it; none has told
        yet what the last bucket decides.
        """
        for lesson in lessons:
            if lesson.generation != self.generation:
                self._turn(lesson.generation)
            self._count(lesson)
        if not self._open:
            self._decide()
        else:
            self._shift = self._shifted()

    def _count(self, lesson: Observation) -> None:
        self.number = lesson.number + 1
        self._open.append(lesson)
        if self.number % BUCKET == 0:
            self._close()

    def _close(self) -> None:
        young, _ = self._habits
        for lesson in self._open:
            begin = lesson.source << 32
            self._young.update([begin | phrase for phrase in lesson.phrases])
            for logit, kind in lesson.pairs:
                young = count_pair(young, logit, kind)
        self._at = median_low([lesson.at for lesson in self._open])
        self._open.clear()
        self._habits = (young, self._habits[1])
        self._since = self._at if self._since is None else self._since

    def _decide(self) -> None:
        """Begin a new generation after a closed bucket if it is time to, and teach."""
        if self._at is None or self._since is None:
            return
        if len(self._young) >= PHRASES or self._at >= self._since + GENERATION:
            self._turn(self.generation + 1)
        self._shift = self._shifted()

    def _shifted(self) -> Shifts:
        return estimate_shifts(add_counts(*self._habits), base=self._base)

    def _turn(self, generation: int) -> None:
        """Let a new generation begin: the young one is the old one from now on."""
        self.generation = generation
        self._old, self._young = self._young, Counter()
        self._habits = (NO_PAIRS, self._habits[0])
        self._since = self._at = None


def hash_source(source: str) -> int:
    """Return 31 bits of the hash of a source's name."""
    return xxhash.xxh3_64_intdigest(source.encode("utf-8", "surrogatepass")) >> 33


COMPARED = 32
"""Pairs that one item teaches at most: a hot event must not drown the others."""


class StatisticsRecorder:
    """Teaches the verified rule; `taken` hands over the lessons that must be kept."""

    def __init__(self, rule: VerifiedRule, kept: Iterable[Observation] = ()) -> None:
        self._rule = rule
        self.statistics = StreamStatistics(rule.model)
        self._taken: list[Observation] = []
        self.statistics.restore(kept)

    def frozen(self, entry: Entry) -> Entry:
        """Return an entry that knows what has been taught when it is admitted."""
        return self.statistics.freeze(entry)

    def learn(self, entry: Entry, near: Sequence[Record]) -> None:
        """Count an admitted entry and the leaders that it was compared with."""
        lesson = self.statistics.observe(entry, compare_with_leaders(self._rule, entry, near))
        self.statistics.add(lesson)
        self._taken.append(lesson)

    def taken(self) -> list[Observation]:
        """Return the lessons since the last time, for whoever keeps them."""
        taken, self._taken = self._taken, []
        return taken


class SharedStatisticsRecorder:
    """Teaches several workers: each adds its lessons to a log, and learns what the log tells.

    So every worker counts the same lessons in the same order, its own among them.
    """

    def __init__(self, rule: VerifiedRule) -> None:
        self._rule = rule
        self.statistics = StreamStatistics(rule.model)
        self._taken: list[Observation] = []

    def frozen(self, entry: Entry) -> Entry:
        """Return an entry that knows what the log had taught when it is admitted."""
        return self.statistics.freeze(entry)

    def learn(self, entry: Entry, near: Sequence[Record]) -> None:
        """Note what an admitted entry teaches, for the log."""
        self._taken.append(
            self.statistics.observe(entry, compare_with_leaders(self._rule, entry, near))
        )

    def taken(self) -> list[Observation]:
        """Return the lessons since the last time, for the log."""
        taken, self._taken = self._taken, []
        return taken

    def add_logged(self, lesson: Observation, *, number: int) -> None:
        """Count a lesson of the log, by its number there."""
        self.statistics.add(lesson._replace(generation=self.statistics.generation, number=number))

    def reset(self) -> None:
        """Begin anew: the log is another one."""
        self.statistics = StreamStatistics(self._rule.model)
        self._taken = []


def compare_with_leaders(
    rule: VerifiedRule, entry: Entry, near: Sequence[Record]
) -> list[tuple[float, int]]:
    """Return of the leaders near an entry how alike the texts are, and what kind of pair it is.

    A digest and its parts tell nothing of who copies whom; nor does a translation, or a site in two
    languages would teach that sources repeat themselves.
    """
    digest = bool(entry.passages)
    found = [
        other
        for record in near
        if (other := record.entry).key != entry.key
        and other.lang == entry.lang
        and bool(other.passages) == digest
    ]
    if len(found) > 1:
        found.sort(key=lambda other: other.order)
    return [
        (round(rule.verify(entry, other).text_logit, 2), kind_of_entries(entry, other))
        for other in found[:COMPARED]
    ]
