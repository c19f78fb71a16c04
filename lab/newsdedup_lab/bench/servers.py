"""The entry point of measurements that need servers."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Final

from newsdedup import NewsItem
from newsdedup.config import Configuration
from newsdedup.ports.errors import SettingsInvalid
from newsdedup_lab.bench.dense_redis import measure_density_in_redis
from newsdedup_lab.bench.kafka import bench_kafka
from newsdedup_lab.bench.latency import bench_latency
from newsdedup_lab.bench.own_servers import open_servers
from newsdedup_lab.bench.peers import PeerChoice
from newsdedup_lab.bench.redis import bench_redis
from newsdedup_lab.bench.repeats import repeat_measurement
from newsdedup_lab.bench.scale_out import measure_scale_out
from newsdedup_lab.bench.stage_rates import ReportStage
from newsdedup_lab.bench.windows_redis import measure_windows_in_redis
from newsdedup_lab.collections.items import Collection

_UNDATED: Final = datetime.min.replace(tzinfo=UTC)


def bench_servers(
    collection: Collection,
    configuration: Configuration,
    *,
    kafka: bool,
    redis: bool,
    growth: Sequence[int] = (),
    dense: timedelta | None = None,
    made: Sequence[int] = (),
    rates: Sequence[int] = (),
    workers: Sequence[int] = (),
    seconds: float,
    helpers: int,
    peers: PeerChoice,
    repeats: int = 1,
    say: ReportStage,
) -> dict[str, object]:
    """Run the Kafka measurement or, with `redis`, that of Redis, and return its measurements.

    The collection is put in time order. Servers that the configuration does not name are started
    for it. `growth`, `dense` (a window to bring all items into), `made` (windows of so many made
    items) and `peers` are for Redis alone,
    `helpers` (processes) for Kafka alone. With `rates` (items per second) latencies are measured
    with Kafka, for `seconds` at each; with `workers` so many of them at once, over a Redis Cluster
    if the configuration has shards. Raise SettingsInvalid if both flags are set, rates or workers
    without `kafka` or both of them, or a dense window without `redis`.
    """
    _refuse_contradictions(
        kafka=kafka, redis=redis, rates=rates, workers=workers, dense=dense, made=made
    )
    collection = sort_by_time(collection)
    wanted = ("redis",) if redis else ("kafka", "redis")
    cluster = configuration.settings.redis.shards > 1
    with open_servers(configuration, *wanted, cluster=cluster) as settings:
        if made:
            windows = measure_windows_in_redis(collection.items, settings, sizes=made, say=say)
            return {"windows": windows}
        if dense is not None:
            measurements = measure_density_in_redis(
                collection, settings, span=dense, repeats=repeats, say=say
            )
            return {"dense": measurements}
        if redis:
            return bench_redis(
                collection, settings, growth=growth, peers=peers, repeats=repeats, say=say
            )
        own = replace(settings, run=replace(settings.run, helpers=helpers))
        if workers:
            return repeat_measurement(
                lambda: measure_scale_out(collection, own, workers=workers, say=say),
                repeats=repeats,
            )
        if rates:
            return repeat_measurement(
                lambda: bench_latency(collection, own, rates=rates, seconds=seconds, say=say),
                repeats=repeats,
            )
        return repeat_measurement(lambda: bench_kafka(collection, own, say=say), repeats=repeats)


def _refuse_contradictions(
    *,
    kafka: bool,
    redis: bool,
    rates: Sequence[int],
    workers: Sequence[int],
    dense: timedelta | None,
    made: Sequence[int],
) -> None:
    """Raise SettingsInvalid if these cannot be measured together."""
    if kafka and redis:
        raise SettingsInvalid("--kafka and --redis: one at a time, or they slow each other")
    if rates and not kafka:
        raise SettingsInvalid("--rate: only with --kafka")
    if workers and (rates or not kafka):
        raise SettingsInvalid("--workers: only with --kafka, and without --rate")
    if made and not redis:
        raise SettingsInvalid("--made: only with --redis; in memory by `lab windows`")
    if dense is not None and not redis:
        raise SettingsInvalid("--dense: with --redis or in memory, not with --kafka")


def sort_by_time(collection: Collection) -> Collection:
    """Return the collection ordered by publication time, then by key; undated items come first."""
    pairs = zip(collection.items, collection.received, strict=True)
    ordered = sorted(pairs, key=lambda pair: (publication_time(pair[0]), pair[0].key))
    items, received = zip(*ordered, strict=True)
    return Collection(tuple(items), tuple(received), collection.left_out)


def publication_time(item: NewsItem) -> datetime:
    """Return the time of publication; undated items sort first."""
    return item.published_at or _UNDATED
