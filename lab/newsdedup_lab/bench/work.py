"""Counts of the work that an item causes, by the number of items in the window: no times.

The same entries give the same counts on every machine.
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import msgspec

from newsdedup.adapters.memory.ledger import MemoryLedger
from newsdedup.adapters.memory.store import MemoryStore
from newsdedup.bootstrap.rules import make_rule, stream_recorder
from newsdedup.config import Settings
from newsdedup.core.matching.rules import Rule
from newsdedup.core.matching.verified_rule import VerifiedRule
from newsdedup.core.model import Entry
from newsdedup.core.stories.commands import Publish
from newsdedup.core.stories.judge import decide
from newsdedup.core.stories.records import Record
from newsdedup.engine.analyzer import Analyzed
from newsdedup.engine.deduplicate import Deduplicate


class CountingStore(MemoryStore):
    """A store in memory that counts the leaders it returns."""

    def __init__(self, rule: Rule) -> None:
        super().__init__(rule)
        self.leaders_read = 0

    def leaders(self, near: Entry) -> Sequence[Record]:
        """Return the leaders that share enough keys with an entry, and count them."""
        leaders = super().leaders(near)
        self.leaders_read += len(leaders)
        return leaders

    def count_postings(self, near: Entry) -> int:
        """Return how many postings a look-up for the leaders near an entry reads."""
        return self._leaders.count(self._rule.index_keys(near))


class CountingEngine:
    """The engine in memory as a run has it, with the number of its leaders and comparisons."""

    def __init__(self, settings: Settings) -> None:
        self._rule = make_rule(settings)
        self._store = CountingStore(self._rule)
        self._recorder = stream_recorder(self._rule, keeps=False)
        self._engine = Deduplicate(
            rule=self._rule, store=self._store, ledger=MemoryLedger(), recorder=self._recorder
        )

    def publish(self, arrival: Analyzed) -> tuple[int, int]:
        """Judge an item; return how many leaders were read and pairs compared in full for it."""
        read, compared = self._store.leaders_read, self._compared()
        self._engine.publish(arrival)
        return self._store.leaders_read - read, self._compared() - compared

    def count_postings(self, entry: Entry) -> int:
        """Return how many postings the look-up for an entry would read if it was judged now."""
        recorder = self._recorder
        return self._store.count_postings(
            entry if recorder is None else recorder.statistics.freeze(entry)
        )

    def _compared(self) -> int:
        """Return how many pairs have been compared in full so far."""
        return count_comparisons(self._rule, leaders_read=self._store.leaders_read)


def count_comparisons(rule: Rule, *, leaders_read: int) -> int:
    """Return how many pairs a rule has compared in full so far.

    One without bounds, which does not count them, compares all leaders that were read.
    """
    return rule.pairs_compared if isinstance(rule, VerifiedRule) else leaders_read


class Work(NamedTuple):
    """The work that some items caused, as a sum or per item."""

    postings: float
    """Ordinals in the posting lists that were read for them."""
    leaders: float
    """Records that the look-ups for leaders returned."""
    comparisons: float
    """Pairs that the rule compared in full."""
    bytes: float
    """Of their records in MessagePack, the form in which Redis keeps them."""
    blocks: float
    """Blocks of memory that are in use after their decisions and were not before."""

    def minus(self, other: "Work") -> "Work":
        """Return the differences."""
        return Work(*(mine - theirs for mine, theirs in zip(self, other, strict=True)))

    def over(self, divisor: "Work | float") -> "Work":
        """Return the quotients: by a number, or by each value of other work."""
        divisors = divisor if isinstance(divisor, Work) else [divisor] * len(self)
        return Work(*(mine / by for mine, by in zip(self, divisors, strict=True)))


@dataclass(slots=True)
class _Counts:
    """The work done so far over one store."""

    rule: Rule
    store: CountingStore
    postings: int = 0
    bytes: int = 0

    def now(self) -> Work:
        """Return the counts since the start."""
        read = self.store.leaders_read
        compared = count_comparisons(self.rule, leaders_read=read)
        blocks = sys.getallocatedblocks()
        return Work(self.postings, read, compared, self.bytes, blocks)


def work_per_item(entries: Sequence[Entry], rule: Rule, *, sizes: Sequence[int]) -> Iterator[Work]:
    """Decide and store the entries in their order; yield the work per item at each window size.

    Nothing expires. At each of the ascending `sizes` it is the mean over the last quarter of the
    items until there, so that the windows of two sizes are in the proportion of the sizes.
    """
    store = CountingStore(rule)
    counts = _Counts(rule, store)
    begins = {size - size // 4 for size in sizes}
    before = counts.now()
    for number, entry in enumerate(entries, start=1):
        if number - 1 in begins:
            before = counts.now()
        counts.postings += store.count_postings(entry)
        decision = decide(Publish(entry), rule, store)
        store.store(decision, bucket=0)
        counts.bytes += sum(len(msgspec.msgpack.encode(one)) for one in decision.changed)
        del decision
        if number in sizes:
            yield counts.now().minus(before).over(number // 4)
