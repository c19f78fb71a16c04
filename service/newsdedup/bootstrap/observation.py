"""Metrics and health of a worker, and the tasks that measure alongside its work."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

from newsdedup.adapters.http.serving import serve_health
from newsdedup.adapters.kafka.admin import topic_admin
from newsdedup.adapters.metrics.catalogue import BUILD_INFO, METRICS
from newsdedup.adapters.metrics.prometheus import Metrics
from newsdedup.adapters.metrics.telemetry import PrometheusTelemetry
from newsdedup.adapters.redis.inspection import inspect_memory, read_redis_clock
from newsdedup.adapters.redis.namespace import measure_memory
from newsdedup.adapters.redis.streams import RedisOutbox
from newsdedup.bootstrap.rules import make_rule
from newsdedup.bootstrap.server_probes import RedisProbe, probe_kafka, probe_redis
from newsdedup.bootstrap.workers import NamespaceSession, kafka_access
from newsdedup.config import Settings
from newsdedup.ports.errors import Unavailable
from newsdedup.ports.telemetry import ServerMemory, StoreSize, Telemetry
from newsdedup.runners.worker.service import (
    BackgroundTask,
    sample_forever,
    wait_for_server,
)


@asynccontextmanager
async def open_telemetry(settings: Settings, *, release: str) -> AsyncIterator[Telemetry]:
    """Yield the telemetry of a worker, served over HTTP meanwhile; none if worker.port is 0."""
    chosen = settings.worker
    if chosen.port == 0:
        yield Telemetry()
        return
    metrics = Metrics(METRICS)
    rule_version = make_rule(settings).version
    metrics.set(BUILD_INFO, 1, release, rule_version, chosen.runner)
    telemetry = PrometheusTelemetry(metrics)
    async with serve_health(
        chosen.host,
        chosen.port,
        setting="worker.port",
        scrape=telemetry.scrape,
        missing=telemetry.missing,
    ):
        yield telemetry


async def wait_for_redis(settings: Settings, telemetry: Telemetry) -> None:
    """Return once Redis answers; report each failed attempt, without limit of time."""
    probe = RedisProbe(settings)
    try:
        await wait_for_server("redis", probe.ping, telemetry)
    finally:
        await probe.close()


async def wait_for_topics(settings: Settings, telemetry: Telemetry) -> None:
    """Return once Kafka has the three topics, for a consumer might create wrong ones.

    Report each failed attempt, without limit of time.
    """
    chosen = settings.kafka
    names = (chosen.input, chosen.output, chosen.dead)

    async def ask() -> None:
        """Raise Unavailable if Kafka is away or lacks one of the topics."""
        async with topic_admin(kafka_access(settings)) as there:
            found = await there.describe(names)
        if missing := [name for name in names if name not in found]:
            told = f"there is no topic {' nor '.join(missing)}"
            raise Unavailable(f"kafka: {told}; `newsdedup topics create` makes what is not there")

    await wait_for_server("kafka", ask, telemetry)


def companions(
    settings: Settings, session: NamespaceSession, telemetry: Telemetry
) -> tuple[BackgroundTask, ...]:
    """Return the background tasks of a worker: probes of both servers and samples of the store.

    None if nobody reads the metrics (a plain Telemetry).
    """
    if type(telemetry) is Telemetry:
        return ()

    return (
        partial(probe_kafka, settings, telemetry, topic=settings.kafka.input),
        partial(probe_redis, settings, telemetry),
        partial(sample_forever, partial(_measure_store, session, telemetry)),
        partial(sample_forever, partial(_measure_memory, session, telemetry)),
        partial(sample_forever, partial(_measure_clocks, settings, session, telemetry)),
    )


async def _measure_store(session: NamespaceSession, telemetry: Telemetry) -> None:
    """Report how many items and bytes the namespace holds."""
    calls, keys = session.calls, session.keys
    found = await measure_memory(calls, keys)
    sizes = {
        "postings": found.postings,
        "entries": found.entries,
        "verdicts": found.verdicts,
        "rest": found.rest,
    }
    outbox = await RedisOutbox(calls, keys).count()
    telemetry.store_size(StoreSize(found.items, sizes, outbox))


async def _measure_memory(session: NamespaceSession, telemetry: Telemetry) -> None:
    """Report how full Redis is; raise StateUnusable if this user may not run INFO."""
    found = await inspect_memory(session.calls, session.keys)
    telemetry.server_memory(ServerMemory(found.used, found.limit, found.evicts))


async def _measure_clocks(
    settings: Settings, session: NamespaceSession, telemetry: Telemetry
) -> None:
    """Report how far the clocks of Redis and Kafka are ahead; Kafka's is told to few users."""
    telemetry.clock("redis", await read_redis_clock(session.calls))
    async with topic_admin(kafka_access(settings)) as there:
        ahead_seconds = await there.ahead_seconds()
    if ahead_seconds is not None:
        telemetry.clock("kafka", ahead_seconds)
