"""Speed and quality of rules, methods and other libraries over one stream of real items.

Speed is items per second of processor time, quality is F against labelled pairs of the stream.
"""

import time
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any, NamedTuple

from newsdedup import ItemKey, NewsItem
from newsdedup.bootstrap.rules import (
    document_analyzer,
    item_analyzer,
    load_background,
    make_rule,
    stream_recorder,
)
from newsdedup.config import Settings
from newsdedup.config.settings import RULE_NAMES
from newsdedup.core.document import Analyzer
from newsdedup.core.matching.rules import Rule
from newsdedup.core.matching.verified_rule import VerifiedRule
from newsdedup.core.moments import is_dated, to_datetime
from newsdedup.core.words.background import Background
from newsdedup.engine.analyzer import ItemAnalyzer
from newsdedup_lab.bench.best_thresholds import replay_of_pairs, rule_at, thresholds_to_try
from newsdedup_lab.bench.competitors import Competitor, PeerInStream, RuleInStream
from newsdedup_lab.bench.frontier import OURS, PEER, judge_rows
from newsdedup_lab.bench.peers import PEERS, PeerChoice
from newsdedup_lab.bench.repeats import repeat_measurement
from newsdedup_lab.bench.stage_rates import ReportStage, measure_time
from newsdedup_lab.collections.items import Collection, arrival_times
from newsdedup_lab.collections.pairs import LabelledPair, PairFile
from newsdedup_lab.score.replay import Replay, replay_collection
from newsdedup_lab.scores import PairOutcome, full_score


class _Entrant(NamedTuple):
    """A method at one threshold, and how its competitor is made."""

    label: str
    name: str
    kind: str
    scale: str
    threshold: float
    open: Callable[[], Competitor]


@dataclass(frozen=True, slots=True)
class _Stream:
    """The items in the order of their times, and the labelled pairs among them."""

    items: Sequence[NewsItem]
    pairs: Sequence[LabelledPair]
    keys: Sequence[tuple[ItemKey, ItemKey]]
    """Of each pair, the earlier item first."""

    @property
    def labelled(self) -> AbstractSet[ItemKey]:
        """Return the items of the pairs."""
        return {key for both in self.keys for key in both}


def measure_speed_and_quality(
    collection: Collection,
    settings: Settings,
    labels: PairFile,
    *,
    rules: Sequence[str],
    peers: PeerChoice,
    repeats: int = 1,
    say: ReportStage,
) -> dict[str, Any]:
    """Return a row for each rule and each peer at its best threshold, and which are the frontier.

    All of them judge the same items in one process, step by step in turn. Several thresholds are
    tried in the stream, and the best by F remains: of a rule its own and that with the best F in
    direct comparisons, of a peer those in `PEERS`. A pair is found if its later item is judged a
    duplicate and both are in one group. Each repeat begins with empty indexes; rates are medians.
    The first pass of all items, which fills the vocabulary, is not measured.
    """
    table = load_background(settings)
    prepared = _Preparation(settings, table, document_analyzer(settings, table), say)
    items = order_by_arrival(collection.items)
    replay = prepared.replay(items, rules[0])
    pairs = [pair for pair in labels.pairs if replay.contains(pair)]
    stream = _Stream(items, pairs, [_in_order(pair, replay) for pair in pairs])
    entrants: list[_Entrant] = []
    for name in rules:
        entrants += prepared.entrants(name, pairs, replay, stream.labelled)
    for name in peers.present:
        entrants += _peer_entrants(name, stream.labelled)
    qualities: dict[str, dict[str, Any]] = {}
    measured = repeat_measurement(
        lambda: {"rates": _run(stream, entrants, qualities, say=say)}, repeats=repeats
    )
    tried = [
        {
            "label": one.label,
            "name": one.name,
            "kind": one.kind,
            "scale": one.scale,
            "threshold": round(one.threshold, 4),
            "rate": measured["rates"][one.label],
            "rate_range": measured.get("spread", {}).get("rates", {}).get(one.label),
            **qualities[one.label],
        }
        for one in entrants
    ]
    duplicates = sum(pair.duplicate for pair in pairs)
    return {
        "items": len(items),
        "pairs": len(pairs),
        "duplicates": duplicates,
        "pairs_without_items": len(labels.pairs) - len(pairs),
        "pairs_left_out": dict(labels.left_out),
        "repeats": repeats,
        **judge_rows(tried),
        "peers_absent": list(peers.absent),
    }


def order_by_arrival(items: Sequence[NewsItem]) -> list[NewsItem]:
    """Return the items in the order of their times; undated ones get the time that a run gives."""
    waiting = sorted(
        zip(arrival_times(items), items, strict=True), key=lambda both: (both[0], both[1].key)
    )
    return [
        item if is_dated(item) else replace(item, published_at=to_datetime(when))
        for when, item in waiting
    ]


