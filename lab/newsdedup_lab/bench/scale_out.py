"""Throughput and cost of several workers over one Kafka and one Redis."""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import aclosing, contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from time import perf_counter, process_time
from typing import Any, Final

from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.errors import GroupCoordinatorNotAvailableError

from newsdedup.bootstrap.machine import read_machine
from newsdedup.bootstrap.workers import kafka_access
from newsdedup.config import Settings
from newsdedup.ports.errors import Unavailable
from newsdedup_lab.bench.group_worker import BEGIN_WORK, END_WORK, WorkerCosts, work_in_group
from newsdedup_lab.bench.kafka import fill_input, temporary_topics
from newsdedup_lab.bench.output_reader import OutputReader
from newsdedup_lab.bench.server_costs import ServerCosts, ServerMeter
from newsdedup_lab.bench.stage_rates import ReportStage
from newsdedup_lab.bench.worker import WORKER_ENDED
from newsdedup_lab.collections.items import Collection

PARTITIONS: Final = 12
_TIMEOUT_SECONDS: Final = 900.0
_LEAST_SECONDS: Final = 0.001
"""A small collection may come out in one answer of the broker: then nothing is measured."""
_CHECK_SECONDS: Final = 0.1


def measure_scale_out(
    collection: Collection, settings: Settings, *, workers: Sequence[int], say: ReportStage
) -> dict[str, object]:
    """Judge the collection with each number of workers; return the measurements of every run.

    The workers are processes of the configured runner in one consumer group over 12 partitions.
    They join it before the items are written, so that no rebalance is measured; one worker takes
    far longer for the items than writing them does. `rate` is items per second from the first event
    to the verdict of the last item. Processor seconds are per 1,000 items: of the workers, Redis,
    the broker (None on another machine) and this process, which writes and reads the topics.
    `per_core_second` is items per processor second of workers, Redis and broker, `efficiency` that
    of the workers alone against the first run. Raise Unavailable if a worker ends early, and
    TimeoutError after 900 s.
    """
    runs: list[dict[str, Any]] = []
    for number in workers:
        say(f"{len(collection.items):,} items, {number} of {settings.worker.runner}")
        with (
            temporary_topics(settings, settings.worker.runner, partitions=PARTITIONS) as own,
            _processes(own, collection, number) as group,
        ):
            runs.append(asyncio.run(_measure_group(own, collection, group)))
        cost = runs[-1]["processor_seconds"]["workers"]
        runs[-1]["efficiency"] = round(runs[0]["processor_seconds"]["workers"] / cost, 3)
        say(f"{runs[-1]}")
    return {
        "items": len(collection.items),
        "rule": settings.rule.name,
        "runner": settings.worker.runner,
        "partitions": PARTITIONS,
        "shards": settings.redis.shards,
        "processors": read_machine().processors,
        "runs": runs,
    }


class _Group:
    """The worker processes of one run, and their connections."""

    def __init__(self, processes: Sequence[BaseProcess], pipes: Sequence[Connection]) -> None:
        self._processes = processes
        self._pipes = pipes

    def __len__(self) -> int:
        """Return the number of workers."""
        return len(self._processes)

    def check(self) -> None:
        """Raise Unavailable if a worker has ended."""
        if not all(process.is_alive() for process in self._processes):
            raise Unavailable(WORKER_ENDED)

    def send(self, message: str) -> None:
        """Send a message to all."""
        for pipe in self._pipes:
            pipe.send(message)

    async def receive(self) -> list[Any]:
        """Return one message of each; a worker that has sent its message may end before the others.

        Raise Unavailable if a worker ends without a message, TimeoutError after 900 s.
        """
        async with asyncio.timeout(_TIMEOUT_SECONDS):
            for process, pipe in zip(self._processes, self._pipes, strict=True):
                while not pipe.poll():
                    # Asked again: it may have sent its message and ended in between.
                    if not process.is_alive() and not pipe.poll():
                        raise Unavailable(WORKER_ENDED)
                    await asyncio.sleep(_CHECK_SECONDS)
        try:
            return [pipe.recv() for pipe in self._pipes]
        except EOFError as error:
            raise Unavailable(WORKER_ENDED) from error


