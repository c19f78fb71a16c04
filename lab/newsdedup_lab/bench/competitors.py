"""Rules of the product and other libraries over one stream, and which labelled pairs they find."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Protocol

from newsdedup import ItemKey, NewsItem
from newsdedup.adapters.memory.ledger import MemoryLedger
from newsdedup.adapters.memory.store import MemoryStore
from newsdedup.bootstrap.rules import stream_recorder
from newsdedup.core.matching.rules import Rule
from newsdedup.core.stories.records import Record
from newsdedup.engine.analyzer import ItemAnalyzer
from newsdedup.engine.deduplicate import Deduplicate
from newsdedup_lab.bench.peers import StreamPeer


class Competitor(Protocol):
    """What judges the items of a stream one by one."""

    def judge(self, items: Sequence[NewsItem]) -> None:
        """Judge the next items of the stream."""
        ...

    def finds(self, earlier: ItemKey, later: ItemKey) -> bool:
        """Return whether a labelled pair was found: as duplicates, or in one group."""
        ...


class RuleInStream:
    """A rule of the product with its store in memory, in one process."""

    def __init__(self, rule: Rule, analyzer: ItemAnalyzer, labelled: AbstractSet[ItemKey]) -> None:
        """`labelled` are the items of the labelled pairs, whose records are kept."""
        self._analyzer = analyzer
        self._labelled = labelled
        self._store = MemoryStore(rule)
        self._engine = Deduplicate(
            rule=rule, store=self._store, ledger=MemoryLedger(), recorder=stream_recorder(rule)
        )
        self._records: dict[ItemKey, Record] = {}

    def judge(self, items: Sequence[NewsItem]) -> None:
        """Analyze and judge the items."""
        for item in items:
            self._engine.publish(self._analyzer.analyze(item))
            if item.key in self._labelled:
                record = self._store.known(item.key)
                if record is not None:
                    self._records[item.key] = record

    def finds(self, earlier: ItemKey, later: ItemKey) -> bool:
        """Return whether the later item is a duplicate and both are in one story."""
        first, second = self._records.get(earlier), self._records.get(later)
        if first is None or second is None:
            return False
        return first.story == second.story and second.verdict == "duplicate"


class PeerInStream:
    """The index of another library; an item joins the group of the earliest item it finds."""

    def __init__(self, index: StreamPeer, labelled: AbstractSet[ItemKey]) -> None:
        """`labelled` are the items of the labelled pairs, whose results are kept."""
        self._index = index
        self._labelled = labelled
        self._groups: list[int] = []
        self._numbers: dict[ItemKey, int] = {}
        self._neighbours: dict[ItemKey, frozenset[int]] = {}

    def judge(self, items: Sequence[NewsItem]) -> None:
        """Look up and add the items."""
        for item in items:
            number = len(self._groups)
            found = self._index.find_and_add(item)
            self._groups.append(self._groups[min(found)] if found else number)
            if item.key in self._labelled:
                self._numbers[item.key] = number
                self._neighbours[item.key] = frozenset(found)

    def finds(self, earlier: ItemKey, later: ItemKey) -> bool:
        """Return whether the look-up of the later item found the earlier one, or their group."""
        first, second = self._numbers[earlier], self._numbers[later]
        return first in self._neighbours[later] or self._groups[first] == self._groups[second]
