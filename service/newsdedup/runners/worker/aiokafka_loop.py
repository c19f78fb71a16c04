"""The runner on plain aiokafka: reads batches of a consumer group, commits them when finished.

While one batch is judged and published, the next one is read and analyzed.
"""

import asyncio
import logging
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from aiokafka import AIOKafkaConsumer, ConsumerRebalanceListener, TopicPartition
from aiokafka.errors import CommitFailedError, IllegalStateError, KafkaError

from newsdedup.adapters.kafka.client import (
    COMMITTED,
    METADATA_AGE_MS,
    await_broker,
    ends_in_time,
    kafka_unavailable,
)
from newsdedup.adapters.kafka.records import (
    Partition,
    ReceivedRecord,
    end_offsets,
    ends_to_commit,
    from_aiokafka,
    position_name,
)
from newsdedup.adapters.kafka.tolerant_records import read_any_records
from newsdedup.ports.errors import NewsdedupError, StateMoved, Unavailable
from newsdedup.runners.tasks import run_unless_stopped, wait_at_most
from newsdedup.runners.worker.consumer import (
    ConsumerFailures,
    GroupMember,
    consumer_error,
    find_starts,
)
from newsdedup.runners.worker.in_flight import BatchesInFlight, CommitGivenUp
from newsdedup.runners.worker.merge import AlignedMerge, KafkaArrival
from newsdedup.runners.worker.partitions import LagTracker
from newsdedup.runners.worker.worker import BatchProcessor

# A TopicPartition of aiokafka is a tuple like our Partition, and equal to it.
LOG: Final = logging.getLogger("newsdedup.aiokafka")
_POLL_SECONDS: Final = 1.0
"""Longest wait for new records, and so for noticing a stop."""
_WAIT_SECONDS: Final = 0.02
"""How often partitions are read again while all that was read must wait."""
_DAY_MS: Final = 24 * 3600 * 1000
_FETCH_BYTES: Final = 4 << 20


