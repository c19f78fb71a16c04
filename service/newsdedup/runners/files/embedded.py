"""The embedded runner: lines in, events out, a batch at a time, each batch one transaction.

Per batch: write the events, sync them, commit records, judgements, input position, output length
and dead letters together, then add the letters to their file. A process that dies anywhere leaves
events that are cut to the committed length, letters that are completed, and an input that goes on
at the committed position.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from newsdedup.adapters.files.dead_letters import bury_line
from newsdedup.adapters.files.inputs import (
    InputPosition,
    is_stream,
    position_key,
    read_lines,
    resume_position,
)
from newsdedup.adapters.files.lines import Idle, Line
from newsdedup.adapters.files.outputs import AppendedFile, OutputLines
from newsdedup.adapters.sqlite.state import SqliteState, StreamProgress
from newsdedup.core.events import Event
from newsdedup.core.model import NewsItem
from newsdedup.core.stories.acts import Act, UnknownItem
from newsdedup.engine.analysis import Analysis
from newsdedup.engine.deduplicate import Analyzed, Deduplicate
from newsdedup.engine.long_lived import keep_from_collector, undisturbed
from newsdedup.ports.errors import InvalidItem
from newsdedup.runners.files.kinds import Kind, counted, kind_of
from newsdedup.runners.files.line_batches import Batch, Taken, What, ahead, alone, batches

Unwrap = Callable[[Line], Line | None]
"""The record in a line of the input, None if there is none; raises InvalidItem."""
Decode = Callable[[Line], NewsItem | Act]
Bury = Callable[[Line, InvalidItem], bytes]
"""The line that is kept of a record that failed."""
Fail = Callable[[str], None]
"""Called at the points where a crash would hurt most; tests let the process die there."""


@dataclass(frozen=True, slots=True)
class Outputs:
    """Where a run writes, and under which name the state keeps the length of the events."""

    events: OutputLines
    name: str
    dead: AppendedFile


def bare(line: Line) -> Line:
    """Return the line: most inputs hold records that are wrapped in nothing."""
    return line


def survive(point: str) -> None:
    """Do nothing: the failpoint of every run that is not a test."""


@dataclass(slots=True)
class EmbeddedRun:
    """One run over some inputs with one state."""

    state: SqliteState
    deduplicate: Deduplicate
    decode: Decode
    analysis: Analysis
    encode: Callable[[Event], bytes]
    outputs: Outputs
    batch: int
    line_limit: int
    idle_seconds: float
    fail: Fail = survive
    unwrap: Unwrap = bare
    bury: Bury = bury_line
    growing: bool = True
    """Whether a file may grow: what it ends with half written is left for the next run."""

    def over(self, inputs: Sequence[str]) -> Iterator[Counter[str]]:
        """Yield the counts of each committed batch."""
        self.complete()
        self._commit({})
        keep_from_collector()
        for name in inputs:
            start = resume_position(name, self.state.progress.inputs)
            found = read_lines(name, start, limit=self.line_limit, idle_seconds=self.idle_seconds)
            # A pipe that ends is at its end, a file may be written just now.
            left: list[Line] = []
            if self.growing and not is_stream(name):
                found = self._without_half_written(found, left)
            taken = map(self._taken, batches(found, size=self.batch))
            # What is read from a pipe is judged before anybody waits for more.
            for batch, following in alone(taken) if is_stream(name) else ahead(taken):
                yield self._judged(batch, following, head=start.head)
                keep_from_collector()
            if left:
                yield Counter(half_written=len(left))

    def complete(self) -> None:
        """Add the dead letters that a process had committed when it died."""
        self.outputs.dead.finish(self.state.progress.letters)
        self._forget_letters()

    def close(self) -> None:
        """Let go of the files; what was not committed is as if it had not been read."""
        self.analysis.close()
        self.outputs.events.close()
        self.state.close()

    def bounds_reached(self) -> Counter[str]:
        """Return how often a bound let something be judged less exactly, since the start."""
        return Counter(
            postings_skipped=self.state.skipped,
            cut_short=self.deduplicate.cut_short,
        )

    def _without_half_written(
        self, found: Iterable[Line | Idle], left: list[Line]
    ) -> Iterator[Line | Idle]:
        """Yield the lines, but for a last one without end that does not hold JSON: it is left."""
        for line in found:
            if isinstance(line, Line) and line.is_open and self._is_half(line):
                left.append(line)
            else:
                yield line

    def _is_half(self, line: Line) -> bool:
        try:
            self.decode(line)
        except InvalidItem as error:
            # Cut within a character or an escape it is no UTF-8 either.
            return error.code in ("not_json", "not_utf8")
        return False

    def _taken(self, lines: Sequence[Line]) -> Batch:
        taken = [self._received(line) for line in lines]
        items = [(t.what, t.record.data) for t in taken if isinstance(t.what, NewsItem)]
        return Batch(taken, items)

    def _judged(self, batch: Batch, following: Batch, *, head: str) -> Counter[str]:
        """Return the counts of a batch that is committed; what was analyzed is forgotten then."""
        with undisturbed():
            analyzed = self.analysis.many(batch.items, then=following.items)
            return self._take(batch, analyzed, head=head)

    def _take(self, batch: Batch, items: Iterable[Analyzed], *, head: str) -> Counter[str]:
        counts: Counter[str] = Counter(lines=len(batch.taken))
        kinds: Counter[Kind] = Counter()
        events: list[bytes] = []
        dead: list[bytes] = []
        analyzed = iter(items)
        for _, record, what in batch.taken:
            try:
                said = self._judge(what, analyzed)
            except InvalidItem as error:
                counts["dead"] += 1
                counts[f"dead_{error.code}"] += 1
                dead.append(self.bury(record, error))
                continue
            for event in said:
                kinds[kind_of(event)] += 1
                events.append(self.encode(event) + b"\n")
        counts.update(counted(kinds))
        self.fail("before_output")
        self.outputs.events.write(b"".join(events))
        self.fail("after_output")
        last = batch.taken[-1].line
        reached = InputPosition(last.end, last.number, head, in_line=last.is_open)
        self._commit({position_key(last.input): reached}, counts, letters=b"".join(dead))
        return counts

    def _received(self, line: Line) -> Taken:
        """Return the record in a line and what it tells; an error waits for its turn."""
        record: Line | None = line
        try:
            record = self.unwrap(line)
            what: What = None if record is None else self.decode(record)
        except InvalidItem as error:
            what = error
        return Taken(line, record or line, what)

    def _judge(self, what: What, analyzed: Iterator[Analyzed]) -> list[Event]:
        if what is None:
            return []
        if isinstance(what, NewsItem):
            return self.deduplicate.publish(next(analyzed))
        if isinstance(what, InvalidItem):
            raise what
        try:
            return self.deduplicate.act(what)
        except UnknownItem as error:
            raise InvalidItem("unknown_item", str(error)) from error

    def _commit(
        self,
        positions: dict[str, InputPosition],
        counts: Counter[str] | None = None,
        *,
        letters: bytes = b"",
    ) -> None:
        length = self.outputs.events.sync()
        self.fail("after_sync")
        before = self.state.progress
        total = Counter(before.counts)
        total.update(counts or {})
        self.state.commit(
            StreamProgress(
                watermark=self.deduplicate.watermark,
                inputs={**before.inputs, **positions},
                outputs={**before.outputs, self.outputs.name: length},
                letters=letters,
                counts=dict(sorted(total.items())),
            )
        )
        self.fail("after_commit")
        self.outputs.dead.add(letters)
        self.fail("after_letters")
        self._forget_letters()

    def _forget_letters(self) -> None:
        """Let nobody complete a file that somebody may mend from now on."""
        if self.state.progress.letters:
            self.state.commit(replace(self.state.progress, letters=b""))
