"""Records in the input topic of Kafka: a batch is written when the broker has acknowledged it."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from newsdedup.adapters.files.lines import Line
from newsdedup.adapters.kafka.publisher import KafkaPublisher
from newsdedup.adapters.kafka.records import OutgoingRecord
from newsdedup.ports.errors import Unavailable
from newsdedup.ports.feeder_telemetry import FeederTelemetry
from newsdedup.ports.tracing import Tracer
from newsdedup.runners.intake.record_output import record_lines

LOG: Final = logging.getLogger("newsdedup.intake")
_FIRST_PAUSE: Final = 0.5
_LONGEST_PAUSE: Final = 30.0
"""Seconds before a batch is written again that the broker did not acknowledge."""


@dataclass(frozen=True, slots=True, eq=False)
class TopicOutput:
    """A RecordOutput: a topic, written by an idempotent producer.

    With `stopping` a batch is written again until the broker acknowledges it, however long that
    takes, or until `stopping` is set; without it once.
    """

    publisher: KafkaPublisher
    make_record: Callable[[Line], OutgoingRecord]
    stopping: asyncio.Event | None
    telemetry: FeederTelemetry
    tracer: Tracer
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)

    async def write(self, records: Sequence[bytes]) -> list[int]:
        """Return the indexes of records too large for Kafka when it has acknowledged the others.

        Raise Unavailable if it does not answer in time; with `stopping`, only once that is set.
        """
        batch = [self.make_record(line) for line in record_lines(records)]
        with self.tracer.span("send items", kind="producer") as span:
            span.note("messaging.system", "kafka")
            span.note("messaging.batch.message_count", len(batch))
            if traces := span.headers:
                batch = [one._replace(headers=(*one.headers, *traces)) for one in batch]
            # The publisher starts and stops its producer as errors demand, for one batch at a time.
            async with self._turn:
                try:
                    return await self._publish(batch)
                finally:
                    self.telemetry.output_answers()

    async def close(self) -> None:
        """Stop the producer."""
        await self.publisher.close()

    async def _publish(self, batch: Sequence[OutgoingRecord]) -> list[int]:
        """Publish a batch, retried until `stopping` is set; return indexes of too large records."""
        pause = _FIRST_PAUSE
        while True:
            try:
                return await self.publisher.publish(batch)
            except Unavailable as error:
                if self.stopping is None or self.stopping.is_set():
                    raise
                self.telemetry.output_failed()
                LOG.warning("waiting server=kafka records=%d reason=%s", len(batch), error)
            with suppress(TimeoutError):
                await asyncio.wait_for(self.stopping.wait(), pause)
            pause = min(2 * pause, _LONGEST_PAUSE)
