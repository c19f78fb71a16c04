"""Replays a collection through the engine and answers what became of labelled pairs."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace

from newsdedup import ItemKey
from newsdedup.adapters.memory.ledger import MemoryLedger
from newsdedup.adapters.memory.store import MemoryStore
from newsdedup.core.matching.index_keys import are_candidates
from newsdedup.core.matching.rules import Rule
from newsdedup.core.matching.statistics_recorder import StatisticsRecorder
from newsdedup.core.model import Entry, Match, Micros
from newsdedup.core.moments import HOUR, is_dated, to_datetime
from newsdedup.core.stories.records import Record
from newsdedup.engine.analyzer import Analyzed
from newsdedup.engine.deduplicate import Deduplicate
from newsdedup_lab.collections.items import arrival_times
from newsdedup_lab.collections.pairs import ItemNames, LabelledPair, index_names, pair_slices
from newsdedup_lab.report.study_stages import NoProgress, StepProgress

_NO_MATCH = Match(0.0, "none")


@dataclass(frozen=True, slots=True)
class Replay:
    """The analyzed items and the final record of each."""

    rule: Rule
    names: ItemNames
    analyzed: dict[ItemKey, Analyzed]
    verdicts: dict[ItemKey, Record]
    """The items came in the total order, so the first verdict is the last."""

    def contains(self, pair: LabelledPair) -> bool:
        """Return whether both items of a pair are in the collection."""
        return self.names.resolve_pair(pair) is not None

    def keys(self, pair: LabelledPair) -> tuple[ItemKey, ItemKey]:
        """Return the keys of a pair; raise KeyError if an item is missing."""
        found = self.names.resolve_pair(pair)
        if found is None:
            raise KeyError(pair.left, pair.right)
        return found

    def entries(self, pair: LabelledPair) -> tuple[Entry, Entry]:
        """Return the entries of a pair, earlier first; raise KeyError if one is missing."""
        left, right = (self.verdicts[key].entry for key in self.keys(pair))
        return (left, right) if left.order < right.order else (right, left)

    def records(self, pair: LabelledPair) -> tuple[Record, Record]:
        """Return the final records of both items of a pair, the earlier item's first."""
        earlier, later = self.entries(pair)
        return self.verdicts[earlier.key], self.verdicts[later.key]

    def hours(self, pair: LabelledPair) -> float | None:
        """Return the hours between the items of a pair, None if one of them is undated."""
        if not all(is_dated(self.analyzed[key].item) for key in self.keys(pair)):
            return None
        earlier, later = self.entries(pair)
        return (later.effective_at - earlier.effective_at) / HOUR

    def within_window(self, pair: LabelledPair) -> bool:
        """Return whether the times of a pair lie within the window of the rule."""
        earlier, later = self.entries(pair)
        return later.effective_at - earlier.effective_at <= self.rule.window

    def in_one_story(self, pair: LabelledPair) -> bool:
        """Return whether the later item of a pair is a duplicate and both are in one story.

        The outcome is that of the stream, not of a direct comparison.
        """
        earlier, later = (self.verdicts[entry.key] for entry in self.entries(pair))
        return earlier.story == later.story and later.verdict == "duplicate"

    def match(self, pair: LabelledPair) -> Match:
        """Return the direct decision of the rule on a pair."""
        return self.rule.match(*self.entries(pair)) or _NO_MATCH

    def is_candidate(self, pair: LabelledPair) -> bool:
        """Return whether the items of a pair share a look-up key and lie within the window."""
        earlier, later = self.entries(pair)
        near = self.within_window(pair)
        return near and are_candidates(self.rule.index_keys(earlier), self.rule.index_keys(later))

    def slices(self, pairs: Iterable[LabelledPair]) -> dict[str, list[LabelledPair]]:
        """Return the pairs of each slice, such as lang=uk, by its name; a pair is in several."""
        parts: defaultdict[str, list[LabelledPair]] = defaultdict(list)
        for pair in pairs:
            left, right = (self.analyzed[key] for key in self.keys(pair))
            for name in pair_slices(pair, left, right, self.hours(pair)):
                parts[name].append(pair)
        return {name: parts[name] for name in sorted(parts)}


def replay_collection(
    analyzed: Iterable[Analyzed],
    rule: Rule,
    recorder: StatisticsRecorder | None = None,
    *,
    watch: StepProgress | None = None,
) -> Replay:
    """Pass the items to the engine in the order of their times; return the final records.

    The items are given in file order. An undated one gets the time that it has in a run: right
    after the item before it. `recorder` learns from the stream, as the rule `verified` needs.
    """
    came = list(analyzed)
    at = arrival_times(one.item for one in came)
    store = MemoryStore(rule)
    deduplicate = Deduplicate(rule=rule, store=store, ledger=MemoryLedger(), recorder=recorder)
    items: dict[ItemKey, Analyzed] = {}
    judged: dict[ItemKey, Record] = {}
    waiting = sorted(zip(at, came, strict=True), key=lambda pair: (pair[0], pair[1].item.key))
    with (watch or NoProgress()).step("judging", len(waiting)) as advance:
        for when, one in waiting:
            deduplicate.publish(one if is_dated(one.item) else _with_time(one, when))
            items[one.item.key] = one
            record = store.known(one.item.key)
            if record is not None:
                judged[one.item.key] = record
            advance(1)
    return Replay(rule, index_names(items), items, judged)


def _with_time(one: Analyzed, at: Micros) -> Analyzed:
    """Return an analyzed item as if it had been published at a time."""
    return replace(one, item=replace(one.item, published_at=to_datetime(at)))
