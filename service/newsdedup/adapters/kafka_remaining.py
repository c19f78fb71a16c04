"""What a group has not worked on yet of a topic, up to where the topic ends now.

The group has no members: it is where the position is kept. Two that read at once read the same.
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Final

from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.errors import KafkaError

from newsdedup.adapters.kafka_client import KafkaAccess
from newsdedup.adapters.kafka_producer import unavailable
from newsdedup.adapters.kafka_records import Received, received
from newsdedup.adapters.kafka_topic import partitions

POLL_MS: Final = 1_000


class Remaining:
    """The rest of a topic."""

    def __init__(self, consumer: AIOKafkaConsumer, ends: dict[TopicPartition, int]) -> None:
        self._consumer = consumer
        self._ends = ends

    async def batches(self, *, at_once: int) -> AsyncIterator[list[Received]]:
        """Yield the rest in batches; those of a partition in their order."""
        while await self._waiting():
            found = await self._consumer.getmany(timeout_ms=POLL_MS, max_records=at_once)
            yield [
                received(record)
                for place, records in found.items()
                for record in records
                if record.offset < self._ends[place]
            ]

    async def done(self, batch: Sequence[Received]) -> None:
        """Remember that some records were worked on."""
        ends: dict[TopicPartition, int] = {}
        for record in batch:
            place = TopicPartition(record.topic, record.partition)
            ends[place] = max(ends.get(place, 0), record.offset + 1)
        if ends:
            await self._consumer.commit(ends)

    async def _waiting(self) -> bool:
        return any(
            [await self._consumer.position(place) < end for place, end in self._ends.items()]
        )


@asynccontextmanager
async def remaining(access: KafkaAccess, name: str, *, group: str) -> AsyncIterator[Remaining]:
    """Have the rest of a topic; raise SourceUnusable if there is none of this name."""
    consumer = AIOKafkaConsumer(
        **access.options(), group_id=group, enable_auto_commit=False, auto_offset_reset="earliest"
    )
    try:
        places = [TopicPartition(name, number) for number in await partitions(access, name)]
        await consumer.start()
        consumer.assign(places)
        yield Remaining(consumer, await consumer.end_offsets(places))
    except (KafkaError, OSError) as error:
        raise unavailable(error) from error
    finally:
        await consumer.stop()
