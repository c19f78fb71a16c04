"""A topic read to where it ends now: from its beginning, or from where a group has got to.

Such a group has no members: it is where the position is kept. Two that read at once read the same.
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from time import monotonic
from typing import Any, Final

from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.errors import KafkaError

from newsdedup.adapters.kafka.client import (
    KafkaAccess,
    await_broker,
    kafka_unavailable,
    stop_client,
)
from newsdedup.adapters.kafka.records import (
    ReceivedRecord,
    end_offsets,
    from_aiokafka,
    position_name,
)
from newsdedup.ports.errors import SourceUnusable, Unavailable

_POLL_MS: Final = 1_000
SILENT_SECONDS: Final = 60.0
"""How long a broker may say nothing: a slow one, or one that has just started again."""


class TopicReader:
    """A topic up to where it ends now."""

    def __init__(self, consumer: AIOKafkaConsumer, ends: dict[TopicPartition, int]) -> None:
        self._consumer = consumer
        self._ends = ends

    async def records(self, *, at_once: int) -> AsyncIterator[list[ReceivedRecord]]:
        """Yield the records in batches; those of a partition in their order."""
        while await self._has_more():
            found = await self._fetch(at_once)
            batch = [
                from_aiokafka(record)
                for place, records in found.items()
                for record in records
                if record.offset < self._ends[place]
            ]
            if batch:
                yield batch

    async def commit(self, batch: Sequence[ReceivedRecord]) -> None:
        """Remember for the group that some records were worked on."""
        if batch:
            done = {TopicPartition(*place): end for place, end in end_offsets(batch).items()}
            await await_broker(self._consumer.commit(done), seconds=SILENT_SECONDS)

    async def committed(self) -> dict[str, int]:
        """Return for each partition the offset up to which the group has worked."""
        found = {
            place: await await_broker(self._consumer.committed(place), seconds=SILENT_SECONDS)
            for place in self._ends
        }
        return {
            position_name(place.topic, place.partition): offset
            for place, offset in found.items()
            if offset is not None
        }

    async def _fetch(self, at_once: int) -> dict[TopicPartition, list[Any]]:
        """Return what comes next; raise Unavailable if for long nothing does."""
        before, until = await self._positions(), monotonic() + SILENT_SECONDS
        while monotonic() < until:
            found: dict[TopicPartition, list[Any]] = await self._consumer.getmany(
                timeout_ms=_POLL_MS, max_records=at_once
            )
            # What is no record moves the position, too: marks of transactions, deleted ones.
            if found or await self._positions() != before:
                return found
        raise Unavailable("kafka: nothing more comes of the topic, and it has not ended")

    async def _has_more(self) -> bool:
        positions = await self._positions()
        return any(at < end for at, end in zip(positions, self._ends.values(), strict=True))

    async def _positions(self) -> list[int]:
        return [
            await await_broker(self._consumer.position(place), seconds=SILENT_SECONDS)
            for place in self._ends
        ]


@asynccontextmanager
async def open_topic(
    access: KafkaAccess, name: str, *, group: str | None = None
) -> AsyncIterator[TopicReader]:
    """Have a topic to read; raise SourceUnusable if there is none of this name."""
    consumer = AIOKafkaConsumer(
        **access.options(), group_id=group, enable_auto_commit=False, auto_offset_reset="earliest"
    )
    try:
        places = [TopicPartition(name, number) for number in await partition_numbers(access, name)]
        await consumer.start()
        consumer.assign(places)
        yield TopicReader(consumer, await consumer.end_offsets(places))
    except (KafkaError, OSError) as error:
        raise kafka_unavailable(error) from error
    finally:
        await stop_client(consumer)


async def partition_numbers(access: KafkaAccess, name: str) -> list[int]:
    """Return the numbers of a topic's partitions; raise SourceUnusable if there is no topic."""
    admin = AIOKafkaAdminClient(**access.options())
    try:
        await admin.start()
        (found,) = await admin.describe_topics([name])
    finally:
        await admin.close()
    if found["error_code"]:
        raise SourceUnusable(
            f"kafka: there is no topic {name!r}; `newsdedup topics create` makes it"
        )
    return sorted(place["partition"] for place in found["partitions"])


_FOLLOW_RECORDS: Final = 500


@asynccontextmanager
async def follow_topic(
    access: KafkaAccess, name: str, *, beginning: bool
) -> AsyncIterator[AsyncIterator[list[ReceivedRecord]]]:
    """Have the records of a topic from its beginning, or from now on, in batches without end.

    What is written after this is entered is among them.
    """
    start = "earliest" if beginning else "latest"
    consumer = AIOKafkaConsumer(
        **access.options(), enable_auto_commit=False, auto_offset_reset=start
    )
    try:
        places = [TopicPartition(name, number) for number in await partition_numbers(access, name)]
        await consumer.start()
        consumer.assign(places)
        # Where a partition is read from is asked of Kafka in the background; to seek meanwhile
        # would be undone by the answer.
        for place in places:
            await consumer.position(place)
        yield _batches(consumer)
    except (KafkaError, OSError) as error:
        raise kafka_unavailable(error) from error
    finally:
        await stop_client(consumer)


async def _batches(consumer: AIOKafkaConsumer) -> AsyncIterator[list[ReceivedRecord]]:
    while True:
        found = await consumer.getmany(timeout_ms=_POLL_MS, max_records=_FOLLOW_RECORDS)
        yield [from_aiokafka(record) for records in found.values() for record in records]
