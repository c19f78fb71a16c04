"""Rates of the processing stages, compared with datasketch in the same run.

Rates are items per second. One pass over the items warms the vocabulary first, as in a stream that
has run for some hours; the rate of that pass is given, too.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from newsdedup import bootstrap
from newsdedup.config import Settings
from newsdedup.core.matching.rules import Rule
from newsdedup.core.model import Entry, NewsItem
from newsdedup.core.text.clean import clean
from newsdedup.core.text.words import tokens
from newsdedup.engine.analyzer import Analyzed, ItemAnalyzer
from newsdedup.engine.batch_analysis import BatchAnalysis
from newsdedup.engine.collector import freeze_survivors
from newsdedup.engine.helper_processes import HelperProcesses
from newsdedup.lab.bench.candidates import INDEX_BATCH, index_all, measure_candidates
from newsdedup.lab.bench.peers import MemoryPeer
from newsdedup.lab.collections.items import Collection, arrival_entries

ReportStage = Callable[[str], None]
PEER_PERMUTATIONS = 128


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
    collection: Collection, settings: Settings, *, helpers: int, say: ReportStage
) -> dict[str, object]:
    """Return items per second of each stage of the engine and of datasketch, and ratios of them.

    `stages` runs indexing and the embedded run with `helpers` further processes, `alone` with none.
    Beside them stand times per candidate and bytes per entry (`measure_candidates`). Raise
    SettingsInvalid if datasketch is not installed.
    """
    items = collection.items
    count = len(items)
    analyzer = bootstrap.item_analyzer(settings)
    say(f"warming the vocabulary over {count:,} items")
    cold = measure_time(lambda: _sign(items, analyzer), items=count)
    say("tokens")
    tokenized = measure_time(lambda: _tokenize(items), items=count)
    say("signature")
    signed = measure_time(lambda: _sign(items, analyzer), items=count)
    say("candidates")
    costs = measure_candidates(
        _in_order(items, BatchAnalysis(analyzer)), bootstrap.make_rule(settings)
    )
    alone = _run_stages(collection, settings, BatchAnalysis(analyzer), say=say)
    shared = alone
    if helpers:
        make = partial(bootstrap.item_analyzer, settings)
        analysis = BatchAnalysis(analyzer, HelperProcesses(helpers, make))
        say(f"warming {helpers} helper processes")
        analysis.wait_for_helpers()
        arrival_entries(_analyzed(items, analysis))
        shared = _run_stages(collection, settings, analysis, say=say)
    say("datasketch")
    index = MemoryPeer(permutations=PEER_PERMUTATIONS)
    peer = measure_time(lambda: index.one_by_one(items), items=count)
    return {
        "items": count,
        "processes": 1 + helpers,
        "stages": {"tokens": tokenized.rate, "signature": signed.rate, **shared},
        "alone": alone,
        **costs,
        "peers": {"datasketch": peer.rate},
        "ratios": _ratios(shared, peer),
        "ratios_alone": _ratios(alone, peer),
        "warm_up": {"items": count, "signature_cold": cold.rate},
        "words": _words(items),
        "left_out": collection.left_out,
    }


def _run_stages(
    collection: Collection, settings: Settings, analysis: BatchAnalysis, *, say: ReportStage
) -> dict[str, float]:
    """Return items per second of analysis with a memory index, and of an embedded run.

    The keys are "index" and "embedded". Both use the helper processes of `analysis`.
    """
    say("signature and memory index")
    rule = bootstrap.make_rule(settings)
    index = measure_time(
        lambda: _index(collection.items, analysis, rule), items=len(collection.items)
    )
    say("embedded run with durable SQLite")
    embedded = time_embedded_run(collection, settings, analysis)
    return {"index": index.rate, "embedded": embedded.rate}


def _ratios(stages: dict[str, float], peer: MeasuredTime) -> dict[str, float]:
    return {f"{name}_vs_datasketch": round(rate / peer.rate, 2) for name, rate in stages.items()}


def _sign(items: Sequence[NewsItem], analyzer: ItemAnalyzer) -> None:
    """Analyze the items one by one in this process."""
    for item in items:
        analyzer.analyze(item)


def _analyzed(items: Sequence[NewsItem], analysis: BatchAnalysis) -> Iterator[Analyzed]:
    """Yield the analyses of the items, computed in batches of 512 by the given processes."""
    for number, one in enumerate(analysis.analyze_stream(items), start=1):
        yield one
        if number % INDEX_BATCH == 0:
            freeze_survivors()  # as a run does between two batches


def _tokenize(items: Sequence[NewsItem]) -> None:
    """Clean the texts and split them into words."""
    for item in items:
        tokens(clean(item.title, item.text)[1])


def _index(items: Sequence[NewsItem], analysis: BatchAnalysis, rule: Rule) -> None:
    index_all(_in_order(items, analysis), rule)


def _in_order(items: Sequence[NewsItem], analysis: BatchAnalysis) -> list[Entry]:
    """Return the entries of the items in time order."""
    return sorted(arrival_entries(_analyzed(items, analysis)), key=lambda entry: entry.order)


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
        places = bootstrap.RunPaths(str(to), Path(folder, "state"), Path(folder, "dead"))
        run = bootstrap.open_run(settings, places)
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
