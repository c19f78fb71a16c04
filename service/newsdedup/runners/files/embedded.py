"""The embedded runner: lines in, events out, a batch at a time, each batch one transaction.

Per batch: write the events, sync them, commit records, judgements, input position, output length
and dead letters together, then add the dead letters to their file. After a crash the next run cuts
the events to the committed length, completes the file of dead letters, and reads on at the
committed position. An archive alongside the run follows each commit.
"""

import logging
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

from newsdedup.adapters.files.inputs import (
    InputPosition,
    is_stream,
    position_key,
    read_lines,
    resume_position,
)
from newsdedup.adapters.files.line_decoder import DeadLetterDecoder, LineDecoder, event_line
from newsdedup.adapters.files.lines import Idle, Line
from newsdedup.adapters.files.outputs import AppendedFile
from newsdedup.adapters.sqlite.state import SqliteState, StreamProgress
from newsdedup.adapters.tables.input_records import read_records
from newsdedup.archive.following import follow_file
from newsdedup.archive.writer import ArchiveWriter
from newsdedup.core.events import Event
from newsdedup.core.model import NewsItem
from newsdedup.core.moments import is_dated
from newsdedup.engine.arrivals import Arrival, BatchAnalysis, decode_records
from newsdedup.engine.collector import collector_paused, freeze_survivors
from newsdedup.engine.deduplicate import Deduplicate
from newsdedup.engine.local_decisions import (
    HalfApplied,
    decide_arrival,
    encode_events,
    preview_arrival,
    rehearse_arrival,
)
from newsdedup.ports.errors import InvalidItem, SourceUnusable, is_bug
from newsdedup.ports.isolation import INTERNAL_ERROR, InternalErrorLimit
from newsdedup.ports.streams import Decoder, Sink
from newsdedup.ports.telemetry import Failpoint, no_failpoint
from newsdedup.runners.batch_log import log_batch

_T = TypeVar("_T")
LOG: Final = logging.getLogger("newsdedup.run")
BATCH_BYTES: Final = 16 << 20
"""A batch is closed when its lines hold so much, however few they are."""


@dataclass(frozen=True, slots=True)
class Outputs:
    """Where a run writes; the state keeps the length of the events under `name`."""

    events: Sink
    name: str
    dead: AppendedFile


class RunArchive:
    """An archive that a run keeps up to date with what it has committed to its output.

    An output file is read again up to its committed length, after each commit and when a run
    begins: a crash between the two commits leaves nothing out, an archive that is added later
    catches up, and it can be made anew from the file. What goes to a pipe or to an address cannot
    be read again: its events are applied before the state is committed, and come again after a
    crash, with the same ids.
    """

    def __init__(self, writer: ArchiveWriter, output: Path | None) -> None:
        """Write to an archive; `output` is the file of the run, None for a pipe or an address."""
        self._writer = writer
        self._output = output

    def take(self, events: Sequence[bytes]) -> None:
        """Apply the encoded events of a batch to the archive, unless they go to an output file.

        Raise StateUnusable if the archive cannot be written.
        """
        if self._output is None and events:
            self._writer.apply(events)

    def follow(self, length: int) -> None:
        """Apply what the output file, if there is one, holds up to `length`, its committed bytes.

        Raise StateUnusable if the archive cannot be written.
        """
        if self._output is not None:
            for _ in follow_file(self._writer, str(self._output), until=length):
                pass

    def close(self) -> None:
        """Close the archive."""
        self._writer.close()


class _Judged(NamedTuple):
    """What a batch gives: its counts, and the lines of events and dead letters."""

    counts: Counter[str]
    events: list[bytes]
    dead_letters: list[bytes]


