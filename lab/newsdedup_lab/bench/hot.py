"""What a flood of items that are alike costs the others in the window, in memory or over Redis."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from itertools import islice
from typing import Any, Final, NamedTuple, Protocol

import msgspec

from newsdedup import NewsItem
from newsdedup.adapters.formats import item_json
from newsdedup.bootstrap.rules import item_analyzer
from newsdedup.bootstrap.workers import namespace_session, shared_engine
from newsdedup.config import Settings
from newsdedup.core.moments import to_datetime
from newsdedup.core.stories.window import Watermark, effective_at
from newsdedup.engine.analyzer import Analyzed, ItemAnalyzer, entry_of
from newsdedup.engine.collector import freeze_survivors
from newsdedup.engine.shared.engine import SharedEngine
from newsdedup.ports.errors import SettingsInvalid
from newsdedup.synthetic.stream import generate_stream
from newsdedup_lab.bench.candidates import in_batches
from newsdedup_lab.bench.floods import FLOODS, generate_flood
from newsdedup_lab.bench.growth import resident_bytes
from newsdedup_lab.bench.own_servers import delete_namespace
from newsdedup_lab.bench.quantiles import quantile, summarize_counts
from newsdedup_lab.bench.redis import in_own_namespace
from newsdedup_lab.bench.work import CountingEngine, count_comparisons

_BACKGROUND: Final = 5_000
_OTHERS: Final = 1_000
"""Items of other news among the flood, which are timed."""
_HOURS: Final = 48
"""What the background spans; the flood comes after it."""


class ItemCost(NamedTuple):
    """What one item cost."""

    milliseconds: float
    """From its look-up to its commit, alone."""
    postings: int
    leaders: int
    comparisons: int


class MeasuredWindow(Protocol):
    """A window in which items are judged one at a time."""

    async def judge(self, arrival: Analyzed) -> ItemCost:
        """Look an item up, decide and store it; return what that cost."""


def measure_hot(
    size: int,
    settings: Settings,
    *,
    redis: bool = False,
    floods: Sequence[str] = (),
    background: int = _BACKGROUND,
    others: int = _OTHERS,
    say: Callable[[str], None],
) -> dict[str, Any]:
    """Judge other news among floods of `size` items; return the cost of both.

    First `background` synthetic items fill the window, in memory or with `redis` in a namespace of
    its own, which is deleted. Then `others` more of the same stream arrive: once alone (`alone`),
    and for each flood once more, spread among its items in the order of times. Of the others the
    second half is measured: the milliseconds of an item, the postings read, the leaders found and
    the pairs compared. `flood` has the same of the items of the flood that arrive in that half;
    `resident_bytes_per_item` is what this process gained while the flood arrived. All floods are
    measured unless some are named, each in a window of its own; raise SettingsInvalid for an
    unknown name.
    """
    if unknown := [name for name in floods if name not in FLOODS]:
        raise SettingsInvalid(f"there is no flood {unknown[0]}: there are {', '.join(FLOODS)}")
    return asyncio.run(
        _measure(
            size,
            settings,
            _redis_window if redis else _memory_window,
            floods=floods or list(FLOODS),
            background=background,
            others=others,
            say=say,
        )
    )


async def _measure(
    size: int,
    settings: Settings,
    open_window: Callable[[Settings], AbstractAsyncContextManager[MeasuredWindow]],
    *,
    floods: Sequence[str],
    background: int,
    others: int,
    say: Callable[[str], None],
) -> dict[str, Any]:
    """Judge the others alone, then in each flood; return the costs of all."""
    analyzer = item_analyzer(settings)
    stream = list(_background(analyzer, background + others))
    first, late = stream[:background], stream[background:]
    begin, end = (to_datetime(_effective_at(one.item)) for one in (late[0], late[-1]))
    async with open_window(settings) as window:
        await _fill(window, first)
        costs = [await window.judge(one) for one in late]
    measurements: dict[str, Any] = {
        "rule": settings.rule.name,
        "background": len(first),
        "alone": _summarize(costs),
        "floods": {},
    }
    say(f"alone: {measurements['alone']}")
    for name in floods:
        coming = map(analyzer.analyze, generate_flood(name, size, begin=begin, span=end - begin))
        costs, flood = [], list[ItemCost]()
        async with open_window(settings) as window:
            await _fill(window, first)
            before = resident_bytes()
            for index, one in enumerate(late):
                share = size * (index + 1) // len(late) - size * index // len(late)
                flood += [await window.judge(hot) for hot in islice(coming, share)]
                costs.append(await window.judge(one))
            gained = resident_bytes() - before
        measurements["floods"][name] = {
            "items": size,
            "others": _summarize(costs),
            "flood": _summarize(flood),
            "resident_bytes_per_item": gained // (size + len(late)),
        }
        say(f"{name}: {measurements['floods'][name]}")
    return measurements


async def _fill(window: MeasuredWindow, arrivals: Sequence[Analyzed]) -> None:
    """Judge the items that fill the window."""
    for one in in_batches(arrivals):
        await window.judge(one)
    freeze_survivors()


def _background(analyzer: ItemAnalyzer, count: int) -> Iterator[Analyzed]:
    """Yield items of a synthetic stream in the order of arrival; edits are left out."""
    for planted in generate_stream(count, languages=("ru",), per_hour=count / _HOURS):
        item = item_json.decode_item(msgspec.json.encode(planted.item))
        if isinstance(item, NewsItem):
            yield analyzer.analyze(item)


def _effective_at(item: NewsItem) -> int:
    """Return the effective time of a dated item."""
    return effective_at(item, Watermark())


class _MemoryWindow:
    """A window in memory, as an embedded run has it."""

    def __init__(self, settings: Settings) -> None:
        self._engine = CountingEngine(settings)

    async def judge(self, arrival: Analyzed) -> ItemCost:
        """Look an item up, decide and store it; return what that cost."""
        entry = entry_of(arrival, at=_effective_at(arrival.item))
        postings = self._engine.count_postings(entry)
        began = time.perf_counter()
        leaders, comparisons = self._engine.publish(arrival)
        took = 1000 * (time.perf_counter() - began)
        return ItemCost(took, postings, leaders, comparisons)


@asynccontextmanager
async def _memory_window(settings: Settings) -> AsyncIterator[MeasuredWindow]:
    """Yield an empty window in memory."""
    yield _MemoryWindow(settings)


class _RedisWindow:
    """A window in Redis, as a worker has it; each item is a batch of its own."""

    def __init__(self, engine: SharedEngine) -> None:
        self._engine = engine

    async def judge(self, arrival: Analyzed) -> ItemCost:
        """Look an item up, decide and commit it; return what that cost."""
        rule = self._engine.rule
        compared = count_comparisons(rule, leaders_read=0)
        began = time.perf_counter()
        result = await self._engine.process([arrival])
        took = 1000 * (time.perf_counter() - began)
        compared = count_comparisons(rule, leaders_read=0) - compared
        (cost, *_) = result.search_costs
        return ItemCost(took, cost.postings, cost.candidates, compared)


@asynccontextmanager
async def _redis_window(settings: Settings) -> AsyncIterator[MeasuredWindow]:
    """Yield an empty window in a namespace of its own in Redis, which is deleted at the end."""
    own = in_own_namespace(settings)
    async with namespace_session(own) as opened:
        try:
            yield _RedisWindow(shared_engine(own, opened, publishes=False))
        finally:
            await delete_namespace(opened.calls, own.redis.namespace)


def _summarize(costs: Sequence[ItemCost]) -> dict[str, Any]:
    """Return median, mean and 99th percentile of the costs of the second half of some items."""
    half = costs[len(costs) // 2 :]
    times = sorted([one.milliseconds for one in half])
    return {
        "ms": {"p50": quantile(times, 0.5, digits=4), "p99": quantile(times, 0.99, digits=4)},
        "postings": summarize_counts([one.postings for one in half]),
        "leaders": summarize_counts([one.leaders for one in half]),
        "comparisons": summarize_counts([one.comparisons for one in half]),
    }
