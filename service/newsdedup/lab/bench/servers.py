"""The entry point of measurements that need servers."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

from newsdedup.config import Configuration
from newsdedup.core.model import NewsItem
from newsdedup.lab.bench.kafka import bench_kafka
from newsdedup.lab.bench.latency import bench_latency
from newsdedup.lab.bench.own_servers import open_servers
from newsdedup.lab.bench.redis import bench_redis
from newsdedup.lab.bench.stages import ReportStage
from newsdedup.lab.collections.items import Collection
from newsdedup.ports.errors import SettingsInvalid

_UNDATED: Final = datetime.min.replace(tzinfo=UTC)


def bench_servers(
    collection: Collection,
    configuration: Configuration,
    *,
    kafka: bool,
    redis: bool,
    growth: Sequence[int] = (),
    rates: Sequence[int] = (),
    seconds: float,
    helpers: int,
    say: ReportStage,
) -> dict[str, object]:
    """Run the Kafka measurement or, with `redis`, that of Redis, and return its figures.

    The collection is put in time order. Servers that the configuration does not name are started
    for it. `growth` is for Redis alone, `helpers` (processes) for Kafka alone. With `rates` (items
    per second) latencies are measured with Kafka, for `seconds` at each. Raise SettingsInvalid if
    both flags are set, or rates without `kafka`.
    """
    if kafka and redis:
        raise SettingsInvalid("--kafka and --redis: one at a time, or they slow each other")
    if rates and not kafka:
        raise SettingsInvalid("--rate: only with --kafka")
    collection = sort_by_time(collection)
    with open_servers(configuration, *(("redis",) if redis else ("kafka", "redis"))) as settings:
        if redis:
            return bench_redis(collection, settings, growth=growth, say=say)
        own = replace(settings, run=replace(settings.run, helpers=helpers))
        if rates:
            return bench_latency(collection, own, rates=rates, seconds=seconds, say=say)
        return bench_kafka(collection, own, say=say)


def sort_by_time(collection: Collection) -> Collection:
    """Return the collection ordered by publication time, then by key; undated items come first."""
    pairs = zip(collection.items, collection.received, strict=True)
    ordered = sorted(pairs, key=lambda pair: (publication_time(pair[0]), pair[0].key))
    items, received = zip(*ordered, strict=True)
    return Collection(tuple(items), tuple(received), collection.left_out)


def publication_time(item: NewsItem) -> datetime:
    """Return the time of publication; undated items sort first."""
    return item.published_at or _UNDATED
