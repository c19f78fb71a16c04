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
from dataclasses import dataclass
from time import monotonic
from typing import Final, NamedTuple, TypeVar

from newsdedup.adapters.kafka_events import event_record
from newsdedup.adapters.kafka_letters import letter_record
from newsdedup.adapters.kafka_producer import KafkaPublisher
from newsdedup.adapters.kafka_records import TRACE, Outgoing, Received, positions
from newsdedup.adapters.redis_outbox import RedisOutbox
from newsdedup.core.acts import Act, UnknownItem
from newsdedup.core.model import NewsItem
from newsdedup.herald import Event
from newsdedup.ports import InvalidItem, Unavailable
from newsdedup.runners.analysis import Analysis
from newsdedup.runners.embedded import Fail, survive
from newsdedup.runners.long_lived import keep_from_collector
from newsdedup.runners.telemetry import BatchReport, Silence, Telemetry
from newsdedup.served import Arrival, Judged, Served

T = TypeVar("T")
Decode = Callable[[Received], NewsItem | Act]

LOG: Final = logging.getLogger("newsdedup.worker")
SLICE: Final = 16
"""Items analyzed before others of the event loop get their turn."""
FIRST_PAUSE_SECONDS: Final = 0.1
LAST_PAUSE_SECONDS: Final = 5.0


class Letter(NamedTuple):
    """A record that failed, and why."""

    record: Received
    error: InvalidItem


@dataclass(slots=True)
class Prepared:
    """A batch, analyzed: what arrives, which record told it, and what told nothing."""

    batch: Sequence[Received]
    arrivals: list[Arrival]
    told_by: list[Received]
    letters: list[Letter]
    report: BatchReport


@dataclass(frozen=True, slots=True)
class Topics:
    """Where events and letters go, and what CloudEvents calls their source."""

    output: str
    dead: str
    origin: str


class Worker:
    """One member of a consumer group, without the group."""

    def __init__(
        self,
        *,
        served: Served,
        outbox: RedisOutbox,
        publisher: KafkaPublisher,
        decode: Decode,
        analysis: Analysis,
        topics: Topics,
        telemetry: Telemetry | None = None,
        fail: Fail = survive,
    ) -> None:
        self.served = served
        self.fail = fail
        self.progressed_at = monotonic()
        """When something was done last, or a declared wait was still going on."""
        self.telemetry = telemetry or Silence()
        self._outbox = outbox
        self._publisher = publisher
        self._decode = decode
        self._analysis = analysis
        self._topics = topics

    async def prepare(self, batch: Sequence[Received]) -> Prepared:
        """Return a batch with all that its records alone tell."""
        began = monotonic()
        report = BatchReport(len(batch), sum(record.size for record in batch))
        report.oldest_ms = min((record.at_ms for record in batch), default=0)
        prepared = Prepared(batch, [], [], [], report)
        told = [(record, self._told(record)) for record in batch]
        items = [(what, record.value or b"") for record, what in told if isinstance(what, NewsItem)]
        analyzed = iter(await self._analyzed(items))
        for record, what in told:
            if isinstance(what, InvalidItem):
                prepared.letters.append(Letter(record, what))
                continue
            if isinstance(what, NewsItem):
                report.sources[what.key.source] += 1
            prepared.arrivals.append(next(analyzed) if isinstance(what, NewsItem) else what)
            prepared.told_by.append(record)
        report.seconds["analyze"] = monotonic() - began
        return prepared

    async def finish(self, prepared: Prepared) -> None:
        """Judge a batch and publish what that makes known; after this it may be acknowledged."""
        began = monotonic()
        ends = positions(prepared.batch)
        judged = await self.waited(
            "redis", lambda: self.served.judge(prepared.arrivals, positions=ends)
        )
        self.fail("after_index")
        prepared.report.events = judged.events
        prepared.report.seconds["judge"] = monotonic() - began
        began = monotonic()
        letters = [*prepared.letters, *unknown(prepared, judged)]
        await self.publish([*self._events(prepared, judged), *self._letters(letters)])
        self.fail("after_publish")
        await self.waited("redis", lambda: self._outbox.published(judged.sent))
        prepared.report.dead = Counter(letter.error.code for letter in letters)
        prepared.report.seconds["publish"] = monotonic() - began
        self.telemetry.batch(prepared.report)
        self.progressed_at = monotonic()
        keep_from_collector()

    async def adopt(self, *, older_than_ms: int) -> int:
        """Publish what workers that have died left in the outbox; return how many events."""
        waiting = await self._outbox.waiting(older_than_ms=older_than_ms)
        if not waiting:
            return 0
        await self.publish([self._record(one.event) for one in waiting])
        await self._outbox.published([one.number for one in waiting])
        LOG.info("published_orphans events=%d", len(waiting))
        return len(waiting)

    async def publish(self, records: Sequence[Outgoing]) -> None:
        """Write records, however long the broker is away."""
        if records:
            await self.waited("kafka", lambda: self._publisher.publish(records))

    async def waited(self, server: str, attempt: Callable[[], Awaitable[T]]) -> T:
        """Return the outcome of an attempt, made again until the server answers."""
        pause = FIRST_PAUSE_SECONDS
        while True:
            try:
                outcome = await attempt()
            except Unavailable as error:
                if pause == FIRST_PAUSE_SECONDS:
                    LOG.warning("waiting server=%s reason=%s", server, error)
                    self.telemetry.waiting(server, waits=True)
            else:
                if pause > FIRST_PAUSE_SECONDS:
                    LOG.warning("answered server=%s", server)
                    self.telemetry.waiting(server, waits=False)
                return outcome
            self.progressed_at = monotonic()
            await asyncio.sleep(pause)
            pause = min(2 * pause, LAST_PAUSE_SECONDS)

    async def close(self) -> None:
        """Let go of broker and helpers; the owner of the Redis client closes that."""
        self._analysis.close()
        await self._publisher.close()

    def _told(self, record: Received) -> NewsItem | Act | InvalidItem:
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

    def _events(self, prepared: Prepared, judged: Judged) -> list[Outgoing]:
        return [
            self._record(event, trace=record.header(TRACE))
            for record, told in zip(prepared.told_by, judged.outcomes, strict=True)
            if isinstance(told, list)
            for event in told
        ]

    def _record(self, event: Event, *, trace: bytes | None = None) -> Outgoing:
        topics = self._topics
        return event_record(event, topic=topics.output, origin=topics.origin, trace=trace)

    def _letters(self, letters: Sequence[Letter]) -> list[Outgoing]:
        return [letter_record(one.record, one.error, topic=self._topics.dead) for one in letters]


def unknown(prepared: Prepared, judged: Judged) -> list[Letter]:
    """Return the letters about acts that name an item of which nothing is kept."""
    return [
        Letter(record, InvalidItem("unknown_item", str(told)))
        for record, told in zip(prepared.told_by, judged.outcomes, strict=True)
        if isinstance(told, UnknownItem)
    ]