@dataclass(slots=True)
class EmbeddedRun:
    """One run over some inputs with one state."""

    state: SqliteState
    deduplicate: Deduplicate
    new_engine: Callable[[], Deduplicate]
    """Returns the engine over the state as it was last committed."""
    decoder: LineDecoder | DeadLetterDecoder
    analysis: BatchAnalysis
    outputs: Outputs
    batch: int
    line_limit: int
    idle_seconds: float
    fail: Failpoint = no_failpoint
    observe: Callable[[Sequence[Arrival[Line]]], None] = lambda _: None
    """Gets the arrivals of each committed batch, with their events or rejections."""
    archive: RunArchive | None = None
    limit: InternalErrorLimit = field(default_factory=InternalErrorLimit)
    growing: bool = True
    """Whether an input file may grow: the run leaves a half-written last line for the next run."""

    def over(self, inputs: Sequence[str]) -> Iterator[Counter[str]]:
        """Process the inputs in order; yield the counts of each committed batch.

        A half-written last line is not processed but counted after the batches of its input. Raise
        SourceUnusable, SinkUnusable or StateUnusable if input, output or state fails.
        """
        self.begin()
        for name in inputs:
            start = resume_position(name, self.state.progress.inputs)
            # A file of dead letters has one a line; items may come in other forms, too.
            read = read_records if isinstance(self.decoder, LineDecoder) else read_lines
            lines = read(name, start, limit=self.line_limit, idle_seconds=self.idle_seconds)
            is_pipe = is_stream(name)
            # A pipe that ends is at its end, a file may be written just now.
            left: list[Line] = []
            if self.growing and not is_pipe:
                lines = without_half_written(lines, self.decoder, left)
            decoded = self._decoded_batches(lines)
            # What is read from a pipe is decided before anything waits for more.
            pairs = ((batch, ()) for batch in decoded) if is_pipe else with_following(decoded)
            for batch, following in pairs:
                last = batch[-1].record
                reached = InputPosition(last.end, last.number, start.head, in_line=last.is_open)
                positions = {position_key(last.input): reached}
                yield self._process(batch, following, positions)
                freeze_survivors()
            if left:
                yield Counter(half_written=len(left))

    def begin(self) -> None:
        """Make outputs and state agree after a crash, and commit that; safe to repeat."""
        self.complete()
        self._commit()
        freeze_survivors()

    def take(self, lines: Sequence[Line]) -> Iterator[Counter[str]]:
        """Process lines that come from no file; yield the counts of each committed batch.

        Their sender sends them again after a crash: they get the verdicts that they have.
        """
        decoded = self._decoded_batches(lines)
        for batch, following in with_following(decoded):
            yield self._process(batch, following)
            freeze_survivors()

    def preview(self, lines: Sequence[Line]) -> list[Arrival[Line]]:
        """Return what each line would give if it were read now; nothing is written or stored."""
        arrivals = decode_records(lines, self.decoder)
        self.analysis.analyze(arrivals)
        for arrival in arrivals:
            preview_arrival(arrival, self.deduplicate)
        return arrivals

    def complete(self) -> None:
        """Add the committed dead letters that a crash left out of their file; safe to repeat."""
        self.outputs.dead.finish(self.state.progress.dead_letters)
        self._forget_dead_letters()

    def close(self) -> None:
        """Close the files and end the helpers; the next run reads uncommitted lines again."""
        self.analysis.close()
        self.outputs.events.close()
        if self.archive is not None:
            self.archive.close()
        self.state.close()

    def _decoded_batches(self, lines: Iterable[Line | Idle]) -> Iterator[Sequence[Arrival[Line]]]:
        """Yield the arrivals of lines, a batch at a time."""
        for batch in batches(lines, size=self.batch):
            yield decode_records(batch, self.decoder)

    def _process(
        self,
        batch: Sequence[Arrival[Line]],
        following: Sequence[Arrival[Line]],
        positions: Mapping[str, InputPosition] | None = None,
    ) -> Counter[str]:
        """Analyze and judge a decoded batch, write its events and commit it; return its counts.

        `positions` are how far the batch reads in its input.
        """
        with collector_paused():
            self.analysis.analyze(batch, following=following)
            try:
                judged = self._judge(batch)
            except HalfApplied:
                judged = self._isolate(batch)
            self.limit.note([one.rejection for one in batch], judged.counts["set_aside"])
            self.fail("before_output")
            self.outputs.events.write(b"".join(judged.events))
            self.fail("after_output")
            dead_letters = b"".join(judged.dead_letters)
            self._commit(positions, judged.counts, dead_letters=dead_letters, events=judged.events)
        self.observe(batch)
        log_batch(LOG, batch)
        return judged.counts

    def _judge(self, batch: Sequence[Arrival[Line]], *, rehearse: bool = False) -> _Judged:
        """Decide a batch and return what is to be written of it.

        `rehearse`: first try each item without storing anything. Raise HalfApplied if a bug has
        left the state half changed.
        """
        judged = _Judged(Counter(lines=len(batch)), [], [])
        items = [one.content for one in batch if isinstance(one.content, NewsItem)]
        if unread := sum(bool(item.unread_dates) for item in items):
            judged.counts["unread_dates"] = unread
        if undated := sum(not is_dated(item) for item in items):
            judged.counts["undated"] = undated
        for arrival in batch:
            if rehearse:
                rehearse_arrival(arrival, self.deduplicate, event_line)
            decide_arrival(arrival, self.deduplicate)
            if arrival.rejection is not None:
                judged.counts["dead"] += 1
                judged.counts[f"dead_{arrival.rejection.code}"] += 1
                if arrival.rejection.code == INTERNAL_ERROR:
                    self.fail("isolated")
                dead_letter = self.decoder.dead_letter(arrival.record, arrival.rejection)
                judged.dead_letters.append(dead_letter)
                continue
            for event in arrival.events:
                judged.counts.update(counters_of(event))
            firsts = [event.first_judgement for event in arrival.events]
            judged.counts["late"] += sum(first is not None and first.late for first in firsts)
            judged.events.extend(encode_events(arrival, event_line))
            arrival.analyzed = None  # frees what only the decision needed
        if set_aside := self.deduplicate.set_aside.take_new():
            judged.counts["set_aside"] = set_aside
        return judged

    def _isolate(self, batch: Sequence[Arrival[Line]]) -> _Judged:
        """Decide a batch again after a bug left the state half changed, rehearsing each item.

        What a rehearsal does not show, as an error in learning, costs another beginning. Raise
        TooManyInternalErrors if that goes on.
        """
        while True:
            self.fail("rolling_back")
            self.state.roll_back()
            before, self.deduplicate = self.deduplicate, self.new_engine()
            self.deduplicate.cut_short = before.cut_short
            for arrival in batch:
                if arrival.content is not None:
                    arrival.rejection, arrival.events = None, ()
            self.analysis.analyze(batch)
            try:
                return self._judge(batch, rehearse=True)
            except HalfApplied as failed:
                failed.arrival.set_aside(failed.rejection)
                self.limit.check([one.rejection for one in batch])

    def _commit(
        self,
        positions: Mapping[str, InputPosition] | None = None,
        counts: Counter[str] | None = None,
        *,
        dead_letters: bytes = b"",
        events: Sequence[bytes] = (),
    ) -> None:
        """Sync the events, commit the state with the positions, then append the dead letters.

        `counts` are added to those of earlier batches; `events` were written since the last sync.
        """
        length = self.outputs.events.sync()
        if self.archive is not None:
            self.archive.take(events)
        self.fail("after_sync")
        before = self.state.progress
        total = Counter(before.counts)
        total.update(counts or {})
        self.state.commit(
            StreamProgress(
                watermark=self.deduplicate.watermark,
                inputs={**before.inputs, **(positions or {})},
                outputs={**before.outputs, self.outputs.name: length},
                dead_letters=dead_letters,
                counts=dict(sorted(total.items())),
            )
        )
        self.fail("after_commit")
        self.outputs.dead.add(dead_letters)
        self.fail("after_dead_letters")
        self._forget_dead_letters()
        if self.archive is not None:
            self.archive.follow(length)
            self.fail("after_archive")

    def _forget_dead_letters(self) -> None:
        """Drop the dead letters from the state: their file is complete and may be edited."""
        if self.state.progress.dead_letters:
            self.state.commit(replace(self.state.progress, dead_letters=b""))


