"""Records written to Kafka; nothing is taken for written before the broker has it."""

import asyncio
from collections.abc import Sequence
from typing import Any, Final

from aiokafka import AIOKafkaProducer
from aiokafka.errors import (
    KafkaError,
    MessageSizeTooLargeError,
    RecordListTooLargeError,
)

from newsdedup.adapters.kafka_client import KafkaAccess
from newsdedup.adapters.kafka_records import Outgoing
from newsdedup.ports import Unavailable

LINGER_MS: Final = 2
BATCH_BYTES: Final = 256 * 1024
OVERHEAD: Final = 1_024
"""Bytes of a request beside the one record it must be able to hold."""


class KafkaPublisher:
    """Writes batches of records and waits until the broker has acknowledged all of them."""

    def __init__(
        self, access: KafkaAccess, *, message_bytes: int, timeout_ms: int = 20_000
    ) -> None:
        self._access = access
        self._message_bytes = message_bytes
        self._timeout_ms = timeout_ms
        self._producer: AIOKafkaProducer | None = None

    async def publish(self, records: Sequence[Outgoing]) -> list[int]:
        """Return which records, by their place, are larger than Kafka takes; write all others.

        Raise Unavailable if the broker has not confirmed them: some may have been written.
        """
        try:
            producer = await self._started()
            sent = [await self._send(producer, record) for record in records]
            results = await asyncio.gather(*sent, return_exceptions=True)
        except (KafkaError, OSError) as error:
            raise unavailable(error) from error
        return _too_large(results)

    async def close(self) -> None:
        """Let go of the broker; what was not confirmed is published again from the outbox."""
        producer, self._producer = self._producer, None
        if producer is not None:
            await producer.stop()

    async def _started(self) -> AIOKafkaProducer:
        if self._producer is None:
            producer = AIOKafkaProducer(
                **self._access.options(),
                acks="all",
                enable_idempotence=True,
                linger_ms=LINGER_MS,
                max_batch_size=BATCH_BYTES,
                max_request_size=self._message_bytes + OVERHEAD,
                request_timeout_ms=self._timeout_ms,
            )
            try:
                await producer.start()
            except BaseException:
                await producer.stop()
                raise
            self._producer = producer
        return self._producer

    async def _send(self, producer: AIOKafkaProducer, record: Outgoing) -> "asyncio.Future[Any]":
        try:
            future: asyncio.Future[Any] = await producer.send(
                record.topic, record.value, record.key, headers=list(record.headers)
            )
        except MessageSizeTooLargeError as error:
            future = asyncio.get_running_loop().create_future()
            future.set_exception(error)
        return future


def _too_large(results: Sequence[object]) -> list[int]:
    """Return the places of what can never be written; raise Unavailable for any other failure."""
    places = []
    for place, result in enumerate(results):
        if isinstance(result, MessageSizeTooLargeError | RecordListTooLargeError):
            places.append(place)
        elif isinstance(result, KafkaError | OSError):
            raise unavailable(result) from result
        elif isinstance(result, BaseException):
            raise result
    return places


def unavailable(error: Exception) -> Unavailable:
    """Return our word for a broker that does not answer."""
    return Unavailable(f"kafka: {type(error).__name__}: {error}")
