"""Latency of one worker at given rates, alongside that of a runner that only passes records on."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from math import ceil
from typing import Any, Final

from newsdedup.config import Settings
from newsdedup.config.settings import RUNNERS
from newsdedup.ports.errors import SettingsInvalid
from newsdedup_lab.bench.kafka import temporary_topics
from newsdedup_lab.bench.paced_stream import PacedStream
from newsdedup_lab.bench.quantiles import quantile
from newsdedup_lab.bench.stage_rates import ReportStage
from newsdedup_lab.bench.worker import WorkerKind, timed_worker
from newsdedup_lab.collections.items import Collection

_FIRST_RECORDS: Final = 50
"""Records that are not timed: with them the worker joins its group and opens its connections."""
_KINDS: Final[tuple[WorkerKind, ...]] = ("empty", "whole")

Latencies = dict[str, float]
"""The measurements of one rate: how many records were timed, and percentiles in milliseconds."""


def bench_latency(
    collection: Collection,
    settings: Settings,
    *,
    rates: Sequence[int],
    seconds: float,
    say: ReportStage,
) -> dict[str, object]:
    """Return the time from a record's production to the arrival of its event, at some rates.

    Each rate (items per second, evenly spaced) lasts `seconds` and takes the next items of the
    collection; before the next rate begins all events must have arrived. `latency` has the results
    by runner, kind of worker ("whole" decides the items, "empty" only passes records on) and rate.
    Progress goes to `say`. Raise SettingsInvalid if the collection has too few items.
    """
    counts = [ceil(rate * seconds) for rate in rates]
    needed = records_needed(rates, seconds=seconds)
    if len(collection.items) < needed:
        raise SettingsInvalid(
            f"--rate: {needed:,} items are needed for {seconds:g} s of each rate, "
            f"{len(collection.items):,} are there"
        )
    received = collection.received[:needed]
    latency: dict[str, dict[str, dict[str, Latencies]]] = {}
    for name in RUNNERS:
        latency[name] = {}
        for kind in _KINDS:
            say(f"{name}, {kind}: {', '.join(map(str, rates))} items/s for {seconds:g} s each")
            with temporary_topics(settings, name) as own:
                run = _measure_rates(own, kind, received, dict(zip(rates, counts, strict=True)))
                latency[name][kind] = asyncio.run(run)
    return {
        "items": needed,
        "rule": settings.rule.name,
        "seconds": seconds,
        "latency": latency,
    }


def records_needed(rates: Sequence[int], *, seconds: float) -> int:
    """Return how many items the measurement takes."""
    return _FIRST_RECORDS + sum(ceil(rate * seconds) for rate in rates)


async def _measure_rates(
    settings: Settings, kind: WorkerKind, received: Sequence[bytes], counts: dict[int, int]
) -> dict[str, Latencies]:
    """Run a worker in a new process and return the latencies by rate.

    `counts` has the number of records for each rate. Raise the worker's error if it ends early.
    """
    with timed_worker(settings, kind, received, with_analysis=False) as process:
        worker = asyncio.ensure_future(asyncio.to_thread(process.rates))
        stream = asyncio.ensure_future(_stream_rates(settings, received, counts))
        try:
            waiting: set[asyncio.Future[Any]] = {worker, stream}
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            if worker.done():
                worker.result()  # the worker has failed, or only the last events are on their way
            return await stream
        finally:
            stream.cancel()
            with suppress(asyncio.CancelledError):
                await asyncio.gather(stream, return_exceptions=True)


async def _stream_rates(
    settings: Settings, received: Sequence[bytes], counts: dict[int, int]
) -> dict[str, Latencies]:
    """Produce the records rate by rate, and return the latencies of each."""
    measurements = {}
    async with PacedStream(settings) as stream:
        await stream.send(received[:_FIRST_RECORDS], rate=_FIRST_RECORDS)
        first = _FIRST_RECORDS
        for rate, count in counts.items():
            times = await stream.send(received[first : first + count], rate=rate)
            measurements[str(rate)] = percentiles(times)
            first += count
    return measurements


def percentiles(times: Sequence[float]) -> Latencies:
    """Return the number of times given in seconds, and their percentiles in milliseconds."""
    ordered = sorted(1000 * time for time in times)
    shares = {"p50_ms": 0.5, "p90_ms": 0.9, "p99_ms": 0.99, "max_ms": 1.0}
    found = {name: quantile(ordered, share, digits=1) for name, share in shares.items()}
    return {"records": len(times), **found}
