"""Rates of the processing stages, compared with other libraries in the same run.

Rates are items per second. One pass over the items warms the vocabulary first, as in a stream that
has run for some hours; the rate of that pass is given, too.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from newsdedup import NewsItem
from newsdedup.bootstrap.rules import item_analyzer, make_rule
from newsdedup.bootstrap.runs import RunPaths, open_run
from newsdedup.config import Settings
from newsdedup.core.matching.rules import Rule
from newsdedup.core.model import Entry
from newsdedup.core.text.clean import clean
from newsdedup.core.text.tokens import tokens
from newsdedup.engine.analyzer import ItemAnalyzer
from newsdedup.engine.arrivals import BatchAnalysis
from newsdedup.engine.collector import freeze_survivors
from newsdedup.engine.helper_processes import HelperProcesses
from newsdedup_lab.bench.candidates import in_batches, index_all, measure_candidates
from newsdedup_lab.bench.peers import PEERS, PeerChoice
from newsdedup_lab.bench.repeats import repeat_measurement
from newsdedup_lab.collections.items import Collection, arrival_entries

ReportStage = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class MeasuredTime:
    """The seconds that some items took."""

    items: int
    seconds: float

    @property
    def rate(self) -> float:
        """Return items per second."""
        return round(self.items / self.seconds, 1)


def measure_time(
    work: Callable[[], object], *, items: int, clock: Callable[[], float] = time.perf_counter
) -> MeasuredTime:
    """Call `work`, which processes `items` items, once, and return their number and its seconds.

    `clock` returns seconds: of the wall, unless it is another one (time.process_time).
    """
    freeze_survivors()
    begin = clock()
    work()
    return MeasuredTime(items, clock() - begin)


def bench_stages(
    collection: Collection,
    settings: Settings,
    *,
    helpers: int,
    peers: PeerChoice,
    repeats: int = 1,
    say: ReportStage,
) -> dict[str, object]:
    """Return items per second of each stage of the engine and of the peers, and ratios of them.

    Each repeat runs every stage and every peer in turn; the result has the medians. `stages` runs
    indexing and the embedded run with `helpers` further processes, `alone` with none. The result
    also has times per candidate and bytes per entry (`measure_candidates`), measured once.
    """
    items = collection.items
    count = len(items)
    analyzer = item_analyzer(settings)
    say(f"warming the vocabulary over {count:,} items")
    cold = measure_time(lambda: _sign(items, analyzer), items=count)
    say("candidates")
    costs = measure_candidates(_in_order(items, BatchAnalysis(analyzer)), make_rule(settings))
    shared = None
    if helpers:
        make = partial(item_analyzer, settings)
        shared = BatchAnalysis(analyzer, HelperProcesses(helpers, make))
        say(f"warming {helpers} helper processes")
        shared.wait_for_helpers()
        arrival_entries(in_batches(shared.analyze_stream(items)))
    paths = _Paths(collection, settings, analyzer, shared, peers, say)
    try:
        rates = repeat_measurement(paths.measure, repeats=repeats)
    finally:
        if shared is not None:
            shared.close()
    return {
        "rule": settings.rule.name,
        "items": count,
        "processes": 1 + helpers,
        **rates,
        "peers_absent": list(peers.absent),
        **costs,
        "warm_up": {"items": count, "signature_cold": cold.rate},
        "words": _words(items),
        "left_out": collection.left_out,
    }


@dataclass(frozen=True, slots=True)
class _Paths:
    """The stages and the peers that are measured in turn."""

    collection: Collection
    settings: Settings
    analyzer: ItemAnalyzer
    shared: BatchAnalysis | None
    """The analysis with helper processes, None without them."""
    peers: PeerChoice
    say: ReportStage

    def measure(self) -> dict[str, dict[str, float]]:
        """Measure every path once; return rates and ratios."""
        items = self.collection.items
        count = len(items)
        self.say("tokens")
        tokenized = measure_time(lambda: _tokenize(items), items=count)
        self.say("signature")
        signed = measure_time(lambda: _sign(items, self.analyzer), items=count)
        alone = self._run_stages(BatchAnalysis(self.analyzer))
        shared = alone if self.shared is None else self._run_stages(self.shared)
        peers = {name: self._time_peer(name).rate for name in self.peers.present}
        return {
            "stages": {"tokens": tokenized.rate, "signature": signed.rate, **shared},
            "alone": alone,
            "peers": peers,
            "ratios": _ratios(shared, peers),
            "ratios_alone": _ratios(alone, peers),
        }

    def _run_stages(self, analysis: BatchAnalysis) -> dict[str, float]:
        """Return items per second of analysis with a memory index, and of an embedded run.

        The keys are "index" and "embedded". Both use the helper processes of `analysis`.
        """
        self.say("signature and memory index")
        rule = make_rule(self.settings)
        items = self.collection.items
        index = measure_time(lambda: _index(items, analysis, rule), items=len(items))
        self.say("embedded run with durable SQLite")
        embedded = time_embedded_run(self.collection, self.settings, analysis)
        return {"index": index.rate, "embedded": embedded.rate}

    def _time_peer(self, name: str) -> MeasuredTime:
        """Time a peer over all items, with an empty index at first."""
        self.say(name)
        index = PEERS[name].open_index()
        items = self.collection.items
        return measure_time(lambda: index.one_by_one(items), items=len(items))


def _ratios(stages: dict[str, float], peers: dict[str, float]) -> dict[str, float]:
    """Return the rate of each stage divided by that of each peer."""
    return {
        f"{name}_vs_{peer}": round(rate / theirs, 3)
        for peer, theirs in peers.items()
        for name, rate in stages.items()
    }


def _sign(items: Sequence[NewsItem], analyzer: ItemAnalyzer) -> None:
    """Analyze the items one by one in this process."""
    for item in items:
        analyzer.analyze(item)


def _tokenize(items: Sequence[NewsItem]) -> None:
    """Clean the texts and split them into words."""
    for item in items:
        tokens(clean(item.title, item.text)[1])


def _index(items: Sequence[NewsItem], analysis: BatchAnalysis, rule: Rule) -> None:
    """Analyze the items and decide them in a memory store."""
    index_all(_in_order(items, analysis), rule)


def _in_order(items: Sequence[NewsItem], analysis: BatchAnalysis) -> list[Entry]:
    """Return the entries of the items in time order."""
    entries = arrival_entries(in_batches(analysis.analyze_stream(items)))
    return sorted(entries, key=lambda entry: entry.order)


def time_embedded_run(
    collection: Collection, settings: Settings, analysis: BatchAnalysis
) -> MeasuredTime:
    """Time a run over a file of the items, which writes events, dead letters and state.

    `analysis` replaces the analysis of the run. The files are temporary; opening the run is not
    timed.
    """
    with TemporaryDirectory() as folder:
        source, to = Path(folder, "items.jsonl"), Path(folder, "events.jsonl")
        source.write_bytes(b"".join(line + b"\n" for line in collection.received))
        indexes = RunPaths(str(to), Path(folder, "state"), Path(folder, "dead"))
        run = open_run(settings, indexes)
        run.analysis = analysis
        try:
            return measure_time(lambda: list(run.over([str(source)])), items=len(collection.items))
        finally:
            run.outputs.events.close()
            run.state.close()


def _words(items: Sequence[NewsItem]) -> dict[str, int]:
    """Return how many words the clean texts have ("running") and how many forms ("different")."""
    forms: set[str] = set()
    running = 0
    for item in items:
        found = tokens(clean(item.title, item.text)[1])
        running += len(found)
        forms.update(found)
    return {"running": running, "different": len(forms)}