def counters_of(event: Event) -> Sequence[str]:
    """Return the counters that an event adds to: its type, or "repeated".

    A first judgement adds also to those of its verdict, relation and language.
    """
    if event.repeated:
        return ("repeated",)
    first = event.first_judgement
    if first is None:
        return (event.payload.event,)
    return (first.event, first.verdict, f"relation_{first.relation}", f"lang_{first.lang}")


def batches(lines: Iterable[Line | Idle], *, size: int) -> Iterator[list[Line]]:
    """Yield lines in batches of up to `size`, fewer if they fill 16 MiB or the input is idle."""
    batch: list[Line] = []
    bytes_in_batch = 0
    for line in lines:
        if isinstance(line, Line):
            batch.append(line)
            bytes_in_batch += len(line.data)
        full = len(batch) >= size or bytes_in_batch >= BATCH_BYTES
        if batch and (full or isinstance(line, Idle)):
            yield batch
            batch, bytes_in_batch = [], 0
    if batch:
        yield batch


def with_following(parts: Iterator[Sequence[_T]]) -> Iterator[tuple[Sequence[_T], Sequence[_T]]]:
    """Yield each batch with the next one, which is read ahead; the last with an empty one.

    If reading ahead raises SourceUnusable, the batch at hand is yielded before that is raised.
    """
    batch = next(parts, ())
    while batch:
        failure: SourceUnusable | None = None
        try:
            following = next(parts, ())
        except SourceUnusable as error:
            following, failure = (), error
        yield batch, following
        if failure is not None:
            raise failure
        batch = following


def without_half_written(
    lines: Iterable[Line | Idle], decoder: Decoder[Line], left: list[Line]
) -> Iterator[Line | Idle]:
    """Yield the lines; append a last one without line end or whole JSON to `left` instead."""
    for line in lines:
        if isinstance(line, Line) and line.is_open and _is_half(line, decoder):
            left.append(line)
        else:
            yield line


def _is_half(line: Line, decoder: Decoder[Line]) -> bool:
    """Return whether a line without end is only the beginning of JSON text or of a row."""
    try:
        decoder.decode(line)
    except InvalidItem as error:
        # Cut within a character or an escape it is no UTF-8 either.
        return error.code in ("not_json", "not_utf8", "bad_csv")
    except Exception as error:
        if not is_bug(error):
            raise
    return False
