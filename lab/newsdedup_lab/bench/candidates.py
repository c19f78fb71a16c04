"""Measures what a rule costs: time per comparison with a candidate, and bytes per entry."""

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from statistics import median, quantiles
from typing import TypeVar

import msgspec

from newsdedup.adapters.memory.store import MemoryStore
from newsdedup.core.matching.index_keys import IndexKeys
from newsdedup.core.matching.rows import CandidateFilter
from newsdedup.core.matching.rules import MatchDetails, Matcher, Rule
from newsdedup.core.model import Entry, Match, Micros
from newsdedup.core.stories.commands import Publish
from newsdedup.core.stories.judge import decide
from newsdedup.core.stories.window import BUCKETS
from newsdedup.engine.collector import freeze_survivors

_BATCH = 512
_T = TypeVar("_T")


def in_batches(things: Iterable[_T]) -> Iterator[_T]:
    """Yield things; after each 512 free what they left over, as a run does between two batches."""
    for number, one in enumerate(things, start=1):
        yield one
        if number % _BATCH == 0:
            freeze_survivors()


def index_all(entries: Sequence[Entry], rule: Rule) -> MemoryStore:
    """Decide each entry as a new item and store it; return the memory store with all of them.

    Entries must come in time order. They expire by buckets of the rule's window, as in a run.
    """
    store = MemoryStore(rule)
    width = max(1, rule.window // BUCKETS)
    for entry in in_batches(entries):
        bucket = entry.effective_at // width
        store.expire(before=bucket - BUCKETS - 1)
        store.store(decide(Publish(entry), rule, store), bucket=bucket)
    return store


_NANOSECONDS = 1_000


@dataclass(frozen=True, slots=True)
class ClockedRule:
    """A rule whose comparisons are timed; its decisions are unchanged."""

    rule: Rule
    spent: list[int] = field(default_factory=list)
    """Nanoseconds of each comparison with a candidate."""

    @property
    def name(self) -> str:
        """Return the name of the rule."""
        return self.rule.name

    @property
    def version(self) -> str:
        """Return the version of the rule."""
        return self.rule.version

    @property
    def window(self) -> Micros:
        """Return the window of the rule."""
        return self.rule.window

    def index_keys(self, entry: Entry) -> IndexKeys:
        """Return the index keys that the rule gives an entry."""
        return self.rule.index_keys(entry)

    def details(self, left: Entry, right: Entry) -> MatchDetails:
        """Return what the rule compares of two entries."""
        return self.rule.details(left, right)

    def match(self, left: Entry, right: Entry) -> Match | None:
        """Return the match of the rule, None if two entries do not match."""
        return self.rule.match(left, right)

    @property
    def candidate_filter(self) -> CandidateFilter | None:
        """Return the filter of the rule for candidates, None without one."""
        return self.rule.candidate_filter

    def matcher(self, one: Entry) -> Matcher:
        """Return the rule's comparison of other entries with `one`, timed.

        Each comparison appends its nanoseconds to `spent`; its result is unchanged.
        """
        matching, spent = self.rule.matcher(one), self.spent

        def clocked(other: Entry) -> Match | None:
            """Compare another entry, and append the nanoseconds that it took to `spent`."""
            begin = time.perf_counter_ns()
            found = matching(other)
            spent.append(time.perf_counter_ns() - begin)
            return found

        return clocked


def measure_candidates(entries: Sequence[Entry], rule: Rule) -> dict[str, dict[str, object]]:
    """Decide and store the entries in order; return time per comparison and bytes per entry.

    `candidates` has the number of comparisons with candidates and their median and 99th percentile
    in microseconds; `entry_bytes` has the median and the largest size of an entry in MessagePack,
    the form in which Redis stores it within a record.
    """
    clocked = ClockedRule(rule)
    index_all(entries, clocked)
    sizes = sorted(len(msgspec.msgpack.encode(entry)) for entry in entries)
    return {
        "candidates": {"compared": len(clocked.spent), **_microseconds(clocked.spent)},
        "entry_bytes": {"p50": round(median(sizes)), "most": sizes[-1]},
    }


def _microseconds(spent: Sequence[int]) -> dict[str, float]:
    """Return median and 99th percentile in microseconds of nanoseconds; {} for fewer than two."""
    if len(spent) < 2:
        return {}
    return {
        "p50_us": round(median(spent) / _NANOSECONDS, 1),
        "p99_us": round(quantiles(spent, n=100)[-1] / _NANOSECONDS, 1),
    }
