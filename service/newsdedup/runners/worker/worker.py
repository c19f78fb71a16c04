"""What a worker does with a batch, whichever runner reads it: prepare, finish, confirm.

A batch is done when the broker has acknowledged all its events and dead letters; only then may the
consumer commit its offsets. If the process dies before that, the batch is delivered again: stored
verdicts come out as the same events, and events that were committed and not published wait in the
outbox, from which any worker publishes them. While a server does not answer, the worker waits with
the batch in hand, so memory is bounded. What runs alongside: runners/worker/in_flight.py.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from time import monotonic, time_ns
from typing import Any, Final, Protocol, TypeVar

from newsdedup.adapters.kafka.delivery import CausedEvent, Delivery, FailedRecord, OutputTopics
from newsdedup.adapters.kafka.publisher import KafkaPublisher
from newsdedup.adapters.kafka.records import ReceivedRecord, RecordDecoder, end_positions
from newsdedup.adapters.redis.store import RedisOutbox
from newsdedup.core.events import Event, Judgement
from newsdedup.core.model import NewsItem
from newsdedup.core.moments import to_micros
from newsdedup.core.stories.commands import Retract
from newsdedup.engine.analyzer import ItemAnalyzer
from newsdedup.engine.arrivals import Arrival, BatchAnalysis, decode_arrival
from newsdedup.engine.collector import freeze_survivors
from newsdedup.engine.shared.engine import SharedEngine
from newsdedup.engine.shared.progress import BatchResult
from newsdedup.ports.errors import NewsdedupError, StateMoved, Unavailable, is_bug
from newsdedup.ports.isolation import INTERNAL_ERROR, InternalErrorLimit
from newsdedup.ports.telemetry import BatchReport, Failpoint, Telemetry
from newsdedup.ports.tracing import Span, Tracer
from newsdedup.runners.batch_log import log_batch

SHADOW_LOG: Final = logging.getLogger("newsdedup.shadow")
_T = TypeVar("_T")
CountLate = Callable[[Counter[tuple[str, str, str]]], Awaitable[None]]
"""Adds to the counts of late items by topic, partition and reason that all workers share."""

LOG: Final = logging.getLogger("newsdedup.worker")
_SLICE_RECORDS: Final = 16
"""Records that each process analyzes before the event loop runs other tasks."""
_SLICE_BYTES: Final = 256 * 1024
"""And of how many bytes; a single record may have more."""
FIRST_PAUSE_SECONDS: Final = 0.1
LAST_PAUSE_SECONDS: Final = 5.0


@dataclass(frozen=True, slots=True)
class Shadow:
    """A second rule that judges the same items alongside the real one, in its own namespace.

    Its verdicts are compared and counted, never published. It runs after publication and may fail
    without harm: what it misses is not judged again.
    """

    name: str
    engine: SharedEngine
    analyzer: ItemAnalyzer

    async def follow(self, arrivals: Sequence[Arrival[Any]], telemetry: Telemetry) -> None:
        """Judge what has arrived by this rule; report both verdicts on each new item or version.

        An error of Redis, or a bug, is logged, and the batch is not judged by this rule.
        """
        followed = [one for one in arrivals if one.change is not None]
        try:
            result = await self._process(followed)
        except Exception as error:
            if not isinstance(error, NewsdedupError) and not is_bug(error):
                raise
            # The message of a bug may quote an item.
            reason = error if isinstance(error, NewsdedupError) else type(error).__name__
            SHADOW_LOG.warning(
                "shadow_missed rule=%s items=%d reason=%s", self.name, len(arrivals), reason
            )
            return
        for arrival, outcome in zip(followed, result.outcomes, strict=True):
            real, other = _first(arrival.events), _first(outcome.events)
            # What only one of both rules judges for the first time is not compared.
            if real is None or other is None:
                continue
            telemetry.shadow(real.verdict, other.verdict)
            if real.verdict != other.verdict:
                SHADOW_LOG.info(
                    "shadow_differs rule=%s source=%r id=%r real=%s shadow=%s",
                    self.name,
                    real.item.source,
                    real.item.id,
                    real.verdict,
                    other.verdict,
                )

    async def _process(self, arrivals: Sequence[Arrival[Any]]) -> BatchResult:
        """Decide by this rule, once more if Redis may have lost writes.

        Items get the fingerprints of this rule, and no bytes: its namespace stores no text. Raise
        what `process` of the engine raises.
        """
        changes = [
            one.change if one.analyzed is None else self.analyzer.analyze(one.analyzed.item)
            for one in arrivals
            if one.change is not None
        ]
        try:
            return await self.engine.process(changes)
        except StateMoved:
            return await self.engine.process(changes)


def _first(events: Sequence[Event]) -> Judgement | None:
    """Return the judgement on the item version that arrived: the first event of its arrival.

    None if there is no event, it is repeated, or it is another one, as after an editor's command.
    """
    return events[0].first_judgement if events else None


@dataclass(slots=True)
class Prepared:
    """A batch that is decoded and analyzed, and may still be dropped."""

    arrivals: list[Arrival[ReceivedRecord]]
    seconds: float = 0.0
    """How long that took."""
    stages: Sequence[tuple[str, int, int]] = ()
    """Names of the steps so far, with the nanoseconds since 1970 when each began and ended."""
    outbox_numbers: Sequence[str] = ()
    """Where the outbox has the events of the batch, once it is finished."""

    @property
    def records(self) -> list[ReceivedRecord]:
        """Return the records of the batch, in their order."""
        return [one.record for one in self.arrivals]


class BatchProcessor(Protocol):
    """Processes the batches that a runner reads: a worker, or a stand-in of a benchmark or test."""

    telemetry: Telemetry

    def fail(self, point: str, /) -> None:
        """Pass a point at which a crash would hurt most; tests let the process die there."""

    def decode(self, record: ReceivedRecord, /) -> Arrival[ReceivedRecord]:
        """Return the arrival of a record; raise nothing, whatever it holds."""

    async def prepare(self, batch: list[Arrival[ReceivedRecord]]) -> Prepared:
        """Analyze a batch; has no side effect, and `finish` may never follow."""

    async def finish(self, prepared: Prepared) -> None:
        """Judge and publish a batch; when this returns its offsets may be committed."""

    async def confirm(self, finished: Sequence[Prepared]) -> None:
        """Forget what is kept to publish finished batches again."""

    async def waited(self, server: str, attempt: Callable[[], Awaitable[_T]]) -> _T:
        """Return the result of an attempt, repeated while it raises Unavailable."""


@dataclass(kw_only=True, eq=False)
class Worker:
    """One member of a consumer group, without the group."""

    engine: SharedEngine
    outbox: RedisOutbox
    publisher: KafkaPublisher
    decoder: RecordDecoder
    analysis: BatchAnalysis
    topics: OutputTopics
    shadow: Shadow | None
    telemetry: Telemetry
    tracer: Tracer
    fail: Failpoint
    count_late: CountLate
    progressed_at: float = field(default_factory=monotonic, init=False)
    """When something was done last, or the worker last waited for a server or other workers."""
    _limit: InternalErrorLimit = field(default_factory=InternalErrorLimit, init=False)

    def decode(self, record: ReceivedRecord) -> Arrival[ReceivedRecord]:
        """Return the arrival of a record, with its item or command, or with a rejection."""
        return decode_arrival(record, self.decoder)

    async def prepare(self, batch: list[Arrival[ReceivedRecord]]) -> Prepared:
        """Analyze a batch; nothing is stored or published yet."""
        began, began_ns = monotonic(), time_ns()
        # In slices; in between the event loop runs other tasks, heartbeats among them.
        for some in analysis_slices(batch, shares=self.analysis.shares):
            self.analysis.analyze(some)
            self.progressed_at = monotonic()
            await asyncio.sleep(0)
        return Prepared(batch, monotonic() - began, [("analyze", began_ns, time_ns())])

    def note_wait(self, at: float) -> None:
        """Note that the worker waited for slower workers at `at`, in monotonic seconds.

        Such a wait counts as progress: the worker is not stalled.
        """
        self.progressed_at = max(self.progressed_at, at)

    async def finish(self, prepared: Prepared) -> None:
        """Decide a batch, publish its events and dead letters, and report it to the telemetry.

        Wait while Redis or Kafka does not answer. After this the batch may be acknowledged. Raise
        StateMoved if Redis may have lost writes, TooManyInternalErrors if bugs kept too many of the
        last records from being judged: then nothing of the batch was published.
        """
        causes = (one.traces for one in prepared.arrivals)
        began = min((began for _, began, _ in prepared.stages), default=None)
        with self.tracer.span("process", kind="consumer", causes=causes, began_ns=began) as span:
            for stage in prepared.stages:
                span.stage(*stage)
            report = _new_report(prepared)
            await self._decide(prepared, report, span)
            self.fail("after_index")
            await self._publish(prepared, report, span)
            if self.shadow is not None:
                await self.shadow.follow(prepared.arrivals, self.telemetry)
            if report.late:
                # The doctor alone shows it: nothing waits for a server that is away just now.
                with suppress(Unavailable):
                    await self.count_late(report.late)
            self.telemetry.batch(report)
            dead = report.dead.total()
            log_batch(LOG, prepared.arrivals, seconds=report.seconds, dead_letters=dead)
        self.progressed_at = monotonic()
        freeze_survivors()

    async def _decide(self, prepared: Prepared, report: BatchReport, span: Span) -> None:
        """Decide a batch and commit that, waiting while Redis is away.

        The arrivals get their events or rejections, the report its counts.
        """
        began, engine, arrivals = monotonic(), self.engine, prepared.arrivals
        ends = end_positions(prepared.records)
        decided = [(one, change) for one in arrivals if (change := one.change) is not None]
        changes = [change for _, change in decided]
        result = await self.waited(
            "redis", lambda: engine.process(changes, positions=ends, span=span)
        )
        for (arrival, _), outcome in zip(decided, result.outcomes, strict=True):
            if outcome.rejection is not None and outcome.rejection.code == INTERNAL_ERROR:
                arrival.set_aside(outcome.rejection)
            else:
                arrival.events, arrival.rejection = outcome.events, outcome.rejection
        prepared.outbox_numbers = result.outbox_numbers
        report.events, report.search_costs = result.events, result.search_costs
        report.entries_set_aside = engine.set_aside.take_new()
        self._limit.note([one.rejection for one in arrivals], report.entries_set_aside)
        report.late = _late_items(arrivals, engine)
        report.seconds["judge"] = monotonic() - began

    async def _publish(self, prepared: Prepared, report: BatchReport, span: Span) -> None:
        """Publish events and dead letters, waiting while Kafka is away; or raise SinkUnusable."""
        began, began_ns = monotonic(), time_ns()
        arrivals = prepared.arrivals
        dead_letters = await Delivery(self.publisher, self.waited, self.topics).deliver(
            [
                CausedEvent(event, one.record, span.continued(one.traces))
                for one in arrivals
                for event in one.events
            ],
            [FailedRecord(one.record, one.rejection) for one in arrivals if one.rejection],
            # Also items that are unknown here: they may have dead letters.
            withdrawn={
                one.content.key: one.record for one in arrivals if isinstance(one.content, Retract)
            },
        )
        self.fail("after_publish")
        span.stage("send events", began_ns, time_ns())
        span.note("messaging.system", "kafka")
        for topic in {one.record.topic for one in arrivals}:
            span.note("messaging.destination.name", topic)
        span.note("messaging.batch.message_count", len(arrivals))
        span.note("newsdedup.events", len(report.events))
        span.note("newsdedup.dead_letters", len(dead_letters))
        report.dead = Counter(one.rejection.code for one in dead_letters)
        report.internal_errors = Counter(
            one.rejection.stage for one in dead_letters if one.rejection.code == INTERNAL_ERROR
        )
        report.seconds["publish"] = monotonic() - began

    async def confirm(self, finished: Sequence[Prepared]) -> None:
        """Delete the events of finished batches from the outbox, waiting while Redis is away."""
        numbers = [number for prepared in finished for number in prepared.outbox_numbers]
        if numbers:
            await self.waited("redis", lambda: self.outbox.published(numbers))

    async def adopt(self, *, older_than_ms: int) -> int:
        """Publish the events that have waited `older_than_ms` in the outbox; return how many.

        Their workers have died. Raise Unavailable if Redis does not answer.
        """
        waiting = await self.outbox.waiting(older_than_ms=older_than_ms)
        if not waiting:
            return 0
        await Delivery(self.publisher, self.waited, self.topics).deliver(
            [CausedEvent(one.event) for one in waiting]
        )
        await self.outbox.published([one.number for one in waiting])
        self.telemetry.adopted(len(waiting))
        LOG.info("published_orphans events=%d", len(waiting))
        return len(waiting)

    async def waited(self, server: str, attempt: Callable[[], Awaitable[_T]]) -> _T:
        """Return the result of an attempt; repeat it with pauses while it raises Unavailable.

        The telemetry shows meanwhile that the worker waits for the server.
        """
        try:
            return await attempt()
        except Unavailable as error:
            LOG.warning("waiting server=%s reason=%s", server, error)
        self.telemetry.waiting(server, waits=True)
        pause = FIRST_PAUSE_SECONDS
        try:
            while True:
                self.telemetry.retried(server)
                self.progressed_at = monotonic()
                await asyncio.sleep(pause)
                with suppress(Unavailable):
                    return await attempt()
                pause = min(2 * pause, LAST_PAUSE_SECONDS)
        finally:
            # Also where the attempt ends with another error, or is cancelled.
            LOG.warning("waited server=%s", server)
            self.telemetry.waiting(server, waits=False)

    async def close(self) -> None:
        """Close the publisher and end the helpers; the owner of the Redis client closes that."""
        self.analysis.close()
        await self.publisher.close()


def analysis_slices(
    batch: Sequence[Arrival[ReceivedRecord]], *, shares: int
) -> Iterator[list[Arrival[ReceivedRecord]]]:
    """Yield a batch in parts that are analyzed at once, by so many processes.

    A part has up to 16 records for each process, of 256 KiB together, or one that is larger.
    """
    part: list[Arrival[ReceivedRecord]] = []
    taken = 0
    for one in batch:
        size = len(one.record.value or b"")
        full = len(part) == _SLICE_RECORDS * shares or taken + size > _SLICE_BYTES * shares
        if part and full:
            yield part
            part, taken = [], 0
        part.append(one)
        taken += size
    if part:
        yield part


def _late_items(
    arrivals: Sequence[Arrival[ReceivedRecord]], engine: SharedEngine
) -> Counter[tuple[str, str, str]]:
    """Return the counts of late items by topic, partition and reason, "lateness" or "window".

    The latter is for items behind the watermark by more than window and lateness: all items of
    their own time have left the window.
    """
    oldest = engine.watermark.now - engine.rule.window - engine.lateness
    counts: Counter[tuple[str, str, str]] = Counter()
    for one in arrivals:
        for first in [event.first_judgement for event in one.events]:
            if first is not None and first.late:
                at = to_micros(datetime.fromisoformat(first.effective_at))
                reason = "window" if at < oldest else "lateness"
                counts[one.record.topic, str(one.record.partition), reason] += 1
    return counts


def _new_report(prepared: Prepared) -> BatchReport:
    """Return a report of a prepared batch with the values that are known before it is decided."""
    items = [one.content for one in prepared.arrivals if isinstance(one.content, NewsItem)]
    return BatchReport(
        records=len(prepared.arrivals),
        bytes=sum(one.record.size for one in prepared.arrivals),
        sources=Counter(item.key.source for item in items),
        unread_dates=Counter(name for item in items for name in item.unread_dates),
        seconds={"analyze": prepared.seconds},
        written_ms=[one.record.at_ms for one in prepared.arrivals],
    )
