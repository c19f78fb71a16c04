"""Where records go that are fetched or imported: a file, standard output, Kafka, or an engine.

A record is the JSON of an item or a command (docs/items.md) without a line end, and in no file.
"""

import asyncio
import logging
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

import msgspec

from newsdedup.adapters.files.lines import Line
from newsdedup.adapters.files.outputs import AppendedFile, OutputPipe, lock_output, sink_errors
from newsdedup.adapters.files.paths import STDIO
from newsdedup.ports.errors import Unavailable
from newsdedup.ports.telemetry import FeederTelemetry
from newsdedup.ports.tracing import Tracer
from newsdedup.runners.tasks import wait_at_most

if TYPE_CHECKING:
    from newsdedup.adapters.kafka.publisher import KafkaPublisher
    from newsdedup.adapters.kafka.records import OutgoingRecord

record_json = msgspec.json.Encoder().encode
"""Returns the JSON of an item or a command; the order of its fields is kept."""
_CHUNK: Final = 64 * 2**10
LOG: Final = logging.getLogger("newsdedup.intake")
_FIRST_PAUSE: Final = 0.5
_LONGEST_PAUSE: Final = 30.0
"""Seconds before a batch is written again that the broker did not acknowledge."""


class RecordOutput(Protocol):
    """What takes records; what it has taken survives the process.

    Laws, checked for every kind by tests/laws/test_record_outputs.py: after `write` returns all of
    the records are there, in their order; what was written before a kill at any moment stays, and
    writing records again does no harm, as their ids are the same.
    """

    async def write(self, records: Sequence[bytes]) -> list[int]:
        """Return, when all others are durable, the indexes of records too large for this output.

        Raise SinkUnusable or Unavailable if they are not; some of them may be written then. After
        Unavailable the same list may be written again.
        """

    async def close(self) -> None:
        """Release files and connections."""


def record_lines(records: Sequence[bytes], *, before: int = 0) -> list[Line]:
    """Return records as decoders read them: lines of standard input, numbered from `before` + 1."""
    return [
        Line(STDIO, number, 0, len(data) + 1, data, len(data))
        for number, data in enumerate(records, before + 1)
    ]


class LinesFile:
    """A RecordOutput: a file that only grows, synced after each call.

    A process that was killed may have left half a line at the end. It is cut off when the file is
    opened, unless it is whole JSON: its record was not acknowledged and is written again.
    """

    def __init__(self, path: Path) -> None:
        self._file = AppendedFile(path)
        with sink_errors(path):
            _cut_half_line(path)
        self._turn = asyncio.Lock()

    async def write(self, records: Sequence[bytes]) -> list[int]:
        """Write records as lines; return [] when they are synced, or raise SinkUnusable."""
        async with self._turn:
            await asyncio.to_thread(self._file.add, _lines(records))
        return []

    async def close(self) -> None:
        """Leave the file, which is open during a write only."""


class LinesPipe:
    """A RecordOutput: standard output; a record that its reader did not get may come again."""

    def __init__(self) -> None:
        self._pipe = OutputPipe()

    async def write(self, records: Sequence[bytes]) -> list[int]:
        """Write records as lines; return [] when they are in the pipe, or raise OSError."""
        # In one piece: no other task runs between the lines.
        self._pipe.write(_lines(records))
        self._pipe.sync()
        return []

    async def close(self) -> None:
        """Leave standard output open for the rest of the process."""


def _cut_half_line(path: Path) -> None:
    """Cut off what is behind the last line feed of a file, if it is not whole JSON.

    Raise SinkBusy if another process is just writing the file.
    """
    if not path.is_file():
        return
    with path.open("r+b") as file:
        lock_output(file.fileno(), path)
        size = begin = file.seek(0, os.SEEK_END)
        rest = b""
        while begin and b"\n" not in rest:
            step = min(_CHUNK, begin)
            begin = file.seek(begin - step)
            rest = file.read(step) + rest
        half = rest[rest.rfind(b"\n") + 1 :]
        try:
            msgspec.json.decode(half)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            file.truncate(size - len(half))


def _lines(records: Sequence[bytes]) -> bytes:
    """Return records as the bytes of lines."""
    return b"".join(record + b"\n" for record in records)


@dataclass(frozen=True, slots=True, eq=False)
class TopicOutput:
    """A RecordOutput: a topic of Kafka, written by an idempotent producer.

    With `stopping` a batch is written again until the broker acknowledges it, however long that
    takes, or until `stopping` is set; without it once.
    """

    publisher: "KafkaPublisher"
    make_record: "Callable[[Line], OutgoingRecord]"
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

    async def _publish(self, batch: "Sequence[OutgoingRecord]") -> list[int]:
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
            await wait_at_most(self.stopping, pause)
            pause = min(2 * pause, _LONGEST_PAUSE)
