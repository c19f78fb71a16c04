"""A topic followed as it grows, by nobody's group: reading it changes nothing."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.errors import KafkaError

from newsdedup.adapters.kafka.client import KafkaAccess
from newsdedup.adapters.kafka.closing import let_go
from newsdedup.adapters.kafka.producer import unavailable
from newsdedup.adapters.kafka.records import Received, received
from newsdedup.adapters.kafka.topic import partitions

POLL_MS: Final = 1_000
AT_ONCE: Final = 500


@asynccontextmanager
async def following(
    access: KafkaAccess, name: str, *, beginning: bool
) -> AsyncIterator[AsyncIterator[list[Received]]]:
    """Have the records of a topic from its beginning, or from now on, in batches without end.

    What is written after this is entered is among them.
    """
    start = "earliest" if beginning else "latest"
    consumer = AIOKafkaConsumer(
        **access.options(), enable_auto_commit=False, auto_offset_reset=start
    )
    try:
        places = [TopicPartition(name, number) for number in await partitions(access, name)]
        await consumer.start()
        consumer.assign(places)
        # Where a partition is read from is asked of Kafka in the background; to seek meanwhile
        # would be undone by the answer.
        for place in places:
            await consumer.position(place)
        yield _batches(consumer)
    except (KafkaError, OSError) as error:
        raise unavailable(error) from error
    finally:
        await let_go(consumer)


async def _batches(consumer: AIOKafkaConsumer) -> AsyncIterator[list[Received]]:
    while True:
        found = await consumer.getmany(timeout_ms=POLL_MS, max_records=AT_ONCE)
        yield [received(record) for records in found.values() for record in records]
