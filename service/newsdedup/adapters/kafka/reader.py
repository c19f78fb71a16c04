"""Reading a topic outside of a worker: up to its present end, or following it as it grows."""

import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from time import monotonic
from types import MappingProxyType
from typing import Any, Final

from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.errors import KafkaError

from newsdedup.adapters.kafka.admin import topic_admin
from newsdedup.adapters.kafka.client import (
    COMMITTED,
    METADATA_AGE_MS,
    KafkaAccess,
    await_broker,
    ends_in_time,
    kafka_unavailable,
    missing_topics,
)
from newsdedup.adapters.kafka.records import (
    ReceivedRecord,
    end_offsets,
    from_aiokafka,
    position_name,
)
from newsdedup.adapters.kafka.tolerant_records import read_any_records
from newsdedup.ports.errors import SourceUnusable, Unavailable

LOG: Final = logging.getLogger("newsdedup.reader")
_POLL_MS: Final = 1_000
_FOLLOW_RECORDS: Final = 500
NO_OFFSETS: Final[Mapping[int, int]] = MappingProxyType({})
_StoredOffsets = Callable[[str], Awaitable[Mapping[int, int]]]
"""Returns the offsets by partition that are stored for the topic with this id."""
SILENT_SECONDS: Final = 60.0
"""How long to wait for a broker that is slow or has just been restarted."""


class TopicReader:
    """Reads a topic up to the end that it had when it was opened."""

    def __init__(self, consumer: AIOKafkaConsumer, ends: dict[TopicPartition, int]) -> None:
        self._consumer = consumer
        self._ends = ends

    async def records(self, *, at_once: int) -> AsyncIterator[list[ReceivedRecord]]:
        """Yield batches of up to `at_once` records, in order by partition; or raise Unavailable."""
        ends = self._ends.values()
        while any(at < end for at, end in zip(await self._positions(), ends, strict=True)):
            fetched = await self._fetch(at_once)
            batch = [
                from_aiokafka(record)
                for tp, records in fetched.items()
                for record in records
                if record.offset < self._ends[tp]
            ]
            if batch:
                yield batch

    async def commit(self, batch: Sequence[ReceivedRecord]) -> None:
        """Commit the end of a batch for the reader's group; raise Unavailable if that fails."""
        if batch:
            ends = {TopicPartition(*tp): end for tp, end in end_offsets(batch).items()}
            await _patiently(self._consumer.commit(ends))

    async def committed(self) -> dict[str, int]:
        """Return the group's committed offsets by `position_name`, or raise Unavailable."""
        offsets = {tp: await _patiently(self._consumer.committed(tp)) for tp in self._ends}
        return {
            position_name(tp.topic, tp.partition): offset
            for tp, offset in offsets.items()
            if offset is not None
        }

    async def _fetch(self, at_once: int) -> dict[TopicPartition, list[Any]]:
        """Return the next records by partition; raise Unavailable if the broker sends none."""
        before, until = await self._positions(), monotonic() + SILENT_SECONDS
        while monotonic() < until:
            fetched: dict[TopicPartition, list[Any]] = await self._consumer.getmany(
                timeout_ms=_POLL_MS, max_records=at_once
            )
            # Ends of transactions and deleted records move the position without giving a record.
            if fetched or await self._positions() != before:
                return fetched
        raise Unavailable("kafka: nothing more comes of the topic, and it has not ended")

    async def _positions(self) -> list[int]:
        """Return the next offset of each partition, ordered as `_ends`; or raise Unavailable."""
        return [await _patiently(self._consumer.position(tp)) for tp in self._ends]


@asynccontextmanager
async def open_topic(
    access: KafkaAccess, name: str, *, group: str | None = None, since_ms: int | None = None
) -> AsyncIterator[TopicReader]:
    """Open a topic from its beginning, or from where a consumer group has committed.

    With `since_ms`, in milliseconds since 1970, begin at the first record of that time or later.
    The reader does not join the group, which only stores offsets: two readers with one group read
    the same records. Raise SourceUnusable if there is no such topic, Unavailable if the broker does
    not answer.
    """
    async with _assigned_consumer(access, name, group=group, start="earliest") as opened:
        consumer, tps = opened
        ends = await _patiently(consumer.end_offsets(tps))
        if since_ms is not None:
            first = await _patiently(consumer.offsets_for_times(dict.fromkeys(tps, since_ms)))
            for tp, one in first.items():
                # There is none in a partition whose records are all earlier.
                consumer.seek(tp, ends[tp] if one is None else one.offset)
        yield TopicReader(consumer, ends)


