"""The lean runner: records of a consumer group to a worker, offsets committed after it is done.

While one batch is judged and published, the next one is read and analyzed.
"""

import asyncio
import logging
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from aiokafka import AIOKafkaConsumer, ConsumerRebalanceListener, TopicPartition
from aiokafka.errors import CommitFailedError, IllegalStateError, KafkaError

from newsdedup.adapters.kafka.client import await_broker, kafka_unavailable, stop_client
from newsdedup.adapters.kafka.records import (
    Partition,
    ReceivedRecord,
    end_offsets,
    from_aiokafka,
    position_name,
)
from newsdedup.ports.errors import NewsdedupError, StateMoved, Unavailable
from newsdedup.runners.worker.consumer import (
    BatchProcessor,
    GroupMember,
    run_unless_stopped,
    start_offset,
)
from newsdedup.runners.worker.partitions import LagTracker, PartitionMerge
from newsdedup.runners.worker.worker import Prepared

LOG: Final = logging.getLogger("newsdedup.aiokafka")
_POLL_SECONDS: Final = 1.0
"""How long a look for new records may last: so soon a stop is noticed."""
_DAY_MS: Final = 24 * 3600 * 1000


class CommitGivenUp(NewsdedupError):
    """Kafka is away, and there is no time to wait for it any more."""


