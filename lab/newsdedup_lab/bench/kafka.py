"""End-to-end speed of one worker, compared with a runner that only passes records on."""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from uuid import uuid4

from aiokafka.admin import AIOKafkaAdminClient, NewTopic

from newsdedup.adapters.kafka.publisher import KafkaPublisher
from newsdedup.adapters.kafka.records import OutgoingRecord, item_key
from newsdedup.bootstrap.workers import kafka_access, redis_client
from newsdedup.config import Settings
from newsdedup.config.settings import RUNNERS
from newsdedup_lab.bench.stage_rates import ReportStage
from newsdedup_lab.bench.worker import WorkerKind, WorkerRates, timed_worker
from newsdedup_lab.collections.items import Collection

_PARTITIONS = 4
_WRITTEN_AT_ONCE = 1_000
"""Records written before the broker is waited for."""


def bench_kafka(
    collection: Collection, settings: Settings, *, say: ReportStage
) -> dict[str, object]:
    """Return the items per second of each runner over Kafka, and the share of each part in it.

    Each runner is measured twice over the whole collection: `runners` has the rates of workers that
    decide the items, `empty` of those that only pass records on, `ratios` the first by the second.
    `share` splits the time per item of the deciding worker into engine, Redis and Kafka. Progress
    goes to `say`.
    """
    whole, empty, share = {}, {}, {}
    for name in RUNNERS:
        with temporary_topics(settings, name) as own:
            say(f"{len(collection.items):,} items to {_PARTITIONS} partitions")
            asyncio.run(fill_input(own, collection))
            say(f"{name}, empty")
            empty[name] = _measure(own, "empty", collection)
            say(f"{name}, whole")
            whole[name] = _measure(own, "whole", collection)
        share[name] = time_shares(whole[name], empty[name])
    return {
        "items": len(collection.items),
        "rule": settings.rule.name,
        "helpers": settings.run.helpers,
        "runners": {name: round(found.rate, 1) for name, found in whole.items()},
        "empty": {name: round(found.rate, 1) for name, found in empty.items()},
        "ratios": {name: round(whole[name].rate / empty[name].rate, 3) for name in RUNNERS},
        "share": share,
    }


def time_shares(whole: WorkerRates, empty: WorkerRates) -> dict[str, float]:
    """Return the shares of engine, Redis and Kafka in the time per item of the `whole` worker.

    `engine` is decoding and analysis, timed alone in the same process; `kafka` is the time per item
    of the `empty` worker, which only passes records on; `redis` is the rest: look-ups, decisions,
    commits.
    """
    engine, kafka = whole.rate / whole.analysis, whole.rate / empty.rate
    measurements = {"engine": engine, "redis": 1 - engine - kafka, "kafka": kafka}
    return {name: round(part, 3) for name, part in measurements.items()}


@contextmanager
def temporary_topics(
    settings: Settings, runner: str, *, partitions: int = _PARTITIONS
) -> Iterator[Settings]:
    """Create the three topics of a measurement, yield settings that use them, and delete them.

    The settings also name the given runner, and a consumer group and a Redis namespace with the
    random name of the topics. All keys with that name are deleted, too, on all masters of a
    cluster.
    """
    name = f"newsdedup-bench-{uuid4().hex[:8]}"
    kafka = replace(
        settings.kafka, input=f"{name}.raw", output=f"{name}.out", dead=f"{name}.dlq", group=name
    )
    own = replace(
        settings,
        kafka=kafka,
        redis=replace(settings.redis, namespace=name),
        worker=replace(settings.worker, runner=runner),
    )
    made = [kafka.input, kafka.output, kafka.dead]
    asyncio.run(_administer(own, made, partitions=partitions))
    try:
        yield own
    finally:
        try:
            asyncio.run(_delete_keys(own))
        finally:
            asyncio.run(_administer(own, made, partitions=0))


async def _administer(settings: Settings, names: Sequence[str], *, partitions: int) -> None:
    """Create topics of `partitions` partitions with these names; with 0 delete them."""
    admin = AIOKafkaAdminClient(**kafka_access(settings).options())
    await admin.start()
    try:
        if partitions:
            await admin.create_topics([NewTopic(name, partitions, 1) for name in names])
        else:
            await admin.delete_topics(list(names))
    finally:
        await admin.close()


async def _delete_keys(settings: Settings) -> None:
    """Delete all keys that bear the name of the namespace."""
    client = redis_client(settings)
    try:
        async for key in client.scan_iter(match=f"*{settings.redis.namespace}*", count=1_000):
            await client.unlink(key)
    finally:
        await client.aclose()


async def fill_input(settings: Settings, collection: Collection) -> None:
    """Publish all items, as they were received, to the input topic, keyed by item."""
    access = kafka_access(settings)
    publisher = KafkaPublisher(access, message_bytes=settings.kafka.message_bytes)
    pairs = list(zip(collection.items, collection.received, strict=True))
    try:
        for first in range(0, len(pairs), _WRITTEN_AT_ONCE):
            await publisher.publish(
                [
                    OutgoingRecord(settings.kafka.input, item_key(item.key), line)
                    for item, line in pairs[first : first + _WRITTEN_AT_ONCE]
                ]
            )
    finally:
        await publisher.close()


def _measure(settings: Settings, kind: WorkerKind, collection: Collection) -> WorkerRates:
    """Run a worker of this kind over the input topic in a new process; return its rates.

    It gets a consumer group of its own, so both kinds read the topic from its beginning.
    """
    group = replace(settings.kafka, group=f"{settings.kafka.group}-{kind}")
    own = replace(settings, kafka=group)
    with timed_worker(own, kind, collection.received) as worker:
        return worker.rates()