@asynccontextmanager
async def follow_topic(
    access: KafkaAccess, name: str, *, beginning: bool, stored: _StoredOffsets | None = None
) -> AsyncIterator[AsyncIterator[list[ReceivedRecord]]]:
    """Yield an endless iterator of batches, from the topic's beginning or from now on.

    Partitions with a stored offset are read from there, or from their beginning where the topic no
    longer holds that; then the number of records that it has deleted is logged. Those that the
    topic gets later are read whole, some seconds after. A batch is empty if nothing came for a
    second; nothing is committed. Records written after the block was entered are among them. Raise
    SourceUnusable if there is no such topic, with `stored` also when it is deleted; Unavailable if
    the broker does not answer while the block is entered.
    """
    start = "earliest" if beginning else "latest"
    async with _assigned_consumer(access, name, group=None, start=start) as (consumer, tps):
        offsets = NO_OFFSETS
        if stored is not None:
            async with topic_admin(access) as admin:
                identity = await admin.identity(name)
            offsets = await stored(identity)
        first = await _patiently(consumer.beginning_offsets(tps)) if offsets else {}
        # aiokafka finds the start of a partition in the background: wait until it has.
        for tp in tps:
            if tp.partition in offsets:
                at = offsets[tp.partition]
                if (deleted := first[tp] - at) > 0:
                    where = position_name(name, tp.partition)
                    LOG.warning(
                        "records_deleted partition=%s from=%d records=%d", where, at, deleted
                    )
                consumer.seek(tp, at)
            await _patiently(consumer.position(tp))
        yield _batches(consumer, name, offsets, ends=stored is not None)


@asynccontextmanager
async def _assigned_consumer(
    access: KafkaAccess, name: str, *, group: str | None, start: str
) -> AsyncIterator[tuple[AIOKafkaConsumer, list[TopicPartition]]]:
    """Yield a consumer of all partitions of a topic, and these partitions; stop it afterwards.

    It begins where `group` has committed, else (None: always) at `start`, "earliest" or "latest".
    Raise SourceUnusable if the topic does not exist, Unavailable after other errors.
    """
    read_any_records()
    consumer = AIOKafkaConsumer(
        **access.options(),
        group_id=group,
        enable_auto_commit=False,
        auto_offset_reset=start,
        metadata_max_age_ms=METADATA_AGE_MS,
        isolation_level=COMMITTED,
    )
    try:
        async with topic_admin(access) as admin:
            topic = (await admin.describe([name])).get(name)
        if topic is None:
            raise _no_topic(name)
        tps = [TopicPartition(name, number) for number in range(topic.partitions)]
        try:
            await consumer.start()
        except OSError as error:
            raise kafka_unavailable(error) from error
        consumer.assign(tps)
        # An OSError of the block is about the caller's own files.
        yield consumer, tps
    except KafkaError as error:
        raise kafka_unavailable(error) from error
    finally:
        await ends_in_time(consumer.stop())


def _no_topic(name: str) -> SourceUnusable:
    """Return the error for a topic that does not exist, as far as this user may know."""
    return SourceUnusable(missing_topics(name))


async def _batches(
    consumer: AIOKafkaConsumer, name: str, offsets: Mapping[int, int], *, ends: bool
) -> AsyncIterator[list[ReceivedRecord]]:
    """Yield fetched records, an empty list if none came in time; add new partitions.

    Raise SourceUnusable if the topic is deleted and `ends` is set; else wait for the next one.
    """
    while True:
        if ends and not consumer.partitions_for_topic(name):
            raise _no_topic(name)
        await _assign_added(consumer, name, offsets)
        fetched = await consumer.getmany(timeout_ms=_POLL_MS, max_records=_FOLLOW_RECORDS)
        yield [from_aiokafka(record) for records in fetched.values() for record in records]


async def _assign_added(consumer: AIOKafkaConsumer, name: str, offsets: Mapping[int, int]) -> None:
    """Assign the partitions that the topic has got since, from `offsets` or their beginning.

    The client learns of them every METADATA_AGE_MS. Raise Unavailable if it does not know where
    another partition is read, as the broker does not answer.
    """
    tps = consumer.assignment()
    numbers = consumer.partitions_for_topic(name) or set()
    added = {TopicPartition(name, number) for number in numbers} - tps
    if not added:
        return
    positions = {tp: await _patiently(consumer.position(tp)) for tp in tps}
    positions |= {tp: offsets.get(tp.partition, 0) for tp in added}
    # An assignment replaces the one before, with its positions.
    consumer.assign(list(positions))
    for tp, offset in positions.items():
        consumer.seek(tp, offset)


async def _patiently(call: Awaitable[Any]) -> Any:
    """Return the result of a client's call; raise Unavailable after an error or a minute."""
    return await await_broker(call, seconds=SILENT_SECONDS)
