"""Labelled pairs against the engine: what the stream finds, and what the rule says directly."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass

from newsdedup.adapters.memory_ledger import MemoryLedger
from newsdedup.adapters.memory_store import MemoryStore
from newsdedup.core.model import Entry, ItemKey, Match
from newsdedup.core.prefix import meet
from newsdedup.core.records import Known, Record
from newsdedup.core.rules import Rule
from newsdedup.core.scores import Outcome, score
from newsdedup.core.window import Watermark, effective_at
from newsdedup.deduplicate import Analyzed, Deduplicate, School
from newsdedup.lab.intervals import intervals
from newsdedup.lab.named_items import NamedItems, named_items
from newsdedup.lab.pairs import Found, LabelledPair, slices

HOUR = 3_600_000_000
NO_MATCH = Match(0.0, "none")


@dataclass(frozen=True, slots=True)
class Replay:
    """A collection as the engine judged it, each item by what came before."""

    rule: Rule
    names: NamedItems
    analyzed: dict[ItemKey, Analyzed]
    judged: dict[ItemKey, Record]
    """The items came in the total order, so the first verdict is the last."""

    def knows(self, pair: LabelledPair) -> bool:
        """Return whether both items of a pair are in the collection."""
        return self.names.of(pair) is not None

    def keys(self, pair: LabelledPair) -> tuple[ItemKey, ItemKey]:
        """Return both items of a pair that is known."""
        found = self.names.of(pair)
        if found is None:
            raise KeyError(pair.left, pair.right)
        return found

    def entries(self, pair: LabelledPair) -> tuple[Entry, Entry]:
        """Return the entries of a pair, the earlier first."""
        left, right = (self.judged[key].entry for key in self.keys(pair))
        return (left, right) if left.order < right.order else (right, left)

    def hours(self, pair: LabelledPair) -> float:
        """Return how far apart in time the items of a pair are."""
        earlier, later = self.entries(pair)
        return (later.effective_at - earlier.effective_at) / HOUR

    def in_one_story(self, pair: LabelledPair) -> bool:
        """Return whether the later was judged a duplicate and both are in one story."""
        earlier, later = (self.judged[entry.key] for entry in self.entries(pair))
        return earlier.story == later.story and later.verdict == "duplicate"

    def match(self, pair: LabelledPair) -> Match:
        """Return what the rule says of a pair directly."""
        return self.rule.match(*self.entries(pair)) or NO_MATCH

    def retrievable(self, pair: LabelledPair) -> bool:
        """Return whether a look-up by one item finds the other: nothing beyond the window."""
        earlier, later = self.entries(pair)
        if later.effective_at - earlier.effective_at > self.rule.window:
            return False
        return meet(self.rule.filing(earlier), self.rule.filing(later))


def replayed(analyzed: Iterable[Analyzed], rule: Rule, school: School | None = None) -> Replay:
    """Return how the items are judged when they come in the order of their times."""
    nowhere = Watermark()

    def order(one: Analyzed) -> tuple[int, ItemKey]:
        return effective_at(one.item, nowhere), one.item.key

    store = MemoryStore(rule)
    deduplicate = Deduplicate(rule=rule, store=store, ledger=MemoryLedger(), school=school)
    items: dict[ItemKey, Analyzed] = {}
    judged: dict[ItemKey, Record] = {}
    for one in sorted(analyzed, key=order):
        deduplicate.publish(one)
        items[one.item.key] = one
        judged[one.item.key] = store.answer(Known(one.item.key))[0]
    return Replay(rule, named_items(items), items, judged)


def report(pairs: Sequence[LabelledPair], replay: Replay) -> dict[str, object]:
    """Return the scores of the stream and of the bare decision, whole and by slice."""
    known = [pair for pair in pairs if replay.knows(pair)]
    stream = _outcomes(known, replay.in_one_story)
    decision = _outcomes(known, lambda pair: replay.match(pair).duplicate)
    return {
        "pairs": len(known),
        "pairs_without_items": len(pairs) - len(known),
        "rule": replay.rule.version,
        **_scores(stream),
        "intervals": _intervals(stream),
        "decision": {**_scores(decision), "intervals": _intervals(decision)},
        "candidates": _candidates(known, replay),
        "relations": _relations(known, replay),
        "slices": _sliced(known, replay),
    }


def _outcomes(pairs: Iterable[LabelledPair], found: Found) -> list[Outcome]:
    return [Outcome(pair.duplicate, found(pair), pair.weight) for pair in pairs]


def _scores(outcomes: Sequence[Outcome]) -> dict[str, object]:
    return {
        "plain": asdict(score(outcomes)),
        "weighted": asdict(score(outcomes, weighted=True)),
    }


def _intervals(outcomes: Sequence[Outcome]) -> dict[str, object]:
    return {
        "plain": intervals(outcomes, weighted=False),
        "weighted": intervals(outcomes, weighted=True),
    }


def _candidates(pairs: Iterable[LabelledPair], replay: Replay) -> dict[str, float]:
    """Return the share of the duplicates that a look-up finds: recall can be no better."""
    outcomes = _outcomes([pair for pair in pairs if pair.duplicate], replay.retrievable)
    return {
        "plain": score(outcomes).recall,
        "weighted": score(outcomes, weighted=True).recall,
    }


def _relations(pairs: Iterable[LabelledPair], replay: Replay) -> dict[str, dict[str, int]]:
    """Return how often each class of the guide was given each relation by the bare decision."""
    table: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for pair in pairs:
        if pair.label:
            table[pair.label][replay.match(pair).relation] += 1
    return {label: dict(sorted(row.items())) for label, row in sorted(table.items())}


def _sliced(pairs: Iterable[LabelledPair], replay: Replay) -> dict[str, object]:
    """Return the scores of each slice, with how many pairs were found."""
    parts: dict[str, list[LabelledPair]] = defaultdict(list)
    for pair in pairs:
        left, right = (replay.analyzed[key] for key in replay.keys(pair))
        for name in slices(pair, left, right, replay.hours(pair)):
            parts[name].append(pair)
    told: dict[str, object] = {}
    for name in sorted(parts):
        outcomes = _outcomes(parts[name], replay.in_one_story)
        hits = sum(outcome.found for outcome in outcomes)
        told[name] = {"pairs": len(outcomes), "found": hits, **_scores(outcomes)}
    return told
