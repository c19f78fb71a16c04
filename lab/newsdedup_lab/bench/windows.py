"""What an item costs by the size of the window, in windows filled with made items (made_items.py).

A window is loaded without judging: its records are stored as those of the base, and the stream
statistics have counted its latest items. Then a step of further items is judged.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import ceil
from typing import Final

from newsdedup.bootstrap.rules import make_rule, stream_recorder
from newsdedup.config import Settings
from newsdedup.core.matching.stream_statistics import BUCKET, StatisticsRecorder
from newsdedup.core.matching.verified_rule import VerifiedRule
from newsdedup.core.stories.commands import Publish
from newsdedup.core.stories.judge import decide
from newsdedup.engine.collector import freeze_survivors
from newsdedup.engine.deduplicate import NearLeaders
from newsdedup.ports.errors import SettingsInvalid, SourceUnusable
from newsdedup_lab.bench.base_items import Base
from newsdedup_lab.bench.growth import resident_bytes
from newsdedup_lab.bench.likeness import shared_terms
from newsdedup_lab.bench.made_items import MadeWorld
from newsdedup_lab.bench.quantiles import quantile, summarize_counts
from newsdedup_lab.bench.work import CountingStore
from newsdedup_lab.collections.items import Collection

_COUNTED: Final = 80_000
"""Latest items that the statistics count: more than their two generations remember."""
_BATCH: Final = 512


def measure_windows(
    collection: Collection,
    settings: Settings,
    *,
    sizes: Sequence[int],
    step: int,
    say: Callable[[str], None],
) -> dict[str, object]:
    """Judge `step` items in windows of each size; return costs per item, and how real they are.

    `windows` has the ascending sizes, `ratio` the cost against the smallest. `likeness` compares
    the base items with made ones in a window of the same size: quantiles of the candidates of an
    item, and the shares of random pairs by the number of terms that they share. Raise
    SettingsInvalid for another rule than `verified`, SourceUnusable for too few items.
    """
    settings = replace(settings, rule=replace(settings.rule, fingerprints=()))
    if settings.rule.name != VerifiedRule.name:
        raise SettingsInvalid("--windows: only with --rule verified")
    say("base items")
    base = Base(collection.items, settings, make_rule(settings))
    room = len(base.items) - step
    if room < step:
        raise SourceUnusable(f"--windows: fewer than {2 * step} dated items; see --step")
    windows: list[dict[str, object]] = []
    for size in sorted(sizes):
        windows.append(measure_window(base, settings, size=size, step=step))
        windows[-1]["ratio"] = _ratio(windows[-1], windows[0])
        say(f"{windows[-1]}")
    likeness = {
        "items": room,
        "real": measure_window(base, settings, size=room, step=step, real=True),
        "made": measure_window(base, settings, size=room, step=step),
        "shared_terms": shared_terms(base),
    }
    say(f"{likeness}")
    return {"base_items": len(base.items), "step": step, "windows": windows, "likeness": likeness}


def measure_window(
    base: Base, settings: Settings, *, size: int, step: int, real: bool = False
) -> dict[str, object]:
    """Load a window of `size` made items, judge `step` others; return what one of these costs.

    With `real` the items are those of the base as they are; the size must not exceed it.
    """
    room = len(base.items) - step
    count = 1 if real else ceil(size / room)
    worlds = [MadeWorld(base, number=0 if real else number) for number in range(1, count + 1)]
    return _Window(base, worlds, settings, size=size, step=step).measure()


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
        rule = make_rule(settings)
        recorder = stream_recorder(rule)
        if not isinstance(rule, VerifiedRule) or not isinstance(recorder, StatisticsRecorder):
            raise SettingsInvalid("--windows: only with --rule verified")
        self._rule, self._recorder, self._worlds, self._base = rule, recorder, worlds, base
        self._store = CountingStore(rule)
        self._end = len(base.items) - step
        self._first = self._end - ceil(size / len(worlds))
        self._bytes = self._load(size)
        self._size = size

    def _load(self, size: int) -> int:
        """Count the latest items, then store all; return the resident bytes that one took."""
        statistics = self._recorder.statistics
        indexes = range(self._first, self._end)
        order = [(index, world) for index in indexes for world in self._worlds][-size:]
        latest = order[-_COUNTED:]
        statistics.number = (size - len(latest)) // BUCKET * BUCKET
        for number, (index, world) in enumerate(latest):
            pairs = self._base.items[index].pairs
            statistics.add(statistics.observe(world.entry(index), pairs))
            if number % _BATCH == 0:
                freeze_survivors()
        freeze_survivors()
        before = resident_bytes()
        for number, (index, world) in enumerate(order):
            record = world.record(index, first=self._first + 1)
            self._store.put(record._replace(entry=statistics.freeze(record.entry)), bucket=0)
            if number % _BATCH == 0:
                freeze_survivors()
        return (resident_bytes() - before) // size

    def measure(self) -> dict[str, object]:
        """Judge the items behind the window; return what one of them costs.

        Times are processor time without analysis, in milliseconds. `candidates` are the leaders of
        the look-ups, `postings` what the look-up for leaders reads.
        """
        rule, store = self._rule, self._store
        times: list[float] = []
        counts: dict[str, list[int]] = {"postings": [], "candidates": [], "compared": []}
        for index in range(self._end, len(self._base.items)):
            made = self._worlds[index % len(self._worlds)].entry(index)
            frozen = self._recorder.statistics.freeze(made)
            counts["postings"].append(store.count_postings(frozen))
            before = store.leaders_read, rule.pairs_compared
            began = time.process_time()
            entry = self._recorder.statistics.freeze(made)
            near = NearLeaders(store, entry, rule)
            decision = decide(Publish(entry, life=0), rule, near)
            store.store(decision, bucket=0)
            self._recorder.learn(entry, near.leaders_after(decision))
            times.append(1000 * (time.process_time() - began))
            counts["candidates"].append(store.leaders_read - before[0])
            counts["compared"].append(rule.pairs_compared - before[1])
            if index % _BATCH == 0:
                freeze_survivors()
        return {
            "items": self._size,
            "worlds": len(self._worlds),
            "ms": _summary(times),
            **{name: _summary(values) for name, values in counts.items()},
            "bytes_per_item": self._bytes,
        }


def _summary(values: Sequence[float]) -> dict[str, float]:
    """Return mean and quantiles of measured values."""
    return {**summarize_counts(values), "p90": quantile(sorted(values), 0.9)}


def _ratio(one: dict[str, object], other: dict[str, object]) -> float:
    """Return the mean time of a window divided by that of another one."""
    times = [window["ms"] for window in (one, other)]
    mine, theirs = [each["mean"] if isinstance(each, dict) else 0.0 for each in times]
    return round(mine / theirs, 2) if theirs else 0.0
