"""The runner on Faust: reads batches of a consumer group, commits them when finished.

While one batch is judged and published, the records that come are analyzed for the next one. Faust
cannot seek safely while it works: after lost state or dropped records its app is stopped, and a new
one starts at the stored offsets. What was not committed comes again.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from aiokafka.errors import KafkaError
from faust.types import TP, Message

from newsdedup.adapters.kafka.admin import topic_admin
from newsdedup.adapters.kafka.records import Partition, ReceivedRecord, end_offsets, position_name
from newsdedup.ports.errors import StateMoved, Unavailable
from newsdedup.runners.tasks import cancel_all, run_unless_stopped, wait_at_most
from newsdedup.runners.worker.consumer import (
    ConsumerFailures,
    GroupMember,
    consumer_error,
    find_starts,
)
from newsdedup.runners.worker.faust_app import SeekingApp, create_app, from_faust, quieten_faust
from newsdedup.runners.worker.in_flight import BatchesInFlight, CommitGivenUp
from newsdedup.runners.worker.merge import AlignedMerge, KafkaArrival
from newsdedup.runners.worker.partitions import OffsetGap
from newsdedup.runners.worker.worker import BatchProcessor

LOG: Final = logging.getLogger("newsdedup.faust")
_START_SECONDS: Final = 60.0
_STOP_SECONDS: Final = 10.0
_COMMIT_SECONDS: Final = 10.0
_WAIT_SECONDS: Final = 0.02
"""How often is looked again while all that was read must wait."""
_LOOK_SECONDS: Final = 1.0
_WATCH_SECONDS: Final = 1.0
_DELIVERY_SECONDS: Final = 5.0
"""Faust has dropped what it fetched if none of it has been on its way for so long."""
_MOST_AHEAD: Final = 512
"""Records of one partition from which on no more of it are read while another is waited for."""


class FaustLoop:
    """One member of a consumer group, which runs Faust apps one after another; laws: see `Loop`."""

    def __init__(self, worker: BatchProcessor, member: GroupMember) -> None:
        self._worker = worker
        self._member = member
        self._stopping = asyncio.Event()
        self._failures = ConsumerFailures(worker)
        self._aligned = AlignedMerge(member.batch, member.alignment, worker.decode)
        self._is_queue_empty: Callable[[], bool] = lambda: True
        self._taken = asyncio.Event()
        """Set when buffered records were taken or dropped."""
        self._app: SeekingApp | None = None
        self._undelivered_since: float | None = None
        """Since when fetched records have been missing, with none on its way; None if none is."""
        self._in_flight: BatchesInFlight | None = None
        """The batches of the app. Its failure ends the app; Faust alone would log it and go on."""

    def stop(self) -> None:
        """Let `run` return after the batch in hand."""
        self._stopping.set()

    async def run(self) -> None:
        """Process batches until `stop` is called; uncommitted records are delivered again."""
        quieten_faust()
        while not self._stopping.is_set():
            try:
                await run_unless_stopped(self._stopping, self._begin())
                if not self._stopping.is_set():
                    await self._run_one_app()
            except StateMoved as reason:
                LOG.warning("begun_again reason=%s", reason)
            except Unavailable as reason:
                LOG.warning("begun_again reason=%s", reason)
                await run_unless_stopped(self._stopping, self._failures.wait(reason))

    async def lag(self) -> dict[str, int]:
        """Return by "TOPIC/PARTITION" how many records are not done; {} while no app runs."""
        return {} if self._app is None else await self._app.lag()

    async def _begin(self) -> None:
        await self._worker.waited("kafka", self._check_broker)
        await self._worker.waited("redis", self._member.positions.begin)

    async def _check_broker(self) -> None:
        """Connect to a broker once and close; raise Unavailable if none answers.

        Without this check a Faust app would fail to start.
        """
        async with topic_admin(self._member.access):
            pass

    async def _run_one_app(self) -> None:
        """Run an app until the worker is stopped; raise the error if one ends the app before."""
        in_flight = self._in_flight = BatchesInFlight(
            self._worker,
            self._commit,
            batch=self._member.batch,
            linger_seconds=self._member.linger_seconds,
            stopping=self._stopping,
            finished=self._aligned.finished,
        )
        app = create_app(
            self._member.access,
            group=self._member.group,
            session_seconds=self._member.session_seconds,
            find_start=self._find_start,
            telemetry=self._worker.telemetry,
        )
        topic = app.topic(self._member.topic, key_type=bytes, value_type=bytes, acks=False)
        app.agent(topic, name="newsdedup")(self._read_stream)
        app.drop = self._drop
        self._drop()
        self._app, self._undelivered_since = app, None
        try:
            await in_flight.run(
                _run_app(app), self._aligned.exchange_forever(), self._take_batches(app, in_flight)
            )
        finally:
            self._app = None
            app.seeking_consumer.cancel_tasks_after(_STOP_SECONDS / 2)
            try:
                async with asyncio.timeout(_STOP_SECONDS):
                    await app.stop()
            except TimeoutError:
                LOG.warning("not_stopped: Faust goes with the process")

    async def _find_start(self, committed: Mapping[TP, int | None]) -> Mapping[TP, int | None]:
        """Return the start offsets of newly assigned partitions, from Redis or the committed ones.

        Any error also ends the app, as Faust would log it and continue.
        """
        try:
            names = {tp: position_name(tp.topic, tp.partition) for tp in committed}
            ends = {names[tp]: offset for tp, offset in committed.items()}
            found = await self._worker.waited(
                "redis", partial(find_starts, self._member.positions, ends)
            )
        except Exception as error:
            self._fail(error)
            raise
        self._worker.telemetry.assigned()
        return {tp: found[name] for tp, name in names.items()}

    async def _read_stream(self, stream: Any) -> None:
        """Buffer the records of the stream; never return, or Faust would restart this agent."""
        try:
            # Faust's types lack the queue of a channel.
            self._is_queue_empty = stream.channel.queue.empty
            async for event in stream.noack().events():
                if self._accept(event.message):
                    self._aligned.add([from_faust(event.message)])
                    self._failures.note_success()
                    self._aligned.changed.set()
                    while self._is_full():
                        self._taken.clear()
                        await self._taken.wait()
        except Exception as error:  # noqa: BLE001 - `run` raises it
            self._fail(error)
        await asyncio.Event().wait()

    async def _take_batches(self, app: SeekingApp, in_flight: BatchesInFlight) -> None:
        """Take what may be judged, and analyze it for the next batch, for ever."""
        while not self._stopping.is_set():
            most = in_flight.room
            for _ in range(most):  # lets the agent buffer what Faust has queued already
                if len(self._aligned.merge) >= most or self._is_queue_empty():
                    break
                await asyncio.sleep(0)
            batch = self._take_batch(app, in_flight.room)
            if batch:
                self._undelivered_since = None
                await in_flight.add(batch)
                continue
            self._check_delivery(app)
            seconds = _WAIT_SECONDS if len(self._aligned.merge) else _LOOK_SECONDS
            await wait_at_most(self._aligned.changed, seconds)

    def _check_delivery(self, app: SeekingApp) -> None:
        """Raise OffsetGap if Faust has dropped the last records that it fetched of a partition.

        No later record comes then whose offset would show it.
        """
        partitions = app.seeking_consumer.started_partitions
        missing = [one for one in partitions if not app.gaps.is_passed(one)]
        now = asyncio.get_running_loop().time()
        if not missing or app.rebalancing or not self._is_queue_empty():
            self._undelivered_since = None
        elif self._undelivered_since is None:
            self._undelivered_since = now
        elif now - self._undelivered_since > _DELIVERY_SECONDS:
            raise OffsetGap(f"{position_name(*missing[0])}: what was fetched last did not come")

    def _take_batch(self, app: SeekingApp, most: int) -> list[KafkaArrival]:
        """Return up to `most` records to judge now; none while a slower partition is waited for.

        Set also which partitions the app does not read until the slower one has caught up.
        """
        consumer, merge = app.seeking_consumer, self._aligned.merge
        partitions = consumer.started_partitions
        batch = self._aligned.take_batch(
            most=most,
            assigned=partitions,
            at_end=[one for one in partitions if self._is_at_end(app, one)],
            all_partitions=[
                (self._member.topic, number)
                for number in consumer.partitions_of(self._member.topic)
            ],
        )
        app.unread = set()
        if self._aligned.is_on and self._is_starving(app, partitions):
            ahead = [one for one in partitions if merge.buffered(one) >= _MOST_AHEAD]
            app.unread = {TP(*partition) for partition in ahead}
        self._taken.set()
        return batch

    def _is_at_end(self, app: SeekingApp, partition: Partition) -> bool:
        """Return whether nothing more of a partition is on its way to this worker."""
        return app.gaps.is_passed(partition) and app.seeking_consumer.is_read(partition)

    def _is_starving(self, app: SeekingApp, partitions: Sequence[Partition]) -> bool:
        """Return whether a partition is waited for of which no record is buffered."""
        merge = self._aligned.merge
        return any(not merge.buffered(one) and not self._is_at_end(app, one) for one in partitions)

    def _is_full(self) -> bool:
        """Return whether enough is buffered, and no partition is waited for."""
        app, most = self._app, 2 * self._member.batch
        if app is None or len(self._aligned.merge) < most:
            return False
        partitions = app.seeking_consumer.started_partitions
        return not (self._aligned.is_on and self._is_starving(app, partitions))

    def _drop(self) -> None:
        """Drop what is buffered: it comes again from where the partitions begin now."""
        self._aligned.forget_all()
        self._taken.set()

    def _accept(self, message: Message) -> bool:
        """Return whether a record was read after the last rebalance; Kafka delivers others again.

        An accepted record is noted as passed, so call this in the order of delivery; none is
        accepted while no app runs. Raise OffsetGap if Faust has dropped a record before this one.
        """
        if self._app is None or message.generation_id != self._app.consumer_generation_id:
            return False
        self._app.gaps.check(message.tp, message.offset)
        return True

    async def _commit(self, batch: Sequence[ReceivedRecord]) -> None:
        """Commit the end offsets of a batch; try again when the broker is silent.

        Raise CommitGivenUp if the broker is silent while the worker stops.
        """
        ends = end_offsets(batch)
        while self._app is not None:
            self._app.lag_tracker.note_done(ends)
            try:
                async with asyncio.timeout(_COMMIT_SECONDS):
                    await self._app.seeking_consumer.commit_assigned(
                        {TP(*partition): end for partition, end in ends.items()}
                    )
            except TimeoutError as error:
                if self._stopping.is_set():
                    raise CommitGivenUp("kafka: the broker does not answer") from error
                LOG.warning("not_committed_yet")
            else:
                return

    def _fail(self, error: Exception) -> None:
        """Make `_run_one_app` raise this error; later errors of the same app are ignored."""
        if self._in_flight is not None:
            self._in_flight.fail(error)


async def _run_app(app: SeekingApp) -> None:
    """Start an app and wait until it has stopped; raise what it crashed of.

    Raise what `consumer_error` returns if Kafka was the cause: a new app may succeed.
    """
    running = asyncio.ensure_future(_run_until_stopped(app))
    try:
        while not running.done():
            await asyncio.wait({running}, timeout=_WATCH_SECONDS)
            error = app.seeking_consumer.group_error
            if error is not None:
                raise error
        running.result()
    except (KafkaError, OSError) as error:
        seconds = app.conf.broker_session_timeout
        raise consumer_error(error, session_seconds=seconds) from error
    finally:
        await cancel_all([running])


async def _run_until_stopped(app: SeekingApp) -> None:
    """Start an app and wait until it has stopped; raise what it crashed of."""
    async with asyncio.timeout(_START_SECONDS):
        await app.start()
    await app.wait_until_stopped()
    if app.crash_reason is not None:
        raise app.crash_reason