class AiokafkaLoop(ConsumerRebalanceListener):  # type: ignore[misc]  # aiokafka ships no types
    """One member of a consumer group."""

    def __init__(self, worker: BatchProcessor, member: GroupMember) -> None:
        self._worker = worker
        self._member = member
        self._merge = PartitionMerge(member.batch)
        self._linger_ms = round(member.linger_seconds * 1000)
        self._stopping = asyncio.Event()
        self._problem: NewsdedupError | None = None
        """What went wrong when partitions were assigned; the client would only log it."""
        self._progress = LagTracker()
        self._begun: set[TopicPartition] = set()
        """Partitions that stand where they begin; the client reads of others already."""
        self._consumer = AIOKafkaConsumer(
            **member.access.options(),
            group_id=member.group,
            enable_auto_commit=False,
            auto_offset_reset="earliest",
            session_timeout_ms=round(member.session_seconds * 1000),
            heartbeat_interval_ms=round(member.session_seconds * 200),
            # A worker that waits for Redis is alive; the watchdog sees to one that is not.
            max_poll_interval_ms=_DAY_MS,
            max_partition_fetch_bytes=4 << 20,
        )

    def stop(self) -> None:
        """Finish the batch at hand and end."""
        self._stopping.set()

    async def run(self) -> None:
        """Work until told to stop; what is not acknowledged then is delivered again."""
        try:
            await run_unless_stopped(self._stopping, self._worker.waited("kafka", self._start))
            while not self._stopping.is_set():
                try:
                    await self._work()
                except StateMoved as moved:
                    LOG.warning("state_moved reason=%s", moved)
                    await self._seek(self._consumer.assignment())
        finally:
            await self._stop()

    async def lag(self) -> dict[str, int]:
        """Return how many records of each assigned partition wait, as far as is known."""
        ends = {tp: self._consumer.highwater(tp) for tp in self._consumer.assignment()}
        known = {(tp.topic, tp.partition): end for tp, end in ends.items() if end is not None}
        return await self._progress.lag(known, self._stands)

    async def on_partitions_revoked(self, revoked: Iterable[TopicPartition]) -> None:
        """Forget partitions; what of them is at hand is finished, and repeated by others."""
        for tp in revoked:
            self._progress.forget([(tp.topic, tp.partition)])
            self._begun.discard(tp)
            self._merge.forget([(tp.topic, tp.partition)])

    async def on_partitions_assigned(self, assigned: Iterable[TopicPartition]) -> None:
        """Begin each partition where the state ends."""
        try:
            await self._seek(assigned)
        except NewsdedupError as error:
            self._problem = error
        else:
            self._worker.telemetry.assigned()

    async def _start(self) -> None:
        try:
            await self._consumer.start()
        except (KafkaError, OSError) as error:
            raise kafka_unavailable(error) from error
        self._consumer.subscribe([self._member.topic], listener=self)

    async def _stop(self) -> None:
        """Leave the group; where the broker is away it notices that by itself."""
        if not await stop_client(self._consumer):
            LOG.warning("not_left: the group notices when the session is over")

    async def _seek(self, partitions: Iterable[TopicPartition]) -> None:
        sought = set(partitions)
        self._begun -= sought
        self._merge.forget((tp.topic, tp.partition) for tp in sought)
        stored = await self._worker.waited("redis", self._member.stored)
        for tp in sorted(sought):
            await self._worker.waited("kafka", partial(self._begin, tp, stored))

    async def _begin(self, tp: TopicPartition, stored: Mapping[str, int]) -> None:
        """Begin a partition where the state ends, unless it has moved on meanwhile."""
        committed = await await_broker(self._consumer.committed(tp))
        name = position_name(tp.topic, tp.partition)
        at = start_offset(name, stored=stored, committed=committed)
        if tp not in self._consumer.assignment():
            return
        if at is None:
            await await_broker(self._consumer.seek_to_beginning(tp))
        else:
            self._consumer.seek(tp, at)
        self._progress.begin((tp.topic, tp.partition), at)
        if at is not None and at < (committed or 0):
            LOG.warning("sought_back partition=%s from=%s to=%d", name, committed, at)
        self._begun.add(tp)

    async def _work(self) -> None:
        """Pass batches from the consumer to the worker, the next one prepared meanwhile."""
        ahead: Prepared | None = None
        while not self._stopping.is_set():
            at_hand = ahead or await self._next()
            ahead = None
            if at_hand is None:
                continue
            upcoming = asyncio.ensure_future(self._next())
            try:
                await self._worker.finish(at_hand)
                self._worker.fail("before_commit")
                await self._commit(at_hand.batch)
                ahead = await upcoming
            finally:
                upcoming.cancel()
                await asyncio.gather(upcoming, return_exceptions=True)

    async def _next(self) -> Prepared | None:
        """Return the next batch, analyzed; None if nothing came for a while."""
        await self._poll(0 if len(self._merge) else round(_POLL_SECONDS * 1000))
        if self._problem is not None:
            raise self._problem
        if 0 < len(self._merge) < self._member.batch:
            await self._poll(self._linger_ms)
        batch = self._merge.take_batch()
        return await self._worker.prepare(batch) if batch else None

    async def _poll(self, timeout_ms: int) -> None:
        """Read ahead, of each partition about as much; wait only if there is a timeout."""
        came: set[TopicPartition] = set()
        if timeout_ms:
            share = -(-self._member.batch // max(1, len(self._begun)))
            came = await self._read(timeout_ms=timeout_ms, most=share)
        for tp in sorted(self._begun - came):
            room = self._merge.room((tp.topic, tp.partition), partitions=len(self._begun))
            if room > 0 and tp in self._consumer.assignment():
                await self._read(tp, timeout_ms=0, most=room)

    async def _read(
        self, *partitions: TopicPartition, timeout_ms: int, most: int
    ) -> set[TopicPartition]:
        """Take what was fetched; return of which partitions.

        Nothing is waited for between the client's answer and its keeping: a partition that moves
        in between would be kept twice, and its later records first.
        """
        found: dict[TopicPartition, Any] = await self._consumer.getmany(
            *partitions, timeout_ms=timeout_ms, max_records=most
        )
        for tp, records in found.items():
            if tp in self._begun:
                self._merge.add([from_aiokafka(record) for record in records])
                for record in records:
                    self._progress.note_fetched((tp.topic, tp.partition), record.offset)
        return set(found)

    async def _commit(self, batch: Sequence[ReceivedRecord]) -> None:
        """Tell Kafka what is done, however long it is away; what it never hears comes again."""
        done = {TopicPartition(*place): end for place, end in end_offsets(batch).items()}
        try:
            await self._worker.waited("kafka", partial(self._committed, done))
        except CommitGivenUp as reason:
            LOG.warning("not_committed reason=%s", reason)

    async def _committed(self, done: Mapping[TopicPartition, int]) -> None:
        """Tell Kafka what is done, as far as the partitions are ours; not again after a stop."""
        mine = {tp: end for tp, end in done.items() if tp in self._consumer.assignment()}
        try:
            if mine:
                await await_broker(self._consumer.commit(mine))
        except (CommitFailedError, IllegalStateError) as error:
            LOG.warning("not_committed reason=%s", error)
        except Unavailable as error:
            if self._stopping.is_set():
                raise CommitGivenUp(str(error)) from error
            raise
        else:
            self._progress.note_done({(tp.topic, tp.partition): end for tp, end in mine.items()})

    async def _stands(self, partition: Partition) -> int | None:
        """Return from where on a partition is read next; None if nobody says so in time."""
        try:
            at: int = await await_broker(self._consumer.position(TopicPartition(*partition)))
        except (Unavailable, IllegalStateError):
            return None
        return at
