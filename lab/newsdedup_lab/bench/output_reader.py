"""Reads the output topic of a measurement until every item has its verdict."""

from collections import Counter
from time import perf_counter
from types import TracebackType
from typing import Final, Self

import msgspec
from aiokafka import AIOKafkaConsumer, TopicPartition

from newsdedup.adapters.kafka.client import ends_in_time
from newsdedup.bootstrap.workers import kafka_access
from newsdedup.config import Settings

_READ_AT_ONCE: Final = 2_000
_POLL_MS: Final = 200


class _EventId(msgspec.Struct):
    """What an event is called, and its kind."""

    event: str
    event_id: str


class _Published(msgspec.Struct):
    """The part of a published record that is read here."""

    dedup: _EventId


class OutputReader:
    """The events of an output topic, from its beginning, with the times of the first and latest.

    An item is done when the first event with its key has arrived.
    """

    def __init__(self, settings: Settings, *, partitions: int) -> None:
        topic = settings.kafka.output
        self._partitions = [TopicPartition(topic, number) for number in range(partitions)]
        self._consumer = AIOKafkaConsumer(
            **kafka_access(settings).options(), auto_offset_reset="earliest"
        )
        self._values: list[bytes] = []
        self.done: set[bytes] = set()
        """Keys of the items that have a verdict."""
        self.first_at = 0.0
        self.latest_at = 0.0
        """When the latest item was done, in seconds of `perf_counter`."""

    async def __aenter__(self) -> Self:
        """Connect and read the topic from its beginning."""
        await self._consumer.start()
        self._consumer.assign(self._partitions)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Disconnect."""
        await ends_in_time(self._consumer.stop())

    async def read(self) -> None:
        """Read the records that have arrived; return after at most 0.2 s if there are none."""
        batches = await self._consumer.getmany(timeout_ms=_POLL_MS, max_records=_READ_AT_ONCE)
        now = perf_counter()
        for records in batches.values():
            self.first_at = self.first_at or now
            for record in records:
                self._values.append(record.value)
                # Keys of stories are objects, those of items arrays (adapters/kafka/records.py).
                if record.key.startswith(b"[") and record.key not in self.done:
                    self.done.add(record.key)
                    self.latest_at = now

    @property
    def value_bytes(self) -> int:
        """Return the bytes of all events."""
        return sum(map(len, self._values))

    def count_events(self) -> dict[str, int]:
        """Return how many events there are, how many verdicts, and how many came again.

        `verdicts` are different events that judge an item; `again` is how many records repeat an
        event that was published before.
        """
        events = [msgspec.json.decode(value, type=_Published).dedup for value in self._values]
        kinds = Counter({one.event_id: one.event for one in events}.values())
        return {
            "events": len(events),
            "verdicts": kinds["item.judged"],
            "corrections": kinds["verdict.corrected"],
            "again": len(events) - kinds.total(),
        }
