"""Metrics and health of a worker, and what probes its servers and measures alongside its work.

Probes have connections of their own: a batch that waits for a server holds up none.
"""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from functools import partial
from typing import Final

from newsdedup.adapters.http.serving import serve_health
from newsdedup.adapters.kafka.admin import topic_admin
from newsdedup.adapters.kafka.client import KafkaProbe, missing_topics
from newsdedup.adapters.metrics.catalogue import BUILD_INFO, METRICS
from newsdedup.adapters.metrics.prometheus import Metrics
from newsdedup.adapters.metrics.telemetry import PrometheusTelemetry
from newsdedup.adapters.redis.calls import Calls, Client
from newsdedup.adapters.redis.inspection import (
    homes_of,
    inspect_memory,
    measure_memory,
    read_redis_clock,
)
from newsdedup.adapters.redis.keys import Keys
from newsdedup.adapters.redis.store import RedisOutbox
from newsdedup.bootstrap.rules import make_rule
from newsdedup.bootstrap.workers import NamespaceSession, kafka_access, redis_client
from newsdedup.config import Settings
from newsdedup.ports.errors import Unavailable
from newsdedup.ports.telemetry import ServerMemory, StoreSize, Telemetry
from newsdedup.runners.worker import service

LOG: Final = logging.getLogger("newsdedup.observation")
_SHARE: Final = 0.75
"""Share of redis.timeout between two probes, so that an outage is reported within twice of it."""


@asynccontextmanager
async def open_telemetry(settings: Settings, *, release: str) -> AsyncIterator[Telemetry]:
    """Yield the telemetry of a worker and serve it over HTTP; it does nothing for worker.port 0.

    Raise SettingsInvalid if the port is taken. `release` is shown in the metrics.
    """
    chosen = settings.worker
    if chosen.port == 0:
        yield Telemetry()
        return
    metrics = Metrics(METRICS)
    metrics.set(BUILD_INFO, 1, release, make_rule(settings).version, chosen.runner)
    telemetry = PrometheusTelemetry(metrics)
    async with serve_health(chosen.host, chosen.port, telemetry, setting="worker.port"):
        yield telemetry


class RedisProbe:
    """Pings the nodes of the namespace, one attempt each."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._seconds = settings.redis.timeout.total_seconds()
        self._client: Client | None = None

    async def ping(self) -> None:
        """Ping every node of the namespace; raise Unavailable if one does not answer.

        The limit is redis.timeout for all of it, connecting included. A node whose disk is full
        refuses a PING. After a failure the next ping connects again. Raise StateUnusable if this
        user is refused.
        """
        chosen = self._settings.redis
        keys = Keys(chosen.namespace, 1, chosen.shards)
        try:
            async with asyncio.timeout(self._seconds):
                client = self._client = self._client or redis_client(self._settings, pings=False)
                calls = Calls(client, home=keys.fixed[0], attempts=1)
                for home in homes_of(keys):
                    await calls.at(home).command("PING")
        except (TimeoutError, Unavailable) as error:
            await self.aclose()
            if isinstance(error, Unavailable):
                raise
            raise Unavailable(f"redis: no answer within {self._seconds:g} s") from error

    async def aclose(self) -> None:
        """Close the connection, if there is one."""
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()


async def wait_for_redis(settings: Settings, telemetry: Telemetry) -> None:
    """Return once Redis answers, however long that takes; report each failed attempt."""
    async with aclosing(RedisProbe(settings)) as probe:
        await service.wait_for_server("redis", probe.ping, telemetry)


async def wait_for_topics(settings: Settings, telemetry: Telemetry) -> None:
    """Return once Kafka has the three topics, however long that takes; report each failed attempt.

    A consumer that did not wait might create topics with wrong settings.
    """
    chosen = settings.kafka
    names = (chosen.input, chosen.output, chosen.dead)

    async def ask() -> None:
        async with topic_admin(kafka_access(settings)) as there:
            found = await there.describe(names)
        if missing := [name for name in names if name not in found]:
            raise Unavailable(missing_topics(*missing))

    await service.wait_for_server("kafka", ask, telemetry)


async def probe_redis(settings: Settings, telemetry: Telemetry) -> None:
    """Report for ever whether Redis answers; an outage is reported within twice redis.timeout."""
    pause = min(service.PROBE_SECONDS, _SHARE * settings.redis.timeout.total_seconds())
    async with aclosing(RedisProbe(settings)) as probe:
        await service.probe_server("redis", probe.ping, telemetry, seconds=pause)


async def probe_kafka(settings: Settings, telemetry: Telemetry, *, topic: str) -> None:
    """Report for ever whether Kafka answers for a topic; an outage is reported within 6 s."""
    probe = KafkaProbe(kafka_access(settings), topic=topic)
    try:
        await service.probe_server("kafka", probe.ping, telemetry)
    finally:
        await probe.close()


def companions(
    settings: Settings, session: NamespaceSession, telemetry: Telemetry
) -> tuple[service.BackgroundTask, ...]:
    """Return the background tasks of a worker: probes of both servers and samples of the store.

    Return none for a plain Telemetry, which reports nothing.
    """
    if type(telemetry) is Telemetry:
        return ()
    return (
        partial(probe_kafka, settings, telemetry, topic=settings.kafka.input),
        partial(probe_redis, settings, telemetry),
        partial(service.sample_forever, partial(_measure_store, session, telemetry)),
        partial(service.sample_forever, partial(_measure_memory, session, telemetry)),
        partial(service.sample_forever, partial(_measure_clocks, settings, session, telemetry)),
    )


async def _measure_store(session: NamespaceSession, telemetry: Telemetry) -> None:
    """Report items in Redis, bytes by kind, and events in the outbox; or raise Unavailable."""
    calls, keys = session.calls, session.keys
    found = await measure_memory(calls, keys)
    sizes = {kind: getattr(found, kind) for kind in ("postings", "entries", "verdicts", "rest")}
    outbox = await RedisOutbox(calls, keys).count()
    telemetry.store_size(StoreSize(found.items, sizes, outbox))


async def _measure_memory(session: NamespaceSession, telemetry: Telemetry) -> None:
    """Report used bytes and limit of Redis, and warn if it evicts keys.

    Raise StateUnusable if this user may not run INFO.
    """
    found = await inspect_memory(session.calls, session.keys)
    if found.evicts:
        LOG.warning(
            "redis_evicts policy=%s: it drops verdicts when its memory is full, and their copies "
            "become originals: set maxmemory-policy to noeviction",
            found.policy,
        )
    telemetry.server_memory(ServerMemory(found.used, found.limit, found.evicts))


async def _measure_clocks(
    settings: Settings, session: NamespaceSession, telemetry: Telemetry
) -> None:
    """Report by how many seconds the clock of Redis is ahead of ours, and Kafka's if known."""
    telemetry.clock("redis", await read_redis_clock(session.calls))
    async with topic_admin(kafka_access(settings)) as there:
        ahead_seconds = await there.ahead_seconds()
    if ahead_seconds is not None:
        telemetry.clock("kafka", ahead_seconds)
