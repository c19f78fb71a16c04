"""Archives to an output: records are read, checked, written, and then counted as read.

Per batch: write the records, commit positions and dead letters together, then add the dead letters
to their file. After a crash the next import writes the records of one batch again, under the same
ids, and completes the file of dead letters.
"""

from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from newsdedup.adapters.files.line_decoder import bury_line
from newsdedup.adapters.files.lines import LONG_LINE_BYTES, Line
from newsdedup.adapters.files.outputs import AppendedFile
from newsdedup.feeder.archives.archive_entry import (
    ArchiveEntry,
    ArchiveFields,
    ArchivePosition,
    LeftOut,
    mendable_json,
)
from newsdedup.feeder.archives.import_state import ImportState, StampedPosition
from newsdedup.ports.errors import InvalidItem, Rejection, SourceUnusable
from newsdedup.ports.telemetry import Failpoint, no_failpoint
from newsdedup.runners.intake.record_output import RecordOutput

_BATCH_BYTES: Final = 4 * 2**20
_TOO_LARGE: Final = Rejection("too_long", "the output takes no record of this size")

MakeRecord = Callable[[str, ArchiveFields], bytes]
"""Returns the record of fields from a file; raises InvalidItem if they make no item."""


@dataclass(slots=True)
class _Batch:
    """Records and dead letters that are written together, and how far they reach."""

    records: list[bytes] = field(default_factory=list)
    entries: list[tuple[str, ArchiveEntry]] = field(default_factory=list)
    """The file and the archive's entry of each record."""
    dead_letters: list[bytes] = field(default_factory=list)
    reached: dict[str, StampedPosition] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)
    size: int = 0


@dataclass(frozen=True, slots=True)
class ArchiveImport:
    """An import of some files; run it once."""

    files: Sequence[str]
    read: Callable[[str, ArchivePosition], Iterator[ArchiveEntry]]
    """Yields the records of a file from a position on; raises SourceUnusable where it ends."""
    make_record: MakeRecord
    grows: bool
    """Whether new records come at the end of a file."""
    output: RecordOutput
    state: ImportState
    dead: AppendedFile
    report: Callable[[str], None]
    """Gets a sentence about each file that could not be read, or not to its end."""
    batch: int = 512
    """Records of the archive that are written at once, at most."""
    fail: Failpoint = no_failpoint

    async def run(self) -> AsyncIterator[Counter[str]]:
        """Import the files; yield the counts of each batch when it is written.

        A damaged file is read as far as possible, reported and counted; it is read on from there
        by the next import. Raise what the output raises: what was yielded before is imported.
        """
        self.dead.finish(self.state.pending_dead_letters())
        self.state.forget_dead_letters()
        batch = _Batch()
        for name in self.files:
            try:
                begin = self.state.begin(name, grows=self.grows)
                batch.counts["resumed"] += begin.position.number
                for entry in self.read(name, begin.position):
                    self._add(batch, name, begin, entry)
                    if batch.counts["read"] >= self.batch or batch.size >= _BATCH_BYTES:
                        yield await self._write(batch)
                        batch = _Batch()
                batch.counts["files"] += 1
            except SourceUnusable as error:
                batch.counts["damaged"] += 1
                self.report(str(error))
        yield await self._write(batch)

    def _add(self, batch: _Batch, name: str, begin: StampedPosition, entry: ArchiveEntry) -> None:
        """Add an entry to a batch: as a record, a dead letter, or a count."""
        batch.counts["read"] += 1
        batch.reached[name] = StampedPosition(begin.prefix, begin.size, entry.next_position)
        content = entry.content
        if isinstance(content, LeftOut):
            batch.counts[f"left_out_{content}"] += 1
        elif isinstance(content, Rejection):
            self._bury(batch, name, entry, content, entry.received)
        else:
            try:
                record = self.make_record(name, content)
            except InvalidItem as error:
                received = mendable_json(content)
                self._bury(batch, name, entry, error.rejection, received)
            else:
                batch.records.append(record)
                batch.entries.append((name, entry))
                batch.size += len(record)

    def _bury(
        self, batch: _Batch, name: str, entry: ArchiveEntry, why: Rejection, received: bytes
    ) -> None:
        """Add the dead letter of an entry to a batch; `received` is what could be mended."""
        data = received[:LONG_LINE_BYTES]
        size = entry.size or len(received)
        line = Line(name, entry.number, entry.offset, entry.offset + size, data, size)
        batch.dead_letters.append(bury_line(line, why))
        batch.size += len(data)
        batch.counts["dead"] += 1
        batch.counts[f"dead_{why.code}"] += 1

    async def _write(self, batch: _Batch) -> Counter[str]:
        """Write a batch, store how far it reaches, return its counts; raise as the output does."""
        refused = await self.output.write(batch.records) if batch.records else []
        for index in refused:
            self._bury(batch, *batch.entries[index], _TOO_LARGE, batch.records[index])
        batch.counts["items"] += len(batch.records) - len(refused)
        self.fail("after_output")
        dead_letters = b"".join(batch.dead_letters)
        self.state.commit(batch.reached, dead_letters)
        self.fail("after_commit")
        self.dead.add(dead_letters)
        self.fail("after_dead_letters")
        if dead_letters:
            self.state.forget_dead_letters()
        return batch.counts
