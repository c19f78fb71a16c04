"""Speed by the number of items in the window, on real items brought into one window."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial

from newsdedup import NewsItem
from newsdedup.bootstrap.rules import item_analyzer
from newsdedup.config import Settings
from newsdedup.engine.collector import freeze_survivors
from newsdedup.ports.errors import SourceUnusable
from newsdedup_lab.bench.growth import resident_bytes
from newsdedup_lab.bench.peers import PEERS, PeerChoice
from newsdedup_lab.bench.quantiles import summarize_counts
from newsdedup_lab.bench.repeats import repeat_measurement
from newsdedup_lab.bench.stage_rates import measure_time
from newsdedup_lab.bench.work import CountingEngine
from newsdedup_lab.collections.items import Collection

_STEP = 5_000
_FEWEST_STEPS = 8
"""A smaller collection is measured in steps of an eighth of it."""
_BEGIN = datetime(2026, 1, 1, tzinfo=UTC)


def measure_density(
    collection: Collection,
    settings: Settings,
    *,
    span: timedelta,
    peers: PeerChoice,
    repeats: int = 1,
    say: Callable[[str], None],
) -> dict[str, object]:
    """Judge the items as if all had been published within `span`; return measurements of each step.

    The items keep the order of their times, at even distances. Rates are items per second of
    processor time: `rate` of analysis and decision in this process with the store in memory,
    `peers` of other libraries over the same items, step by step in turn. `candidates` and
    `comparisons` are pairs per item: leaders that the look-up found, and pairs compared in full.
    `resident_bytes_per_item` is what the process gained while it judged the step the first time,
    caches included. Each repeat begins with empty indexes; the result has the medians. Each step is
    passed to `say` as text, too.
    """
    items = compress_times(collection.items, span)
    memory: list[int] = []
    measurements = repeat_measurement(
        lambda: _fill_window(items, settings, peers, memory, say=say), repeats=repeats
    )
    for step, gained in zip(measurements["steps"], memory, strict=False):
        step["resident_bytes_per_item"] = gained
    return {
        "rule": settings.rule.name,
        "span_hours": span / timedelta(hours=1),
        **measurements,
        "peers_absent": list(peers.absent),
    }


def _fill_window(
    items: Sequence[NewsItem],
    settings: Settings,
    peers: PeerChoice,
    memory: list[int],
    *,
    say: Callable[[str], None],
) -> dict[str, object]:
    """Judge all items once, in steps; return the measurements of the steps.

    The resident bytes that an item of each step took are appended to `memory`.
    """
    engine = _Judge(settings)
    indexes = {name: PEERS[name].open_index() for name in peers.present}
    steps: list[dict[str, object]] = []
    rates: list[float] = []
    for batch in window_steps(items):
        freeze_survivors()
        before = resident_bytes()
        rates.append(_processor_rate(partial(engine.judge, batch), items=len(batch)))
        memory.append((resident_bytes() - before) // len(batch))
        theirs = {
            name: _processor_rate(partial(index.one_by_one, batch), items=len(batch))
            for name, index in indexes.items()
        }
        steps.append(
            {
                "items": (len(steps) + 1) * len(batch),
                "rate": rates[-1],
                "peers": theirs,
                "ratios": {name: round(rates[-1] / rate, 3) for name, rate in theirs.items()},
                **engine.take_counts(),
            }
        )
        say(f"{steps[-1]}")
    return {"steps": steps, "last_against_second": last_against_second(rates)}


class _Judge:
    """Analyzes and judges items in memory; keeps the counts of what each item cost."""

    def __init__(self, settings: Settings) -> None:
        self._analyzer = item_analyzer(settings)
        self._engine = CountingEngine(settings)
        self._candidates: list[int] = []
        self._comparisons: list[int] = []

    def judge(self, items: Sequence[NewsItem]) -> None:
        """Analyze and judge items in their order."""
        for item in items:
            candidates, comparisons = self._engine.publish(self._analyzer.analyze(item))
            self._candidates.append(candidates)
            self._comparisons.append(comparisons)

    def take_counts(self) -> dict[str, dict[str, float]]:
        """Return mean and quantiles of the counts since the last call."""
        counts = {
            "candidates": summarize_counts(self._candidates),
            "comparisons": summarize_counts(self._comparisons),
        }
        self._candidates, self._comparisons = [], []
        return counts


def compress_times(items: Sequence[NewsItem], span: timedelta) -> list[NewsItem]:
    """Return the dated items in the order of their times, at even distances within the span.

    Raise SourceUnusable if no item is dated.
    """
    dated = [item for item in items if item.published_at is not None]
    if not dated:
        raise SourceUnusable("--dense: no item has a time of publication")
    dated.sort(key=lambda item: item.published_at or _BEGIN)
    return [
        replace(item, published_at=_BEGIN + span * rank / len(dated), updated_at=None, seen_at=None)
        for rank, item in enumerate(dated)
    ]


def window_steps(items: Sequence[NewsItem]) -> Iterator[Sequence[NewsItem]]:
    """Yield the items in steps of 5,000, or of an eighth of them if that is less.

    An incomplete step at the end is left out.
    """
    size = min(_STEP, max(1, len(items) // _FEWEST_STEPS))
    for begin in range(0, len(items) - size + 1, size):
        yield items[begin : begin + size]


def last_against_second(rates: Sequence[float]) -> float:
    """Return the rate of the last step divided by that of the second."""
    return round(rates[-1] / rates[min(1, len(rates) - 1)], 2)


def _processor_rate(work: Callable[[], object], *, items: int) -> float:
    """Call `work`, which processes `items` items; return items per second of processor time."""
    return measure_time(work, items=items, clock=time.process_time).rate