def _in_order(pair: LabelledPair, replay: Replay) -> tuple[ItemKey, ItemKey]:
    """Return the items of a pair, earlier first."""
    earlier, later = replay.entries(pair)
    return earlier.key, later.key


@dataclass(frozen=True, slots=True)
class _Preparation:
    """Makes the rules with the thresholds to try; all share the words of one process."""

    settings: Settings
    table: Background
    documents: Analyzer
    say: ReportStage

    def replay(self, items: Sequence[NewsItem], name: str) -> Replay:
        """Return the items as judged by a rule, which fills the vocabulary."""
        self.say(f"{name}: the first pass over {len(items):,} items")
        rule, analyzer = self._rule(name)
        analyzed = [analyzer.analyze(item) for item in items]
        return replay_collection(analyzed, rule, stream_recorder(rule))

    def entrants(
        self,
        name: str,
        pairs: Sequence[LabelledPair],
        replay: Replay,
        labelled: AbstractSet[ItemKey],
    ) -> list[_Entrant]:
        """Return a rule at each of the thresholds that are tried."""
        rule, analyzer = self._rule(name)
        # The replay of its own rule has what the rule learned from the stream.
        own = replay if name == replay.rule.name else replay_of_pairs(rule, analyzer, pairs, replay)
        scale, thresholds = thresholds_to_try(pairs, own, terms=self.settings.rule.terms)
        self.say(f"{name}: {scale} {', '.join(f'{at:g}' for at in thresholds)}")

        def opener(at: float) -> Callable[[], Competitor]:
            """Return what makes the rule with a threshold."""
            return lambda: RuleInStream(rule_at(rule, at), analyzer, labelled)

        return [_Entrant(f"{name} {at}", name, OURS, scale, at, opener(at)) for at in thresholds]

    def _rule(self, name: str) -> tuple[Rule, ItemAnalyzer]:
        """Return a rule and the analyzer of its items."""
        chosen = replace(self.settings.rule, name=name, fingerprints=())
        settings = replace(self.settings, rule=chosen)
        return make_rule(settings), item_analyzer(settings, self.table, self.documents)


def _peer_entrants(name: str, labelled: AbstractSet[ItemKey]) -> list[_Entrant]:
    """Return a peer at each of the thresholds that are tried."""
    peer = PEERS[name]

    def opener(at: float) -> Callable[[], Competitor]:
        """Return what makes the peer with a threshold."""
        return lambda: PeerInStream(peer.open_index(at), labelled)

    return [
        _Entrant(f"{name} ({PEER}) {at:g}", name, PEER, peer.scale, at, opener(at))
        for at in peer.thresholds
    ]


def _run(
    stream: _Stream,
    entrants: Sequence[_Entrant],
    qualities: dict[str, dict[str, Any]],
    *,
    say: ReportStage,
) -> dict[str, float]:
    """Let all entrants judge the stream in turn; return items per second by label.

    `qualities` gets the scores of each by label: they are the same in every repeat.
    """
    running = {one.label: one.open() for one in entrants}
    seconds = dict.fromkeys(running, 0.0)
    count = 0
    for batch in _steps(stream.items):
        count += len(batch)
        for label, competitor in running.items():
            work = partial(competitor.judge, batch)
            took = measure_time(work, items=len(batch), clock=time.process_time)
            seconds[label] += took.seconds
        say(f"{count:,} items judged, {len(running)} times each")
    for label, competitor in running.items():
        qualities[label] = _quality(stream, competitor)
    return {label: round(count / took, 1) for label, took in seconds.items()}


def _quality(stream: _Stream, competitor: Competitor) -> dict[str, Any]:
    """Return precision, recall and F, plain and weighted, of the pairs that were found."""
    outcomes = [
        PairOutcome(pair.duplicate, competitor.finds(*keys), pair.weight)
        for pair, keys in zip(stream.pairs, stream.keys, strict=True)
    ]
    return {
        "plain": asdict(full_score(outcomes)),
        "weighted": asdict(full_score(outcomes, weighted=True)),
    }


_STEP = 5_000


def _steps(items: Sequence[NewsItem]) -> list[Sequence[NewsItem]]:
    """Return all items in steps of 5,000, the last one with what remains."""
    return [items[begin : begin + _STEP] for begin in range(0, len(items), _STEP)]


def measured_rules(name: str | None) -> list[str]:
    """Return the rule of this name alone, or all rules and methods, `verified` first."""
    return [name] if name else sorted(RULE_NAMES, key=lambda one: one != VerifiedRule.name)
