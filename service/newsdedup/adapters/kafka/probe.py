"""Whether Kafka answers, asked over a connection of its own: consumers only wait in silence."""

import asyncio
from typing import Final

from aiokafka.client import AIOKafkaClient
from aiokafka.errors import KafkaError

from newsdedup.adapters.kafka.client import KafkaAccess
from newsdedup.adapters.kafka.producer import unavailable
from newsdedup.ports.errors import Unavailable

PATIENCE_SECONDS: Final = 3.0


class KafkaProbe:
    """Asks any broker for news of one topic."""

    def __init__(self, access: KafkaAccess, *, topic: str) -> None:
        self._access = access
        self._topic = topic
        self._client: AIOKafkaClient | None = None

    async def answers(self) -> None:
        """Return if a broker answers; raise Unavailable otherwise."""
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                client = await self._begun()
                updated = await client.force_metadata_update()
        except (KafkaError, OSError, TimeoutError) as error:
            await self.close()
            raise unavailable(error) from error
        if not updated:
            # The brokers that it knows may be gone for good, and others have come.
            await self.close()
            raise Unavailable("kafka: no broker answers")

    async def close(self) -> None:
        """Let go of the connection."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    async def _begun(self) -> AIOKafkaClient:
        if self._client is None:
            self._client = AIOKafkaClient(**self._access.options())
            await self._client.bootstrap()
            await self._client.set_topics([self._topic])
        return self._client
