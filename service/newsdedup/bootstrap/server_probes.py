"""Probes of the servers over connections of their own: what waits in a batch holds up none."""

import asyncio
from typing import Final

from newsdedup.adapters.kafka.client import KafkaProbe
from newsdedup.adapters.redis.calls import Calls
from newsdedup.adapters.redis.client import Client
from newsdedup.adapters.redis.inspection import homes_of
from newsdedup.adapters.redis.keys import Keys
from newsdedup.bootstrap.workers import kafka_access, redis_client
from newsdedup.config import Settings
from newsdedup.ports.errors import Unavailable
from newsdedup.ports.telemetry import Telemetry
from newsdedup.runners.worker.service import PROBE_SECONDS, probe_server

_SHARE: Final = 0.75
"""Share of redis.timeout between two probes, so that an outage is told within twice of it."""


class RedisProbe:
    """Asks the nodes of the namespace for a sign of life, one attempt each."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._seconds = settings.redis.timeout.total_seconds()
        self._client: Client | None = None

    async def ping(self) -> None:
        """Ping every node that holds the namespace; raise Unavailable if one does not answer.

        The limit is redis.timeout for all of it, connecting included. A node whose disk is full
        refuses a PING. After a failure the next ping connects anew. Raise StateUnusable if this
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
        except TimeoutError as error:
            await self.close()
            raise Unavailable(f"redis: no answer within {self._seconds:g} s") from error
        except Unavailable:
            await self.close()
            raise

    async def close(self) -> None:
        """Close the connection."""
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()


async def probe_redis(settings: Settings, telemetry: Telemetry) -> None:
    """Report for ever whether Redis answers; an outage within twice redis.timeout."""
    probe = RedisProbe(settings)
    pause = min(PROBE_SECONDS, _SHARE * settings.redis.timeout.total_seconds())
    try:
        await probe_server("redis", probe.ping, telemetry, seconds=pause)
    finally:
        await probe.close()


async def probe_kafka(settings: Settings, telemetry: Telemetry, *, topic: str) -> None:
    """Report for ever whether Kafka answers for a topic; an outage within 6 s."""
    probe = KafkaProbe(kafka_access(settings), topic=topic)
    try:
        await probe_server("kafka", probe.ping, telemetry)
    finally:
        await probe.close()
