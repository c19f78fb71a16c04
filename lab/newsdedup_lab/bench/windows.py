"""What an item costs by the size of the window, in windows filled with made items (made_items.py).

A window is loaded without judging: its records are stored as those of the base, and the stream
statistics have counted its latest items. Then a step of further items is judged.
"""

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from math import ceil
from typing import Any, Final

from newsdedup.config import Settings
from newsdedup.core.matching.stream_statistics import BUCKET, Observation, StreamStatistics
from newsdedup.core.stories.commands import Publish
from newsdedup.core.stories.judge import decide
from newsdedup.engine.collector import freeze_survivors
from newsdedup.engine.deduplicate import NearLeaders
from newsdedup.ports.errors import SourceUnusable
from newsdedup_lab.bench.base_items import Base, learning_rule
from newsdedup_lab.bench.candidates import in_batches
from newsdedup_lab.bench.growth import resident_bytes
from newsdedup_lab.bench.likeness import shared_terms
from newsdedup_lab.bench.made_items import MadeWorld
from newsdedup_lab.bench.quantiles import quantile, summarize_counts
from newsdedup_lab.bench.stage_rates import ReportStage
from newsdedup_lab.bench.work import CountingStore
from newsdedup_lab.collections.items import Collection

_COUNTED: Final = 80_000
"""Latest items that the statistics count: more than their two generations remember."""
_SAID: Final = 100_000
"""Items between two messages about a window that is filled."""


def measure_windows(
    collection: Collection,
    settings: Settings,
    *,
    sizes: Sequence[int],
    step: int,
    alike: float = 1.0,
    say: ReportStage,
) -> dict[str, Any]:
    """Judge `step` items in windows of each size; return costs per item, and how real they are.

    `windows` has the ascending sizes, `ratio` the mean time against the smallest. `likeness` has
    the base items as they are (`real`) and made ones (`made`), in a window of the same size, and
    the shares of random pairs by the number of terms that they share. Of the known words of the
    base the share `alike` is the same in all its copies. Raise SettingsInvalid for another rule
    than `verified`, SourceUnusable for too few items.
    """
    settings = replace(settings, rule=replace(settings.rule, fingerprints=()))
    say(f"judge {len(collection.items):,} items")
    base = Base(collection.items, settings)
    room = len(base.items) - step
    if room < step:
        raise SourceUnusable(
            f"{len(base.items):,} dated items are too few for a step of {step:,}: it needs twice "
            "as many; see --step"
        )
    likeness = {
        "real": measure_window(base, settings, size=room, step=step, real=True, say=say),
        "made": measure_window(base, settings, size=room, step=step, alike=alike, say=say),
        "shared_terms": shared_terms(base, alike=alike),
    }
    say(f"{likeness}")
    windows: list[dict[str, Any]] = []
    for size in sorted(sizes):
        windows.append(measure_window(base, settings, size=size, step=step, alike=alike, say=say))
        windows[-1]["ratio"] = round(windows[-1]["ms"]["mean"] / windows[0]["ms"]["mean"], 2)
        say(f"{windows[-1]}")
    return {
        "base_items": len(base.items),
        "step": step,
        "alike": alike,
        "windows": windows,
        "likeness": likeness,
    }


def made_order(
    worlds: Sequence[MadeWorld], indexes: Iterable[int], *, size: int
) -> list[tuple[int, MadeWorld]]:
    """Return the latest `size` items of worlds in their order, each as an index and its world."""
    return [(index, world) for index in indexes for world in worlds][-size:]


def count_latest(
    statistics: StreamStatistics,
    base: Base,
    order: Sequence[tuple[int, MadeWorld]],
    *,
    counted: int,
) -> Iterator[Observation]:
    """Count the latest items of a window, and yield what statistics have learned of each."""
    latest = order[-counted:]
    statistics.number = (len(order) - len(latest)) // BUCKET * BUCKET
    for index, world in in_batches(latest):
        observation = statistics.observe(world.entry(index), base.items[index].pairs)
        statistics.add(observation)
        yield observation


def measure_window(
    base: Base,
    settings: Settings,
    *,
    size: int,
    step: int,
    real: bool = False,
    alike: float = 1.0,
    say: ReportStage,
) -> dict[str, Any]:
    """Load a window of `size` made items, judge `step` others; return what one of these costs.

    With `real` the items are those of the base as they are; all but `step` is the largest size
    then.
    """
    room = len(base.items) - step
    count = 1 if real else ceil(size / room)
    numbers = [0] if real else range(1, count + 1)
    worlds = [MadeWorld(base, number=number, alike=alike) for number in numbers]
    window = _Window(base, worlds, settings, size=size, step=step)
    say(f"fill a window with {size:,} {'real' if real else 'made'} items")
    memory = window.load(say=say)
    say(f"judge {step:,} items in it")
    return {
        "items": size,
        "worlds": count,
        **window.judge(),
        "bytes_per_item": memory,
    }


class _Window:
    """A store in memory with a window of made items, and the statistics of its stream."""

    def __init__(
        self,
        base: Base,
        worlds: Sequence[MadeWorld],
        settings: Settings,
        *,
        size: int,
        step: int,
    ) -> None:
        self._rule, self._recorder = learning_rule(settings)
        self._base, self._worlds, self._size = base, worlds, size
        self._store = CountingStore(self._rule)
        self._end = len(base.items) - step
        self._first = self._end - ceil(size / len(worlds))

    def load(self, *, say: ReportStage) -> int:
        """Count the latest items, then store all; return the resident bytes that one took."""
        statistics = self._recorder.statistics
        order = made_order(self._worlds, range(self._first, self._end), size=self._size)
        for _ in count_latest(statistics, self._base, order, counted=_COUNTED):
            pass
        freeze_survivors()
        before = resident_bytes()
        for number, (index, world) in enumerate(in_batches(order)):
            record = world.record(index, first=self._first + 1)
            self._store.put(record._replace(entry=statistics.freeze(record.entry)), bucket=0)
            if number and number % _SAID == 0:
                say(f"{number:,} are in it")
        return (resident_bytes() - before) // self._size

    def judge(self) -> dict[str, dict[str, float]]:
        """Judge the items behind the window; return means and quantiles of what one of them costs.

        `ms` is processor time without analysis, in milliseconds. `postings` are those that the
        look-up for leaders reads, `candidates` the leaders that it returns, `compared` the pairs
        compared in full.
        """
        rule, store, statistics = self._rule, self._store, self._recorder.statistics
        costs: dict[str, list[float]] = {
            name: [] for name in ("ms", "postings", "candidates", "compared")
        }
        for index in in_batches(range(self._end, len(self._base.items))):
            made = self._worlds[index % len(self._worlds)].entry(index)
            costs["postings"].append(store.count_postings(statistics.freeze(made)))
            before = store.leaders_read, rule.pairs_compared
            began = time.process_time()
            entry = statistics.freeze(made)
            near = NearLeaders(store, entry, rule)
            decision = decide(Publish(entry, life=0), rule, near)
            store.store(decision, bucket=0)
            self._recorder.learn(entry, near.leaders_after(decision))
            costs["ms"].append(1000 * (time.process_time() - began))
            costs["candidates"].append(store.leaders_read - before[0])
            costs["compared"].append(rule.pairs_compared - before[1])
        return {name: _summary(values) for name, values in costs.items()}


def _summary(values: Sequence[float]) -> dict[str, float]:
    """Return mean, quantiles and maximum of measured values."""
    ordered = sorted(values)
    return {
        **summarize_counts(ordered),
        "p90": quantile(ordered, 0.9),
        "most": quantile(ordered, 1),
    }
