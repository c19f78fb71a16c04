"""An archive that follows the output topic: events and offsets move in one transaction."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager
from functools import partial
from typing import Final, NamedTuple, TypeVar

from newsdedup.archive.writer import ArchiveWriter
from newsdedup.ports.errors import SourceUnusable, Unavailable
from newsdedup.ports.streams import Headers
from newsdedup.ports.tracing import NO_TRACER, Tracer

LOG: Final = logging.getLogger("newsdedup.server")
_AGAIN_SECONDS: Final = 2.0
_BEFORE_OFFSET: Final = "kafka:"
_BEFORE_ID: Final = "@"
"""Between the name of a topic, which cannot contain it, and its id."""
_Result = TypeVar("_Result")


class TopicBatch(NamedTuple):
    """Events of a topic, and by partition the offset after the last of them."""

    lines: Sequence[bytes]
    offsets: Mapping[int, int]
    traces: Sequence[Headers] = ()
    """The trace headers of the events; empty without tracing."""


StoredOffsets = Callable[[str], Awaitable[Mapping[int, int]]]
"""Returns the offsets by partition that are stored for the topic with this id, "" if unknown."""
OpenTopic = Callable[[StoredOffsets], AbstractAsyncContextManager[AsyncIterator[TopicBatch]]]
"""Opens the topic at its stored offsets, other partitions at their beginning."""


class TopicFollower:
    """Reads a topic into an archive until cancelled, from the offsets that the archive has stored.

    The writer lives in one thread, so that reading never waits for a transaction.
    """

    def __init__(
        self, open_writer: Callable[[], ArchiveWriter], topic: str, *, tracer: Tracer = NO_TRACER
    ) -> None:
        self.reason: str | None = "kafka: not reached yet"
        """Why no events arrive; None while the topic is followed."""
        self._open_writer = open_writer
        self._topic = topic
        self._name = topic
        """The topic with its id, under which its offsets are stored."""
        self._tracer = tracer
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="archive-writer")
        self._writer: ArchiveWriter | None = None

    def missing(self) -> list[str]:
        """Return why no events arrive, an empty list while the topic is followed."""
        return [] if self.reason is None else [self.reason]

    async def begin(self) -> None:
        """Open the archive, creating a missing one; raise what opening raises."""
        self._writer = await self._in_thread(self._open_writer)

    async def run(self, open_topic: OpenTopic) -> None:
        """Follow the topic until cancelled; after a failure of Kafka begin again in 2 s.

        Each outage is logged once, and anew where its reason changes.
        """
        while True:
            try:
                await self._follow(open_topic)
            except (Unavailable, SourceUnusable) as error:
                if str(error) != self.reason:
                    LOG.warning("waiting server=kafka reason=%s", error)
                self.reason = str(error)
            await asyncio.sleep(_AGAIN_SECONDS)

    async def close(self) -> None:
        """Close the archive when its last transaction is done."""
        if self._writer is not None:
            await self._in_thread(self._writer.close)
        self._thread.shutdown()

    async def _follow(self, open_topic: OpenTopic) -> None:
        """Apply batches; raise Unavailable or SourceUnusable if the topic cannot be read."""
        async with open_topic(self._stored) as batches:
            self.reason = None
            async for batch in batches:
                if batch.offsets:
                    await self._in_thread(partial(self._apply, batch))

    def _apply(self, batch: TopicBatch) -> None:
        """Write a batch and its offsets in one transaction; call it in the thread only."""
        positions = [(self._position(number), str(at)) for number, at in batch.offsets.items()]
        with self._tracer.span("archive", kind="consumer", causes=batch.traces) as span:
            counts = self._opened().apply(batch.lines, positions)
            span.note("messaging.system", "kafka")
            span.note("messaging.destination.name", self._topic)
            span.note("messaging.batch.message_count", len(batch.lines))
        stats = " ".join(f"{name}={counts[name]}" for name in sorted(counts))
        LOG.info("archived records=%d %s", len(batch.lines), stats)

    async def _stored(self, identity: str) -> dict[int, int]:
        """Return the offsets that the archive has stored for the topic with this id, by partition.

        There are none if the topic was made anew, or is that of another cluster.
        """
        return await self._in_thread(partial(self._offsets, identity))

    def _offsets(self, identity: str) -> dict[int, int]:
        """Return the stored offsets of a topic, also those that an earlier release stored."""
        self._name = f"{self._topic}{_BEFORE_ID}{identity}" if identity else self._topic
        own, unnamed = self._position(""), f"{_BEFORE_OFFSET}{self._topic}/"
        positions = self._opened().positions()
        named = [name for name in positions if name.startswith(unnamed[:-1] + _BEFORE_ID)]
        others = [name for name in named if not name.startswith(own)]
        return {
            int(name.removeprefix(prefix)): int(at)
            for prefix in ([own] if others else [unnamed, own])
            for name, at in positions.items()
            if name.startswith(prefix)
        }

    def _position(self, partition: int | str) -> str:
        return f"{_BEFORE_OFFSET}{self._name}/{partition}"

    def _opened(self) -> ArchiveWriter:
        """Return the writer; raise RuntimeError before begin()."""
        if self._writer is None:
            raise RuntimeError("begin() opens the archive")
        return self._writer

    async def _in_thread(self, work: Callable[[], _Result]) -> _Result:
        """Return what `work` returns in the writer's thread, or raise what it raises."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)
