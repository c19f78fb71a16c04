"""What a rule costs for one candidate, and for one entry."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median, quantiles

import msgspec

from newsdedup.core.matching.prefix import IndexKeys
from newsdedup.core.matching.rules import MatchDetails, Matcher, Rule
from newsdedup.core.model import Entry, Match, Micros
from newsdedup.lab.bench.index import index_all

NANOSECONDS = 1_000


@dataclass(frozen=True, slots=True)
class Clocked:
    """A rule whose comparisons are timed; its answers are those of the rule."""

    rule: Rule
    spent: list[int] = field(default_factory=list)
    """Nanoseconds of each comparison with a candidate."""

    @property
    def name(self) -> str:
        """The name of the rule."""
        return self.rule.name

    @property
    def version(self) -> str:
        """The version of the rule."""
        return self.rule.version

    @property
    def window(self) -> Micros:
        """The window of the rule."""
        return self.rule.window

    def index_keys(self, entry: Entry) -> IndexKeys:
        """Return what the rule does."""
        return self.rule.index_keys(entry)

    def details(self, left: Entry, right: Entry) -> MatchDetails:
        """Return what the rule does."""
        return self.rule.details(left, right)

    def match(self, left: Entry, right: Entry) -> Match | None:
        """Return what the rule does."""
        return self.rule.match(left, right)

    def matcher(self, one: Entry) -> Matcher:
        """Return what the rule does, timed."""
        matching, spent = self.rule.matcher(one), self.spent

        def clocked(other: Entry) -> Match | None:
            begin = time.perf_counter_ns()
            found = matching(other)
            spent.append(time.perf_counter_ns() - begin)
            return found

        return clocked


def candidates_and_entries(found: Sequence[Entry], rule: Rule) -> dict[str, dict[str, object]]:
    """Return the time of a candidate and the bytes of an entry, while entries are judged in order.

    The bytes are those of MessagePack, as Redis keeps an entry within its record.
    """
    clocked = Clocked(rule)
    index_all(found, clocked)
    sizes = sorted(len(msgspec.msgpack.encode(entry)) for entry in found)
    return {
        "candidates": {"compared": len(clocked.spent), **_microseconds(clocked.spent)},
        "entry_bytes": {"p50": round(median(sizes)), "most": sizes[-1]},
    }


def _microseconds(spent: Sequence[int]) -> dict[str, float]:
    if len(spent) < 2:
        return {}
    return {
        "p50_us": round(median(spent) / NANOSECONDS, 1),
        "p99_us": round(quantiles(spent, n=100)[-1] / NANOSECONDS, 1),
    }
