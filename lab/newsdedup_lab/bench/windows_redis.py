"""What an item costs over Redis by the size of the window, in windows filled with made items.

As windows.py measures it in memory: a window is loaded without judging, with the observations of
its latest items in the log from which workers count; then a step of further items is judged by one
worker, in batches, and stored with its events.
"""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from math import ceil
from time import process_time
from typing import Any, Final

from newsdedup import NewsItem
from newsdedup.adapters.redis.inspection import measure_memory
from newsdedup.adapters.redis.store import MAX_LOOKUP_ITEMS
from newsdedup.bootstrap.workers import NamespaceSession, namespace_session, shared_engine
from newsdedup.config import Settings
from newsdedup.core.events import WeightedTerm
from newsdedup.core.matching.statistics_recorder import SharedStatisticsRecorder
from newsdedup.core.matching.stream_statistics import BUCKET, Observation
from newsdedup.core.model import Document
from newsdedup.core.moments import to_datetime
from newsdedup.core.stories.window import Buckets, Watermark
from newsdedup.engine.analyzer import Analyzed
from newsdedup.engine.collector import freeze_survivors
from newsdedup.engine.shared.engine import SharedEngine
from newsdedup.ports.errors import SettingsInvalid, SourceUnusable, StateMoved
from newsdedup.ports.store import Commit, RecordUpdate
from newsdedup_lab.bench.base_items import Base
from newsdedup_lab.bench.counted_store import CountedStore, read_server_cost
from newsdedup_lab.bench.made_items import MadeWorld
from newsdedup_lab.bench.own_servers import delete_namespace
from newsdedup_lab.bench.redis import in_own_namespace
from newsdedup_lab.bench.redis_growth import MEMORY_SAMPLE, bytes_per_item, judging_rate
from newsdedup_lab.bench.stage_rates import ReportStage
from newsdedup_lab.bench.windows import count_latest, made_order
from newsdedup_lab.bench.work import count_comparisons

_COUNTED: Final = 65_536
"""Latest items that the log of observations keeps, and that the statistics count."""
_STEP: Final = 5_000
_SAID: Final = 50_000
"""Items between two messages about a window that is filled."""


