"""What a worker does with a batch of records, whoever reads them: decode, judge, publish.

A batch is done when the broker has all its events and letters; only then may its records be
acknowledged. Whatever dies before that is repeated: stored verdicts come again as the same events,
and events that nobody published wait in the outbox for any worker. A server that does not answer is
waited for with the batch in hand, so memory is bounded.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic
from typing import Final, NamedTuple, TypeVar

from newsdedup.adapters.kafka.items import DecodedRecord
from newsdedup.adapters.kafka.publisher import KafkaPublisher
from newsdedup.adapters.kafka.records import Headers, OutgoingRecord, ReceivedRecord, end_positions
from newsdedup.adapters.redis.streams import RedisOutbox
from newsdedup.core.model import ItemKey, NewsItem
from newsdedup.core.stories.acts import Retract, UnknownItem
from newsdedup.engine.analysis import Analysis
from newsdedup.engine.long_lived import keep_from_collector
from newsdedup.engine.shared.judging import SharedEngine
from newsdedup.engine.shared.outcomes import Arrival, BatchResult
from newsdedup.ports.errors import InvalidItem, Unavailable
from newsdedup.ports.telemetry import BatchReport, NoTelemetry, Telemetry
from newsdedup.runners.files.embedded import Fail, survive
from newsdedup.runners.worker.delivery import CausedEvent, Delivery, FailedRecord, OutputTopics
from newsdedup.runners.worker.shadow import Shadow

T = TypeVar("T")
Decode = Callable[[ReceivedRecord], DecodedRecord]

LOG: Final = logging.getLogger("newsdedup.worker")
SLICE: Final = 16
"""Items analyzed before others of the event loop get their turn."""
FIRST_PAUSE_SECONDS: Final = 0.1
LAST_PAUSE_SECONDS: Final = 5.0


class Teller(NamedTuple):
    """The record that told something, and what ties it to a trace."""

    record: ReceivedRecord
    traces: Headers


@dataclass(slots=True)
class Prepared:
    """A batch, analyzed: what arrives, which record told it, and what told nothing."""

    batch: Sequence[ReceivedRecord]
    arrivals: list[Arrival]
    told_by: list[Teller]
    letters: list[FailedRecord]
    report: BatchReport


class Worker:
    """One member of a consumer group, without the group."""

    def __init__(
        self,
        *,
        served: SharedEngine,
        outbox: RedisOutbox,
        publisher: KafkaPublisher,
        decode: Decode,
        analysis: Analysis,
        topics: OutputTopics,
        shadow: Shadow | None = None,
        telemetry: Telemetry | None = None,
        fail: Fail = survive,
    ) -> None:
        self.served = served
        self.fail = fail
        self.progressed_at = monotonic()
        """When something was done last, or a declared wait was still going on."""
        self.telemetry = telemetry or NoTelemetry()
        self._outbox = outbox
        self._publisher = publisher
        self._decode = decode
        self._analysis = analysis
        self._shadow = shadow
        self._delivery = Delivery(self.write, topics)

    async def prepare(self, batch: Sequence[ReceivedRecord]) -> Prepared:
        """Return a batch with all that its records alone tell."""
        began = monotonic()
        report = BatchReport(len(batch), sum(record.size for record in batch))
        report.written_ms = [record.at_ms for record in batch]
        prepared = Prepared(batch, [], [], [], report)
        told = [(record, self._told(record)) for record in batch]
        items = [
            (one.content, one.data)
            for _, one in told
            if isinstance(one, DecodedRecord) and isinstance(one.content, NewsItem)
        ]
        analyzed = iter(await self._analyzed(items))
        for record, one in told:
            if isinstance(one, InvalidItem):
                prepared.letters.append(FailedRecord(record, one))
                continue
            if isinstance(one.content, NewsItem):
                report.sources[one.content.key.source] += 1
            prepared.arrivals.append(
                next(analyzed) if isinstance(one.content, NewsItem) else one.content
            )
            prepared.told_by.append(Teller(record, one.traces))
        report.seconds["analyze"] = monotonic() - began
        return prepared

    async def finish(self, prepared: Prepared) -> None:
        """Judge a batch and publish what that makes known; after this it may be acknowledged."""
        began = monotonic()
        ends = end_positions(prepared.batch)
        judged = await self.waited(
            "redis", lambda: self.served.process(prepared.arrivals, positions=ends)
        )
        self.fail("after_index")
        prepared.report.events = judged.events
        prepared.report.search_costs = judged.search_costs
        prepared.report.seconds["judge"] = monotonic() - began
        began = monotonic()
        letters = [*prepared.letters, *unknown(prepared, judged)]
        letters = await self._delivery.deliver(
            occasions(prepared, judged), letters, withdrawn=withdrawn(prepared)
        )
        self.fail("after_publish")
        await self.waited("redis", lambda: self._outbox.published(judged.outbox_numbers))
        prepared.report.dead = Counter(letter.error.code for letter in letters)
        prepared.report.seconds["publish"] = monotonic() - began
        if self._shadow is not None:
            await self._shadow.judge(prepared.arrivals, judged, self.telemetry)
        self.telemetry.batch(prepared.report)
        self.progressed_at = monotonic()
        keep_from_collector()

    async def adopt(self, *, older_than_ms: int) -> int:
        """Publish what workers that have died left in the outbox; return how many events."""
        waiting = await self._outbox.waiting(older_than_ms=older_than_ms)
        if not waiting:
            return 0
        await self._delivery.deliver([CausedEvent(one.event) for one in waiting])
        await self._outbox.published([one.number for one in waiting])
        self.telemetry.adopted(len(waiting))
        LOG.info("published_orphans events=%d", len(waiting))
        return len(waiting)

    async def write(self, records: Sequence[OutgoingRecord]) -> list[int]:
        """Write records, however long the broker is away; return which it refused as too large."""
        return await self.waited("kafka", lambda: self._publisher.publish(records))

    async def waited(self, server: str, attempt: Callable[[], Awaitable[T]]) -> T:
        """Return the outcome of an attempt, made again until the server answers."""
        try:
            return await attempt()
        except Unavailable as error:
            LOG.warning("waiting server=%s reason=%s", server, error)
        self.telemetry.waiting(server, waits=True)
        try:
            return await self._tried_again(server, attempt)
        finally:
            # Also where it answers that the state has moved, and where nobody waits any more.
            LOG.warning("waited server=%s", server)
            self.telemetry.waiting(server, waits=False)

    async def close(self) -> None:
        """Let go of broker and helpers; the owner of the Redis client closes that."""
        self._analysis.close()
        await self._publisher.close()

    async def _tried_again(self, server: str, attempt: Callable[[], Awaitable[T]]) -> T:
        pause = FIRST_PAUSE_SECONDS
        while True:
            self.telemetry.retried(server)
            self.progressed_at = monotonic()
            await asyncio.sleep(pause)
            with suppress(Unavailable):
                return await attempt()
            pause = min(2 * pause, LAST_PAUSE_SECONDS)

    def _told(self, record: ReceivedRecord) -> DecodedRecord | InvalidItem:
        try:
            return self._decode(record)
        except InvalidItem as error:
            return error

    async def _analyzed(self, items: Sequence[tuple[NewsItem, bytes]]) -> list[Arrival]:
        """Return items analyzed; in between others get their turn, heartbeats among them."""
        size = SLICE * self._analysis.shares
        analyzed: list[Arrival] = []
        for first in range(0, len(items), size):
            analyzed.extend(self._analysis.many(items[first : first + size]))
            await asyncio.sleep(0)
        return analyzed


def occasions(prepared: Prepared, judged: BatchResult) -> list[CausedEvent]:
    """Return the events of a batch, each with the record that brought it about."""
    return [
        CausedEvent(event, teller.record, teller.traces)
        for teller, told in zip(prepared.told_by, judged.outcomes, strict=True)
        if isinstance(told, list)
        for event in told
    ]


def withdrawn(prepared: Prepared) -> dict[ItemKey, ReceivedRecord]:
    """Return the items that a batch withdraws, also those that nobody knows: they have letters."""
    return {
        arrival.key: teller.record
        for arrival, teller in zip(prepared.arrivals, prepared.told_by, strict=True)
        if isinstance(arrival, Retract)
    }


def unknown(prepared: Prepared, judged: BatchResult) -> list[FailedRecord]:
    """Return the letters about acts that name an item of which nothing is kept."""
    return [
        FailedRecord(teller.record, InvalidItem("unknown_item", str(told)))
        for teller, told in zip(prepared.told_by, judged.outcomes, strict=True)
        if isinstance(told, UnknownItem)
    ]
