"""Publishing records: a batch is written when the broker has acknowledged all of it."""

import asyncio
import logging
from collections.abc import Iterable, Sequence
from typing import Any, Final

from aiokafka import AIOKafkaProducer, errors

from newsdedup.adapters.kafka.client import (
    KafkaAccess,
    ends_in_time,
    kafka_unavailable,
    missing_topics,
)
from newsdedup.adapters.kafka.records import OutgoingRecord
from newsdedup.ports.errors import Unavailable

LOG: Final = logging.getLogger("newsdedup.kafka")
_LINGER_MS: Final = 2
_BATCH_BYTES: Final = 256 * 1024
_REQUEST_OVERHEAD: Final = 1_024
"""Bytes of a request alongside the largest allowed record."""
_TOO_LARGE: Final = (errors.MessageSizeTooLargeError, errors.RecordListTooLargeError)
_SEQUENCE_LOST: Final = (errors.OutOfOrderSequenceNumber, errors.UnknownProducerId)
"""Broker and idempotent producer disagree on the sequence: a new producer is needed."""


class KafkaPublisher:
    """Writes batches of records and waits for the acknowledgement of each record."""

    def __init__(
        self, access: KafkaAccess, *, message_bytes: int, timeout_ms: int = 20_000
    ) -> None:
        self._access = access
        self._message_bytes = message_bytes
        self._timeout_ms = timeout_ms
        self._producer: AIOKafkaProducer | None = None
        self._starting = asyncio.Lock()
        """Taken while the producer is started or stopped."""
        self._pending: dict[int, tuple[Sequence[OutgoingRecord], asyncio.Task[list[int]]]] = {}
        """The write under way of each list, by the list's id, which keeps the list alive."""

    async def publish(self, records: Sequence[OutgoingRecord]) -> list[int]:
        """Write records; return the indexes of those too large for Kafka, which were not written.

        Raise Unavailable after an error, or if the broker has not acknowledged them in time; some
        may be written. After a timeout, a retry with the same list goes on waiting for the same
        write; after an error or a cancellation it writes the list again.
        """
        name = id(records)
        if name not in self._pending:
            self._pending[name] = records, asyncio.ensure_future(self._write(records))
        _, task = self._pending[name]
        try:
            done, _ = await asyncio.wait({task}, timeout=self._timeout_ms / 1000)
        except asyncio.CancelledError:
            # A later call with this list must write it again.
            del self._pending[name]
            task.cancel()
            raise
        if not done:
            raise Unavailable(self._unconfirmed(records))
        del self._pending[name]
        return task.result()

    def _unconfirmed(self, records: Sequence[OutgoingRecord]) -> str:
        """Return why the broker may not have confirmed records, as a message."""
        if self._producer is not None:
            known = self._producer.client.cluster.topics()
            if missing := sorted({record.topic for record in records} - known):
                return missing_topics(*missing)
        return "kafka: the broker has not confirmed what was written"

    async def close(self) -> None:
        """Stop the producer; events not yet acknowledged are published again from the outbox."""
        tasks = [task for _, task in self._pending.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._pending.clear()
        await self._stop_producer()

    async def _write(self, records: Sequence[OutgoingRecord]) -> list[int]:
        """Write records and wait for the broker; return the sorted indexes of those too large.

        Records that failed only because of their batch are sent again one by one, after the others.
        Raise Unavailable for any error of Kafka or the network: some may be written then.
        """
        small = [n for n, record in enumerate(records) if record.size <= self._message_bytes]
        large = set(range(len(records))).difference(small)
        try:
            results = await self._send_all([records[n] for n in small])
            again = [n for n, it in zip(small, results, strict=True) if _needs_retry_alone(it)]
            if again:
                large.update(await self._send_one_by_one(records, again))
            for result in results:
                if isinstance(result, BaseException) and not _needs_retry_alone(result):
                    raise result
        except (errors.KafkaError, OSError) as error:
            is_retriable = isinstance(error, OSError | errors.KafkaTimeoutError) or error.retriable
            if not is_retriable:  # the same producer cannot be used again
                await self._stop_producer()
            raise kafka_unavailable(error) from error
        return sorted(large)

    async def _send_all(self, records: Sequence[OutgoingRecord]) -> list[Any]:
        """Send records in large batches; return for each its metadata or the error."""
        if not records:
            return []
        async with self._starting:
            # The first of several writes at once starts the producer of all.
            producer = self._producer
            if producer is None:
                options = {"enable_idempotence": True, "linger_ms": _LINGER_MS}
                producer = self._producer = await self._start_producer(**options)
        futures = [await _send(producer, record) for record in records]
        return await asyncio.gather(*futures, return_exceptions=True)

    async def _send_one_by_one(
        self, records: Sequence[OutgoingRecord], indexes: Iterable[int]
    ) -> list[int]:
        """Send records each in a batch of its own; return the indexes of those refused still.

        The broker refuses a whole batch for one large record, and an idempotent producer cannot
        go on after a refused batch.
        """
        await self._stop_producer()
        refused = []
        producer = await self._start_producer(enable_idempotence=False, max_batch_size=1)
        try:
            for index in indexes:
                try:
                    await (await _send(producer, records[index]))
                except _TOO_LARGE:
                    refused.append(index)
        finally:
            await ends_in_time(producer.stop())
        return refused

    async def _start_producer(self, **options: Any) -> AIOKafkaProducer:
        """Return a connected producer; `options` are further ones of aiokafka's producer."""
        producer = AIOKafkaProducer(
            **self._access.options(),
            acks="all",
            max_request_size=self._message_bytes + _REQUEST_OVERHEAD,
            request_timeout_ms=self._timeout_ms,
            **{"max_batch_size": _BATCH_BYTES, **options},
        )
        try:
            await producer.start()
        except BaseException:
            await ends_in_time(producer.stop())
            raise
        return producer

    async def _stop_producer(self) -> None:
        """Stop the producer, if any; log a warning if the broker does not answer in time."""
        async with self._starting:
            producer, self._producer = self._producer, None
            if producer is not None and not await ends_in_time(producer.stop()):
                LOG.warning("producer_not_closed: the broker is away")


async def _send(producer: AIOKafkaProducer, record: OutgoingRecord) -> "asyncio.Future[Any]":
    """Put a record into the producer's buffer; the future is done when the broker has stored it."""
    future: asyncio.Future[Any] = await producer.send(
        record.topic, record.value, record.key, headers=list(record.headers)
    )
    return future


def _needs_retry_alone(result: object) -> bool:
    """Return whether a record failed for its batch, and must be sent in one of its own."""
    return isinstance(result, _TOO_LARGE + _SEQUENCE_LOST)