@contextmanager
def _processes(settings: Settings, collection: Collection, number: int) -> Iterator[_Group]:
    """Start the workers; end them, by force if they have not ended in 30 s."""
    spawning = get_context("spawn")
    pipes = [spawning.Pipe() for _ in range(number)]
    processes = [
        spawning.Process(target=work_in_group, args=(settings, collection.received, theirs))
        for _, theirs in pipes
    ]
    for process, (_, theirs) in zip(processes, pipes, strict=True):
        process.start()
        theirs.close()
    try:
        yield _Group(processes, [ours for ours, _ in pipes])
    finally:
        for ours, _ in pipes:
            ours.close()
        for process in processes:
            process.join(30)
            process.kill()


async def _measure_group(
    settings: Settings, collection: Collection, group: _Group
) -> dict[str, Any]:
    """Let the workers judge the collection; return the measurements of the run."""
    await group.receive()
    await _await_members(settings, len(group))
    meter = ServerMeter(settings)
    async with OutputReader(settings, partitions=PARTITIONS) as output, aclosing(meter):
        group.send(BEGIN_WORK)
        await group.receive()
        servers, own = await meter.read(), process_time()
        writing = asyncio.ensure_future(fill_input(settings, collection))
        began = perf_counter()
        while len(output.done) < len(collection.items):
            if perf_counter() - began > _TIMEOUT_SECONDS:
                raise TimeoutError(f"{len(output.done):,} verdicts after {_TIMEOUT_SECONDS:g} s")
            await output.read()
            group.check()
        await writing
        servers, own = (await meter.read()).since(servers), process_time() - own
        group.send(END_WORK)
        costs = await group.receive()
    measurements = _run_measurements(output, costs, servers, own)
    measurements["kafka_bytes"]["input"] = round(
        sum(map(len, collection.received)) / len(collection.items)
    )
    return measurements


def _run_measurements(
    output: OutputReader, costs: Sequence[WorkerCosts], servers: ServerCosts, measuring: float
) -> dict[str, Any]:
    """Return the measurements of a run, per item or per 1,000 items."""
    items = len(output.done)
    workers = sum(one.processor_seconds for one in costs)
    redis, broker = sum(servers.redis_seconds), servers.broker_seconds
    return {
        "workers": len(costs),
        "rate": round(items / max(output.latest_at - output.first_at, _LEAST_SECONDS), 1),
        "processor_seconds": {
            "workers": _per_1000(workers, items),
            "redis": _per_1000(redis, items),
            "redis_busiest": _per_1000(max(servers.redis_seconds), items),
            "broker": None if broker is None else _per_1000(broker, items),
            "measuring": _per_1000(measuring, items),
        },
        "per_core_second": round(items / (workers + redis + (broker or 0.0)), 1),
        "conflicts": _per_1000(sum(one.conflicts for one in costs), items),
        "batches": _per_1000(sum(one.batches for one in costs), items),
        "redis_calls": _per_1000(servers.calls, items),
        "redis_bytes": {
            "input": round(servers.redis_input / items),
            "output": round(servers.redis_output / items),
        },
        "kafka_bytes": {"output": round(output.value_bytes / items)},
        "redis_memory": round(servers.memory / items),
        "worker_memory": max(one.resident_bytes for one in costs),
        **output.count_events(),
    }


def _per_1000(value: float, items: int) -> float:
    """Return a sum as a number per 1,000 items."""
    return round(1000 * value / items, 3)


async def _await_members(settings: Settings, number: int) -> None:
    """Wait until `number` workers share the partitions; raise TimeoutError after 900 s."""
    admin = AIOKafkaAdminClient(**kafka_access(settings).options())
    await admin.start()
    try:
        async with asyncio.timeout(_TIMEOUT_SECONDS):
            while True:
                with suppress(GroupCoordinatorNotAvailableError):  # the broker is still young
                    (answer,) = await admin.describe_consumer_groups([settings.kafka.group])
                    ((_, _, state, _, _, members, *_),) = answer.groups
                    if state == "Stable" and len(members) == number:
                        return
                await asyncio.sleep(_CHECK_SECONDS)
    finally:
        await admin.close()
