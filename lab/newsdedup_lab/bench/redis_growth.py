"""Look-up time and rate of the index in Redis as it grows."""

from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import count, islice
from time import perf_counter
from typing import Final

from newsdedup.adapters.redis.inspection import NamespaceMemory, measure_memory
from newsdedup.adapters.redis.store import MAX_LOOKUP_ITEMS
from newsdedup.bootstrap.workers import namespace_session, shared_engine
from newsdedup.config import Settings
from newsdedup.core.moments import to_datetime
from newsdedup.engine.analyzer import Analyzed
from newsdedup.engine.collector import freeze_survivors
from newsdedup.engine.shared.engine import SharedEngine
from newsdedup.ports.errors import StateMoved
from newsdedup.ports.store import (
    Commit,
    Lookup,
    RecordUpdate,
    SearchCost,
    SharedStore,
    StoredRecord,
)
from newsdedup_lab.bench.other_worlds import World
from newsdedup_lab.bench.own_servers import delete_namespace
from newsdedup_lab.bench.quantiles import quantile

_JUDGED_BATCH: Final = 256
_TRIES: Final = 5
"""Repeats of a look-up, of which the fastest is least disturbed by other processes."""


async def judging_rate(engine: SharedEngine, arrivals: Sequence[Analyzed]) -> float:
    """Decide and store the items through the engine, in batches; return items per second."""
    freeze_survivors()
    began = perf_counter()
    for first in range(0, len(arrivals), _JUDGED_BATCH):
        await engine.process(arrivals[first : first + _JUDGED_BATCH])
        freeze_survivors()
    return len(arrivals) / (perf_counter() - began)


async def look_up_times(engine: SharedEngine, arrivals: Sequence[Analyzed]) -> list[float]:
    """Return the milliseconds of one look-up in Redis for each item, sorted ascending."""
    return sorted([await _look_up_time(engine, engine.prefetch([arrival])) for arrival in arrivals])


async def fastest_look_up_times(engine: SharedEngine, arrivals: Sequence[Analyzed]) -> list[float]:
    """Look each item up five times; return the fastest times in milliseconds, ascending."""
    times = []
    for arrival in arrivals:
        lookups = engine.prefetch([arrival])
        times.append(min([await _look_up_time(engine, lookups) for _ in range(_TRIES)]))
    return sorted(times)


async def _look_up_time(engine: SharedEngine, lookups: Sequence[Lookup]) -> float:
    """Return the milliseconds that the store takes to answer these look-ups in one request."""
    began = perf_counter()
    await engine.store.look(lookups)
    return 1000 * (perf_counter() - began)


_TIMED_LOOK_UPS: Final = 2_000
_NEW_ITEMS: Final = 8_000
MEMORY_SAMPLE: Final = 4_096
"""Sets measured for each role and span; a small sample would miss the few large ones."""


async def redis_growth(
    settings: Settings, arrivals: Sequence[Analyzed], sizes: Sequence[int]
) -> AsyncIterator[dict[str, object]]:
    """Yield rates, look-up times and memory with the given items stored, then at each of `sizes`.

    `sizes` must ascend; one that is already exceeded is measured as it is. The engine decides and
    stores the given items; after that, copies of their records in other terms (other_worlds.py) are
    stored without a decision until each size is reached. At each size new items arrive, later than
    all stored ones: the first 2,000 are looked up one at a time, then all are decided and stored.
    The namespace is laid out for the largest size and deleted at the end.
    """
    largest = max(settings.redis.items, *sizes)
    own = replace(settings, redis=replace(settings.redis, items=largest))
    async with namespace_session(own) as opened:
        try:
            engine = shared_engine(own, opened, publishes=False)
            await judging_rate(engine, arrivals)
            stored = [one async for one in _stored_records(engine.store, arrivals)]
            copies = _copies(stored, first=len(sizes) + 2)
            number = len(stored)
            for nth, size in enumerate((number, *sizes), 1):
                await _store_updates(engine.store, islice(copies, max(0, size - number)))
                number = max(number, size)
                late = _newcomers(arrivals, stored, world=nth)
                measurements = await _measurements(engine, late)
                memory = await measure_memory(opened.calls, opened.keys, sample=MEMORY_SAMPLE)
                postings = bytes_per_item(memory)["postings"]
                yield {"items": number, **measurements, "kept": memory.items, "postings": postings}
                number += len(late)
        finally:
            await delete_namespace(opened.calls, own.redis.namespace)


