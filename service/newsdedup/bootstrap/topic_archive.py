"""Makes what follows the output topic into an archive."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

from newsdedup.bootstrap.archives import open_archive_writer
from newsdedup.config import Settings
from newsdedup.ports.tracing import NO_TRACER, Tracer
from newsdedup.server.topic_follower import TopicBatch, TopicFollower


def topic_follower(
    settings: Settings, archive: Path, *, tracer: Tracer = NO_TRACER
) -> TopicFollower:
    """Return the follower of the configured output topic; it has not begun."""
    open_writer = partial(open_archive_writer, settings, archive)
    return TopicFollower(open_writer, settings.kafka.output, tracer=tracer)


@asynccontextmanager
async def open_events(
    settings: Settings, offsets: Mapping[int, int], *, traced: bool = False
) -> AsyncIterator[AsyncIterator[TopicBatch]]:
    """Yield an endless iterator of the events of the output topic, from these offsets on.

    Partitions without an offset are read from their beginning; the trace headers of the events are
    read if they are to be `traced`. Raise SourceUnusable if there is no
    such topic, Unavailable if the broker does not answer.
    """
    # Here and not above: they need what the extra `kafka` brings.
    from newsdedup.adapters.kafka.reader import follow_topic  # noqa: PLC0415
    from newsdedup.bootstrap.workers import kafka_access  # noqa: PLC0415

    async def batches() -> AsyncIterator[TopicBatch]:
        async for records in received:
            behind = {record.partition: record.offset + 1 for record in records}
            lines = [one.value for one in records if one.value is not None]
            yield TopicBatch(lines, behind, [one.traces for one in records] if traced else ())

    async with follow_topic(
        kafka_access(settings), settings.kafka.output, beginning=True, offsets=offsets
    ) as received:
        yield batches()
