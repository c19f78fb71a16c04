"""Produces records at a steady rate and times the arrival of what a worker makes of them."""

import asyncio
from collections.abc import Sequence
from time import perf_counter
from types import TracebackType
from typing import Any, Final, Self

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition

from newsdedup.adapters.kafka.client import ends_in_time
from newsdedup.bootstrap.workers import kafka_access
from newsdedup.config import Settings

_TIMEOUT_SECONDS: Final = 300
_TRACE: Final = "traceparent"


class PacedStream:
    """The input and the output topic of one worker, seen by one producer and one consumer.

    Each record carries its number as a trace id (W3C `traceparent`), which workers copy to the
    events that it causes; the first of them ends its time.
    """

    def __init__(self, settings: Settings) -> None:
        self._kafka = settings.kafka
        access = kafka_access(settings).options()
        self._producer = AIOKafkaProducer(**access, linger_ms=0)
        self._consumer = AIOKafkaConsumer(**access, auto_offset_reset="earliest")
        self._sent: list[float] = []
        self._arrived: dict[int, float] = {}
        self._arrival = asyncio.Event()
        self._reading: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        """Connect, and read the output topic from its beginning."""
        await self._producer.start()
        await self._consumer.start()
        topic = self._kafka.output
        numbers = await self._producer.partitions_for(topic)
        self._consumer.assign([TopicPartition(topic, number) for number in numbers])
        self._reading = asyncio.ensure_future(self._read())
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Disconnect; records on their way are lost."""
        if self._reading is not None:
            self._reading.cancel()
            await asyncio.gather(self._reading, return_exceptions=True)
        await ends_in_time(self._producer.stop())
        await ends_in_time(self._consumer.stop())

    async def send(self, values: Sequence[bytes], *, rate: float) -> list[float]:
        """Produce `rate` records a second, evenly spaced; return the seconds that each one took.

        Wait until an event of every record has arrived; raise TimeoutError after 300 s.
        """
        first, began = len(self._sent), perf_counter()
        for number, value in enumerate(values):
            await asyncio.sleep(max(0.0, began + number / rate - perf_counter()))
            header = (_TRACE, f"00-{len(self._sent) + 1:032x}-{1:016x}-01".encode())
            self._sent.append(perf_counter())
            await self._producer.send(self._kafka.input, value, headers=[header])
        async with asyncio.timeout(_TIMEOUT_SECONDS):
            while len(self._arrived) < len(self._sent):
                self._arrival.clear()
                await self._arrival.wait()
        return [
            self._arrived[number] - self._sent[number] for number in range(first, len(self._sent))
        ]

    async def _read(self) -> None:
        """Record when the first event of each record arrives, until cancelled."""
        async for record in self._consumer:
            now = perf_counter()
            self._arrived.setdefault(_number(record), now)
            self._arrival.set()


def _number(record: Any) -> int:
    """Return the number of the record that caused this one, from its trace header."""
    parent: bytes = dict(record.headers)[_TRACE]
    return int(parent.split(b"-")[1], 16) - 1