def measure_windows_in_redis(
    items: Sequence[NewsItem],
    settings: Settings,
    *,
    sizes: Sequence[int],
    say: ReportStage,
) -> list[dict[str, Any]]:
    """Judge items over Redis in windows of each size; return what one of them costs in each.

    `worker_us` and `server_us` are microseconds of the processor of worker (without analysis) and
    Redis; the counts (CountedStore) are of an item, too, `bytes` is what Redis keeps of it.
    `ratio` is the time of both against the smallest window. `judged` are items made of the latest
    5,000, or of an eighth of all if that is less; with them the window holds `held` items at the
    end. Raise SettingsInvalid for another rule than `verified`, SourceUnusable for too few items.
    """
    own = replace(settings, rule=replace(settings.rule, fingerprints=()))
    say(f"judge {len(items):,} items")
    base = Base(items, own)
    step = min(_STEP, len(base.items) // 8)
    if not step:
        raise SourceUnusable("--made: too few dated items")
    windows: list[dict[str, Any]] = []
    for size in sorted(sizes):
        laid_out = replace(own, redis=replace(own.redis, items=size))
        window = _Window(base, in_own_namespace(laid_out), size=size, step=step)
        windows.append({"items": size, **asyncio.run(window.measure(say=say))})
        first, last = [one["worker_us"] + one["server_us"] for one in (windows[0], windows[-1])]
        windows[-1]["ratio"] = round(last / first, 2)
        say(f"{windows[-1]}")
    return windows


class _Window:
    """A namespace with a window of made items."""

    def __init__(self, base: Base, settings: Settings, *, size: int, step: int) -> None:
        self._base, self._settings, self._size = base, settings, size
        self._end = len(base.items) - step
        count = ceil(size / self._end)
        self._worlds = [MadeWorld(base, number=number) for number in range(1, count + 1)]
        self._first = self._end - ceil(size / count)

    async def measure(self, *, say: ReportStage) -> dict[str, Any]:
        """Load the window, judge the items behind it; return what one of these costs."""
        async with namespace_session(self._settings) as opened:
            try:
                engine = shared_engine(self._settings, opened)
                say(f"fill a window with {self._size:,} made items")
                await self._load(engine, opened, say=say)
                memory = await measure_memory(opened.calls, opened.keys, sample=MEMORY_SAMPLE)
                arrivals = [self._arrival(n) for n in range(self._end, len(self._base.items))]
                say(f"judge {len(arrivals):,} items in it")
                judged = await _judge(engine, arrivals, opened)
                held = await measure_memory(opened.calls, opened.keys, sample=MEMORY_SAMPLE)
                return {
                    "judged": len(arrivals),
                    **judged,
                    "bytes": bytes_per_item(memory),
                    "held": held.items,
                }
            finally:
                await delete_namespace(opened.calls, self._settings.redis.namespace)

    async def _load(
        self, engine: SharedEngine, opened: NamespaceSession, *, say: ReportStage
    ) -> None:
        """Store the made items, and the observations of the latest ones; raise StateMoved."""
        counted = max(0, self._size - _COUNTED)
        await opened.calls.command(
            "HSET", opened.keys.fixed[0], "taught", counted // BUCKET * BUCKET
        )
        number, made = 0, self._updates(engine)
        while chunk := list(islice(made, MAX_LOOKUP_ITEMS)):
            seen = await engine.store.look(())
            commit = Commit(
                based_on=seen.version,
                lookups=(),
                record_slots=(),
                watermark=seen.watermark,
                floor=None,
                updates=[update for update, _ in chunk],
                observations=[one for _, one in chunk if one is not None],
            )
            if await engine.store.commit(commit) is None:
                raise StateMoved("others write to the namespace of a measurement")
            freeze_survivors()
            number += len(chunk)
            if number % _SAID < len(chunk):
                say(f"{number:,} are in it")

    def _updates(self, engine: SharedEngine) -> Iterator[tuple[RecordUpdate, Observation | None]]:
        """Yield the records of the window, with what the log keeps of the latest ones.

        Their terms are weighed by what the statistics know once all are counted, as in memory.
        """
        order = made_order(self._worlds, range(self._first, self._end), size=self._size)
        statistics = _recorder(engine).statistics
        observations: list[Observation | None] = [None] * max(0, self._size - _COUNTED)
        observations += count_latest(statistics, self._base, order, counted=_COUNTED)
        buckets = Buckets(engine.rule.window, engine.lateness)
        for (number, world), observation in zip(order, observations, strict=True):
            record = world.record(number, first=self._first + 1)
            record = record._replace(entry=statistics.freeze(record.entry))
            bucket = buckets.of(record.entry.effective_at, Watermark())
            yield RecordUpdate(record, bucket, None, None), observation

    def _arrival(self, number: int) -> Analyzed:
        """Return a made item as it arrives; it has no text."""
        entry = self._worlds[number % len(self._worlds)].entry(number)
        item = NewsItem(entry.key, "made", "", published_at=to_datetime(entry.effective_at))
        document = Document(
            lang=entry.lang,
            title="made",
            text="made",
            terms=(),
            numbers=entry.numbers,
            names=entry.names,
            version=entry.version,
        )
        terms = tuple([WeightedTerm(f"{key}", 1.0) for key in entry.terms])
        return Analyzed(item, document, entry.terms, terms, entry.sketches, entry.passages, b"{}")


def _recorder(engine: SharedEngine) -> SharedStatisticsRecorder:
    """Return what counts the stream; raise SettingsInvalid for a rule that does not."""
    if engine.observations is None:
        raise SettingsInvalid("--made: only with --rule verified")
    return engine.observations.recorder


async def _judge(
    engine: SharedEngine, arrivals: Sequence[Analyzed], opened: NamespaceSession
) -> dict[str, Any]:
    """Judge and store all items; return what one of them costs."""
    if engine.observations is not None:
        engine.observations.forget()
        await engine.observations.catch_up()
    engine.store = counted = CountedStore(engine.store)
    compared = count_comparisons(engine.rule, leaders_read=0)
    before, began = await read_server_cost(opened.calls), process_time()
    await judging_rate(engine, arrivals)
    worker = process_time() - began
    server = (await read_server_cost(opened.calls)).since(before, items=len(arrivals))
    compared = count_comparisons(engine.rule, leaders_read=0) - compared
    return {
        "worker_us": round(1e6 * worker / len(arrivals)),
        "server_us": round(server.us),
        **counted.counts(items=len(arrivals)),
        "requests": round(server.requests, 2),
        "comparisons": round(compared / len(arrivals), 2),
    }
