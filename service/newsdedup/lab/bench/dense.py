"""Speed by the number of items in the window, on real items brought into one window."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from statistics import fmean

from newsdedup import bootstrap
from newsdedup.adapters.memory.ledger import MemoryLedger
from newsdedup.config import Settings
from newsdedup.core.model import NewsItem
from newsdedup.engine.collector import freeze_survivors
from newsdedup.engine.deduplicate import Deduplicate
from newsdedup.lab.bench.growth import resident_bytes
from newsdedup.lab.bench.peers import MemoryPeer
from newsdedup.lab.bench.quantiles import quantile
from newsdedup.lab.bench.stages import measure_time
from newsdedup.lab.bench.work import CountingStore, count_comparisons
from newsdedup.lab.collections.items import Collection

_STEP = 5_000
_FEWEST_STEPS = 8
"""A smaller collection is measured in steps of an eighth of it."""
_BEGIN = datetime(2026, 1, 1, tzinfo=UTC)


def measure_density(
    collection: Collection,
    settings: Settings,
    *,
    span: timedelta,
    permutations: int,
    say: Callable[[str], None],
) -> dict[str, object]:
    """Judge the items as if all had been published within `span`; return figures of each step.

    The items keep the order of their times, at even distances. Rates are items per second of
    processor time: `rate` of analysis and decision in this process with the store in memory,
    `datasketch` of its index in memory over the same items, step by step in turn. `candidates` and
    `comparisons` are pairs per item: leaders that the look-up found, and pairs compared in full.
    `resident_bytes_per_item` is what the process gained while it judged the step, caches included.
    Each step is passed to `say` as text, too.
    """
    items = list(_compress(collection.items, span))
    engine = _CountingEngine(settings)
    peer = MemoryPeer(permutations=permutations)
    size = min(_STEP, max(1, len(items) // _FEWEST_STEPS))
    steps: list[dict[str, object]] = []
    rates: list[float] = []
    done = 0
    for begin in range(0, len(items) - size + 1, size):
        batch = items[begin : begin + size]
        freeze_survivors()
        done += size
        before = resident_bytes()
        rates.append(_processor_rate(partial(engine.judge, batch), items=size))
        gained = resident_bytes() - before
        theirs = _processor_rate(partial(peer.one_by_one, batch), items=size)
        steps.append(
            {
                "items": done,
                "rate": rates[-1],
                "datasketch": theirs,
                "ratio": round(rates[-1] / theirs, 2),
                **engine.take_counts(),
                "resident_bytes_per_item": gained // size,
            }
        )
        say(f"{steps[-1]}")
    return {
        "rule": settings.rule.name,
        "span_hours": span / timedelta(hours=1),
        "steps": steps,
        "last_against_second": round(rates[-1] / rates[min(1, len(rates) - 1)], 2),
    }


class _CountingEngine:
    """The engine in memory as a run has it, with counts of what each item cost."""

    def __init__(self, settings: Settings) -> None:
        self._rule = bootstrap.make_rule(settings)
        self._analyzer = bootstrap.item_analyzer(settings)
        self._store = CountingStore(self._rule)
        self._engine = Deduplicate(
            rule=self._rule,
            store=self._store,
            ledger=MemoryLedger(),
            recorder=bootstrap.stream_learner(self._rule),
        )
        self._candidates: list[int] = []
        self._comparisons: list[int] = []

    def judge(self, items: Sequence[NewsItem]) -> None:
        """Analyze and judge items in their order."""
        for item in items:
            read, compared = self._store.leaders_read, self._compared()
            self._engine.publish(self._analyzer.analyze(item))
            self._candidates.append(self._store.leaders_read - read)
            self._comparisons.append(self._compared() - compared)

    def take_counts(self) -> dict[str, dict[str, float]]:
        """Return mean and quantiles of the counts since the last call."""
        counts = {
            "candidates": _summary(self._candidates),
            "comparisons": _summary(self._comparisons),
        }
        self._candidates, self._comparisons = [], []
        return counts

    def _compared(self) -> int:
        return count_comparisons(self._rule, self._store)


def _compress(items: Sequence[NewsItem], span: timedelta) -> Iterator[NewsItem]:
    """Yield the dated items in the order of their times, at even distances within the span."""
    dated = [item for item in items if item.published_at is not None]
    dated.sort(key=lambda item: item.published_at or _BEGIN)
    for place, item in enumerate(dated):
        yield replace(
            item, published_at=_BEGIN + span * place / len(dated), updated_at=None, seen_at=None
        )


def _processor_rate(work: Callable[[], object], *, items: int) -> float:
    return measure_time(work, items=items, clock=time.process_time).rate


def _summary(counts: Sequence[int]) -> dict[str, float]:
    """Return mean, median and 99th percentile."""
    ordered = sorted(counts)
    return {
        "mean": round(fmean(ordered), 2),
        "p50": quantile(ordered, 0.5),
        "p99": quantile(ordered, 0.99),
    }