async def _measurements(engine: SharedEngine, arrivals: Sequence[Analyzed]) -> dict[str, object]:
    """Look up the first 2,000 items, then decide and store all; return rate, times and costs.

    Times are in milliseconds: of one look-up, and of the fastest of five. `candidates` and `lists`
    are quantiles of the leaders that a look-up found and of the postings that Redis read for it.
    """
    requested = arrivals[:_TIMED_LOOK_UPS]
    times = await look_up_times(engine, requested)
    fastest = await fastest_look_up_times(engine, requested)
    found = [one for arrival in requested for one in await search_costs(engine, arrival)]
    candidates, postings = (sorted(column) for column in zip(*found, strict=True))
    rate = await judging_rate(engine, arrivals)
    return {
        "redis": round(rate, 1),
        "p50_ms": quantile(times, 0.5),
        "p99_ms": quantile(times, 0.99),
        "p50_ms_of_tries": quantile(fastest, 0.5),
        "p99_ms_of_tries": quantile(fastest, 0.99),
        "candidates": {"p50": quantile(candidates, 0.5), "p99": quantile(candidates, 0.99)},
        "lists": {"p50": quantile(postings, 0.5), "p99": quantile(postings, 0.99)},
    }


async def search_costs(engine: SharedEngine, arrival: Analyzed) -> list[SearchCost]:
    """Return the numbers of leaders and of postings that each look-up of an item met in Redis."""
    lookups = engine.prefetch([arrival])
    return (await engine.store.look(lookups)).search_costs(lookups)


async def _stored_records(
    store: SharedStore, arrivals: Sequence[Analyzed]
) -> AsyncIterator[StoredRecord]:
    """Yield the stored records of these items, read by key; skip items that are not stored."""
    for first in range(0, len(arrivals), MAX_LOOKUP_ITEMS):
        some = arrivals[first : first + MAX_LOOKUP_ITEMS]
        seen = await store.look([Lookup("item", arrival.item.key) for arrival in some])
        for answer in seen.answers:
            for one in answer:
                yield one


def _copies(stored: Sequence[StoredRecord], *, first: int) -> Iterator[RecordUpdate]:
    """Yield copies of all records for world `first`, then for the next world, without end."""
    for number in count(first):
        world = World([one.record.entry for one in stored], number=number)
        for one in stored:
            yield RecordUpdate(world.record(one.record), one.bucket, None, None)


async def _store_updates(store: SharedStore, updates: Iterator[RecordUpdate]) -> None:
    """Store records without a decision; raise StateMoved if the namespace has another writer."""
    while chunk := list(islice(updates, MAX_LOOKUP_ITEMS)):
        seen = await store.look(())
        commit = Commit(
            based_on=seen.version,
            own_tokens=(),
            lookups=(),
            record_slots=(),
            watermark=seen.watermark,
            floor=None,
            updates=chunk,
            events=(),
        )
        if await store.commit(commit) is None:
            raise StateMoved("others write to the namespace of a measurement")
        freeze_survivors()


def _newcomers(
    arrivals: Sequence[Analyzed], stored: Sequence[StoredRecord], *, world: int
) -> list[Analyzed]:
    """Return copies of the latest 8,000 items in the terms of a world, to arrive as new items.

    They are published after all of `stored`, the stored records whose terms the world replaces.
    """
    here = World([one.record.entry for one in stored], number=world)
    newest = max(one.record.entry.effective_at for one in stored)
    begin = to_datetime(newest) + timedelta(minutes=world)
    return [
        here.arrival(arrival, at=begin + timedelta(milliseconds=number))
        for number, arrival in enumerate(arrivals[-_NEW_ITEMS:])
    ]


def bytes_per_item(memory: NamespaceMemory) -> dict[str, float]:
    """Return bytes per item of postings, entries and verdicts, by these names."""
    kinds = {name: getattr(memory, name) for name in ("postings", "entries", "verdicts")}
    return {kind: round(size / max(1, memory.items), 1) for kind, size in kinds.items()}
