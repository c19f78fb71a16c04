"""Speed and memory of the index in Redis by the number of items in the window."""

import asyncio
from collections.abc import Callable, Sequence
from datetime import timedelta
from time import perf_counter, process_time

from newsdedup import NewsItem
from newsdedup.adapters.redis.calls import Calls
from newsdedup.adapters.redis.inspection import measure_memory
from newsdedup.adapters.redis.store import MAX_LOOKUP_ITEMS
from newsdedup.bootstrap.rules import item_analyzer
from newsdedup.bootstrap.workers import namespace_session, shared_engine
from newsdedup.config import Settings
from newsdedup.engine.analyzer import Analyzed
from newsdedup.engine.collector import collector_paused
from newsdedup.engine.shared.engine import SharedEngine
from newsdedup_lab.bench.counted_store import CountedStore, read_server_cost
from newsdedup_lab.bench.dense import compress_times, last_against_second, window_steps
from newsdedup_lab.bench.own_servers import delete_namespace
from newsdedup_lab.bench.quantiles import quantile
from newsdedup_lab.bench.redis import in_own_namespace
from newsdedup_lab.bench.redis_growth import (
    MEMORY_SAMPLE,
    bytes_per_item,
    judging_rate,
    look_up_times,
)
from newsdedup_lab.bench.repeats import repeat_measurement
from newsdedup_lab.bench.work import count_comparisons
from newsdedup_lab.collections.items import Collection

_SAMPLED = 200
"""Items of a step whose look-ups are timed, one at a time, before the step is judged."""


def measure_density_in_redis(
    collection: Collection,
    settings: Settings,
    *,
    span: timedelta,
    repeats: int = 1,
    say: Callable[[str], None],
) -> dict[str, object]:
    """Judge the items over Redis as if all had been published within `span`, step by step.

    Rates are items per second of the clock on the wall: `rate` with the analysis in this process,
    `judged` without it, in batches as a worker has them. `look_up_ms` is of some items, one at a
    time before the step; all counts are of an item as it is judged (CountedStore), `requests` the
    calls of functions, `comparisons` the pairs compared in full, 0 for a rule that does not count
    them. `worker_us` and `server_us` are microseconds of the processor that an item took the
    worker, without analysis, and Redis, to look it up and to commit it. `bytes` is what Redis needs
    for an item of all so far, by kind, `bytes_per_item` its sum. Each repeat begins with an empty
    namespace; the result has the medians. The namespaces are deleted.
    """
    items = compress_times(collection.items, span)
    measurements = repeat_measurement(
        lambda: asyncio.run(_fill_window(items, in_own_namespace(settings), say=say)),
        repeats=repeats,
    )
    return {"rule": settings.rule.name, "span_hours": span / timedelta(hours=1), **measurements}


async def _fill_window(
    items: Sequence[NewsItem], settings: Settings, *, say: Callable[[str], None]
) -> dict[str, object]:
    """Judge all items once, in steps; return the measurements of the steps."""
    analyzer = item_analyzer(settings)
    steps: list[dict[str, object]] = []
    rates: list[float] = []
    async with namespace_session(settings) as opened:
        engine = shared_engine(settings, opened)
        try:
            for batch in window_steps(items):
                began = perf_counter()
                with collector_paused():
                    arrivals = [analyzer.analyze(item, b"") for item in batch]
                analysis = perf_counter() - began
                judged, measurements = await _judge_step(engine, arrivals, opened.calls)
                memory = await measure_memory(opened.calls, opened.keys, sample=MEMORY_SAMPLE)
                rates.append(round(len(batch) / (analysis + len(batch) / judged), 1))
                steps.append(
                    {
                        "items": (len(steps) + 1) * len(batch),
                        "rate": rates[-1],
                        "judged": round(judged, 1),
                        **measurements,
                        "bytes": bytes_per_item(memory),
                        "bytes_per_item": round(sum(bytes_per_item(memory).values()), 1),
                    }
                )
                say(f"{steps[-1]}")
        finally:
            await delete_namespace(opened.calls, settings.redis.namespace)
    return {"steps": steps, "last_against_second": last_against_second(rates)}


async def _judge_step(
    engine: SharedEngine, arrivals: Sequence[Analyzed], calls: Calls
) -> tuple[float, dict[str, object]]:
    """Look some of the items up, then judge all; return the rate of judging, and the counts."""
    sampled = arrivals[:: max(1, len(arrivals) // _SAMPLED)]
    times = await look_up_times(engine, sampled)
    at_first = await read_server_cost(calls)
    for first in range(0, len(sampled), MAX_LOOKUP_ITEMS):
        await engine.store.look(engine.prefetch(sampled[first : first + MAX_LOOKUP_ITEMS]))
    looked_up = await read_server_cost(calls)
    compared = count_comparisons(engine.rule, leaders_read=0)
    store = engine.store
    engine.store = counted = CountedStore(store)
    began = process_time()
    judged = await judging_rate(engine, arrivals)
    worker = process_time() - began
    engine.store = store
    now = count_comparisons(engine.rule, leaders_read=0)
    look = looked_up.since(at_first, items=len(sampled))
    whole = (await read_server_cost(calls)).since(looked_up, items=len(arrivals))
    return judged, {
        "look_up_ms": {"p50": quantile(times, 0.5), "p99": quantile(times, 0.99)},
        **counted.counts(items=len(arrivals)),
        "requests": round(whole.requests, 2),
        "server_us": {"look": round(look.us), "commit": round(whole.us - look.us)},
        "worker_us": round(1e6 * worker / len(arrivals)),
        "comparisons": round((now - compared) / len(arrivals), 2),
    }
