"""Records written to Kafka; nothing is taken for written before the broker has it."""

import asyncio
import logging
from collections.abc import Iterable, Sequence
from typing import Any, Final

from aiokafka import AIOKafkaProducer
from aiokafka.errors import (
    KafkaError,
    KafkaTimeoutError,
    MessageSizeTooLargeError,
    OutOfOrderSequenceNumber,
    RecordListTooLargeError,
    UnknownProducerId,
)

from newsdedup.adapters.kafka.client import KafkaAccess, kafka_unavailable, stop_client
from newsdedup.adapters.kafka.records import OutgoingRecord
from newsdedup.ports.errors import Unavailable

LOG: Final = logging.getLogger("newsdedup.kafka")
_LINGER_MS: Final = 2
_BATCH_BYTES: Final = 256 * 1024
_REQUEST_OVERHEAD: Final = 1_024
"""Bytes of a request beside the one record it must be able to hold."""
_TOO_LARGE: Final = (MessageSizeTooLargeError, RecordListTooLargeError)
_BROKEN: Final = (OutOfOrderSequenceNumber, UnknownProducerId)
"""The broker and the client do not agree on what was written; only another producer can go on."""


class KafkaPublisher:
    """Writes batches of records and waits until the broker has acknowledged all of them."""

    def __init__(
        self, access: KafkaAccess, *, message_bytes: int, timeout_ms: int = 20_000
    ) -> None:
        self._access = access
        self._message_bytes = message_bytes
        self._timeout_ms = timeout_ms
        self._producer: AIOKafkaProducer | None = None
        self._under_way: dict[int, tuple[Sequence[OutgoingRecord], asyncio.Task[list[int]]]] = {}
        """What is being written of which list: the client waits for a broker without end.

        A list is kept with it, for the number of one that is gone may become another's.
        """

    async def publish(self, records: Sequence[OutgoingRecord]) -> list[int]:
        """Return which records, by their place, are larger than Kafka takes; write all others.

        Raise Unavailable if the broker has not confirmed them in time: some may have been written.
        Asked again for the same list, it goes on waiting and writes nothing twice.
        """
        name = id(records)
        if name not in self._under_way:
            self._under_way[name] = records, asyncio.ensure_future(self._publish_once(records))
        _, task = self._under_way[name]
        try:
            done, _ = await asyncio.wait({task}, timeout=self._timeout_ms / 1000)
        except asyncio.CancelledError:
            # Whoever asks for this list again wants it written, not what came of it here.
            del self._under_way[name]
            task.cancel()
            raise
        if not done:
            raise Unavailable("kafka: the broker has not confirmed what was written")
        del self._under_way[name]
        return task.result()

    async def _publish_once(self, records: Sequence[OutgoingRecord]) -> list[int]:
        small = [n for n, record in enumerate(records) if record.size <= self._message_bytes]
        large = set(range(len(records))).difference(small)
        try:
            results = await self._send_all([records[n] for n in small])
            again = [n for n, it in zip(small, results, strict=True) if _is_doubtful(it)]
            if again:
                large.update(await self._send_one_by_one(records, again))
            _raise_first(results)
        except (KafkaError, OSError) as error:
            if not _is_retriable(error):
                await self._stop_producer()
            raise kafka_unavailable(error) from error
        return sorted(large)

    async def close(self) -> None:
        """Let go of the broker; what was not confirmed is published again from the outbox."""
        tasks = [task for _, task in self._under_way.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._under_way.clear()
        await self._stop_producer()

    async def _stop_producer(self) -> None:
        producer, self._producer = self._producer, None
        if producer is not None and not await stop_client(producer):
            LOG.warning("producer_not_closed: the broker is away")

    async def _send_all(self, records: Sequence[OutgoingRecord]) -> list[Any]:
        """Return what came of each record; the producer sends many at once."""
        if not records:
            return []
        if self._producer is None:
            self._producer = await self._start_producer(
                enable_idempotence=True, linger_ms=_LINGER_MS
            )
        producer = self._producer
        sent = [await _send(producer, record) for record in records]
        return await asyncio.gather(*sent, return_exceptions=True)

    async def _send_one_by_one(
        self, records: Sequence[OutgoingRecord], places: Iterable[int]
    ) -> list[int]:
        """Return which of some records the broker refuses even if nothing else comes with them.

        It refuses batches whole, small records with a large one; and a producer that numbers its
        batches is of no use after that.
        """
        await self._stop_producer()
        refused = []
        producer = await self._start_producer(enable_idempotence=False, max_batch_size=1)
        try:
            for place in places:
                try:
                    await (await _send(producer, records[place]))
                except _TOO_LARGE:
                    refused.append(place)
        finally:
            await stop_client(producer)
        return refused

    async def _start_producer(self, **options: Any) -> AIOKafkaProducer:
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
            await stop_client(producer)
            raise
        return producer


async def _send(producer: AIOKafkaProducer, record: OutgoingRecord) -> "asyncio.Future[Any]":
    """Return what will tell what came of a record, once it is on its way."""
    future: asyncio.Future[Any] = await producer.send(
        record.topic, record.value, record.key, headers=list(record.headers)
    )
    return future


def _is_doubtful(result: object) -> bool:
    return isinstance(result, _TOO_LARGE + _BROKEN)


def _raise_first(results: Iterable[object]) -> None:
    """Raise what came of a record that a broker did not confirm, unless it is judged alone."""
    for result in results:
        if isinstance(result, BaseException) and not _is_doubtful(result):
            raise result


def _is_retriable(error: KafkaError | OSError) -> bool:
    """Return whether the same producer may have more luck; one that has died never has."""
    return isinstance(error, OSError | KafkaTimeoutError) or error.retriable
