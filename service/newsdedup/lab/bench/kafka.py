"""How fast one worker is end to end, against the same runner that only passes records on."""

import asyncio
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from multiprocessing import get_context
from uuid import uuid4

from aiokafka.admin import AIOKafkaAdminClient, NewTopic

from newsdedup.adapters.kafka.publisher import KafkaPublisher
from newsdedup.adapters.kafka.records import OutgoingRecord, item_key
from newsdedup.bootstrap import service
from newsdedup.config import Settings
from newsdedup.config.settings import RUNNERS
from newsdedup.lab.bench.stages import Say
from newsdedup.lab.bench.worker import Kind, Pace, paced
from newsdedup.lab.collections.items import Collection

PARTITIONS = 4
AT_ONCE = 1_000
"""Records written before the broker is waited for."""


def bench_kafka(collection: Collection, settings: Settings, *, say: Say) -> dict[str, object]:
    """Return items per second of both runners, whole and empty, and where the time goes.

    `share` is of one item's time in the whole loop: `engine` is decoding and analysis, timed alone
    in the same process; `kafka` what the empty loop takes; `redis` the rest: looks, decisions and
    commits.
    """
    whole, empty, share = {}, {}, {}
    for name in RUNNERS:
        with topics(settings, name) as own:
            say(f"{len(collection.items):,} items to {PARTITIONS} partitions")
            asyncio.run(_fill(own, collection))
            say(f"{name}, empty")
            empty[name] = _measured(own, "empty", collection)
            say(f"{name}, whole")
            whole[name] = _measured(own, "whole", collection)
        share[name] = shares(whole[name], empty[name])
    return {
        "items": len(collection.items),
        "rule": settings.rule.name,
        "helpers": settings.run.helpers,
        "runners": {name: round(found.rate, 1) for name, found in whole.items()},
        "empty": {name: round(found.rate, 1) for name, found in empty.items()},
        "ratios": {name: round(whole[name].rate / empty[name].rate, 3) for name in RUNNERS},
        "share": share,
    }


def shares(whole: Pace, empty: Pace) -> dict[str, float]:
    """Return which part of an item's time goes where."""
    engine, kafka = whole.rate / whole.analysis, whole.rate / empty.rate
    told = {"engine": engine, "redis": 1 - engine - kafka, "kafka": kafka}
    return {name: round(part, 3) for name, part in told.items()}


@contextmanager
def topics(settings: Settings, runner: str) -> Iterator[Settings]:
    """Yield settings with topics, group and namespace of their own; the topics are deleted."""
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
    asyncio.run(_administered(own, made, delete=False))
    try:
        yield own
    finally:
        asyncio.run(_administered(own, made, delete=True))


async def _administered(settings: Settings, names: Sequence[str], *, delete: bool) -> None:
    admin = AIOKafkaAdminClient(**service.kafka_access(settings).options())
    await admin.start()
    try:
        if delete:
            await admin.delete_topics(list(names))
        else:
            await admin.create_topics([NewTopic(name, PARTITIONS, 1) for name in names])
    finally:
        await admin.close()


async def _fill(settings: Settings, collection: Collection) -> None:
    """Write all items to the input, each to the partition of its key."""
    access = service.kafka_access(settings)
    publisher = KafkaPublisher(access, message_bytes=settings.kafka.message_bytes)
    pairs = list(zip(collection.items, collection.received, strict=True))
    try:
        for first in range(0, len(pairs), AT_ONCE):
            await publisher.publish(
                [
                    OutgoingRecord(settings.kafka.input, item_key(item.key), line)
                    for item, line in pairs[first : first + AT_ONCE]
                ]
            )
    finally:
        await publisher.close()


def _measured(settings: Settings, kind: Kind, collection: Collection) -> Pace:
    """Return the pace of a worker in a process of its own."""
    group = replace(settings.kafka, group=f"{settings.kafka.group}-{kind}")
    own = replace(settings, kafka=group)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
        return process.submit(paced, own, kind, collection.received).result()