class AiokafkaLoop(ConsumerRebalanceListener):  # type: ignore[misc]  # aiokafka ships no types
    """One member of a consumer group; the laws are those of `Loop`."""

    def __init__(self, worker: BatchProcessor, member: GroupMember) -> None:
        self._worker = worker
        self._member = member
        self._aligned = AlignedMerge(member.batch, member.alignment, worker.decode)
        self._merge = self._aligned.merge
        self._stopping = asyncio.Event()
        self._assign_error: NewsdedupError | None = None
        """An error of `on_partitions_assigned`, which aiokafka would only log."""
        self._joined = False
        """Whether the group has assigned partitions, or none, to this worker."""
        self._lag = LagTracker(worker.telemetry)
        self._starts: dict[TopicPartition, int] = {}
        """Where partitions were set to begin; aiokafka already returns records of others."""
        self._failures = ConsumerFailures(worker)
        self._consumer = self._new_consumer()

    def stop(self) -> None:
        """Let `run` return after the batch in hand."""
        self._stopping.set()

    async def run(self) -> None:
        """Process batches until `stop` is called; uncommitted records are delivered again."""
        try:
            while not self._stopping.is_set():
                try:
                    await run_unless_stopped(self._stopping, self._begin())
                    if not self._stopping.is_set():
                        await self._process_batches()
                except StateMoved as moved:
                    LOG.warning("state_moved reason=%s", moved)
                except Unavailable as reason:
                    LOG.warning("begun_again reason=%s", reason)
                    await run_unless_stopped(self._stopping, self._failures.wait(reason))
                    await self._stop_consumer()
                    self._aligned.forget(self._starts)
                    self._starts.clear()
                    self._joined = False
                    self._consumer = self._new_consumer()  # which knows no partitions yet
        finally:
            await self._stop_consumer()

    async def lag(self) -> dict[str, int]:
        """Return by "TOPIC/PARTITION" how many records are not done, of assigned partitions."""
        # Records of an open transaction cannot be read yet, so they do not wait for this worker.
        assigned = self._consumer.assignment()
        ends = {tp: self._consumer.last_stable_offset(tp) for tp in assigned}
        known = {tp: end for tp, end in ends.items() if end is not None}
        await self._lag.note_deleted(self._first_offset)
        return await self._lag.lag(known, self._fetch_position)

    async def on_partitions_revoked(self, revoked: Collection[TopicPartition]) -> None:
        """Drop buffered records of partitions; the batch in hand is finished, not committed."""
        self._lag.forget(revoked)
        self._aligned.forget(revoked)
        for tp in revoked:
            self._starts.pop(tp, None)

    async def on_partitions_assigned(self, assigned: Iterable[TopicPartition]) -> None:
        """Seek new partitions to their start offsets; `_read_batches` raises the error, if any."""
        self._joined = True
        try:
            await self._seek(assigned)
        except NewsdedupError as error:
            self._assign_error = error
        else:
            self._worker.telemetry.assigned()

    def _new_consumer(self) -> AIOKafkaConsumer:
        read_any_records()
        member = self._member
        return AIOKafkaConsumer(
            **member.access.options(),
            group_id=member.group,
            enable_auto_commit=False,
            auto_offset_reset="earliest",
            isolation_level=COMMITTED,
            session_timeout_ms=round(member.session_seconds * 1000),
            heartbeat_interval_ms=round(member.session_seconds * 200),
            # A worker that waits for Redis must stay in the group; the watchdog ends a hung one.
            max_poll_interval_ms=_DAY_MS,
            max_partition_fetch_bytes=_FETCH_BYTES,
            metadata_max_age_ms=METADATA_AGE_MS,
        )

    async def _stop_consumer(self) -> None:
        """Leave the group and stop the consumer, or abandon it if that takes too long."""
        if not await ends_in_time(self._consumer.stop()):
            LOG.warning("not_left: the group notices when the session is over")

    async def _begin(self) -> None:
        """Begin a run, with a consumer that is connected and subscribed; wait for the servers.

        The errors of earlier assignments do not count in it.
        """
        await self._worker.waited("redis", self._member.positions.begin)
        self._assign_error = None
        if not self._consumer.subscription():
            await self._worker.waited("kafka", self._start)

    async def _start(self) -> None:
        """Connect the consumer and subscribe to the topic; raise Unavailable without Kafka."""
        try:
            await self._consumer.start()
        except (KafkaError, OSError) as error:
            raise kafka_unavailable(error) from error
        self._consumer.subscribe([self._member.topic], listener=self)

    async def _seek(self, partitions: Iterable[TopicPartition]) -> None:
        """Set partitions to their start offsets and drop their buffered records.

        Wait for Redis, which has the stored offsets, and for Kafka; raise StateUnusable if the
        state is lost (start_offset).
        """
        wanted = {position_name(tp.topic, tp.partition): tp for tp in sorted(partitions)}
        self._aligned.forget(wanted.values())
        for tp in wanted.values():
            self._starts.pop(tp, None)
        committed = {
            name: await self._worker.waited("kafka", partial(self._committed, tp))
            for name, tp in wanted.items()
        }
        starts = await self._worker.waited(
            "redis", partial(find_starts, self._member.positions, committed)
        )
        for name, tp in wanted.items():
            await self._worker.waited("kafka", partial(self._seek_partition, tp, starts[name]))

    async def _committed(self, tp: TopicPartition) -> int | None:
        """Return the group's committed offset, None without one; or raise Unavailable."""
        offset: int | None = await await_broker(self._consumer.committed(tp))
        return offset

    async def _seek_partition(self, tp: TopicPartition, at: int | None) -> None:
        """Set a partition, unless revoked, to `at` (None: the first); or raise Unavailable."""
        if tp not in self._consumer.assignment():
            return
        if at is None:
            await await_broker(self._consumer.seek_to_beginning(tp))
        else:
            self._consumer.seek(tp, at)
        self._lag.begin(tp, at)
        self._starts[tp] = at or 0

    async def _process_batches(self) -> None:
        """Process batches from the start offsets on, until the worker is stopped; raise any error.

        What the consumer has fetched by then is lost; the next one reads it again. The worker is
        ready as soon as the group has assigned partitions, or none.
        """
        await self._seek(self._consumer.assignment())
        if self._joined:
            self._worker.telemetry.assigned()
        in_flight = BatchesInFlight(
            self._worker,
            self._commit,
            batch=self._member.batch,
            linger_seconds=self._member.linger_seconds,
            stopping=self._stopping,
            finished=self._aligned.finished,
        )
        await in_flight.run(self._read_batches(in_flight), self._aligned.exchange_forever())

    async def _read_batches(self, in_flight: BatchesInFlight) -> None:
        """Read and analyze until the worker is stopped; raise the error of an assignment."""
        while not self._stopping.is_set():
            await self._poll(0 if len(self._merge) else round(_POLL_SECONDS * 1000))
            if self._assign_error is not None:
                raise self._assign_error
            batch = await self._take_batch(in_flight.room)
            if batch:
                await in_flight.add(batch)
            elif len(self._merge):
                await wait_at_most(self._aligned.changed, _WAIT_SECONDS)

    async def _take_batch(self, most: int) -> list[KafkaArrival]:
        """Return up to `most` records to judge now; none while a slower partition is waited for."""
        at_end: list[Partition] = []
        if self._aligned.is_on:
            at_end = [one for one in self._partitions() if await self._is_at_end(one)]
        # No await from here on: partitions may be revoked meanwhile.
        numbers = self._consumer.partitions_for_topic(self._member.topic) or ()
        return self._aligned.take_batch(
            most=most,
            assigned=self._partitions(),
            at_end=set(at_end) & set(self._partitions()),
            all_partitions=[(self._member.topic, number) for number in numbers],
        )

    def _partitions(self) -> list[Partition]:
        """Return the partitions that are assigned and set to their start offsets."""
        assigned = self._consumer.assignment()
        return [tp for tp in self._starts if tp in assigned]

    async def _is_at_end(self, partition: Partition) -> bool:
        """Return whether the broker had nothing more of a partition when it answered last."""
        tp = TopicPartition(*partition)
        try:
            end = self._consumer.last_stable_offset(tp)
        except IllegalStateError:
            return False
        if end is None:
            return False
        at = await self._fetch_position(partition)
        return at is not None and at >= end

    async def _poll(self, timeout_ms: int) -> None:
        """Buffer records, about equally many of each partition; wait only if there is a timeout."""
        came: set[TopicPartition] = set()
        if timeout_ms:
            share = -(-self._member.batch // max(1, len(self._starts)))
            came = await self._fetch(timeout_ms=timeout_ms, most=share)
        for tp in sorted(set(self._starts) - came):
            room = self._merge.room(tp, partitions=len(self._starts))
            if room > 0 and tp in self._consumer.assignment():
                await self._fetch(tp, timeout_ms=0, most=room)

    async def _fetch(
        self, *partitions: TopicPartition, timeout_ms: int, most: int
    ) -> set[TopicPartition]:
        """Buffer the records that aiokafka has fetched; return their partitions.

        There must be no await between its answer and the buffering: a partition sought in between
        would be buffered twice and out of order. After any error the consumer must be replaced:
        aiokafka has passed over what it had taken of other partitions.
        """
        try:
            fetched: dict[TopicPartition, Any] = await self._consumer.getmany(
                *partitions, timeout_ms=timeout_ms, max_records=most
            )
        except KafkaError as error:
            seconds = self._member.session_seconds
            raise consumer_error(error, session_seconds=seconds) from error
        if fetched:
            self._failures.note_success()
        for tp, records in fetched.items():
            if tp in self._starts:
                self._aligned.add([from_aiokafka(record) for record in records])
                for record in records:
                    self._lag.note_fetched(tp, record.offset)
        return set(fetched)

    async def _commit(self, batch: Sequence[ReceivedRecord]) -> None:
        """Commit the end of a batch, waiting for Kafka; uncommitted records come again.

        Raise CommitGivenUp if Kafka is away while the worker stops.
        """
        ends = {TopicPartition(*partition): end for partition, end in end_offsets(batch).items()}
        await self._worker.waited("kafka", partial(self._commit_assigned, ends))

    async def _commit_assigned(self, ends: Mapping[TopicPartition, int]) -> None:
        """Commit offsets of partitions still assigned, or raise Unavailable or CommitGivenUp."""
        assigned = ends_to_commit(ends, assigned=self._consumer.assignment(), starts=self._starts)
        try:
            if assigned:
                await await_broker(self._consumer.commit(assigned))
        except (CommitFailedError, IllegalStateError) as error:
            LOG.warning("not_committed reason=%s", error)
        except Unavailable as error:
            if self._stopping.is_set():
                raise CommitGivenUp(str(error)) from error
            raise
        else:
            self._lag.note_done(assigned)

    async def _first_offset(self, partition: Partition) -> int | None:
        """Return the first offset that Kafka still has; None if the broker is silent."""
        tp = TopicPartition(*partition)
        try:
            first: dict[TopicPartition, int] = await await_broker(
                self._consumer.beginning_offsets([tp])
            )
        except Unavailable:
            return None
        return first[tp]

    async def _fetch_position(self, partition: Partition) -> int | None:
        """Return the offset that is fetched next; None if unassigned or if the broker is silent."""
        try:
            at: int = await await_broker(self._consumer.position(TopicPartition(*partition)))
        except (Unavailable, IllegalStateError):
            return None
        return at
